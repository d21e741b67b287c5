/** Opens the read replicas that the configuration names. */
import type { DatabaseConfig } from '../config/config.ts';
import type { Database } from './database.ts';
import type { OpenOptions } from './open-database.ts';
import type { ReplicaState, Replicas } from './replicas.ts';

export interface OpenReplicasOptions extends Pick<OpenOptions, 'statementTime' | 'databaseOrder' | 'unprepared'> {
  /** Wraps each database, as that of the primary is wrapped. */
  readonly noted?: (database: Database) => Database;
  readonly changed?: (state: ReplicaState) => void;
}

/** Undefined if there are none. A replica that cannot be reached is no error; a URL or certificate that cannot be read is a `StartError`. */
export async function openReplicas(configured: DatabaseConfig, options: OpenReplicasOptions): Promise<Replicas | undefined> {
  if (configured.replicaUrls.length === 0) return undefined;
  const { openPostgresDatabase, searchPathOf } = await import('./postgres-connection.ts');
  const { openPostgresReplicas } = await import('./postgres-replicas.ts');
  const { postgresConnection } = await import('./postgres-reach.ts');
  const { withTlsOfUrl } = await import('./tls-of-url.ts');
  const primary = withTlsOfUrl(configured);
  const { noted = (database) => database, changed = () => undefined } = options;
  const connections = configured.replicaUrls.map((url) => {
    const { host, port, name, username, password, ...shared } = primary;
    const alone = { ...shared, host: undefined, port: undefined, name: undefined, username: undefined, password: undefined, url };
    return postgresConnection(withTlsOfUrl(alone, 'DATABASE_REPLICA_URLS', true));
  });
  const session = primary.schema === undefined ? {} : { options: `-c search_path=${searchPathOf(primary.schema)}` };
  return openPostgresReplicas({
    primary: { ...postgresConnection(primary), ...session },
    replicas: connections.map((connection, index) => ({
      name: nameOf(configured.replicaUrls[index] ?? ''),
      connection: { ...connection, ...session },
      database: noted(
        openPostgresDatabase({
          connection,
          schema: primary.schema,
          statementTime: options.statementTime,
          connectionTime: primary.connectionTime,
          databaseOrder: options.databaseOrder ?? false,
          preparedStatements: primary.preparedStatements,
          ...(options.unprepared === undefined ? {} : { unprepared: options.unprepared }),
        }),
      ),
    })),
    maxLag: configured.replicaLag,
    changed,
  });
}

/** `replica.example.org:5432/site`. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
