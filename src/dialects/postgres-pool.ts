/** A pool of connections to PostgreSQL. Waiting for a free connection and for a server that does not respond is bounded. */
import pg from 'pg';
import { ConnectionQueue } from './connection-queue.ts';
import { endsConnection } from './postgres-errors.ts';
import { timedOut, withTimeout } from './time-out.ts';

export interface PoolOptions {
  readonly connection: pg.PoolConfig;
  /** The server cancels a statement after this time; 0 means no limit. Milliseconds. */
  readonly statementTime: number;
  /** Opening a connection and beginning a transaction may take at most this long. Milliseconds. */
  readonly connectionTime: number;
}

/** Milliseconds between two checks of the running statements. */
const tick = 250;
/** When a statement has had no response for this long, the pool checks whether the server still responds. Milliseconds. */
const quiet = 1000;
/** The server must respond to this check within this time. Milliseconds. */
const probeTime = 700;
/** The server cancels a statement that takes too long. If it does not within this additional time, the connection is given up. Milliseconds. */
const stopTime = 1000;

interface Running {
  readonly client: pg.PoolClient;
  readonly since: number;
  readonly giveUp: (error: Error) => void;
}

export class PostgresPool {
  readonly #pool: pg.Pool;
  /** A separate connection to check whether the server responds while all others are busy. */
  readonly #probes: pg.Pool;
  readonly #line: ConnectionQueue;
  readonly #options: PoolOptions;
  readonly #running = new Set<Running>();
  /** Broken connections, and the errors that they caused, whatever the errors' types are. */
  readonly #broken = new WeakSet<pg.ClientBase>();
  readonly #losses = new WeakSet<object>();
  readonly #watch: NodeJS.Timeout;
  /** Connections with a statement whose rows were not read to the end. The server keeps sending, so they cannot be reused. */
  readonly #unread = new WeakSet<pg.ClientBase>();
  /** The connections that have broken so far. */
  lost = 0;
  #lastAnswer = 0;
  #lastLook = performance.now();
  #probing = false;

  constructor(options: PoolOptions) {
    const { connection, statementTime, connectionTime } = options;
    this.#options = options;
    const shared = { ...connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
    this.#pool = new pg.Pool({ ...shared, statement_timeout: statementTime, connectionTimeoutMillis: connectionTime + stopTime });
    this.#probes = new pg.Pool({ ...shared, min: 0, max: 1, connectionTimeoutMillis: probeTime });
    for (const pool of [this.#pool, this.#probes]) {
      // An idle connection that breaks (server restart) is replaced by the pool; without a listener it would end the process.
      pool.on('error', () => undefined);
      // The same holds for a connection in use: the pool listens only to idle ones.
      pool.on('connect', (client) =>
        client.on('error', () => {
          this.lost++;
          this.#broken.add(client);
        }),
      );
    }
    const longest = statementTime === 0 ? Number.POSITIVE_INFINITY : Math.max(statementTime, connectionTime);
    this.#line = new ConnectionQueue({ connections: connection.max ?? 10, patience: connectionTime, longest });
    this.#watch = setInterval(() => this.#look(), tick);
    this.#watch.unref();
  }

  /** Returns a connection on which `text` has begun a transaction, or without `text` any connection. The caller returns it with `end`. */
  async begin(text?: string): Promise<pg.PoolClient> {
    let client: pg.PoolClient | undefined;
    try {
      const deadline = await this.#line.enter();
      try {
        client = await this.#begin(text, deadline);
        return client;
      } finally {
        if (client === undefined) this.#line.leave(false);
      }
    } catch (error) {
      this.#noteLoss(error);
      throw error;
    }
  }

  /** Begins a transaction. An idle connection may have broken unnoticed; another one is then used, as no work has been done. */
  async #begin(text: string | undefined, deadline: number): Promise<pg.PoolClient> {
    for (let tries = this.#pool.idleCount; ; tries--) {
      const client = await withTimeout(deadline, this.#pool.connect(), (late) => late.release());
      if (text === undefined) return client;
      try {
        await withTimeout(deadline, client.query(text), () => undefined);
        return client;
      } catch (error) {
        client.release(true);
        if (tries <= 0 || performance.now() >= deadline) throw error;
      }
    }
  }

  /** The connections that no caller uses. Some may have broken unnoticed. */
  get idle(): number {
    return this.#pool.idleCount;
  }

  /** Returns a connection to the pool. `usable` is true if it is no longer in a transaction. */
  end(client: pg.PoolClient, usable: boolean): void {
    const isWell = usable && !this.#broken.has(client);
    client.release(!isWell || this.#unread.has(client));
    this.#line.leave(isWell);
  }

  query(client: pg.PoolClient, config: pg.QueryArrayConfig | string): Promise<pg.QueryArrayResult> {
    return this.#run(client, () =>
      typeof config === 'string' ? client.query<unknown[]>({ text: config, rowMode: 'array' }) : client.query<unknown[]>(config),
    );
  }

  /** Passes on rows as they arrive. When `each` throws, rejects at once and ignores the rows that the server still sends. */
  async each(client: pg.PoolClient, config: pg.QueryArrayConfig, each: (row: unknown[]) => void): Promise<void> {
    let refusal: { readonly error: unknown } | undefined;
    const read = () =>
      new Promise<void>((resolve, reject) => {
        const query = new pg.Query<unknown[]>(config);
        query.on('row', (row: unknown[]) => {
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
      this.#lastAnswer = performance.now();
      return result;
    } catch (error) {
      if (error instanceof pg.DatabaseError) this.#lastAnswer = performance.now();
      if (endsConnection(error)) this.#broken.add(client);
      if (this.#broken.has(client)) this.#noteLoss(error);
      throw error;
    }
  }

  /** Cancels the statement that is running on the connection, if any. The connection remains usable. */
  async cancel(client: pg.PoolClient): Promise<void> {
    // The driver has this property, but its types lack it.
    const { processID } = client as pg.PoolClient & { readonly processID: number };
    const asked = this.#probes.query('SELECT pg_cancel_backend($1)', [processID]);
    await withTimeout(performance.now() + probeTime, asked, () => undefined).catch(() => undefined);
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
    clearInterval(this.#watch);
    await Promise.all([this.#pool.end(), this.#probes.end()]);
  }

  #noteLoss(error: unknown): void {
    if (typeof error === 'object' && error !== null) this.#losses.add(error);
  }

  #answer<T>(client: pg.PoolClient, ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const running: Running = { client, since: performance.now(), giveUp: reject };
      this.#running.add(running);
      const done = () => this.#running.delete(running);
      ask().finally(done).then(resolve, reject);
    });
  }

  #look(): void {
    const now = performance.now();
    const wasHeldUp = now - this.#lastLook > 2 * tick;
    this.#lastLook = now;
    // This thread was busy: responses may have arrived that have not been read yet.
    if (wasHeldUp) return;
    const { statementTime } = this.#options;
    let isQuiet = false;
    for (const each of this.#running) {
      if (statementTime > 0 && now - each.since > statementTime + stopTime) this.#giveUp(each);
      else if (now - each.since > quiet) isQuiet = true;
    }
    if (isQuiet && now - this.#lastAnswer > quiet && !this.#probing) void this.#probe(now);
  }

  /** Checks whether the server responds. If it does not, all waiting requests fail. */
  async #probe(began: number): Promise<void> {
    this.#probing = true;
    const isThere = await withTimeout(began + probeTime, this.#ask(), () => undefined).catch(() => false);
    this.#probing = false;
    if (isThere) this.#lastAnswer = performance.now();
    else if (this.#lastAnswer < began) for (const each of this.#running) if (each.since < began) this.#giveUp(each);
  }

  async #ask(): Promise<boolean> {
    try {
      const client = await this.#probes.connect();
      // A connection without a response is closed.
      const timer = setTimeout(() => client.release(true), probeTime);
      const asked = client.query('SELECT 1');
      await asked.finally(() => clearTimeout(timer));
      client.release();
      return true;
    } catch (error) {
      // A server that refuses the connection still responds.
      return error instanceof pg.DatabaseError;
    }
  }

  #giveUp({ client, giveUp }: Running): void {
    this.#broken.add(client);
    giveUp(timedOut());
  }
}
