/** The address of a MariaDB server, as the driver wants it. */
import type { ConnectionOptions } from 'mysql2';
import type { DatabaseConfig } from '../config/config.ts';

/** Single settings add to the URL, whose parts come first. A host that is a path is a socket. */
export function mysqlAddress(config: Pick<DatabaseConfig, 'url' | 'host' | 'port' | 'name' | 'username' | 'password'>): ConnectionOptions {
  const url = config.url === undefined ? undefined : new URL(config.url);
  const part = (text: string | undefined) => (text === undefined || text === '' ? undefined : decodeURIComponent(text));
  const host = part(url?.hostname.replace(/^\[(.*)\]$/, '$1')) ?? config.host;
  const user = part(url?.username) ?? config.username;
  const password = part(url?.password) ?? config.password;
  const database = part(url?.pathname.slice(1)) ?? config.name;
  const port = url?.port ? Number(url.port) : config.port;
  return {
    ...(host?.startsWith('/') ? { socketPath: host } : host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
  };
}
