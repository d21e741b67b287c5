/** Opens the database that the configuration names. Only the driver of that engine is loaded. */
import type { DatabaseConfig } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import type { Database, OpenOptions } from './database.ts';
import type { PostgresEngine } from './postgres-engine.ts';
import type { OpenReplicasOptions, Replicas } from './replicas.ts';
import type { ServerHosts } from './server-hosts.ts';

export async function openDatabase(config: DatabaseConfig, options: OpenOptions): Promise<Database> {
  if (config.client === 'sqlite') {
    const { openSqliteDatabase } = await import('./sqlite-connection.ts');
    return openSqliteDatabase(config.filename, { ...options, durable: config.durable });
  }
  return config.client === 'mysql' ? openMysql(config, options) : openPostgres(config, options);
}

/** Opens the read replicas of the configuration; undefined if there are none. A replica that cannot
 *  be reached is no error; an unreadable URL or certificate is a `StartError`. */
export async function openReplicas(config: DatabaseConfig, options: OpenReplicasOptions): Promise<Replicas | undefined> {
  if (config.replicaUrls.length === 0) return undefined;
  const { openPostgresReplicas } = await import('./postgres-replicas.ts');
  return openPostgresReplicas(config, options);
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
  const { findEngine } = await import('./postgres-engine.ts');
  const { postgresServersOf } = await import('./postgres-servers.ts');
  const { postgresConnection, unreachable } = await import('./server-reach.ts');
  const { withTlsOfUrl } = await import('./tls-of-url.ts');
  const config = withTlsOfUrl(configured);
  let engine: PostgresEngine | undefined;
  const hasVersions = () => engine !== undefined && engine.doubt === undefined;
  const servers = postgresServersOf(configured);
  const connection = postgresConnection(config, servers);
  const database = openPostgresDatabase({ ...config, ...options, connection, hasVersions });
  try {
    const [[path, version] = []] = await database.read((connection) =>
      connection.query("SELECT current_setting('search_path'), version()", []),
    );
    // Otherwise Lectern would read and write the tables of another schema.
    if (config.schema !== undefined && path !== searchPathOf(config.schema)) throw new StartError([ignoredSchema(config.schema)]);
    engine = await findEngine(database, String(version));
    const unversioned = engine.doubt === undefined ? undefined : `${engine.name}: ${engine.doubt}`;
    return withHosts({ ...database, unversioned }, servers?.hosts, options);
  } catch (error) {
    await database.close();
    throw unreachable(error, config, config.url !== configured.url) ?? error;
  }
}

const ignoredSchema = (schema: string) =>
  `The connection pooler ignores DATABASE_SCHEMA: give the role this setting in the database (ALTER ROLE … SET search_path = ${schema}; docs/scaling.md, "PgBouncer").`;

async function openMysql(config: DatabaseConfig, options: OpenOptions): Promise<Database> {
  const { openMysqlDatabase } = await import('./mysql-connection.ts');
  const { refuseTlsOfUrl } = await import('./tls-of-url.ts');
  const { mysqlHosts, unreachable } = await import('./server-reach.ts');
  refuseTlsOfUrl(config);
  try {
    const hosts = mysqlHosts(config);
    return withHosts(await openMysqlDatabase({ ...config, ...options, hosts }), hosts, options);
  } catch (error) {
    throw unreachable(error, config, false) ?? error;
  }
}

/** The database with the name of the host in use, if there are several. */
function withHosts(database: Database, hosts: ServerHosts<unknown> | undefined, { moved }: OpenOptions): Database {
  if (hosts === undefined || !hosts.isList) return database;
  const stopListening = hosts.onMove(() => moved?.(hosts.inUse.name));
  const close = () => {
    stopListening();
    return database.close();
  };
  return { ...database, host: () => hosts.inUse.name, close };
}
