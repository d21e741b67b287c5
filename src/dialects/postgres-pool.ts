/** A pool of connections to PostgreSQL. Waiting for a free connection and for a server that
 *  does not respond is bounded. */
import pg from 'pg';
import type { PoolFigures } from '../observe/figures.ts';
import { ConnectionAttempts } from './connection-attempts.ts';
import { ConnectionQueue } from './connection-queue.ts';
import { disconnect, PostgresClient, type PostgresConfig } from './postgres-client.ts';
import { endsConnection, isReadOnly } from './postgres-errors.ts';
import { TextRows } from './postgres-text-rows.ts';
import { probeTime, ServerWatch, stopTime, type WatchedPool } from './server-watch.ts';
import { isTimeout, timedOut, withTimeout } from './time-out.ts';

export interface PoolOptions {
  readonly connection: PostgresConfig;
  /** The server cancels a statement after this time; 0 means no limit. Milliseconds. */
  readonly statementTime: number;
  /** Opening a connection and beginning a transaction may take at most this long. Milliseconds. */
  readonly connectionTime: number;
  /** Called when connections may lead to another server than before: another host is used, or the
   *  server cannot be written to, so that another one may have taken over its name. */
  readonly renewed?: () => void;
}

/** The driver's default number of connections. */
const defaultConnections = 10;
/** At most once in this time, all connections are replaced. Milliseconds. */
const renewalPause = 2000;

/** A statement that was sent. */
interface Running {
  /** When it was sent, or when the response to the statement before it arrived. */
  since: number;
  readonly giveUp: (error: Error) => void;
}

export interface Begun {
  readonly client: pg.PoolClient;
  /** Undefined if nothing was sent. */
  readonly begun: Promise<void> | undefined;
}

export class PostgresPool implements WatchedPool {
  readonly #pool: pg.Pool;
  /** A separate connection to check whether the server responds while all others are busy. */
  readonly #probes: pg.Pool;
  readonly #line: ConnectionQueue;
  readonly #attempts = new ConnectionAttempts();
  /** When each connection was opened, and the time before which none may be used any more. */
  readonly #opened = new WeakMap<pg.ClientBase, number>();
  #oldest = 0;
  readonly #options: PoolOptions;
  readonly #stopListening: (() => void) | undefined;
  /** The statements of each connection in their order: the server runs the first one. */
  readonly #running = new Map<pg.PoolClient, Running[]>();
  /** Broken connections, and the errors that they caused, whatever the errors' types are. */
  readonly #broken = new WeakSet<pg.ClientBase>();
  readonly #losses = new WeakSet<object>();
  readonly #watch = new ServerWatch(this);
  /** Connections with a statement whose rows were not read to the end. The server keeps
   *  sending, so they cannot be reused. */
  readonly #unread = new WeakSet<pg.ClientBase>();
  /** The connections that have broken so far. */
  lost = 0;

  constructor(options: PoolOptions) {
    const { connection, statementTime, connectionTime } = options;
    this.#options = options;
    const shared = { ...connection, Client: PostgresClient, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
    const searching = { ...shared, searches: true };
    this.#pool = new pg.Pool({
      ...searching,
      // Not the driver's `statement_timeout`, which is a startup parameter of its own: poolers
      // would have to ignore it in addition to `options`.
      options: `${connection.options ?? ''} -c statement_timeout=${statementTime}`,
      connectionTimeoutMillis: connectionTime + stopTime,
      // Statements are sent at once; the server runs them one after the other.
      pipeline: true,
    });
    this.#probes = new pg.Pool({ ...shared, min: 0, max: 1, connectionTimeoutMillis: probeTime });
    for (const pool of [this.#pool, this.#probes]) {
      // An idle connection that breaks (server restart) is replaced by the pool; without a listener
      // it would end the process.
      pool.on('error', () => undefined);
      // The same holds for a connection in use: the pool listens only to idle ones.
      pool.on('connect', (client) => {
        this.#opened.set(client, performance.now());
        client.on('error', () => {
          this.lost++;
          this.#broken.add(client);
        });
      });
    }
    this.#stopListening = connection.servers?.hosts.onMove(() => this.#leaveConnections());
    const maxWait = statementTime === 0 ? Number.POSITIVE_INFINITY : Math.max(statementTime, connectionTime);
    this.#line = new ConnectionQueue({ connections: connection.max ?? defaultConnections, patience: connectionTime, maxWait });
  }

  /** Returns a connection, and sends `text`, which begins a transaction, without waiting for the
   *  response: `begun` is rejected if there is none in time. The caller returns the connection with
   *  `end`. `since`: when it began to wait, if that was before the call. */
  async begin(text?: string, since?: number): Promise<Begun> {
    try {
      const deadline = await this.#line.enter(since);
      let client: pg.PoolClient | undefined;
      try {
        client = await withTimeout(deadline, this.#connect(deadline), (late) => late.release());
      } finally {
        if (client === undefined) this.#line.leave(false);
      }
      return { client, begun: text === undefined ? undefined : this.#begin(client, text, deadline) };
    } catch (error) {
      this.#noteLoss(error);
      throw error;
    }
  }

  async #connect(deadline: number): Promise<pg.PoolClient> {
    for (;;) {
      const client = await (this.#pool.idleCount > 0 ? this.#pool.connect() : this.#attempts.run(() => this.#open(), deadline));
      if (!this.#isOutdated(client)) return client;
      client.release(true);
      disconnect(client);
    }
  }

  async #open(): Promise<pg.PoolClient> {
    const deadline = performance.now() + this.#options.connectionTime;
    const hosts = this.#options.connection.servers?.hosts;
    const connect = () => this.#pool.connect();
    const client = await withTimeout(deadline, hosts?.search(connect) ?? connect(), (late) => late.release());
    this.#watch.noteResponse();
    return client;
  }

  #isOutdated(client: pg.ClientBase): boolean {
    return (this.#opened.get(client) ?? 0) < this.#oldest;
  }

  /** Has every connection replaced before its next use. */
  #renew(): void {
    if (performance.now() - this.#oldest >= renewalPause) this.#leaveConnections();
  }

  #leaveConnections(): void {
    this.#oldest = performance.now();
    this.#options.renewed?.();
  }

  async #begin(client: pg.PoolClient, text: string, deadline: number): Promise<void> {
    try {
      await this.#watch.beginning(
        deadline,
        this.#answer(client, () => client.query(text)),
      );
      this.#watch.noteResponse();
    } catch (error) {
      // Something between both ends may have dropped the idle connections without telling.
      if (isTimeout(error)) this.#renew();
      this.#broken.add(client);
      this.#noteLoss(error);
      // Nothing that was sent after it is waited for.
      disconnect(client);
      throw error;
    }
  }

  /** The connections that no caller uses. Some may have broken unnoticed. */
  get idle(): number {
    return this.#pool.idleCount;
  }

  figures(): PoolFigures {
    const { totalCount, idleCount } = this.#pool;
    return { open: totalCount, idle: idleCount, waiting: this.#line.waiting, max: this.#options.connection.max ?? defaultConnections };
  }

  /** Whether the next caller may have the connection, if it is no longer in a transaction. */
  isKept(client: pg.PoolClient): boolean {
    return !(this.#broken.has(client) || this.#unread.has(client) || this.#isOutdated(client));
  }

  /** Returns a connection to the pool. `usable` is true if it is no longer in a transaction. */
  end(client: pg.PoolClient, usable: boolean): void {
    const isWell = usable && !this.#broken.has(client);
    const isKept = usable && this.isKept(client);
    client.release(!isKept);
    // By itself, the driver reads the responses to everything that it has sent.
    if (!isKept) disconnect(client);
    this.#line.leave(isWell);
  }

  query(client: pg.PoolClient, config: pg.QueryArrayConfig | string): Promise<pg.QueryArrayResult> {
    return this.#run(client, () =>
      typeof config === 'string' ? client.query<unknown[]>({ text: config, rowMode: 'array' }) : client.query<unknown[]>(config),
    );
  }

  /** Sends a query that has no rows. */
  ask(client: pg.PoolClient, query: pg.Query): Promise<void> {
    const send = () =>
      new Promise<void>((resolve, reject) => {
        query.on('end', () => resolve());
        query.on('error', reject);
        client.query(query);
      });
    return this.#run(client, send);
  }

  /** Passes on rows as they arrive, their columns as texts. When `each` throws, rejects at once and
   *  ignores the rows that the server still sends. */
  async each(client: pg.PoolClient, config: pg.QueryArrayConfig, each: (row: unknown[]) => void): Promise<void> {
    let refusal: { readonly error: unknown } | undefined;
    const read = () =>
      new Promise<void>((resolve, reject) => {
        const query = new TextRows(config);
        query.on('row', (row) => {
          if (refusal !== undefined) return;
          try {
            each(row);
          } catch (error) {
            refusal = { error };
            this.#unread.add(client);
            resolve();
          }
        });
        query.on('end', () => resolve());
        query.on('error', reject);
        client.query(query);
      });
    await this.#run(client, read);
    if (refusal !== undefined) throw refusal.error;
  }

  async #run<T>(client: pg.PoolClient, ask: () => Promise<T>): Promise<T> {
    try {
      const result = await this.#answer(client, ask);
      this.#watch.noteResponse();
      return result;
    } catch (error) {
      if (error instanceof pg.DatabaseError) this.#watch.noteResponse();
      if (endsConnection(error)) this.#broken.add(client);
      if (isReadOnly(error)) this.#renew();
      if (this.#broken.has(client)) this.#noteLoss(error);
      throw error;
    }
  }

  /** Cancels the statement that is running on the connection, if any. The connection remains
   *  usable if the server confirms it in time; a late cancel would end the statement of the
   *  connection's next user. */
  async cancel(client: pg.PoolClient): Promise<void> {
    if (this.#broken.has(client)) return;
    // On the host in use, another process may have this number.
    if (client instanceof PostgresClient && client.isElsewhere) return this.#giveUp(client);
    const cancelled = this.#apart('SELECT pg_cancel_backend($1)', [processOf(client)]);
    // A connection that ends has no statement to cancel.
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    client.once('end', ended);
    await withTimeout(performance.now() + probeTime, Promise.race([cancelled, end])).catch((error: unknown) => {
      if (isTimeout(error)) this.#giveUp(client);
    });
    client.removeListener('end', ended);
  }

  /** As `ServerWatch.suspect`. */
  suspect(): void {
    this.#watch.suspect();
  }

  /** Rolls back the transaction. Returns false if the connection may still be inside it. */
  async rollBack(client: pg.PoolClient): Promise<boolean> {
    if (this.#broken.has(client)) return false;
    // Closing the connection ends the transaction.
    if (this.#unread.has(client)) return true;
    return this.query(client, 'ROLLBACK').then(
      () => true,
      () => false,
    );
  }

  /** Whether a failed or broken connection caused this error. */
  isLoss(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#losses.has(error);
  }

  async close(): Promise<void> {
    this.#watch.stop();
    this.#stopListening?.();
    await Promise.all([this.#pool.end(), this.#probes.end()]);
  }

  #noteLoss(error: unknown): void {
    if (typeof error === 'object' && error !== null) this.#losses.add(error);
  }

  #answer<T>(client: pg.PoolClient, ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const running: Running = { since: performance.now(), giveUp: reject };
      const list = this.#running.get(client) ?? [];
      this.#running.set(client, list);
      list.push(running);
      const done = () => {
        list.splice(list.indexOf(running), 1);
        const [next] = list;
        if (next === undefined) this.#running.delete(client);
        else next.since = performance.now();
      };
      ask().finally(done).then(resolve, reject);
    });
  }

  look(now: number): number {
    const { statementTime } = this.#options;
    let earliest = now;
    for (const [client, [first]] of this.#running) {
      const since = first?.since ?? now;
      if (statementTime > 0 && now - since > statementTime + stopTime) this.#giveUp(client);
      else earliest = Math.min(earliest, since);
    }
    return earliest;
  }

  fallSilent(error: Error): void {
    this.#attempts.fail(error);
    // Idle connections lead to the same server.
    this.#leaveConnections();
    const hosts = this.#options.connection.servers?.hosts;
    hosts?.passOver(hosts.inUse);
    for (const client of this.#running.keys()) this.#giveUp(client);
    this.#line.refuseAll(error);
  }

  responds(): Promise<boolean> {
    // A server that refuses the connection still responds.
    return withTimeout(performance.now() + probeTime, this.#apart('SELECT 1')).then(
      () => true,
      (error: unknown) => error instanceof pg.DatabaseError,
    );
  }

  /** Runs a statement on the separate connection. Closes it if there is no response in time. */
  async #apart(text: string, values: readonly unknown[] = []): Promise<void> {
    let client = await this.#probes.connect();
    while (this.#isOutdated(client)) {
      client.release(true);
      client = await this.#probes.connect();
    }
    let isReleased = false;
    const release = (isLost: boolean) => {
      if (!isReleased) client.release(isLost);
      isReleased = true;
    };
    const timer = setTimeout(() => release(true), probeTime);
    try {
      await client.query(text, [...values]);
    } finally {
      clearTimeout(timer);
      release(false);
    }
  }

  #giveUp(client: pg.PoolClient): void {
    this.#broken.add(client);
    for (const { giveUp } of this.#running.get(client) ?? []) giveUp(timedOut());
    disconnect(client);
  }
}

/** The number of the server's process. The driver has this property, but its types lack it. */
export const processOf = (client: pg.ClientBase): number => (client as pg.ClientBase & { readonly processID: number }).processID;
