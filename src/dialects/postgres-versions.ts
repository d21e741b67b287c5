/** Asks PostgreSQL for the version of its data, on a connection of its own.
 *
 *  `pg_current_snapshot()` lists the transactions that are visible. Visible transactions stay
 *  visible, so its text is the same exactly as long as no other transaction has become visible. A
 *  server in recovery does not list them all, so it has no version. The start of the server is
 *  compared as well because a connection pooler may lead to another server. Source: PostgreSQL
 *  manual, "Transaction ID and Snapshot Information Functions". */
import type pg from 'pg';
import type { DataVersion } from './database.ts';
import { PostgresClient, type PostgresConfig } from './postgres-client.ts';
import type { OwnTransactions } from './postgres-own-transactions.ts';
import { SharedQuestion } from './shared-question.ts';
import { isTimeout, withTimeout } from './time-out.ts';

/** A request waits at most this long for the version. After that it is unknown: with `exact`,
 *  nothing is cached; otherwise a response is valid for `cache.consistency`. Milliseconds. */
const patience = 500;
/** After a failure, the server is asked again after this time. Milliseconds. */
const pause = 1000;

export interface VersionOptions {
  readonly connection: PostgresConfig;
  /** The transactions of the pool that leads to the same server. */
  readonly own: OwnTransactions;
  /** Called with the reason why a version could not be read. */
  readonly failed: (error: unknown) => void;
  /** Called when there was no response in time. */
  readonly silent: () => void;
}

/** With the start time of the server: two servers may use the same ids of transactions. */
export const versionQuestion =
  'SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE extract(epoch from pg_postmaster_start_time())::text END, pg_current_snapshot()::text';

export class PostgresVersions {
  readonly #options: VersionOptions;
  readonly #connection: PostgresConfig;
  #client: pg.Client | undefined;
  #connecting: Promise<pg.Client | undefined> | undefined;
  /** Numbers the connections: a server that was restored after a crash may use the ids of lost
   *  transactions again, and a crash ends all connections. */
  #connections = 0;
  /** The number of connections that have broken or were given up. */
  #lost = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  readonly #question = new SharedQuestion(() => this.#version());
  #isClosed = false;

  constructor(options: VersionOptions) {
    this.#options = options;
    this.#connection = { ...options.connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000, connectionTimeoutMillis: patience };
  }

  /** Returns undefined if the server cannot be asked or has no version. Never rejects. */
  ask(): Promise<DataVersion | undefined> | undefined {
    if (this.#client === undefined) {
      const first = this.#connections === 0;
      void this.#connect();
      // Only the first connection is waited for: a server that is away delays no further request.
      if (!first || this.#connecting === undefined) return undefined;
    }
    return this.#question.answer();
  }

  get lost(): number {
    return this.#lost;
  }

  /** Opens another connection, since the pool's connections lead to another server now. */
  reconnect(): void {
    if (this.#client !== undefined) this.#lose(this.#client);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connecting;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #version(): Promise<DataVersion | undefined> {
    const deadline = performance.now() + patience;
    const client = this.#client ?? (await this.#connecting);
    if (client === undefined) return undefined;
    try {
      return await this.#ask(client, deadline);
    } catch (error) {
      this.#options.failed(error);
      if (isTimeout(error)) this.#options.silent();
      this.#lose(client);
      return undefined;
    }
  }

  async #ask(client: pg.Client, deadline: number): Promise<DataVersion | undefined> {
    const connection = this.#connections;
    const { rows } = await withTimeout(deadline, client.query<unknown[]>({ text: versionQuestion, rowMode: 'array' }));
    const [start, text] = rows[0] ?? [];
    if (typeof start !== 'string') return undefined;
    const epoch = await this.#options.own.epoch(`${connection} ${start}`, String(text), deadline);
    // Own commits change it as well, since nobody reports which tables they have changed.
    return { epoch, of: () => `${connection} ${start} ${String(text)}` };
  }

  #connect(): Promise<pg.Client | undefined> | undefined {
    if (this.#isClosed || performance.now() < this.#pausedUntil) return undefined;
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<pg.Client | undefined> {
    const client = new PostgresClient(this.#connection);
    const lose = () => this.#lose(client);
    client.on('error', lose).on('end', lose);
    this.#pausedUntil = performance.now() + pause;
    try {
      await client.connect();
    } catch {
      return undefined;
    } finally {
      this.#connections++;
    }
    if (this.#isClosed) {
      await client.end().catch(() => undefined);
      return undefined;
    }
    this.#client = client;
    return client;
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#lost++;
    this.#pausedUntil = performance.now() + pause;
    // Ends the socket at once: the server may never respond.
    client.end().catch(() => undefined);
  }
}
