/** Checks a configuration as a whole, when each setting by itself is valid. */
import { howToSetSecret } from '../text/how-to-set-secret.ts';
import { isLoopback } from '../text/http-url.ts';
import { nearest } from '../text/nearest.ts';
import { serverUrls } from '../text/server-urls.ts';
import type { Config } from './config.ts';
import type { Environment } from './environment.ts';
import { clientSecretVariable } from './providers.ts';
import { removedSettings } from './removed-settings.ts';
import { placedSettings } from './settings.ts';

const prefix = 'LECTERN_';
/** Kubernetes sets these for a service with the name `lectern`. */
const ofService = /^LECTERN_(?:SERVICE|PORT)_/;
const levelsWithoutWarnings: ReadonlySet<string> = new Set(['error', 'fatal', 'silent']);

/** Values that contradict each other. `named` returns the source of a setting, or its path. */
export function contradictions(config: Config, named: (path: string) => string): readonly string[] {
  const { api, auth, database, cors } = config;
  const found: string[] = [];
  if (typeof api.defaultLimit === 'number' && typeof api.maxLimit === 'number' && api.defaultLimit > api.maxLimit)
    found.push(
      `${named('api.defaultLimit')} is ${api.defaultLimit}, but must not be greater than ${named('api.maxLimit')}, which is ${api.maxLimit}`,
    );
  if (database.poolMin > database.poolMax)
    found.push(
      `${named('database.poolMin')} is ${database.poolMin}, but must not be greater than ${named('database.poolMax')}, which is ${database.poolMax}`,
    );
  if (cors.credentials && cors.origins.includes('*'))
    found.push(`${named('cors.credentials')} is true, but must be false unless cors.origins names the origins instead of "*"`);
  if (auth.cookieSameSite === 'none' && !cors.credentials)
    found.push(
      `${named('auth.cookieSameSite')} is none, which needs ${named('cors.credentials')} to be true: otherwise no page of another site can send the cookie`,
    );
  if (Object.keys(auth.providers).length > 0) {
    if (config.url === undefined)
      found.push(`${named('auth.providers')} needs ${named('url')} (PUBLIC_URL): providers send users back to a URL that begins with it`);
    if (config.secrets.jwtSecret === undefined) found.push(`${named('auth.providers')} needs JWT_SECRET, which signs the tokens of users`);
  }
  if (config.webhooks.length > 0 && config.events.keep === 0)
    found.push(`${named('events.keep')} is 0, which switches events off, but ${named('webhooks')} need them`);
  const { log, metrics } = config;
  if (metrics.port !== undefined && metrics.port !== 0 && metrics.port === config.port)
    found.push(`${named('metrics.port')} is ${metrics.port}, but must differ from ${named('port')}`);
  if (log.slowPlans && log.slow === undefined) found.push(`${named('log.slowPlans')} is true, which needs ${named('log.slow')}`);
  if (log.slow !== undefined && levelsWithoutWarnings.has(log.level))
    found.push(`${named('log.slow')} needs ${named('log.level')} to be warn or lower: slow requests are logged as warnings`);
  found.push(...upstreamProblems(config, named), ...databaseProblems(config, named), ...replicaProblems(config, named));
  if (config.upload.provider === 's3') {
    if (config.s3.bucket === undefined) found.push(`${named('upload.provider')} is s3, which needs ${named('s3.bucket')} (AWS_BUCKET)`);
    if (config.s3.private && config.secrets.uploadKey === undefined)
      found.push(`${named('s3.private')} needs LECTERN_UPLOAD_KEY, which signs the URLs of files`);
    if ((config.secrets.s3AccessKeyId === undefined) !== (config.secrets.s3SecretAccessKey === undefined))
      found.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together, or neither of them');
  }
  return found;
}

/** What the driver of one engine makes of a server of another is hard to read. */
function databaseProblems({ database: { client, url } }: Config, named: (path: string) => string): readonly string[] {
  if (url === undefined || client === 'sqlite') return [];
  const engine = /^postgres/.test(url) ? 'postgres' : 'mysql';
  if (engine === client) return [];
  return [
    `${named('database.url')} is the URL of another engine than ${named('database.client')}: set DATABASE_CLIENT=${engine}, or another URL`,
  ];
}

/** Each has a pool, and a connection that asks for its position. */
const maxReplicas = 16;

function replicaProblems({ database: { client, replicaUrls }, secrets }: Config, named: (path: string) => string): readonly string[] {
  if (replicaUrls.length === 0) return [];
  const name = named('database.replicaUrls');
  if (client !== 'postgres') return [`${name}: only PostgreSQL can have read replicas, and ${named('database.client')} is ${client}`];
  return [
    ...(replicaUrls.some((url) => !/^postgres/.test(url)) ? [`${name}: the URL of a read replica must begin with postgres://`] : []),
    ...(replicaUrls.some((url) => serverUrls(url).length > 1) ? [`${name}: the URL of a read replica must name one host`] : []),
    ...(replicaUrls.length > maxReplicas ? [`${name} has ${replicaUrls.length} URLs, but must not have more than ${maxReplicas}`] : []),
    ...(secrets.jwtSecret === undefined && secrets.apiTokenSalt === undefined
      ? [`${name} needs JWT_SECRET or API_TOKEN_SALT, the same on all servers: it signs the positions of writes that callers send`]
      : []),
  ];
}

const ofThisMachine: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]']);

function upstreamProblems({ upstream, host, port, routes }: Config, named: (path: string) => string): readonly string[] {
  if (upstream === undefined) {
    const forwarded = Object.entries(routes).find(([, decision]) => decision === 'forward');
    return forwarded === undefined
      ? []
      : [`${named('routes')}: ${JSON.stringify(forwarded[0])} is "forward", which needs upstream (LECTERN_UPSTREAM)`];
  }
  const { hostname, port: portText, protocol } = new URL(upstream);
  const isSamePort = Number(portText === '' ? (protocol === 'https:' ? 443 : 80) : portText) === port;
  if (!isSamePort || !(ofThisMachine.has(hostname) || hostname === host)) return [];
  return [
    `${named('upstream')} is ${upstream}, which is the address of Lectern itself (${named('port')} is ${port}): start Strapi on another port`,
  ];
}

export function warningsOf(config: Config, environment: Environment, sources: ReadonlyMap<string, string>): readonly string[] {
  const warnings: string[] = [];
  if (config.secrets.jwtSecret === undefined)
    warnings.push(`JWT_SECRET is not set: users cannot sign in and their tokens are refused. ${howToSetSecret('JWT_SECRET')}`);
  if (config.secrets.apiTokenSalt === undefined)
    warnings.push(`API_TOKEN_SALT is not set: API tokens are refused. ${howToSetSecret('API_TOKEN_SALT')}`);
  const { metrics, secrets } = config;
  if (metrics.port !== undefined && secrets.metricsToken === undefined && !isLoopback(metrics.host))
    warnings.push(
      `metrics.host is ${metrics.host} and LECTERN_METRICS_TOKEN is not set: everybody who reaches port ${metrics.port} may read the metrics, which name content types`,
    );
  const { client, unusedServer, ssl, url } = config.database;
  if (unusedServer !== undefined)
    warnings.push(`${unusedServer} is set, but DATABASE_CLIENT is not: SQLite is used. Set DATABASE_CLIENT=postgres to use that server`);
  else if (client === 'sqlite' && url !== undefined) {
    const [urlName, clientName] = [sources.get('database.url'), sources.get('database.client')];
    warnings.push(
      `${urlName} is set, but ${clientName} is sqlite: SQLite is used. Set ${clientName} to postgres or mysql to use that server`,
    );
  }
  const unusedTls = ['database.sslCa', 'database.sslCert', 'database.sslKey'].map((name) => sources.get(name)).find(Boolean);
  if (unusedTls !== undefined && !ssl && !/[?&]ssl(?:mode)?=/.test(url ?? ''))
    warnings.push(`${unusedTls} is set, but DATABASE_SSL is not: the database is reached without TLS. Set DATABASE_SSL=true`);
  const known = [
    ...placedSettings.flatMap((placed) => placed.variables),
    ...Object.keys(config.auth.providers).map((name) => clientSecretVariable(name)),
  ];
  const removed = removedSettings.map(({ variable }) => variable);
  for (const name of environment.keys()) {
    if (!name.startsWith(prefix) || ofService.test(name) || [...known, ...removed].includes(name)) continue;
    // Only likely misspellings are reported: platforms and test runners set variables of their own
    // with our prefix.
    const meant = nearest(
      name.slice(prefix.length),
      known.filter((variable) => variable.startsWith(prefix)).map((variable) => variable.slice(prefix.length)),
    );
    if (meant !== undefined) warnings.push(`${name} is an unknown variable; did you mean ${prefix}${meant}?`);
  }
  return warnings;
}
