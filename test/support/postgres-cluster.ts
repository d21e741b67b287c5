/** A PostgreSQL primary with standbys, as Patroni or CloudNativePG run them: one standby is synchronous, and another one takes over when the primary is lost. */
import pg from 'pg';
import { type OwnPostgres, startOwnPostgres, startReplica } from './own-postgres.ts';

export interface PostgresCluster {
  readonly primary: OwnPostgres;
  readonly standbys: readonly OwnPostgres[];
  /** The URL with all servers as hosts, the first ones first. */
  url(first?: readonly OwnPostgres[]): string;
  /** Kills the primary, and promotes the standby that has received most; the others follow it. Returns the former primary, and when the promotion was over
   *  (of `performance.now()`). */
  failOver(): Promise<{ readonly former: OwnPostgres; readonly promotedAt: number }>;
  /** Makes a lost server a standby of the primary. */
  rejoin(server: OwnPostgres): void;
  remove(): void;
}

export async function rowsOf(server: Pick<OwnPostgres, 'url'>, text: string): Promise<readonly (readonly unknown[])[]> {
  const client = new pg.Client(server.url);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

export async function startPostgresCluster(size = 3): Promise<PostgresCluster> {
  const names = new Map<OwnPostgres, string>();
  // A commit waits for one standby, whichever server is the primary.
  const all = Array.from({ length: size }, (_, index) => `s${index + 1}`);
  let primary = await startOwnPostgres(['wal_retrieve_retry_interval = 100ms', 'wal_keep_size = 256MB']);
  names.set(primary, 's1');
  for (const name of all.slice(1)) names.set(await startReplica(primary, name), name);
  const setting = `ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (${all.join(', ')})'`;
  for (const server of names.keys()) await rowsOf(server, setting).then(() => rowsOf(server, 'SELECT pg_reload_conf()'));
  const lost = new Set<OwnPostgres>();
  const standbys = () => [...names.keys()].filter((server) => server !== primary && !lost.has(server));
  const follow = async (server: OwnPostgres) => {
    const { hostname, port } = new URL(primary.url);
    const target = `host=${hostname} port=${port} user=postgres application_name=${names.get(server)}`;
    await rowsOf(server, `ALTER SYSTEM SET primary_conninfo = '${target}'`);
    await rowsOf(server, 'SELECT pg_reload_conf()');
  };
  return {
    get primary() {
      return primary;
    },
    get standbys() {
      return standbys();
    },
    url(first = []) {
      const hosts = [...first, ...[...names.keys()].filter((server) => !first.includes(server))].map(({ url }) => new URL(url).host);
      return `postgres://postgres@${hosts.join(',')}/postgres`;
    },
    async failOver() {
      const former = primary;
      former.kill();
      const received = await Promise.all(
        standbys().map(async (server) => {
          const [[bytes] = []] = await rowsOf(server, "SELECT pg_last_wal_receive_lsn() - '0/0'::pg_lsn");
          return { server, bytes: Number(bytes) };
        }),
      );
      const [next] = received.toSorted((one, other) => other.bytes - one.bytes);
      if (next === undefined) throw new Error('there is no standby');
      lost.add(former);
      primary = next.server;
      await rowsOf(primary, 'SELECT pg_promote()');
      const promotedAt = performance.now();
      for (const server of standbys()) await follow(server);
      return { former, promotedAt };
    },
    rejoin(server) {
      server.copy(primary, names.get(server));
      lost.delete(server);
    },
    remove() {
      for (const server of names.keys()) server.remove();
    },
  };
}
