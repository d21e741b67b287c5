/** `database`: where the content is, and how the server reaches it. A part of the
 *  table in `../settings.ts`. */
import type { DialectName } from '../../dialects/dialect.ts';
import { listOfHosts, serverUrls } from '../../text/server-urls.ts';
import { boolean, choice, integer, list, optionalInteger, optionalText, secret, text } from '../setting.ts';

/** Strapi's templates have used several names for the same databases. */
const clients: Readonly<Record<string, DialectName>> = {
  sqlite: 'sqlite',
  'better-sqlite3': 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mysql2: 'mysql',
  mariadb: 'mysql',
};

const serverUrl = {
  shape: `a URL like postgres://user:password@host:5432/name or mysql://user:password@host:3306/name; ${listOfHosts}`,
  holds: (value: string) => /^(postgres(ql)?|mysql|mariadb):\/\//.test(value) && serverUrls(value).length > 0,
};

export const databaseSettings = {
  client: choice<DialectName>(clients, 'sqlite', {
    description: 'Database engine; `mysql` is MariaDB or MySQL. Below, `Server` means PostgreSQL, MariaDB and MySQL',
    strapiVariable: 'DATABASE_CLIENT',
  }),
  filename: text('.tmp/data.db', {
    description: 'SQLite: the database file, relative to the project',
    strapiVariable: 'DATABASE_FILENAME',
  }),
  url: optionalText({
    description:
      'Server: the whole connection as a URL, instead of the single settings; it may name several hosts: a PostgreSQL primary and its standbys ([scaling.md](scaling.md#postgresql-with-failover)), or the nodes of a Galera cluster, of which Lectern uses the first that it can; for PostgreSQL, its `sslmode`, `sslrootcert`, `sslcert` and `sslkey` count where the settings for TLS are not set',
    strapiVariable: 'DATABASE_URL',
    sensitive: true,
    rule: serverUrl,
  }),
  host: optionalText({
    description: 'Server: host name, or the folder of its socket',
    strapiVariable: 'DATABASE_HOST',
    fallbackText: 'PostgreSQL: `PGHOST`, else `localhost`; MariaDB and MySQL: `localhost`',
  }),
  port: optionalInteger([1, 65535], {
    description: 'Server: port',
    strapiVariable: 'DATABASE_PORT',
    fallbackText: 'PostgreSQL: `PGPORT`, else `5432`; MariaDB and MySQL: `3306`',
  }),
  name: optionalText({
    description: 'Server: name of the database',
    strapiVariable: 'DATABASE_NAME',
    fallbackText: 'PostgreSQL: `PGDATABASE`, else the name of the user; MariaDB and MySQL: none',
  }),
  username: optionalText({
    description: 'Server: user',
    strapiVariable: 'DATABASE_USERNAME',
    fallbackText: 'PostgreSQL: `PGUSER`, else the name of the user who runs the process; MariaDB and MySQL: none',
  }),
  password: secret('DATABASE_PASSWORD', {
    description: 'Server: password',
    fallbackText: 'PostgreSQL: `PGPASSWORD`, else none; MariaDB and MySQL: none',
  }),
  schema: optionalText({
    description: 'PostgreSQL: schema',
    strapiVariable: 'DATABASE_SCHEMA',
    fallbackText: "the connection's, usually `public`",
  }),
  ssl: boolean(false, { description: 'Server: connect with TLS', strapiVariable: 'DATABASE_SSL' }),
  sslCa: optionalText({
    description: "Server: certificate of the authority that signed the server's certificate, as PEM text or the path of a file",
    strapiVariable: 'DATABASE_SSL_CA',
    sensitive: true,
    fallbackText: 'the authorities that Node.js knows',
  }),
  sslCert: optionalText({
    description: 'Server: client certificate that the server requires, as PEM text or the path of a file',
    strapiVariable: 'DATABASE_SSL_CERT',
    sensitive: true,
  }),
  sslKey: optionalText({
    description: 'Server: private key of the client certificate, as PEM text or the path of a file',
    strapiVariable: 'DATABASE_SSL_KEY',
    sensitive: true,
  }),
  sslRejectUnauthorized: boolean(true, {
    description: 'Server: refuse a server whose certificate no known authority signed',
    strapiVariable: 'DATABASE_SSL_REJECT_UNAUTHORIZED',
  }),
  poolMin: integer(2, [0, 1000], { description: 'Server: connections that stay open', strapiVariable: 'DATABASE_POOL_MIN' }),
  poolMax: integer(10, [1, 1000], { description: 'Server: maximum number of connections', strapiVariable: 'DATABASE_POOL_MAX' }),
  connectionTime: integer(1500, [100, 600_000], {
    description: 'Server: milliseconds that a request waits for a new or free connection before it gets 503',
    strapiVariable: 'DATABASE_CONNECTION_TIMEOUT',
  }),
  startWait: integer(0, [0, 3_600_000], {
    description:
      'Server: milliseconds that `lectern start` waits for a server that does not respond yet, as when containers start in any order ([operations.md](operations.md#starting-while-the-database-is-away))',
  }),
  preparedStatements: boolean(true, {
    description:
      'PostgreSQL: statements that are used often are parsed and planned once for each connection. Set it to false behind a pooler in transaction mode that does not support prepared statements',
  }),
  replicaUrls: list([], {
    description:
      'PostgreSQL: URLs of read replicas, which serve lists and documents ([scaling.md](scaling.md#read-replicas)). A comma in a password is written `%2C`',
    strapiVariable: 'DATABASE_REPLICA_URLS',
    sensitive: true,
    // URLs of other engines are refused later, with the reason.
    rule: { ...serverUrl, shape: 'URLs like postgres://user:password@host:5432/name' },
  }),
  replicaLag: integer(1000, [100, 3_600_000], {
    description: 'PostgreSQL: milliseconds that a read replica may be behind the primary; if it is further behind, the primary serves',
  }),
  currentReads: choice<'writers' | 'all'>({ writers: 'writers', all: 'all' }, 'writers', {
    description:
      'Galera: whose reads show every write that was confirmed before them, on whichever node. `writers`: callers that have just written, or that may write what they read ([scaling.md](scaling.md#galera))',
  }),
  durable: boolean(true, {
    description:
      'SQLite: a confirmed write survives a power cut. If false, it survives only the end of the process, and single writes are faster',
  }),
  readers: integer((facts) => Math.max(1, Math.min(4, facts.cores)), [1, 64], {
    description: 'SQLite: threads that read',
    fallbackText: 'the number of processor cores, at most `4`',
  }),
};
