/** The cookie with the refresh token. */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { cookieIn } from '../../../text/cookie.ts';

const name = 'strapi_up_refresh';

type CookieConfig = Pick<Config, 'auth' | 'cors' | 'url'>;
type Headers = Readonly<Record<string, string>>;

export const wantsCookie = ({ headers }: FastifyRequest, { auth }: CookieConfig): boolean =>
  auth.httpOnly || headers['x-strapi-refresh-cookie'] === 'httpOnly';

/** Whether the client says that a refresh may be repeated for some seconds, as pages need that are
 *  left while the response is on its way. */
export const wantsRepeatable = ({ headers }: FastifyRequest): boolean => headers['x-lectern-keep-session'] !== undefined;

/** Strapi adds a second cookie, a signature by APP_KEYS, which refreshing does not need. */
export function cookieHeader(refreshToken: string, request: FastifyRequest, config: CookieConfig): Headers {
  const seconds = cookieSeconds(request, config);
  const age = seconds === undefined ? '' : `max-age=${seconds}; `;
  return { 'set-cookie': `${name}=${refreshToken}; path=/; ${age}${attributes(request, config)}` };
}

/** For how long the browser keeps the cookie; undefined: until it is closed. */
function cookieSeconds({ headers }: FastifyRequest, { auth }: CookieConfig): number | undefined {
  const { cookieMaxAge, idleRefreshTokenLifespan, maxRefreshTokenLifespan } = auth;
  if (cookieMaxAge !== undefined || headers['x-lectern-keep-session'] !== 'true') return cookieMaxAge;
  return Math.min(idleRefreshTokenLifespan, maxRefreshTokenLifespan);
}

export const expiredCookieHeader = (request: FastifyRequest, config: CookieConfig): Headers => ({
  'set-cookie': `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes(request, config)}`,
});

/** Browsers accept `SameSite=None` only with `Secure`. `Partitioned` is for those that block or
 *  separate cookies of other sites. */
function attributes(request: FastifyRequest, { auth }: CookieConfig): string {
  if (auth.cookieSameSite === 'none') return 'samesite=none; httponly; secure; partitioned';
  return `samesite=${auth.cookieSameSite}; httponly${isEncrypted(request) ? '; secure' : ''}`;
}

/** Throws for a page of a foreign origin. With `SameSite=None`, browsers send the cookie with
 *  requests of every site, and otherwise with those of other hosts of the same site, which could
 *  use up the token, though not read the response. */
export function refreshTokenInCookie(request: FastifyRequest, config: CookieConfig): string | undefined {
  const value = cookieIn(request.headers.cookie, name) ?? '';
  if (value === '') return undefined;
  // A proxy may change `Host`, so that without this header an own page can look foreign.
  const mayBeForeign = config.auth.cookieSameSite === 'none' || otherOrigins.has(String(request.headers['sec-fetch-site']));
  if (mayBeForeign && !isOwnPage(request, config)) throw ApiError.of('session.foreign-origin');
  return value;
}

const otherOrigins: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/** Browsers send `Origin` with every POST to another origin; other programs need not. */
function isOwnPage({ headers }: FastifyRequest, { cors, url }: CookieConfig): boolean {
  const { origin } = headers;
  if (origin === undefined || cors.origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  return page.host === headers.host || (url !== undefined && page.origin === new URL(url).origin);
}

/** The protocol of the connection, or the one in the header of a proxy that `trustProxy` names. */
const isEncrypted = (request: FastifyRequest) => request.protocol === 'https';
