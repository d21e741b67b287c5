/** Asks PostgreSQL for the version of its data, on a connection of its own. Requests that arrive while a question is under way share the next one,
 *  which is sent after they arrived: one round trip serves many of them, and none gets a version from before its arrival. */
import pg from 'pg';
import type { DataVersion } from './dialect.ts';
import { withTimeout } from './time-out.ts';

/** `pg_current_snapshot()` lists the transactions that are visible. Visible transactions stay visible, so its text is the same exactly as long as no
 *  other transaction has become visible. A server in recovery does not list them all, so it has no version. The start of the server is part of the
 *  version because a connection pooler may lead to another server. Source: PostgreSQL manual, "Transaction ID and Snapshot Information Functions". */
const question = `SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_postmaster_start_time()::text || ' ' || pg_current_snapshot()::text END`;

/** A request waits at most this long for the version; without it, the caches are not used for the request. Milliseconds. */
const patience = 500;
/** After a failure, the server is asked again after this time. Milliseconds. */
const pause = 1000;

interface Waiting {
  readonly version: Promise<DataVersion | undefined>;
  readonly resolveVersion: (version: DataVersion | undefined) => void;
}

export class PostgresVersions {
  readonly #connection: pg.ClientConfig;
  #client: pg.Client | undefined;
  #connecting: Promise<pg.Client | undefined> | undefined;
  /** Part of the version: a server that was restored after a crash may use the numbers of lost transactions again, and a crash ends all connections. */
  #connections = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** The requests that share the next question. */
  #next: Waiting | undefined;
  #isAsking = false;
  #isClosed = false;

  constructor(connection: pg.ClientConfig) {
    this.#connection = { ...connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000, connectionTimeoutMillis: patience };
  }

  /** Returns undefined if the server cannot be asked or has no version. Never rejects. */
  ask(): Promise<DataVersion | undefined> | undefined {
    if (this.#client === undefined) {
      const first = this.#connections === 0;
      void this.#connect();
      // Only the first connection is waited for: a server that is away delays no further request.
      if (!first || this.#connecting === undefined) return undefined;
    }
    this.#next ??= newWaiting();
    const { version } = this.#next;
    if (!this.#isAsking) void this.#resolveWaiting();
    return version;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connecting;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #resolveWaiting(): Promise<void> {
    this.#isAsking = true;
    while (this.#next !== undefined) {
      // Requests that arrive in the same iteration of the event loop share the question.
      await new Promise((resolve) => setImmediate(resolve));
      const { resolveVersion } = this.#next;
      this.#next = undefined;
      resolveVersion(await this.#version());
    }
    this.#isAsking = false;
  }

  async #version(): Promise<DataVersion | undefined> {
    const deadline = performance.now() + patience;
    const client = this.#client ?? (await this.#connecting);
    if (client === undefined) return undefined;
    try {
      const { rows } = await withTimeout(deadline, client.query<[string | null]>({ text: question, rowMode: 'array' }));
      const version = rows[0]?.[0] ?? undefined;
      return version === undefined ? undefined : wholeVersion(`${this.#connections} ${version}`);
    } catch {
      this.#lose(client);
      return undefined;
    }
  }

  #connect(): Promise<pg.Client | undefined> | undefined {
    if (this.#isClosed || performance.now() < this.#pausedUntil) return undefined;
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<pg.Client | undefined> {
    const client = new pg.Client(this.#connection);
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
    this.#pausedUntil = performance.now() + pause;
    // Ends the socket at once: the server may never respond.
    client.end().catch(() => undefined);
  }
}

/** A version of all tables together. */
const wholeVersion = (epoch: string): DataVersion => ({ epoch, of: () => epoch });

function newWaiting(): Waiting {
  let resolveVersion: Waiting['resolveVersion'] = () => undefined;
  const version = new Promise<DataVersion | undefined>((resolve) => {
    resolveVersion = resolve;
  });
  return { version, resolveVersion };
}
