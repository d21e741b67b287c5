/** Connects to a database server at the start: reads TLS settings, and explains errors. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { ConnectionOptions } from 'mysql2';
import { oncePer } from '../collections.ts';
import type { DatabaseConfig } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import { serverUrls } from '../text/server-urls.ts';
import type { PostgresConfig } from './postgres-client.ts';
import type { PostgresServers } from './postgres-servers.ts';
import { type Host, NoUsableHost, ServerHosts } from './server-hosts.ts';
import { isTimeout } from './time-out.ts';

type TlsConfig = Pick<DatabaseConfig, 'sslCa' | 'sslCert' | 'sslKey' | 'sslRejectUnauthorized'>;

/** Returns the TLS options. Throws a `StartError` for text that is not a certificate or key. */
function tlsOf({ sslCa, sslCert, sslKey, sslRejectUnauthorized }: TlsConfig) {
  const ca = pem('DATABASE_SSL_CA', sslCa);
  const cert = pem('DATABASE_SSL_CERT', sslCert);
  const key = pem('DATABASE_SSL_KEY', sslKey);
  if ((cert === undefined) !== (key === undefined))
    throw new StartError(['DATABASE_SSL_CERT and DATABASE_SSL_KEY must be set together, or neither of them']);
  if (key !== undefined && /-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(key))
    throw new StartError([
      'DATABASE_SSL_KEY is protected by a passphrase, for which there is no setting: give the key without one (openssl pkey -in key.pem -out plain.pem), in a file that only the server may read',
    ]);
  const certificates = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  try {
    createSecureContext(certificates);
  } catch (error) {
    throw new StartError([`DATABASE_SSL_CA, DATABASE_SSL_CERT and DATABASE_SSL_KEY cannot be used together: ${messageOf(error)}`]);
  }
  return { ...certificates, rejectUnauthorized: sslRejectUnauthorized };
}

/** The driver's options for a configuration whose URL has no TLS parameters. `servers`: those of
 *  that URL. Throws a `StartError` for text that is not a certificate or key. */
export const postgresConnection = (config: DatabaseConfig, servers?: PostgresServers): PostgresConfig => ({
  ...(servers !== undefined ? { servers } : config.url === undefined ? {} : { connectionString: config.url }),
  ...(config.host === undefined ? {} : { host: config.host }),
  ...(config.port === undefined ? {} : { port: config.port }),
  ...(config.name === undefined ? {} : { database: config.name }),
  ...(config.username === undefined ? {} : { user: config.username }),
  ...(config.password === undefined ? {} : { password: config.password }),
  ...(config.ssl ? { ssl: tlsOf(config) } : {}),
  min: config.poolMin,
  max: config.poolMax,
});

/** PostgreSQL's parameter, also if it is misspelt. */
const choosesHosts = /^target_?session_?attrs?$/i;

/** The MariaDB or MySQL server, or the nodes of a cluster; the same for all connections of a
 *  process. Throws as `tlsOf` does. */
export const mysqlHosts = oncePer((config: DatabaseConfig): ServerHosts<ConnectionOptions> => {
  // By itself, the driver does not compare the certificate with the host.
  const tls = config.ssl ? { ssl: { ...tlsOf(config), verifyIdentity: config.sslRejectUnauthorized } } : {};
  const hostOf = (url: URL | undefined): Host<ConnectionOptions> => {
    const address = mysqlAddress(config, url);
    return { name: url?.host ?? String(address.host), address: { ...address, ...tls } };
  };
  const [first, ...others] = serverUrls(config.url ?? '');
  const unread = [...(first?.searchParams.keys() ?? [])].find((name) => choosesHosts.test(name));
  if (unread !== undefined)
    throw new StartError([
      `DATABASE_URL has the parameter ${JSON.stringify(unread)}, which only PostgreSQL has. Of several hosts, Lectern uses the first that is not read-only.`,
    ]);
  return new ServerHosts([hostOf(first), ...others.map(hostOf)], config.connectionTime);
});

/** The URL's parts come first, then single settings. A host that is a path is a socket. */
function mysqlAddress(config: DatabaseConfig, url: URL | undefined): ConnectionOptions {
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

function pem(name: string, textOrPath: string | undefined): string | undefined {
  if (textOrPath === undefined || textOrPath.includes('-----BEGIN')) return textOrPath;
  try {
    const text = readFileSync(textOrPath, 'utf8');
    if (text.includes('-----BEGIN')) return text;
  } catch (error) {
    throw new StartError([`${name} must be PEM text or the path of a file with it: ${messageOf(error)}`]);
  }
  throw new StartError([`${name} names the file ${textOrPath}, which has no PEM text (-----BEGIN …)`]);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const expired = 'CERT_HAS_EXPIRED';
const otherName: ReadonlySet<string> = new Set(['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH']);
/** Codes of other certificate errors. Source: Node.js manual, "X509 certificate error codes". */
const untrusted = /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_|CERT_|INVALID_CA)/;
/** Alerts of servers that refuse a client's certificate: RFC 8446, section 6.2, as in OpenSSL. */
const refusedCertificate =
  /alert ((?:bad|unsupported) certificate|certificate (?:revoked|expired|unknown)|unknown ca|decrypt error|access denied)/;

type Reached = Pick<DatabaseConfig, 'ssl' | 'sslCa' | 'connectionTime'>;

/** An error that says what the operator can do; undefined for errors whose code is clear enough.
 *  `isUrl`: TLS comes from `DATABASE_URL`. */
export function unreachable(error: unknown, reached: Reached, isUrl: boolean): StartError | undefined {
  if (!(error instanceof Error)) return undefined;
  const problem = error instanceof NoUsableHost ? problemOfHosts(error, reached, isUrl) : problemOf(error, reached, isUrl);
  return problem === undefined ? undefined : new StartError([problem], undefined, { cause: error });
}

/** Names each host; what the operator can do is said once. */
function problemOfHosts({ message, reasons }: NoUsableHost, reached: Reached, isUrl: boolean): string {
  const problems = reasons.map((reason) => (reason instanceof Error && !isTimeout(reason) ? problemOf(reason, reached, isUrl) : undefined));
  const problem = problems.find((each) => each !== undefined);
  return problem === undefined ? message : `${message}\n${problem}`;
}

function problemOf(error: Error, { ssl, sslCa, connectionTime }: Reached, isUrl: boolean): string | undefined {
  const { message } = error;
  const code = 'code' in error ? String(error.code) : '';
  const refused = refusedCertificate.exec(message)?.[1];
  const acceptAny = 'DATABASE_SSL_REJECT_UNAUTHORIZED=false to accept any';
  if (/does not support (?:SSL|secure connection)/.test(message))
    return `The database server does not support TLS: ${isUrl ? 'remove sslmode from DATABASE_URL' : 'set DATABASE_SSL=false'}, or switch it on at the server (ssl = on).`;
  if (/no encryption|insecure transport/.test(message) && !ssl)
    return `The database server refuses connections without TLS: set DATABASE_SSL=true${isUrl ? ' instead of sslmode=disable in DATABASE_URL' : ''} (${message}).`;
  if (otherName.has(code))
    return `The certificate of the database server is for another name (${message.replace(/'s list: $/, ': it has no IP address')}): name the host in DATABASE_HOST or DATABASE_URL as the certificate does, or set ${acceptAny}.`;
  if (code === expired) return `The certificate of the database server has expired: renew it there, or set ${acceptAny}.`;
  if (untrusted.test(code)) {
    const remedy = 'the certificate of the authority that signed it';
    return sslCa === undefined
      ? `The certificate of the database server is not trusted (${message}): set DATABASE_SSL_CA to ${remedy}, or ${acceptAny}.`
      : `The certificate of the database server is not trusted (${message}): DATABASE_SSL_CA is not ${remedy}. Set it to that one, or set ${acceptAny}.`;
  }
  if (refused !== undefined)
    return `The database server refuses the certificate in DATABASE_SSL_CERT (${refused}): give one that is valid, and signed by an authority that the server knows (its ssl_ca_file).`;
  if (/certificate required|handshake failure|valid client certificate/i.test(message))
    return `The database server requires a certificate (${message.trim()}): set DATABASE_SSL_CERT and DATABASE_SSL_KEY.`;
  if (message.includes('certificate authentication failed'))
    return `The database server refuses the certificate in DATABASE_SSL_CERT (${message}): its common name (CN) must be the user that DATABASE_USERNAME names.`;
  if (message.startsWith('SASL:') && message.includes('password')) return 'The database server requires a password: set DATABASE_PASSWORD.';
  if (isTimeout(error))
    return `The database does not respond within ${connectionTime} ms (database.connectionTime): is it running, and are DATABASE_HOST and DATABASE_PORT right?`;
  if (message.startsWith('unsupported startup parameter'))
    return `What listens there is a connection pooler that refuses the settings of Lectern's connections (${message}): add options to its ignore_startup_parameters, and give these settings to the role (docs/scaling.md, "PgBouncer").`;
  if (/^received (?:unexpected|invalid)/i.test(message))
    return 'What listens there does not answer as PostgreSQL does: is DATABASE_PORT its port, and DATABASE_CLIENT its engine?';
  if (message.startsWith('Connection terminated'))
    return 'The database server closed the connection without a response: is it running, and is DATABASE_PORT that of PostgreSQL?';
  return undefined;
}
