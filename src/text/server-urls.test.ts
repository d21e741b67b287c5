import { describe, expect, it } from 'vitest';
import { serverUrls, withoutParameters } from './server-urls.ts';

describe('the URLs of the hosts of a database', () => {
  it.each<[string, string, readonly string[]]>([
    ['one host', 'postgres://u:p@h:5432/db?a=b', ['postgres://u:p@h:5432/db?a=b']],
    [
      'several, with ports and without',
      'postgres://u:p@h1:5432,h2,[::1]:5434/db?sslmode=require',
      ['postgres://u:p@h1:5432/db?sslmode=require', 'postgres://u:p@h2/db?sslmode=require', 'postgres://u:p@[::1]:5434/db?sslmode=require'],
    ],
    ['of MariaDB', 'mysql://root@n1:3311,n2:3312/db', ['mysql://root@n1:3311/db', 'mysql://root@n2:3312/db']],
    [
      'commas in the password and after the hosts',
      'postgres://u:a,b@h1,h2/d,b?o=1,2',
      ['postgres://u:a,b@h1/d,b?o=1,2', 'postgres://u:a,b@h2/d,b?o=1,2'],
    ],
    ['the host as a parameter', 'postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
    ['no name of a database', 'postgres://h1:1,h2:2', ['postgres://h1:1', 'postgres://h2:2']],
    ['a port that is none', 'postgres://h1:1,h2:70000/db', []],
    ['a host without a name', 'postgres://u@h1,,h2/db', []],
    ['a port without a host', 'postgres://h1,:5433/db', []],
    ['a list of URLs', 'postgres://u:p@h1:5432,postgres://u:p@h2:5432/db', []],
    ['a list of URLs with names', 'postgres://u:p@h1:5432/db,postgres://u:p@h2:5432/db', []],
    ['a URL in a parameter', 'postgres://h/db?x=http://y', ['postgres://h/db?x=http://y']],
    ['no URL', 'h1,h2', []],
  ])('%s', (_, text, expected) => {
    expect(serverUrls(text).map(({ href }) => href)).toEqual(expected);
  });

  it.each([
    ['postgres://u:a%2Cb@h1:1,h2:2/db?sslmode=require&x=1#y', 'postgres://u:a%2Cb@h1:1,h2:2/db?x=1#y'],
    ['postgres://h1,h2/db?sslmode=require', 'postgres://h1,h2/db'],
    ['postgres://h1,h2/db?x=a%20b', 'postgres://h1,h2/db?x=a%20b'],
    ['postgres://h1,h2/db?x=$%26&sslmode=require', 'postgres://h1,h2/db?x=%24%26'],
  ])('lose parameters, and nothing else: %s', (text, expected) => {
    expect(withoutParameters(text, ['sslmode'])).toBe(expected);
  });
});
