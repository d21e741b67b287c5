/** Opens the database that the configuration names. Only the driver of that engine is loaded. */
import type { DatabaseConfig } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import type { Database, LockWaiters } from './database.ts';
import type { Changed } from './noted-changes.ts';
import type { OwnCommit, WriterState } from './sqlite-writes.ts';

export interface OpenOptions {
  readonly create: boolean;
  readonly statementTime: number;
  /** `policies.databaseOrder`, which decides how to sort and compare. */
  readonly databaseOrder?: boolean;
  /** Called after each commit of this server, before any caller gets a response. `commit`: only for
   *  embedded databases. */
  readonly committed?: (changed: Changed, commit?: OwnCommit) => void;
  /** Counts the writes that wait for a lock of another connection. Embedded databases only. */
  readonly waiters?: LockWaiters;
  /** Called once when statements are no longer prepared, since a connection pooler is in
   *  front of the database server. */
  readonly unprepared?: () => void;
  /** Asks the process that also writes the database for this server; undefined if there is
   *  none. Embedded databases only. */
  readonly askWriter?: () => Promise<WriterState | undefined> | undefined;
}

export async function openDatabase(config: DatabaseConfig, options: OpenOptions): Promise<Database> {
  if (config.client === 'sqlite') {
    const { openSqliteDatabase } = await import('./sqlite-connection.ts');
    return openSqliteDatabase(config.filename, { ...options, durable: config.durable });
  }
  return config.client === 'mysql' ? openMysql(config, options) : openPostgres(config, options);
}

/** Opens the database for `work`, and closes it afterwards. */
export async function withDatabase<T>(config: DatabaseConfig, options: OpenOptions, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(config, options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function openPostgres(configured: DatabaseConfig, options: OpenOptions): Promise<Database> {
  const { openPostgresDatabase, searchPathOf } = await import('./postgres-connection.ts');
  const { postgresConnection, unreachable } = await import('./postgres-reach.ts');
  const { withTlsOfUrl } = await import('./tls-of-url.ts');
  const config = withTlsOfUrl(configured);
  const database = openPostgresDatabase({
    connection: postgresConnection(config),
    schema: config.schema,
    statementTime: options.statementTime,
    connectionTime: config.connectionTime,
    databaseOrder: options.databaseOrder ?? false,
    preparedStatements: config.preparedStatements,
    ...(options.unprepared === undefined ? {} : { unprepared: options.unprepared }),
    ...(options.committed === undefined ? {} : { committed: options.committed }),
  });
  try {
    const [[path] = []] = await database.read((connection) => connection.query("SELECT current_setting('search_path')", []));
    // Otherwise Lectern would read and write the tables of another schema.
    if (config.schema !== undefined && path !== searchPathOf(config.schema)) throw new StartError([ignoredSchema(config.schema)]);
  } catch (error) {
    await database.close();
    throw unreachable(error, config, config.url !== configured.url) ?? error;
  }
  return database;
}

const ignoredSchema = (schema: string) =>
  `The connection pooler ignores DATABASE_SCHEMA: give the role this setting in the database (ALTER ROLE … SET search_path = ${schema}; docs/scaling.md, "PgBouncer").`;

async function openMysql(config: DatabaseConfig, options: OpenOptions): Promise<Database> {
  const { openMysqlDatabase } = await import('./mysql-connection.ts');
  const { mysqlAddress } = await import('./mysql-reach.ts');
  const { refuseTlsOfUrl } = await import('./tls-of-url.ts');
  const { tlsOf, unreachable } = await import('./postgres-reach.ts');
  refuseTlsOfUrl(config);
  try {
    return await openMysqlDatabase({
      // By itself, the driver does not compare the certificate with the host.
      connection: {
        ...mysqlAddress(config),
        ...(config.ssl ? { ssl: { ...tlsOf(config), verifyIdentity: config.sslRejectUnauthorized } } : {}),
      },
      poolMin: config.poolMin,
      poolMax: config.poolMax,
      statementTime: options.statementTime,
      connectionTime: config.connectionTime,
      databaseOrder: options.databaseOrder ?? false,
      ...(options.committed === undefined ? {} : { committed: options.committed }),
    });
  } catch (error) {
    throw unreachable(error, config, false) ?? error;
  }
}
