/** MariaDB or MySQL as a `Database`: transactions on the connections of a pool. */
import type { DatabaseConfig } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import { cancellable, takeSince } from './connection-queue.ts';
import type { Connection, Database, Maintenance, OpenOptions, Stoppable } from './database.ts';
import type { Dialect } from './dialect.ts';
import { mysqlLogRemoval } from './former-write-log.ts';
import { GaleraLease } from './galera-lease.ts';
import { inItsOrder, isUtc, mysqlDialect, timeZone } from './mysql.ts';
import type { Client, Isolation, Session } from './mysql-client.ts';
import { serverErrorOf } from './mysql-errors.ts';
import { definitions, liveIndexes, liveTables, otherCollation } from './mysql-live.ts';
import { MysqlPool, type MysqlPoolOptions } from './mysql-pool.ts';
import { StatementTooLong } from './mysql-statements.ts';
import { MysqlTransaction } from './mysql-transaction.ts';
import { reportWaiting } from './report-waiting.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { isTimeout } from './time-out.ts';

export interface MysqlOptions
  extends Pick<DatabaseConfig, 'poolMin' | 'poolMax' | 'connectionTime' | 'currentReads'>,
    Pick<OpenOptions, 'statementTime' | 'databaseOrder' | 'committed'>,
    Pick<MysqlPoolOptions, 'hosts'> {}

/** An arbitrary number that no other lock uses. */
const maintenanceLock = 8202611220013n;

interface Mode {
  /** Undefined: either. */
  readonly isolation?: Isolation;
  /** What is committed in the end begins with this, and is not repeated after it. */
  readonly begin?: (connection: MysqlTransaction) => Promise<unknown>;
  /** True if `begin` may wait for others. */
  readonly mayWait?: boolean;
  /** True if there is no transaction around the statements. */
  readonly commitsEach?: boolean;
  /** True if the connection is closed after a failure: temporary tables are not rolled back. */
  readonly endsAfterFailure?: boolean;
}
const snapshot: Mode = {
  isolation: 'REPEATABLE READ',
  begin: (connection) => connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', []),
};
const writing: Mode = { isolation: 'READ COMMITTED', begin: (connection) => connection.begin() };
const atOnce: Mode = {};
const maintaining = ({ stoppable, waiting }: Maintenance): Mode => ({
  endsAfterFailure: true,
  mayWait: true,
  commitsEach: true,
  begin: (connection) =>
    reportWaiting(
      waiting,
      connection.waitFor(maintenanceLock, () => stoppable?.isStopped === true),
    ),
});

/** Connects, and throws a `StartError` if the server or the database cannot be used. */
export async function openMysqlDatabase(options: MysqlOptions): Promise<Database> {
  const pool = new MysqlPool({ ...options, min: options.poolMin, max: options.poolMax });
  try {
    const client = await pool.take();
    try {
      await refuseUnusable(pool, client);
      const { server } = client.session;
      const inCodePoints = mysqlDialect(server, await areExact(pool, client));
      const { isGalera } = client.session;
      return databaseOf(pool, { server, isGalera }, options.databaseOrder ? inItsOrder(inCodePoints) : inCodePoints, options);
    } finally {
      pool.end(client, true);
    }
  } catch (error) {
    await pool.close();
    throw error;
  }
}

async function refuseUnusable(pool: MysqlPool, client: Client): Promise<void> {
  const { server } = client.session;
  if (client.session.database === '') throw new StartError(['No database is named: set DATABASE_NAME, or add its name to DATABASE_URL.']);
  if (!isUtc) {
    const [row] = await pool.run(client, { text: "SELECT CONVERT_TZ('2024-01-01', ?, '+00:00')", parameters: [timeZone] });
    if (row?.[0] === null)
      throw new StartError([
        `The database server does not know the time zone ${timeZone} of this process: load its time zone tables (${server.timeZoneLoader}), or set TZ=UTC as for Strapi.`,
      ]);
  }
}

/** Whether all texts have that collation, as in tables that Lectern made. */
const areExact = async (pool: MysqlPool, client: Client): Promise<boolean> =>
  (await pool.run(client, { text: otherCollation(client.session.server), parameters: [] })).length === 0;

function databaseOf(
  pool: MysqlPool,
  { server, isGalera }: Pick<Session, 'server' | 'isGalera'>,
  dialect: Dialect,
  { committed = () => undefined }: MysqlOptions,
): Database {
  /** An idle connection may have broken unnoticed; then another is used, as nothing was done. */
  async function running<T>(mode: Mode, work: (connection: MysqlTransaction) => T | Promise<T>, stoppable?: Stoppable): Promise<T> {
    const { isolation, begin, mayWait = false, endsAfterFailure = false, commitsEach = false } = mode;
    for (let tries = pool.idle; ; tries--) {
      const client = await pool.take({ isolation, since: takeSince(stoppable), isCurrent: stoppable?.isCurrent });
      const current = new MysqlTransaction(pool, client, dialect, commitsEach);
      let hasBegun = false;
      let isCommitted = false;
      const cancelled = cancellable(stoppable, () => pool.cancel(client));
      try {
        if (stoppable?.isStopped) throw new StoppedError();
        if (begin !== undefined) await (mayWait ? begin(current) : pool.beginning(client, begin(current)));
        hasBegun = begin !== undefined;
        const result = await resultOf(current, work);
        // Its caller was told that it was stopped.
        if (stoppable?.isStopped) throw new StoppedError();
        if (begin !== undefined) await current.commit();
        if (mode === writing) committed(current.transactionChanges.ofUnknownTables());
        isCommitted = true;
        return result;
      } catch (error) {
        if (tries <= 0 || hasBegun || stoppable?.isStopped || !pool.isLoss(error) || isTimeout(error)) throw error;
      } finally {
        const isUsable = await current.end(isCommitted);
        await cancelled();
        pool.end(client, isUsable && (isCommitted || !endsAfterFailure));
      }
    }
  }

  /** No caller may see an error to which a dropped transaction led: it may have read too little. */
  async function resultOf<T>(current: MysqlTransaction, work: (connection: MysqlTransaction) => T | Promise<T>): Promise<T> {
    try {
      return await work(current);
    } catch (error) {
      if (errorKindOf(error) === undefined) await current.refuseDropped();
      throw error;
    }
  }

  const errorKindOf = (error: unknown) => {
    if (error instanceof StoppedError) return 'time';
    if (error instanceof StatementTooLong) return 'value';
    return pool.isLoss(error) ? 'unavailable' : serverErrorOf(error);
  };

  /** The lock of `maintaining` holds on one node. */
  async function leased<T>(connection: MysqlTransaction, work: (connection: Connection) => T | Promise<T>, maintenance: Maintenance) {
    const lease = new GaleraLease({
      atOnce: (text) => running(atOnce, (each) => each.query(text, [])),
      write: (each) => retryConflicts({ errorKindOf }, () => running(writing, each)),
      lost: (error) => connection.fail(error),
    });
    await reportWaiting(
      maintenance.waiting,
      lease.take(() => maintenance.stoppable?.isStopped === true),
    );
    try {
      return await work(connection);
    } finally {
      await lease.release();
    }
  }

  return {
    dialect,
    read: (work, stoppable) => running(snapshot, work, stoppable),
    readAtOnce: (work, stoppable) => running(atOnce, work, stoppable),
    write: (work, stoppable) => running(writing, work, stoppable),
    writeIfFree: (work) => running(writing, work).then(() => true),
    tables: (on) => (on === undefined ? running(snapshot, (connection) => liveTables(connection, server)) : liveTables(on, server)),
    definitions,
    indexes: () => running(snapshot, liveIndexes),
    maintain: (work, maintenance = {}) =>
      running(maintaining(maintenance), isGalera ? (connection) => leased(connection, work, maintenance) : work, maintenance.stoppable),
    rehearse: () =>
      Promise.reject(
        new StartError([
          `${server.label} cannot undo changes of tables, so Lectern cannot try indexes out there. Run the command without --measure.`,
        ]),
      ),
    // The server does not report what its snapshots contain.
    dataVersion: () => undefined,
    formerLogRemoval: () => running(snapshot, mysqlLogRemoval),
    writer: undefined,
    hasWritingNodes: isGalera,
    unversioned: undefined,
    host: () => undefined,
    connections: () => pool.figures(),
    lostConnections: () => pool.lost,
    // InnoDB does it.
    collectStatistics: () => undefined,
    renewStatistics: async () => undefined,
    errorKindOf,
    close: () => pool.close(),
  };
}

/** The work was stopped: no caller waits for it any more. */
class StoppedError extends Error {}
