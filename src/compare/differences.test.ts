import { describe, expect, it } from 'vitest';
import type { Answer } from './ask.ts';
import { differencesIn } from './differences.ts';
import { Findings } from './findings.ts';
import { shownValue, withoutSecrets } from './hide-secrets.ts';
import { shapeOf } from './shape.ts';
import { asTarget } from './target.ts';

const answer = (body: string, status = 200, headers: Record<string, string> = {}): Answer => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(body),
  milliseconds: 1,
});

describe('differences of two JSON texts', () => {
  it.each([
    ['the order of keys means nothing', '{"a":1,"b":[]}', '{"b":[],"a":1}', []],
    ['types count', '{"a":1}', '{"a":"1"}', ['type a']],
    ['null is not absent', '{"a":null}', '{}', ['missing a']],
    ['a further key', '{}', '{"a":{"b":1}}', ['extra a']],
    ['the order of lists counts', '{"data":[{"id":1},{"id":2}]}', '{"data":[{"id":2},{"id":1}]}', ['order data[]']],
    ['one entry more', '{"data":[{"id":1},{"id":2,"t":1}]}', '{"data":[{"id":2,"t":1}]}', ['entries data[]']],
    ['entries without identity', '{"a":[{"t":1}]}', '{"a":[{"t":2}]}', ['value a[].t']],
    ['long numbers are not rounded', '{"a":12345678901234567890}', '{"a":12345678901234567891}', ['value a']],
    ['equal long numbers', '{"a":12345678901234567890,"b":1}', '{"b":1,"a":12345678901234567890}', []],
    ['digits within a text', '{"a":"12345678901234567890"}', '{"a":"12345678901234567891"}', ['value a']],
    ['0.1 is exact enough', '{"a":0.30000000000000004}', '{ "a":0.30000000000000004}', []],
    ['no JSON', '<html>', '{}', ['body body']],
    ['strings without an end', '\\"'.repeat(500_000), '{}', ['body body']],
    ['a key that moves the cursor', '{"\\u001b[2J\\u009b":1}', '{}', ['missing \ufffd[2J\ufffd']],
    ['deep nesting', `${'['.repeat(9000)}1${']'.repeat(9000)}`, `${'['.repeat(9000)}2${']'.repeat(9000)}`, [`body ${'[]'.repeat(100)}`]],
  ])('%s', (_, theirs, ours, expected) => {
    const found = differencesIn({ theirs: answer(theirs), ours: answer(ours) });
    expect(found.map(({ kind, path }) => `${kind} ${path}`)).toEqual(expected);
  });

  it('another status hides everything else', () => {
    const [only, ...others] = differencesIn({ theirs: answer('{"a":1}'), ours: answer('{"error":{"name":"X","message":"no"}}', 400) });
    expect([only, others]).toEqual([{ kind: 'status', path: 'status', theirs: '200', ours: '400 X: no' }, []]);
  });
});

it('an error whose name is no text', () => {
  const theirs = answer('{"error":{"name":{"toString":1,"valueOf":1},"message":[]}}', 400);
  const [only] = differencesIn({ theirs, ours: answer('{}') });
  expect(only).toMatchObject({ kind: 'status', theirs: '400 {"toString":1,"valueOf":1}: []' });
});

describe('known differences', () => {
  const isKnown = (target: string, theirs: Answer, ours: Answer) =>
    new Findings(new Set(['subject'])).isEqual({ theirs, ours }, { method: 'GET', target: asTarget(target) });
  const list = (total: number) => answer(`{"data":[],"meta":{"pagination":{"total":${total}}}}`);
  it.each([
    ['a 500 of Strapi', '/api/a', answer('', 500), answer('', 400), true],
    ['a 500 of Lectern', '/api/a', answer('', 200), answer('', 500), false],
    ['a limit', '/api/a', answer(''), answer('', 400, { 'x-error-code': 'limit.list' }), true],
    ['another 400', '/api/a', answer(''), answer('', 400, { 'x-error-code': 'query.invalid-key' }), false],
    ['a route with custom code', '/api/a', answer(''), answer('', 501, { 'x-error-code': 'route.has-custom-code' }), false],
    ['rounded integers', '/api/a', answer('{"a":"9223372036854776000"}'), answer('{"a":"9223372036854775807"}'), true],
    ['other integers', '/api/a', answer('{"a":"9223372036854776000"}'), answer('{"a":"9223372036854000000"}'), false],
    ['words of errors', '/api/a', answer('{"error":{"message":"a"}}', 400), answer('{"error":{"message":"b"}}', 400), true],
    ['names of errors', '/api/a', answer('{"error":{"name":"a"}}', 400), answer('{"error":{"name":"b"}}', 400), false],
    ['an attribute named error', '/api/a', answer('{"error":{"message":"a"}}'), answer('{"error":{"message":"b"}}'), false],
    ['a search that finds less', '/api/a?_q=x', list(3), list(2), true],
    ['a search that finds more', '/api/a?_q=x', list(2), list(3), false],
    ['a list that finds less', '/api/a', list(3), list(2), false],
    [
      'a signature of a cookie',
      '/api/a',
      answer('{}', 200, { 'set-cookie': 'r=1; path=/, r.sig=2; path=/' }),
      answer('{}', 200, { 'set-cookie': 'r=3; path=/' }),
      true,
    ],
    [
      'another cookie',
      '/api/a',
      answer('{}', 200, { 'set-cookie': 'r=1; path=/, s=2; path=/' }),
      answer('{}', 200, { 'set-cookie': 'r=3; path=/' }),
      false,
    ],
    ['a cookie on registering', '/api/auth/local/register', answer('{}'), answer('{}', 200, { 'set-cookie': 'r=3' }), true],
    ['a cookie elsewhere', '/api/a', answer('{}'), answer('{}', 200, { 'set-cookie': 'r=3' }), false],
    ['PATCH in Allow', '/api/a', answer('{}', 405, { allow: 'PUT, DELETE' }), answer('{}', 405, { allow: 'PUT, PATCH, DELETE' }), true],
    ['another method in Allow', '/api/a', answer('{}', 405, { allow: 'PUT' }), answer('{}', 405, { allow: 'PUT, DELETE' }), false],
    ['false in JSON', '/api/a', answer('{"a":0}'), answer('{"a":false}'), true],
    ['another boolean in JSON', '/api/a', answer('{"a":0}'), answer('{"a":true}'), false],
    [
      'times of a new password',
      '/api/auth/reset-password',
      answer('{"user":{"updatedAt":"a"}}'),
      answer('{"user":{"updatedAt":"b"}}'),
      true,
    ],
    ['times of another user', '/api/users/1', answer('{"updatedAt":"a"}'), answer('{"updatedAt":"b"}'), false],
    ['a morph relation with fields', '/api/a?fields=b', answer('{"subject":null}'), answer('{"subject":{}}'), true],
    ['another relation with fields', '/api/a?fields=b', answer('{"author":null}'), answer('{"author":{}}'), false],
  ])('%s', (_, target, theirs, ours, expected) => expect(isKnown(target, theirs, ours)).toBe(expected));
});

describe('what is printed', () => {
  it('shapes have no values', () => {
    const target = '/api/articles/x1tbfujwdjiljmep8mhjhsqo?populate[author][fields][0]=name&sort=a&filters%5Btitle%5D=b';
    expect(shapeOf('GET', asTarget(target))).toBe('GET /api/articles/:id ?filters[title] &populate[author][fields][] &sort');
  });

  it('secrets are hidden', () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl';
    expect(withoutSecrets(`/uploads/a.png?token=abc&width=1`)).toBe('/uploads/a.png?token=…&width=1');
    expect(withoutSecrets(`/api/a?access%5Ftoken=abc&x=${jwt}&y=${'0f'.repeat(32)}`)).toBe('/api/a?access%5Ftoken=…&x=…&y=…');
    expect(shownValue('data.resetPasswordToken', '"abc"')).toBe('…');
    expect(shownValue('data', '{"id":1,"password":"a\\"b","note":"c","resetToken":"cu')).toBe(
      '{"id":1,"password":"…","note":"c","resetToken":"…"',
    );
    expect(shownValue('data.note', `"${jwt}\u001b[2J"`)).toBe('"…\ufffd[2J"');
  });
});
