/** The replicas of a PostgreSQL server (`database.replicaUrls`). */
import type { DatabaseConfig } from '../config/config.ts';
import { openPostgresDatabase, searchPathOf } from './postgres-connection.ts';
import { PostgresPositions } from './postgres-positions.ts';
import { PostgresReplica } from './postgres-replica.ts';
import { postgresServersOf } from './postgres-servers.ts';
import { beyondAll, type OpenReplicasOptions, type Replicas } from './replicas.ts';
import { postgresConnection } from './server-reach.ts';
import { withTlsOfUrl } from './tls-of-url.ts';

export function openPostgresReplicas(configured: DatabaseConfig, options: OpenReplicasOptions): Replicas {
  const { wrap = (database) => database, changed = () => undefined } = options;
  const primary = withTlsOfUrl(configured);
  const maxLag = configured.replicaLag;
  const session = primary.schema === undefined ? {} : { options: `-c search_path=${searchPathOf(primary.schema)}` };
  // All URLs are read before the first connection is opened.
  const replicas = configured.replicaUrls.map((url) => {
    const alone = { ...primary, host: undefined, port: undefined, name: undefined, username: undefined, password: undefined, url };
    return { name: nameOf(url), connection: postgresConnection(withTlsOfUrl(alone, 'DATABASE_REPLICA_URLS', true)) };
  });
  const positions = new PostgresPositions({ ...postgresConnection(primary, postgresServersOf(configured)), ...session }, maxLag);
  const opened = replicas.map(({ name, connection }, index) => {
    const database = wrap(openPostgresDatabase({ ...primary, ...options, connection }));
    return new PostgresReplica({
      number: index + 1,
      name,
      connection: { ...connection, ...session },
      database,
      positions,
      maxLag,
      changed,
    });
  });
  let turn = 0;
  return {
    choose(after, loadOf) {
      turn = (turn + 1) % opened.length;
      let best: PostgresReplica | undefined;
      // Replicas with equal loads take turns.
      for (const each of [...opened.slice(turn), ...opened.slice(0, turn)])
        if (each.has(after) && (best === undefined || loadOf(each) < loadOf(best))) best = each;
      return best;
    },
    position: async () => (await positions.ask())?.inserted ?? beyondAll,
    states: () => opened.map((each) => each.state()),
    asked: Promise.all(opened.map(({ asked }) => asked)).then(() => undefined),
    close: async () => void (await Promise.all([positions.close(), ...opened.map((each) => each.close())])),
  };
}

/** `replica.example.org:5432/site`. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
