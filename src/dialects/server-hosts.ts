/** The hosts of a database URL, of which one is used at a time: the primary of a PostgreSQL
 *  cluster, or one node of a Galera cluster. */
import { reasonOf } from './replicas.ts';

export interface Host<Address> {
  /** `host:port`, for messages. */
  readonly name: string;
  readonly address: Address;
}

/** The host cannot be used at the moment; another one may be. */
class PassedOver extends Error {}

/** The host responds, and cannot be written to. */
export class NotWritable extends Error {}

/** None can be used at the moment. The code is that of an error which may pass. */
export class NoUsableHost extends Error {
  readonly code = 'EHOSTUNREACH';
  /** Why each of them was passed over. */
  readonly reasons: readonly unknown[];

  constructor(passedOver: readonly PassedOver[]) {
    super(`No host in DATABASE_URL can be used: ${passedOver.map(({ message }) => message).join('; ')}`);
    this.reasons = passedOver.map(({ cause }) => cause);
  }
}

/** A host has at least this long to respond. Milliseconds. */
const minShare = 300;

export class ServerHosts<Address> {
  readonly #list: readonly [Host<Address>, ...Host<Address>[]];
  /** The host of the next attempt. */
  #candidate: Host<Address>;
  #inUse: Host<Address> | undefined;
  readonly #listeners = new Set<() => void>();
  /** An attempt may take at most this long, so that a host that drops packets leaves time for the
   *  others. Milliseconds. */
  readonly share: number;

  /** `time`: for an attempt on each of the hosts, in milliseconds. */
  constructor(list: readonly [Host<Address>, ...Host<Address>[]], time: number) {
    this.#list = list;
    [this.#candidate] = list;
    this.share = list.length === 1 ? time : Math.max(minShare, Math.floor(time / list.length));
  }

  /** Whether there are several. */
  get isList(): boolean {
    return this.#list.length > 1;
  }

  get candidate(): Host<Address> {
    return this.#candidate;
  }

  /** The host that could be used last. */
  get inUse(): Host<Address> {
    return this.#inUse ?? this.#candidate;
  }

  /** Calls `listener` when another host is used than before. Returns a function that ends this. */
  onMove(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Begins with the next host at the next attempt, if this one was to be tried. */
  passOver(host: Host<Address>): void {
    const next = (this.#list.indexOf(host) + 1) % this.#list.length;
    if (this.#candidate === host) this.#candidate = this.#list[next] ?? host;
  }

  /** Settles like `connect`, which connects to this host. `isFinal`: whether an error is one that
   *  the other hosts would give as well. */
  async attempt<T>(host: Host<Address>, connect: () => Promise<T>, isFinal: (error: unknown) => boolean): Promise<T> {
    try {
      const connection = await connect();
      this.#reached(host);
      return connection;
    } catch (error) {
      // Without a list, an error of the connection says enough.
      if (isFinal(error) || !(this.isList || error instanceof NotWritable)) throw error;
      this.passOver(host);
      throw new PassedOver(`${host.name}: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** Calls `connect`, which makes an attempt on the candidate, until a host can be used, or each
   *  one was passed over. */
  async search<T>(connect: () => Promise<T>): Promise<T> {
    const passedOver: PassedOver[] = [];
    while (passedOver.length < this.#list.length) {
      try {
        return await connect();
      } catch (error) {
        if (!(error instanceof PassedOver)) throw error;
        passedOver.push(error);
      }
    }
    throw new NoUsableHost(passedOver);
  }

  #reached(host: Host<Address>): void {
    const before = this.#inUse;
    this.#inUse = host;
    this.#candidate = host;
    if (before === undefined || before === host) return;
    for (const listener of this.#listeners) listener();
  }
}
