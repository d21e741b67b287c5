import { expect, it } from 'vitest';
import { ofUrl } from './of-url.ts';

it.each([
  ['No host in DATABASE_URL can be used: a: away', 'No host in the URL can be used: a: away'],
  ['DATABASE_URL has the parameter "sslmod"', 'The URL has the parameter "sslmod"'],
  [
    'name its primary in DATABASE_URL, and the standby in DATABASE_REPLICA_URLS',
    'name its primary in the URL, and the standby in DATABASE_REPLICA_URLS',
  ],

  ['name the host in DATABASE_HOST or DATABASE_URL as the certificate does', 'name the host in the URL as the certificate does'],
  [
    'The database does not respond within 10000 ms (database.connectionTime): is it running, and are DATABASE_HOST and DATABASE_PORT right?',
    'The database does not respond within 10000 ms: is it running, and are the host and the port in the URL right?',
  ],
])('a problem with a URL of the command line: %s', (problem, shown) => {
  expect(ofUrl(problem)).toBe(shown);
});
