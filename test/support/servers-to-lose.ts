/** Database servers, on which tests block statements and end connections. */
import mysql, { type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { type MysqlEngine, mysqlServers, onMariadb } from './mariadb-server.ts';
import { postgresUrl } from './postgres-server.ts';
import type { Project } from './project.ts';
import { startRelay } from './relay.ts';
import { useMade } from './use-made.ts';

/** What the tests do to a server, by connections of their own. */
interface TestedServer {
  readonly url: string;
  readonly port: number;
  /** Makes all statements on the notes wait until the returned function is called. */
  readonly hold: (url: string) => Promise<() => Promise<void>>;
  /** Ends all connections to the database except those of `hold`. */
  readonly endConnections: (url: string) => Promise<void>;
}

/** The connections of `hold`: their name on PostgreSQL, their numbers on MariaDB and MySQL. */
const holding = 'lectern_test_holds';
const holders = new Set<number>();

export const serversToLose: Readonly<Record<'postgres' | MysqlEngine, TestedServer>> = {
  postgres: {
    url: postgresUrl(),
    port: 5432,
    async hold(url) {
      const client = new pg.Client({ connectionString: url, application_name: holding });
      await client.connect();
      await client.query('BEGIN; LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
      return () => client.end();
    },
    async endConnections(url) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const others = 'datname = current_database() AND pid <> pg_backend_pid() AND application_name <> $1';
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`, [holding]);
      await client.end();
    },
  },
  mariadb: mysqlServer('mariadb'),
  mysql: mysqlServer('mysql'),
};

function mysqlServer(engine: MysqlEngine): TestedServer {
  return {
    url: mysqlServers[engine].url,
    port: 3306,
    async hold(url) {
      const connection = await mysql.createConnection({ uri: url });
      await connection.query('LOCK TABLES notes WRITE');
      holders.add(connection.threadId);
      return async () => {
        holders.delete(connection.threadId);
        connection.destroy();
      };
    },
    endConnections: (url) =>
      onMariadb(url, async (connection) => {
        const others = 'db = DATABASE() AND id <> CONNECTION_ID()';
        const [rows] = await connection.query<RowDataPacket[]>(`SELECT id FROM information_schema.processlist WHERE ${others}`);
        const ids = rows.map(({ id }) => Number(id)).filter((id) => !holders.has(id));
        // Some may have ended meanwhile.
        for (const id of ids) await connection.query(`KILL CONNECTION ${id}`).catch(() => undefined);
      }),
  };
}

/** A relay before the server of this engine. Called in the body of a `describe`; the relay is there from `beforeAll` on. */
export function useRelay(engine: keyof typeof serversToLose, options: Pick<Parameters<typeof startRelay>[0], 'delay' | 'isRecorded'> = {}) {
  const { url, port: usualPort } = serversToLose[engine];
  const { hostname, port } = new URL(url);
  const get = useMade(() => startRelay({ ...options, host: hostname, port: port === '' ? usualPort : Number(port) }));
  return {
    get,
    /** The variable with which a server reaches the database of the project through the relay. */
    env({ database }: Project) {
      const through = new URL(database.url ?? '');
      through.host = `127.0.0.1:${get().port}`;
      return { DATABASE_URL: through.href };
    },
  };
}
