/** Opens the database that the configuration names. Only the driver of that engine is loaded. */
import type { DatabaseConfig } from '../config/config.ts';
import type { Database, LockWaiters } from './dialect.ts';
import type { OwnCommit, WriterState } from './sqlite-writes.ts';

export interface OpenOptions {
  readonly create: boolean;
  readonly statementTime: number;
  /** `policies.databaseOrder`, which decides how to sort and compare. */
  readonly databaseOrder?: boolean;
  /** Called after each commit, before any caller gets a response. Embedded databases only. */
  readonly committed?: (commit: OwnCommit) => void;
  /** Counts the writes that wait for a lock of another connection. Embedded databases only. */
  readonly waiters?: LockWaiters;
  /** Called once for each table whose version is no longer known apart from the others. Servers of databases only. */
  readonly lostTables?: (tables: readonly string[]) => void;
  /** Called once when what tells these versions could not be cleared. Servers of databases only. */
  readonly logKept?: (error: unknown) => void;
  /** Asks the process that also writes the database for this server; undefined if there is none. Embedded databases only. */
  readonly askWriter?: () => Promise<WriterState | undefined> | undefined;
}

export async function openDatabase(config: DatabaseConfig, options: OpenOptions): Promise<Database> {
  if (config.client === 'sqlite') {
    const { openSqliteDatabase } = await import('./sqlite-connection.ts');
    return openSqliteDatabase(config.filename, { ...options, durable: config.durable });
  }
  return config.client === 'mysql' ? openMysql(config, options) : openPostgres(config, options);
}

async function openPostgres(configured: DatabaseConfig, options: OpenOptions): Promise<Database> {
  const { openPostgresDatabase } = await import('./postgres-connection.ts');
  const { tlsOf, unreachable } = await import('./postgres-reach.ts');
  const { withTlsOfUrl } = await import('./postgres-url.ts');
  const config = withTlsOfUrl(configured);
  const database = openPostgresDatabase({
    connection: {
      ...(config.url === undefined ? {} : { connectionString: config.url }),
      ...(config.host === undefined ? {} : { host: config.host }),
      ...(config.port === undefined ? {} : { port: config.port }),
      ...(config.name === undefined ? {} : { database: config.name }),
      ...(config.username === undefined ? {} : { user: config.username }),
      ...(config.password === undefined ? {} : { password: config.password }),
      ...(config.ssl ? { ssl: tlsOf(config) } : {}),
      min: config.poolMin,
      max: config.poolMax,
    },
    schema: config.schema,
    statementTime: options.statementTime,
    connectionTime: config.connectionTime,
    databaseOrder: options.databaseOrder ?? false,
    preparedStatements: config.preparedStatements,
    tableVersions: config.tableVersions,
    ...(options.lostTables === undefined ? {} : { lostTables: options.lostTables }),
    ...(options.logKept === undefined ? {} : { logKept: options.logKept }),
  });
  try {
    await database.read((connection) => connection.query('SELECT 1', []));
  } catch (error) {
    await database.close();
    throw unreachable(error, config, config.url !== configured.url) ?? error;
  }
  return database;
}

async function openMysql(config: DatabaseConfig, options: OpenOptions): Promise<Database> {
  const { openMysqlDatabase } = await import('./mysql-connection.ts');
  const { mysqlAddress } = await import('./mysql-reach.ts');
  const { tlsOf, unreachable } = await import('./postgres-reach.ts');
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
    });
  } catch (error) {
    throw unreachable(error, config, false) ?? error;
  }
}
