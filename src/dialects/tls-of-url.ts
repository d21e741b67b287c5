/** What `DATABASE_URL` says about TLS, as settings. By itself, the driver would ignore the settings
 *  where the URL has parameters of this kind, and interpret libpq's modes differently. */
import type { DatabaseConfig } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import { serverUrls, withoutParameters } from '../text/server-urls.ts';

/** TLS without a check of the certificate prevents nobody from reading along. So libpq's weaker
 *  modes are as strict as the strictest one unless `uselibpqcompat` asks for them, and only
 *  `no-verify`, which is node-postgres's, accepts any certificate. */
const modes: ReadonlySet<string> = new Set(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']);
const files = { sslrootcert: 'sslCa', sslcert: 'sslCert', sslkey: 'sslKey' } as const;
const parameters = ['sslmode', 'ssl', 'uselibpqcompat', ...Object.keys(files)];

/** Parameters of libpq that choose among ways that are as safe. */
const harmless: ReadonlySet<string> = new Set(['sslcompression', 'sslsni', 'sslnegotiation']);
const asksForTls = /ssl|tls/i;

/** If a misspelled parameter were ignored, the connection would have no TLS. */
const unreadParameter = (name: string, variable: string, read: string) =>
  `${variable} has the parameter ${JSON.stringify(name)}, which is not read. For TLS there are ${read}`;

/** Throws a `StartError` if a MariaDB or MySQL server's URL has TLS parameters: there, only
 *  settings apply. */
export function refuseTlsOfUrl({ url }: DatabaseConfig): void {
  const unread = [...(serverUrls(url ?? '')[0]?.searchParams.keys() ?? [])].find((name) => asksForTls.test(name));
  if (unread !== undefined) throw new StartError([unreadParameter(unread, 'DATABASE_URL', 'the settings DATABASE_SSL and DATABASE_SSL_…')]);
}

/** The configuration, with a URL that says nothing about TLS. `variable` has the URL. With
 *  `urlWins`, the URL overrides settings that differ. */
export function withTlsOfUrl(config: DatabaseConfig, variable = 'DATABASE_URL', urlWins = false): DatabaseConfig {
  const [url] = serverUrls(config.url ?? '');
  if (config.url === undefined || url === undefined) return config;
  const urlParameters = new Map(
    parameters.flatMap((name): [string, string][] => url.searchParams.getAll(name).map((value) => [name, value])),
  );
  const unread = [...url.searchParams.keys()].filter((name) => asksForTls.test(name) && !parameters.includes(name) && !harmless.has(name));
  if (unread.length > 0) throw new StartError([unreadParameter(unread[0] ?? '', variable, 'sslmode, sslrootcert, sslcert and sslkey')]);
  if (urlParameters.size === 0) return config;
  const mode = urlParameters.get('sslmode') ?? modeOf(urlParameters.get('ssl'));
  if (mode !== undefined && !modes.has(mode))
    throw new StartError([`sslmode in ${variable} must be one of ${[...modes].join(', ')}, but it is ${JSON.stringify(mode)}`]);
  if (mode === 'disable' && config.ssl && !urlWins)
    throw new StartError(['DATABASE_URL says sslmode=disable, and DATABASE_SSL is true: take one of them away']);
  const named = Object.entries(files).flatMap(([parameter, setting]) =>
    urlParameters.has(parameter) && (urlWins || config[setting] === undefined) ? [[setting, urlParameters.get(parameter)]] : [],
  );
  return {
    ...config,
    ...Object.fromEntries(named),
    url: withoutParameters(config.url, parameters),
    ssl: mode === 'disable' ? false : mode !== undefined || named.length > 0 || config.ssl,
    sslRejectUnauthorized:
      (config.sslRejectUnauthorized || (urlWins && mode !== undefined)) &&
      !acceptsAny(mode, urlParameters, config.sslCa ?? urlParameters.get('sslrootcert')),
  };
}

/** libpq's modes, by `uselibpqcompat`: some check a certificate only with a named authority. */
function acceptsAny(mode: string | undefined, urlParameters: ReadonlyMap<string, string>, authority: string | undefined): boolean {
  if (mode === 'no-verify') return true;
  return (
    urlParameters.get('uselibpqcompat') === 'true' &&
    authority === undefined &&
    (mode === 'allow' || mode === 'prefer' || mode === 'require')
  );
}

function modeOf(ssl: string | undefined): string | undefined {
  if (ssl === undefined) return undefined;
  if (ssl === 'true' || ssl === '1') return 'verify-full';
  if (ssl === 'false' || ssl === '0') return 'disable';
  return ssl;
}
