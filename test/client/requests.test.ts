/** What the client sends: query strings, paths, headers; and where it sends nothing. */
import { createClient, LecternError } from '@lectern/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { useMade } from '../support/use-made.ts';
import { ok, startPlayedServer } from './played-server.ts';

const server = useMade(startPlayedServer);
const elsewhere = useMade(startPlayedServer);
beforeEach(() => {
  server().play(ok);
  elsewhere().play(ok);
});
const open = (more: object = {}) => createClient({ baseURL: `${server().base}/api`, token: 'secret', retry: { delay: 1 }, ...more });
const cyclic: Record<string, unknown> = {};
cyclic.filters = { $not: cyclic };

describe('a query', () => {
  it.each([
    [
      'is in brackets',
      { fields: ['title', 'slug'], populate: { author: { fields: 'name' } } },
      'fields[0]=title&fields[1]=slug&populate[author][fields]=name',
    ],
    [
      'has its keys in the order of their names',
      { sort: 'a', locale: 'fr', filters: { b: 1, a: 2 } },
      'filters[a]=2&filters[b]=1&locale=fr&sort=a',
    ],
    ['keeps the order of keys below sort', { sort: { title: 'asc', id: 'desc' } }, 'sort[title]=asc&sort[id]=desc'],
    ['keeps it in lists', { sort: [{ z: 'asc' }, { a: { y: 'asc', b: 'asc' } }] }, 'sort[0][z]=asc&sort[1][a][y]=asc&sort[1][a][b]=asc'],
    [
      'writes dates in UTC',
      { filters: { at: { $gte: new Date('2024-06-01T10:00:00+02:00') } } },
      'filters[at][$gte]=2024-06-01T08:00:00.000Z',
    ],
    ['writes null as a key without a value', { filters: { a: { $eq: null } } }, 'filters[a][$eq]'],
    ['writes booleans and big numbers', { filters: { a: true, b: 2n ** 70n } }, 'filters[a]=true&filters[b]=1180591620717411303424'],
    [
      'leaves out what is undefined',
      { fields: undefined, filters: { a: undefined, b: [1, undefined, 2] } },
      'filters[b][0]=1&filters[b][1]=2',
    ],
    ['keeps an empty $in, which finds nothing', { filters: { id: { $in: [] } } }, 'filters[id][$in][]'],
    ['leaves out an empty $notIn and an empty list elsewhere', { filters: { id: { $notIn: [] }, $and: [] }, fields: [] }, ''],
    ['encodes values', { _q: 'a&b=c+d é#?' }, '_q=a%26b%3Dc%2Bd%20%C3%A9%23%3F'],
    [
      'has a key __proto__ as any other, and changes no prototype',
      JSON.parse('{"filters":{"__proto__":{"polluted":"1"}}}'),
      'filters[__proto__][polluted]=1',
    ],
  ])('%s', async (_, params, query) => {
    await open().collection('articles').find(params).orThrow();
    expect(server().requests.map(({ url }) => url)).toEqual([`/api/articles${query && `?${query}`}`]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each([
    ['a number that is none', { filters: { a: Number.NaN } }, 'filters[a]: NaN cannot be sent in a query'],
    ['an invalid date', { filters: { at: new Date('x') } }, 'filters[at]: an invalid date cannot be sent in a query'],
    ['a Set, which would be lost', { filters: { id: { $in: new Set([1]) } } }, 'filters[id][$in]: a Set cannot be sent in a query'],
    ['a function', { filters: { a: () => 1 } }, /^filters\[a\]: .* cannot be sent in a query$/s],
    ['a key with a bracket', { filters: { 'a][b': 1 } }, 'filters: the key a][b, which has a bracket cannot be sent in a query'],
    ['an object that contains itself', cyclic, /contains itself/],
    ['half a character', { _q: '\ud800' }, 'The query has a text that is not valid Unicode'],
    [
      'more bytes than the server reads',
      { _q: 'x'.repeat(65_536) },
      'The query is 65539 bytes long, and may have 65536 (maxQueryBytes; limits.queryBytes of the server)',
    ],
  ])('cannot have %s', async (_, params, message) => {
    const { data, error } = await open()
      .collection('articles')
      .find(params as object);
    expect(data).toBeNull();
    expect(error).toMatchObject({ kind: 'usage', message: typeof message === 'string' ? message : expect.stringMatching(message) });
    expect(server().requests).toEqual([]);
  });
});

describe('a path', () => {
  it.each([
    ['../users/me', '/api/articles/..%2Fusers%2Fme'],
    ['a/b?c#d', '/api/articles/a%2Fb%3Fc%23d'],
    ['...', '/api/articles/...'],
    ['ä:,$', '/api/articles/%C3%A4%3A%2C%24'],
  ])('has the documentId %s as one segment', async (documentId, url) => {
    await open().collection('articles').findOne(documentId);
    expect(server().requests[0]?.url).toBe(url);
  });

  it.each(['', '.', '..', undefined, 3])('cannot have the documentId %j', async (documentId) => {
    const articles = open().collection('articles');
    const outcomes = [await articles.findOne(documentId as string), await articles.delete(documentId as string)];
    for (const { error } of outcomes) expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining('documentId') });
    expect(server().requests).toEqual([]);
  });

  it('cannot have such a name of a type either', async () => {
    expect((await open().collection('..').find()).error?.kind).toBe('usage');
    expect((await open().single('').find()).error?.kind).toBe('usage');
  });
});

describe('fetch', () => {
  it.each([
    ['/users/me', '/api/users/me'],
    ['users/me?a=b', '/api/users/me?a=b'],
    ['//evil.example/x', '/api//evil.example/x'],
    ['@evil.example/x', '/api/@evil.example/x'],
  ])('of %s is below baseURL', async (path, url) => {
    expect((await open().fetch(path)).status).toBe(200);
    expect(server().requests.map((request) => [request.url, request.headers.authorization])).toEqual([[url, 'Bearer secret']]);
  });

  it('takes a URL of the same origin, such as that of a file', async () => {
    await open().fetch(`${server().base}/uploads/a.png`);
    expect(server().requests[0]?.url).toBe('/uploads/a.png');
  });

  it('sends nothing to another origin', async () => {
    await expect(open().fetch(`${elsewhere().base}/api/x`)).rejects.toThrow('is another origin than that of baseURL');
    await expect(open().fetch(elsewhere().base.replace('http', 'HTTP'))).rejects.toBeInstanceOf(LecternError);
    await expect(open().fetch('../admin/x')).rejects.toThrow('leads out of baseURL');
    await expect(open().fetch('/%2e%2e/admin')).rejects.toThrow('leads out of baseURL');
    expect([...elsewhere().requests, ...server().requests]).toEqual([]);
  });

  it('leaves a refusal to the caller, and sends method, headers and body', async () => {
    server().play({ status: 404, body: 'gone' });
    const response = await open().fetch('/own', { method: 'post', body: 'text', headers: { 'Content-Type': 'text/plain' } });
    expect([response.status, await response.text()]).toEqual([404, 'gone']);
    expect(server().requests[0]).toMatchObject({ method: 'POST', body: 'text', headers: { 'content-type': 'text/plain' } });
  });
});

describe('a redirect', () => {
  it.each([301, 302, 307, 308])('(%i) is not followed, since it could lead to another origin', async (status) => {
    server().play({ status, headers: { location: `${elsewhere().base}/api/articles` } });
    const client = open({ headers: { 'X-Key': 'secret' } });
    expect((await client.collection('articles').find()).error).toMatchObject({
      kind: 'unexpected',
      status,
      message: expect.stringContaining(elsewhere().base),
    });
    expect((await client.fetch('/x')).status).toBe(status);
    expect(elsewhere().requests).toEqual([]);
  });
});

describe('headers', () => {
  it('are those of the client and of the call, which wins', async () => {
    const client = open({ headers: { 'X-One': 'client', 'X-Two': 'client' } });
    await client.collection('articles').find({}, { headers: { 'x-two': 'call' } });
    expect(server().requests[0]?.headers).toMatchObject({ 'x-one': 'client', 'x-two': 'call', authorization: 'Bearer secret' });
    expect((await client.collection('articles').find({}, { headers: { 'a b': 'c' } })).error?.kind).toBe('usage');
  });

  it('have the token that a function returns for each request', async () => {
    let count = 0;
    const client = open({ token: async () => (count++ === 0 ? undefined : `token-${count}`) });
    for (let each = 0; each < 2; each++) await client.collection('articles').find();
    expect(server().requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer token-2']);
  });
});

it('sends the position of the latest write with later reads', async () => {
  const at = (position: string, end: number) => `000000000000000${position}.${end}.signature`;
  const [later, long] = [Math.floor(Date.now() / 1000) + 60, Math.floor(Date.now() / 1000) - 60];
  const written = (token: string) => ({ ...ok, headers: { 'X-Lectern-Position': token } });
  const articles = open().collection('articles');
  const sent: unknown[] = [];
  const read = async () => {
    await articles.find();
    sent.push(server().requests.at(-1)?.headers['x-lectern-position']);
  };
  await read();
  for (const token of [at('9', long), at('5', later), at('4', later), at('6', later)]) {
    server().play(written(token), ok);
    await articles.delete('a');
    expect(server().requests[0]?.headers['x-lectern-position']).toBeUndefined();
    await read();
  }
  expect(sent).toEqual([undefined, at('9', long), at('5', later), at('5', later), at('6', later)]);
});

describe('baseURL', () => {
  it.each(['', 'api', '/api', 'ftp://example.org', 'http://'])('cannot be %j outside of a page', (baseURL) => {
    expect(() => createClient({ baseURL })).toThrow(LecternError);
  });

  it('may end with slashes', async () => {
    await createClient({ baseURL: `${server().base}/api//` })
      .collection('articles')
      .find();
    expect(server().requests[0]?.url).toBe('/api/articles');
  });
});
