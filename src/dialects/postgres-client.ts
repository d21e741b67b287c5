/** A connection of the driver that leaves no socket behind. When signing in fails at this
 *  end, for a password that is missing, the driver would keep the socket, and the server
 *  would wait on it for a minute. */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { PostgresServers } from './postgres-servers.ts';
import { type Host, NotWritable } from './server-hosts.ts';
import { withTimeout } from './time-out.ts';

/** The driver has this property, but its types lack it. */
type ConnectedClient = pg.ClientBase & { readonly connection: { readonly stream: Duplex } };

/** Closes the socket at once. */
export const disconnect = (client: pg.ClientBase): void => void (client as ConnectedClient).connection.stream.destroy();

export interface PostgresConfig extends pg.PoolConfig {
  /** The hosts of the URL, if it may name several. */
  readonly servers?: PostgresServers | undefined;
  /** Whether the connection searches for a host that can be used; otherwise it leads to the one
   *  that is in use. */
  readonly searches?: boolean;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

export class PostgresClient extends pg.Client {
  readonly #servers: PostgresServers | undefined;
  readonly #searches: boolean;
  readonly #host: Host<pg.ClientConfig> | undefined;

  /** The pool makes `password` a property that is not enumerable, so that it is copied by name. */
  constructor({ servers, searches = false, password, ...config }: PostgresConfig = {}) {
    const host = searches ? servers?.hosts.candidate : servers?.hosts.inUse;
    super({ ...config, ...(password === undefined ? {} : { password }), ...host?.address });
    this.#servers = servers;
    this.#searches = searches;
    this.#host = host;
  }

  /** Whether it leads to another host than the one that is in use now. */
  get isElsewhere(): boolean {
    return this.#servers !== undefined && this.#servers.hosts.inUse !== this.#host;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(
      (client) => (callback as (error: null, client: pg.Client) => void)(null, client),
      (error: unknown) => (callback as (error: unknown) => void)(error),
    );
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    // A connection that breaks would end the process.
    const ignore = () => undefined;
    this.on('error', ignore);
    try {
      const servers = this.#servers;
      if (servers === undefined || this.#host === undefined || !this.#searches) await super.connect();
      else {
        const deadline = performance.now() + servers.hosts.share;
        await servers.hosts.attempt(this.#host, () => withTimeout(deadline, this.#reach(servers.question)), isFinal);
      }
    } catch (error) {
      disconnect(this);
      throw error;
    }
    this.off('error', ignore);
    return this;
  }

  async #reach(question: string | undefined): Promise<void> {
    await super.connect();
    if (question === undefined) return;
    const { rows } = await this.query<unknown[]>({ text: question, rowMode: 'array' });
    if (rows[0]?.[0] !== true) throw new NotWritable('it cannot be written to, since it is a standby or read-only');
  }
}

/** Whether no other host has to be tried, as after a wrong password or without the database. Class
 *  08: a pooler cannot reach its server; 53: the server has no connection left; 57P: it starts or
 *  stops. */
const isFinal = (error: unknown): boolean => error instanceof pg.DatabaseError && !/^(?:08|53|57P)/.test(error.code ?? '');
