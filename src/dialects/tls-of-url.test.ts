import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { refuseTlsOfUrl, withTlsOfUrl } from './tls-of-url.ts';

const loaded = loadConfig({ dir: '/nowhere', environment: { DATABASE_CLIENT: 'postgres' }, overrides: {} });
if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
const { database } = loaded.config;

describe('TLS of a URL', () => {
  it.each<[string, Partial<typeof database>, string, readonly [ssl: boolean, rejects: boolean, ca: string | undefined]]>([
    ['is that of the settings', { ssl: true, sslCa: 'a' }, '', [true, true, 'a']],
    ['is off if the URL says so', { ssl: true }, '?sslmode=disable', [false, true, undefined]],
    ['is on if the URL says so', {}, '?sslmode=require', [true, true, undefined]],
    ['is strict if the URL says so', { ssl: true, sslRejectUnauthorized: false }, '?sslmode=verify-full', [true, true, undefined]],
    ['accepts any certificate if the settings say so', { ssl: true, sslRejectUnauthorized: false }, '', [true, false, undefined]],
    ['trusts the authority that the URL names', { ssl: true, sslCa: 'a' }, '?sslrootcert=b', [true, true, 'b']],
  ])('of a replica %s', (_, settings, query, expected) => {
    const { ssl, sslRejectUnauthorized, sslCa, url } = withTlsOfUrl(
      { ...database, ...settings, url: `postgres://a@b/c${query}` },
      'DATABASE_REPLICA_URLS',
      true,
    );
    expect([[ssl, sslRejectUnauthorized, sslCa], url]).toEqual([expected, 'postgres://a@b/c']);
  });

  it.each(['sslmod=require', 'ssl-mode=REQUIRED', 'useSSL=true', 'tls=1'])('refuses a parameter that would be ignored: %s', (query) => {
    const url = `postgres://a:geheim@b/c?application_name=x&${query}`;
    const refusal = `has the parameter "${query.split('=')[0]}", which is not read`;
    expect(() => withTlsOfUrl({ ...database, url }, 'DATABASE_REPLICA_URLS', true)).toThrow(`DATABASE_REPLICA_URLS ${refusal}`);
    expect(() => refuseTlsOfUrl({ ...database, url })).toThrow(`DATABASE_URL ${refusal}`);
  });

  it('leaves other parameters alone', () => {
    const url = 'postgres://a@b/c?application_name=x&pgbouncer=true&sslsni=1';
    expect(withTlsOfUrl({ ...database, url }).url).toBe(url);
  });

  it('names the variable, and not the URL', () => {
    expect(() => withTlsOfUrl({ ...database, url: 'postgres://a:geheim@b/c?sslmode=on' }, 'DATABASE_REPLICA_URLS', true)).toThrow(
      /^sslmode in DATABASE_REPLICA_URLS must be one of disable, .*, but it is "on"$/,
    );
  });
});
