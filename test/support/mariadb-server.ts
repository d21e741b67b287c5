/** The MariaDB and MySQL servers that the tests make their databases on. */
import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import { databasePrefix } from './database-prefix.ts';

export const mysqlServers = {
  mariadb: {
    get url() {
      return process.env.LECTERN_TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306/';
    },
    // The default of Debian's servers, which databases of Strapi have there.
    collation: 'utf8mb4_general_ci',
  },
  mysql: {
    get url() {
      return process.env.LECTERN_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3307/';
    },
    // The server's own default.
    collation: 'utf8mb4_0900_ai_ci',
  },
} as const;
export type MysqlEngine = keyof typeof mysqlServers;

export async function onMariadb<T>(url: string, work: (connection: mysql.Connection) => Promise<T>): Promise<T> {
  const connection = await mysql.createConnection({ uri: url, connectTimeout: 3000, charset: 'utf8mb4', multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    connection.destroy();
  }
}

/** Creates an empty database with the collation that Strapi's databases have on the server. Returns its URL. */
export async function createMariadbDatabase(engine: MysqlEngine, run: string): Promise<string> {
  const server = mysqlServers[engine];
  const name = `${databasePrefix(run)}${randomBytes(4).toString('hex')}`;
  await onMariadb(server.url, (connection) =>
    connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE ${server.collation}`),
  );
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropMariadbDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onMariadb(new URL('/', url).href, async (connection) => {
    // A statement of a server that was killed may still hold locks on its tables, which would let DROP wait.
    const [rows] = await connection.query<mysql.RowDataPacket[]>('SELECT id FROM information_schema.processlist WHERE db = ?', [name]);
    for (const { id } of rows) await connection.query(`KILL CONNECTION ${Number(id)}`).catch(() => undefined);
    await connection.query(`DROP DATABASE IF EXISTS ${name}`);
  });
}

/** Whatever a crashed test file of this run has left. */
export async function dropMariadbLeftovers(server: string, run: string): Promise<void> {
  const rows = await onMariadb(server, async (connection) => {
    const [found] = await connection.query<mysql.RowDataPacket[]>('SELECT schema_name AS name FROM information_schema.schemata');
    return found;
  });
  for (const { name } of rows) {
    if (!String(name).startsWith(databasePrefix(run))) continue;
    await dropMariadbDatabase(new URL(`/${name}`, server).href);
  }
}
