/** Asks PostgreSQL for the version of its data, on a connection of its own.
 *
 *  `pg_current_snapshot()` lists the transactions that are visible. Visible transactions stay visible, so its text is the same exactly as long as no
 *  other transaction has become visible. A server in recovery does not list them all, so it has no version. The start of the server is part of the
 *  version because a connection pooler may lead to another server. Source: PostgreSQL manual, "Transaction ID and Snapshot Information Functions".
 *
 *  Where the database has a log of writes (`postgres-write-log.ts`), the same question returns the tables that differ from the snapshot before. */
import pg from 'pg';
import type { DataVersion } from './dialect.ts';
import { PostgresClient } from './postgres-client.ts';
import { LoggedTables } from './postgres-logged-tables.ts';
import { type StatementNames, statementName } from './postgres-statements.ts';
import { clearLog, logQuestion, snapshotText, tableQuestion, wholeQuestion } from './postgres-write-log.ts';
import { SharedQuestion } from './shared-question.ts';
import { isTimeout, withTimeout } from './time-out.ts';

/** A request waits at most this long for the version; without it, the caches are not used for the request. Milliseconds. */
const patience = 500;
/** After a failure, the server is asked again after this time. Milliseconds. */
const pause = 1000;

export interface VersionOptions {
  readonly connection: pg.ClientConfig;
  /** `database.tableVersions`. */
  readonly byTable: boolean;
  readonly names: Pick<StatementNames, 'isOn'>;
  /** Called with the reason why a version could not be read. */
  readonly failed: (error: unknown) => void;
  /** Called when there was no response in time. */
  readonly silent: () => void;
  /** Runs a statement on another connection. */
  readonly write: (text: string, parameters: readonly unknown[]) => Promise<unknown>;
  /** Called when writes to tables that were logged are no longer, with their names. */
  readonly lostTables: (tables: readonly string[]) => void;
  /** Called when the log could not be cleared, once. */
  readonly logKept: (error: unknown) => void;
}

/** The log keeps at least the writes of this time. A server that has not asked for longer treats all tables as changed. Milliseconds. */
const kept = 600_000;
const clearingPause = 60_000;

/** The log grows and is cleared, so statistics may say anything about it: its index is right in any case, and a plan without the parameters as well. */
const plannedOnce = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan';

export class PostgresVersions {
  readonly #options: VersionOptions;
  readonly #connection: pg.ClientConfig;
  #client: pg.Client | undefined;
  #connecting: Promise<pg.Client | undefined> | undefined;
  /** Part of the version: a server that was restored after a crash may use the numbers of lost transactions again, and a crash ends all connections. */
  #connections = 0;
  /** The number of connections that have broken or were given up. */
  #lost = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  readonly #question = new SharedQuestion(() => this.#version());
  #isClosed = false;
  /** The schema with the log, if there is one. */
  #logSchema: string | undefined;
  readonly #tables: LoggedTables;
  #hasReportedLog = false;
  /** Bounds of snapshots, the oldest first: transactions below them had ended at that time. */
  readonly #bounds: { readonly at: number; readonly xmin: string }[] = [];

  constructor(options: VersionOptions) {
    this.#options = options;
    const { connection } = options;
    const planning = options.byTable ? { options: `${connection.options ?? ''} ${plannedOnce}` } : {};
    this.#connection = {
      ...connection,
      ...planning,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: patience,
    };
    this.#tables = new LoggedTables(options.lostTables);
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

  /** Opens the next connection again: the version must be that of the server to which the other connections lead. */
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
    const query = async (text: string, values: (string | null)[] = []) => {
      // The query about tables takes a millisecond to plan.
      const name = this.#options.names.isOn && values.length > 0 ? { name: statementName(text) } : {};
      return (await withTimeout(deadline, client.query<unknown[]>({ ...name, text, values, rowMode: 'array' }))).rows[0] ?? [];
    };
    if (this.#logSchema !== undefined) {
      try {
        const [start, snapshot, tables, isComplete, written] = await query(tableQuestion(this.#logSchema), this.#tables.known());
        if (typeof start !== 'string') return this.#tables.forget();
        this.#clear(String(snapshot), this.#logSchema);
        return this.#tables.version({ start, snapshot: String(snapshot), tables, isComplete, written });
      } catch (error) {
        // The log was removed, or this connection may not read it.
        if (!(error instanceof pg.DatabaseError) || !lacksLog.has(error.code ?? '')) throw error;
        this.#logSchema = undefined;
        this.#tables.lose();
      }
    }
    const [start, snapshot, schema, hasLog] = await query(this.#options.byTable ? logQuestion : wholeQuestion);
    if (hasLog === true) this.#logSchema = String(schema);
    return typeof start === 'string' ? wholeVersion(snapshotText(String(snapshot), start), this.#connections) : undefined;
  }

  /** Clears the log, now and then. Nobody waits for it. After a failure the next one removes as much, and another server may do it. */
  #clear(snapshot: string, schema: string): void {
    const now = performance.now();
    if (now - (this.#bounds.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < clearingPause) return;
    const [xmin = '0'] = snapshot.split(':');
    this.#bounds.push({ at: now, xmin });
    const last = this.#bounds.findLastIndex(({ at }) => now - at >= kept);
    const bound = this.#bounds[last];
    if (bound === undefined) return;
    this.#bounds.splice(0, last);
    this.#options.write(clearLog(schema), [bound.xmin]).catch((error: unknown) => {
      if (this.#isClosed || this.#hasReportedLog) return;
      this.#hasReportedLog = true;
      this.#options.logKept(error);
    });
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
      this.#tables.forget();
      this.#bounds.length = 0;
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

/** Errors of a query about a log that does not exist (undefined_table, undefined_column), or may not be read (insufficient_privilege). */
const lacksLog: ReadonlySet<string> = new Set(['42P01', '42703', '42501']);

/** A version of all tables together. */
const wholeVersion = (snapshot: string, connections: number): DataVersion => {
  const epoch = `${connections} ${snapshot}`;
  return { epoch, of: () => epoch, snapshot };
};
