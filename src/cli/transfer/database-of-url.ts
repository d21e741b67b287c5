/** The database that `--from` or `--to` names. */
import { resolve } from 'node:path';
import type { DatabaseConfig } from '../../config/config.ts';
import type { DialectName } from '../../dialects/dialect.ts';
import { serverUrls } from '../../text/server-urls.ts';

const clients: Readonly<Record<string, DialectName>> = { postgres: 'postgres', postgresql: 'postgres', mysql: 'mysql', mariadb: 'mysql' };

/** Undefined for a URL of no engine that Lectern knows, and for one without the name of a
 *  database: PostgreSQL would take another one, by the user's name. A text without a scheme is
 *  the path of a SQLite file. */
export function databaseOfUrl(text: string): DatabaseConfig | undefined {
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === 'sqlite') {
    const path = text.replace(/^sqlite:(\/\/(?=\/))?/i, '');
    // In `sqlite://name`, the name is where a URL has its host.
    return path === '' || (scheme !== undefined && path.startsWith('//'))
      ? undefined
      : { ...defaults, client: 'sqlite', filename: resolve(path) };
  }
  const client = clients[scheme];
  const [url] = serverUrls(text);
  if (client === undefined || url === undefined) return undefined;
  return /^\/*$/.test(url.pathname) ? undefined : { ...defaults, client, url: text };
}

const defaults: DatabaseConfig = {
  client: 'sqlite',
  filename: '',
  url: undefined,
  host: undefined,
  port: undefined,
  name: undefined,
  username: undefined,
  password: undefined,
  schema: undefined,
  ssl: false,
  sslCa: undefined,
  sslCert: undefined,
  sslKey: undefined,
  sslRejectUnauthorized: true,
  unusedServer: undefined,
  poolMin: 0,
  poolMax: 2,
  preparedStatements: true,
  replicaUrls: [],
  replicaLag: 1000,
  currentReads: 'all',
  connectionTime: 10_000,
  startWait: 0,
  readers: 0,
  durable: true,
};
