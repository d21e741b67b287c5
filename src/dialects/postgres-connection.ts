/** PostgreSQL as a `Database`: transactions on the connections of a pool. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConfig } from '../config/config.ts';
import { cancellable, takeSince } from './connection-queue.ts';
import type { Connection, Database, LiveIndex, LiveTable, Maintenance, OpenOptions, Stoppable } from './database.ts';
import { postgresLogRemoval } from './former-write-log.ts';
import { liveTablesOf } from './live-tables.ts';
import { postgres, postgresInItsOrder } from './postgres.ts';
import type { PostgresConfig } from './postgres-client.ts';
import { isOtherSession, serverErrorOf } from './postgres-errors.ts';
import { idOf, idQuestion, OwnTransactions } from './postgres-own-transactions.ts';
import { PostgresPool } from './postgres-pool.ts';
import { StatementNames } from './postgres-statements.ts';
import { type PostgresStatements, PostgresTransaction } from './postgres-transaction.ts';
import { PostgresVersions } from './postgres-versions.ts';
import { rolledBack } from './rehearsal.ts';
import { reportWaiting } from './report-waiting.ts';
import { isTimeout } from './time-out.ts';

export interface PostgresOptions
  extends Pick<DatabaseConfig, 'schema' | 'connectionTime' | 'preparedStatements'>,
    Pick<OpenOptions, 'statementTime' | 'databaseOrder' | 'unprepared' | 'committed'> {
  readonly connection: PostgresConfig;
  /** Whether the server's snapshots are known to show every commit. If not, versions of the data
   *  are not reported. By default they are. */
  readonly hasVersions?: () => boolean;
}

const int8 = 20;
const types: pg.CustomTypesConfig = {
  // Counts and ids are below 2^53; big integers of the content are selected as text.
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

/** An arbitrary number that no other lock uses. A lock of the session, not of a transaction: CREATE
 *  INDEX CONCURRENTLY waits for transactions. */
const maintenanceLock = '8202611220013';
/** The pauses between attempts to take it double up to the longest. Milliseconds. */
const [firstPause, maxPause] = [50, 1000];

/** When the server ends a connection whose other side has disappeared with its host or network:
 *  otherwise such a connection would hold the locks of its transaction for hours. It ends a
 *  transaction that awaits its next statement after `idleInTransaction`: between two statements of
 *  a request, Lectern waits only for the processor. Milliseconds. */
const [idleInTransaction, unacknowledged] = [15_000, 10_000];
const lostPeers = (hasTimeLimit: boolean): readonly string[] => [
  // Seconds.
  ...['tcp_keepalives_idle=10', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3'],
  // Commands may do other work in between.
  ...(hasTimeLimit ? [`idle_in_transaction_session_timeout=${idleInTransaction}`, `tcp_user_timeout=${unacknowledged}`] : []),
];

/** The default may be another one: then a write would not see what was committed while it waited
 *  for its locks. */
export const writing = 'BEGIN ISOLATION LEVEL READ COMMITTED';
export const reading = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const rehearsalPatience = '2s';

/** The value of `search_path` for a configured schema. */
export const searchPathOf = (schema: string): string => schema.replaceAll(/[^\w$]/g, '');

/** The connection with the settings of its session. */
export const configuredConnection = (
  connection: PostgresConfig,
  { schema, hasTimeLimit }: { readonly schema: string | undefined; readonly hasTimeLimit: boolean },
): PostgresConfig => ({
  ...connection,
  // JIT compilation of a statement with many joins takes seconds, running it milliseconds.
  // A statement that runs on several processors takes them from other callers.
  options: [
    '-c jit=off',
    '-c max_parallel_workers_per_gather=0',
    ...lostPeers(hasTimeLimit).map((setting) => `-c ${setting}`),
    ...(schema === undefined ? [] : [`-c search_path=${searchPathOf(schema)}`]),
  ].join(' '),
});

export function openPostgresDatabase(options: PostgresOptions): Database {
  const { connection, schema, statementTime, connectionTime, unprepared = () => undefined, committed = () => undefined } = options;
  const { hasVersions = () => true } = options;
  const configured = configuredConnection(connection, { schema, hasTimeLimit: statementTime > 0 });
  const pool = new PostgresPool({ connection: configured, statementTime, connectionTime, renewed: () => versions.reconnect() });

  const names = new StatementNames(options.preparedStatements);
  /** Returns whether a statement was prepared in another session; if so, prepares no more. */
  const hasLostStatements = (error: unknown) => {
    if (!isOtherSession(error)) return false;
    if (names.isOn) unprepared();
    names.stop();
    return true;
  };

  const own = new OwnTransactions();
  const versions = new PostgresVersions({
    connection: configured,
    own,
    failed: hasLostStatements,
    silent: () => pool.suspect(),
  });
  const dialect = options.databaseOrder ? postgresInItsOrder : postgres;
  const configOf = (client: pg.PoolClient, text: string, parameters: readonly unknown[]): pg.QueryArrayConfig => {
    const name = parameters.length > 0 ? names.nameOf(client, text) : undefined;
    return { text, values: [...parameters], rowMode: 'array', types, ...(name === undefined ? {} : { name }) };
  };
  const statementsOn = (client: pg.PoolClient): PostgresStatements => ({
    dialect,
    async query(text, parameters) {
      const result = await pool.query(client, configOf(client, text, parameters));
      return result.rows;
    },
    each: (text, parameters, each) => pool.each(client, configOf(client, text, parameters), each),
  });
  const tidy = (client: pg.PoolClient) => names.tidy(client, (query) => pool.ask(client, query));
  const connectionOf = (client: pg.PoolClient): Connection => new PostgresTransaction(statementsOn(client), undefined);

  /** An idle connection may have broken unnoticed; another one is then used, as no work has been
   *  done. A write whose prepared statement is in another session is done again: nothing of it was
   *  committed. A read is not: it may have passed on rows. */
  async function transaction<T>(begin: string, work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T> {
    let isRepeatable = begin === writing && names.isOn;
    for (let tries = pool.idle; ; tries--) {
      const { client, begun } = await pool.begin(begin, takeSince(stoppable));
      const current = new PostgresTransaction(statementsOn(client), begun);
      let usable = false;
      const cancelled = cancellable(stoppable, () => pool.cancel(client));
      try {
        if (stoppable?.isStopped) throw new StoppedError();
        const result = await work(current);
        // Its caller was told that it was stopped.
        if (stoppable?.isStopped) throw new StoppedError();
        // Asking for the id costs no round trip: the question is sent together with COMMIT.
        await (begin === writing && hasVersions() ? own.end(current.id(), current.commit()) : current.commit());
        if (begin === writing) committed(current.transactionChanges.ofUnknownTables());
        usable = true;
        return result;
      } catch (error) {
        // A statement after ROLLBACK would be committed by itself.
        current.end();
        // After a failed statement, the server does not report the id.
        const id =
          begin === writing && hasVersions() && current.hasBegun && pool.isKept(client) ? pool.query(client, idQuestion) : undefined;
        usable = await own.end(
          Promise.resolve(id).then((result) => idOf(result?.rows ?? [])),
          pool.rollBack(client),
        );
        if (stoppable?.isStopped) throw error;
        if (hasLostStatements(error) && isRepeatable) isRepeatable = false;
        else if (tries <= 0 || current.hasBegun || !pool.isLoss(error) || isTimeout(error)) throw error;
      } finally {
        current.end();
        await cancelled();
        // What was committed stays so if this fails.
        if (usable && pool.isKept(client)) usable = await tidy(client).then(yes, no);
        pool.end(client, usable);
      }
    }
  }

  /** Repeats the work as `transaction` does. */
  async function atOnce<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T> {
    let wasPrepared = names.isOn;
    for (let tries = pool.idle; ; tries--) {
      const { client } = await pool.begin(undefined, takeSince(stoppable));
      const cancelled = cancellable(stoppable, () => pool.cancel(client));
      try {
        if (stoppable?.isStopped) throw new StoppedError();
        await tidy(client);
        return await work(connectionOf(client));
      } catch (error) {
        if (stoppable?.isStopped) throw error;
        if (wasPrepared && hasLostStatements(error)) wasPrepared = false;
        else if (tries <= 0 || !pool.isLoss(error) || isTimeout(error)) throw error;
      } finally {
        await cancelled();
        pool.end(client, true);
      }
    }
  }

  /** A statement that waits for the lock would have a snapshot, for whose end the CREATE INDEX
   *  CONCURRENTLY of the process that holds the lock waits. */
  async function takeMaintenanceLock(client: pg.PoolClient, stoppable: Stoppable | undefined): Promise<void> {
    for (let time = firstPause; ; time = Math.min(2 * time, maxPause)) {
      if (stoppable?.isStopped) throw new StoppedError();
      const { rows } = await pool.query(client, `SELECT pg_try_advisory_lock(${maintenanceLock})`);
      if (rows[0]?.[0] === true) return;
      await pause(time);
    }
  }

  async function maintain<T>(work: (connection: Connection) => T | Promise<T>, { stoppable, waiting }: Maintenance = {}): Promise<T> {
    const { client } = await pool.begin();
    let usable = false;
    const cancelled = cancellable(stoppable, () => pool.cancel(client));
    try {
      await reportWaiting(waiting, takeMaintenanceLock(client, stoppable));
      const result = await work(connectionOf(client));
      await pool.query(client, `SELECT pg_advisory_unlock(${maintenanceLock})`);
      usable = true;
      return result;
    } finally {
      await cancelled();
      // After an error the connection is closed, which releases the lock.
      pool.end(client, usable);
    }
  }

  return {
    dialect,
    readAtOnce: atOnce,
    read: (work, stoppable) => transaction(reading, work, stoppable),
    write: (work, stoppable) => transaction(writing, work, stoppable),
    writeIfFree: (work) => transaction(writing, work).then(() => true),
    tables: (on) => (on === undefined ? transaction('BEGIN READ ONLY', liveTables) : liveTables(on)),
    definitions: undefined,
    indexes: () => transaction('BEGIN READ ONLY', liveIndexes),
    maintain,
    rehearse: (work) =>
      work((attempt) =>
        rolledBack(
          (each) => transaction(writing, each),
          async (connection) => {
            // Others that wait for a lock wait behind this transaction as well.
            await connection.query(`SET LOCAL lock_timeout = '${rehearsalPatience}'`, []);
            return attempt(connection);
          },
        ),
      ),
    dataVersion: () => (hasVersions() ? versions.ask() : undefined),
    formerLogRemoval: () => transaction('BEGIN READ ONLY', postgresLogRemoval),
    writer: undefined,
    hasWritingNodes: false,
    unversioned: undefined,
    host: () => undefined,
    connections: () => pool.figures(),
    lostConnections: () => pool.lost + versions.lost,
    // Autovacuum does it.
    collectStatistics: () => undefined,
    renewStatistics: async () => undefined,
    errorKindOf: (error) => (error instanceof StoppedError ? 'time' : pool.isLoss(error) ? 'unavailable' : serverErrorOf(error)),
    close: async () => void (await Promise.all([versions.close(), pool.close()])),
  };
}

const yes = () => true;
const no = () => false;

/** The transaction was stopped: no caller waits for it any more. */
class StoppedError extends Error {}

async function liveTables(connection: Connection): Promise<LiveTable[]> {
  // The information schema has the same, but takes 90 ms for a hundred tables.
  const columns = await connection.query(
    `SELECT c.relname, a.attname, format_type(CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END, NULL)
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
       AND (pg_has_role(c.relowner, 'USAGE') OR has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE, REFERENCES'))
     ORDER BY c.relname, a.attnum`,
    [],
  );
  const indexes = await connection.query('SELECT tablename, indexname FROM pg_indexes WHERE schemaname = current_schema()', []);
  const foreignKeys = await connection.query(
    `SELECT t.relname, c.conname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE c.contype = 'f' AND n.nspname = current_schema()`,
    [],
  );
  return liveTablesOf({ columns, indexes, foreignKeys });
}

async function liveIndexes(connection: Connection): Promise<LiveIndex[]> {
  const rows = await connection.query(
    `SELECT t.relname, i.relname, x.indisvalid, pg_get_expr(x.indpred, x.indrelid),
       (SELECT array_agg(a.attname::text ORDER BY k.position)
        FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS k(number, position)
        LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.number AND k.number > 0 AND m.amname = 'btree')
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_am m ON m.oid = i.relam JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE n.nspname = current_schema() AND t.relkind IN ('r', 'p') ORDER BY t.relname, i.relname`,
    [],
  );
  return rows.map(([table, name, isValid, where, columns]) => ({
    table: String(table),
    name: String(name),
    columns: Array.isArray(columns) ? columns.map((column) => (column === null ? null : String(column))) : [],
    where: typeof where === 'string' ? where : undefined,
    isValid: isValid === true,
  }));
}
