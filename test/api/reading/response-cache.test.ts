/** Responses from memory: the same bytes as a read gives. That none is older than the request is in never-stale.test.ts and what-a-write-removes.test.ts. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ada } from '../../support/accounts.ts';
import { fromCache, isHit } from '../../support/cached-response.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine, type EngineName, engines, versionedEngines } from '../../support/engines.ts';
import { type HttpResponse, said, statementsOf } from '../../support/http.ts';
import { projectOfTest } from '../../support/project.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedNumbered } from '../../support/seeds.ts';
import { changeIn, dataOf, idOf, type Json, type Served, useProject } from '../../support/served-project.ts';
import { type Environment, run, startServer } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

const files = schemaFiles({
  note: {
    drafts: true,
    localized: true,
    attributes: {
      title: { type: 'string', ...translated },
      text: { type: 'text' },
      topic: relation('manyToOne', 'topic', { inversedBy: 'notes' }),
    },
  },
  topic: { attributes: { name: { type: 'string' }, notes: relation('oneToMany', 'note', { mappedBy: 'topic' }) } },
});
const find = ['note', 'topic'].flatMap((type) => ['find', 'findOne'].map((action) => `api::${type}.${type}.${action}`));
const notes = seedNumbered(30, (at) => ({ title: `Note ${at}`, text: 'x'.repeat(400), ...(at === 0 ? { topic: 'sea' } : {}) }));

const useNotes = (engine: EngineName, env: Environment = {}): Served =>
  useProject(engine, {
    files,
    types: [
      { type: 'api::topic.topic', documents: [{ key: 'sea', status: 'published', data: { name: 'Sea' } }] },
      { type: 'api::note.note', documents: notes },
    ],
    public: find,
    tokens: { reader: find },
    users: [ada],
    authenticated: [],
    env,
    ownProcess: 'LECTERN_WORKERS' in env,
  });

const totalOf = (response: HttpResponse) => (response.json() as { meta: { pagination: { total?: number } } }).meta.pagination.total;

const note = `/api/notes/${idOf('note', 'n0')}`;
const topic = `/api/topics/${idOf('topic', 'sea')}`;
const nameOf = (response: HttpResponse) => dataOf(response).name;

/** For what does not depend on the engine. */
const cachingEngine = anyEngine.filter((engine) => versionedEngines.includes(engine));

describe.each(versionedEngines)('%s: cached responses', (engine) => {
  const served = useNotes(engine, { LECTERN_CACHE_CONSISTENCY: 'exact' });
  // What does not depend on the database.
  const once = it.runIf(cachingEngine.includes(engine));
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    served.ask('public', method, path, undefined, headers);

  const reads: readonly (readonly [path: string, headers: Readonly<Record<string, string>>])[] = [
    ['/api/notes?sort=title', {}],
    ['/api/notes?sort=title&populate=*', {}],
    ['/api/notes?sort=title', { 'Strapi-Response-Format': 'v4' }],
    [note, {}],
    [`${note}?populate=topic`, {}],
    [note, { 'Strapi-Response-Format': 'v4' }],
    [`${note}?locale=en&fields=title`, {}],
  ];
  it.each(reads)('%s %o: the same bytes and headers, without a statement', async (path, headers) => {
    const fresh = await get(path, headers);
    expect(isHit(fresh)).toBe(false);
    const cached = await fromCache(() => get(path, headers));
    expect(said(cached)).toEqual(said(fresh));
    expect(String(cached.headers['server-timing'])).toContain('statements;desc="0"');
    expect(said(await fromCache(() => get(path, headers, 'HEAD')))).toEqual({ ...said(fresh), text: '' });
  });

  it('a list has an entity tag, and is a 304 to a caller who has it', async () => {
    const { headers } = await get('/api/notes?sort=title:desc');
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
    const known = await fromCache(() => get('/api/notes?sort=title:desc', { 'If-None-Match': String(headers.etag) }));
    expect([known.status, known.headers.etag, known.text]).toEqual([304, headers.etag, '']);
    const other = await fromCache(() => get('/api/notes?sort=title:desc', { 'If-None-Match': '"other"' }));
    expect(other.status).toBe(200);
  });

  it('the pages of a list share its total, until a write changes it', async () => {
    const page = (number: number, least = 0, more = '') =>
      get(`/api/notes?filters[id][$gt]=${least}&sort=title&pagination[page]=${number}&pagination[pageSize]=7${more}`);
    expect(totalOf(await page(1))).toBe(30);
    for (const number of [2, 4, 5, 9]) {
      const response = await page(number);
      expect([number, totalOf(response)]).toEqual([number, 30]);
      // On a server of many test files, the transactions of others empty the cache.
      if (engine === 'sqlite') expect([number, statementsOf(response)]).toEqual([number, 1]);
    }
    expect(totalOf(await page(1, 0, '&pagination[withCount]=false'))).toBeUndefined();
    expect(totalOf(await page(9, 1_000_000))).toBe(0);
    const made = await served.make('/api/notes', { title: 'Zebra' });
    for (const number of [3, 8]) expect(totalOf(await page(number))).toBe(31);
    await served.write('DELETE', made);
    for (const number of [1, 3, 8]) expect(totalOf(await page(number))).toBe(30);
  });

  it('the pages of a list through a relation are the same with a known total as without', async () => {
    const list = '/api/notes?filters[topic][name][$null]=true&sort=title:desc';
    const titles = (response: HttpResponse) => (response.json() as { data: { title: string }[] }).data.map(({ title }) => title);
    const all = titles(await get(`${list}&pagination[withCount]=false&pagination[pageSize]=100`));
    expect(all).toHaveLength(29);
    const pages = async () => {
      const found = await Promise.all([1, 2, 5, 9].map((number) => get(`${list}&pagination[page]=${number}&pagination[pageSize]=7`)));
      return found.map((response) => [totalOf(response), titles(response)]);
    };
    const right = [1, 2, 5, 9].map((number) => [29, all.slice(7 * (number - 1), 7 * number)]);
    expect(await pages()).toEqual(right);
    // Another order has the same total.
    expect(titles(await get(`${list.replace('desc', 'asc')}&pagination[pageSize]=7`))).toEqual(all.toReversed().slice(0, 7));
    await served.write('PATCH', note, { topic: null });
    expect(totalOf(await get(`${list}&pagination[pageSize]=6`))).toBe(30);
    await served.write('PATCH', note, { topic: [idOf('topic', 'sea')] });
    expect(await pages()).toEqual(right);
  });

  once('lists whose values differ only in where they end are different ones', async () => {
    const find = async (first: string, second: string) =>
      (await get(`/api/topics?filters[$or][0][name]=${first}&filters[$or][1][name]=${second}&fields=name`)).text;
    const before = await find('Sea', 'Maps%0Astring%20Nope');
    for (let asked = 0; asked < 8; asked++) await find('Sea%0Astring%20Maps', 'Nope');
    expect(await find('Sea', 'Maps%0Astring%20Nope')).toEqual(before);
  });

  once('errors and missing documents are not cached', async () => {
    for (const [path, status] of [
      ['/api/notes/nothing', 404],
      ['/api/notes?filters[nope]=1', 400],
    ] as const) {
      for (let time = 0; time < 3; time++) {
        const response = await get(path);
        expect([response.status, isHit(response), response.headers.etag]).toEqual([status, false, undefined]);
      }
    }
  });

  describe('with a second server on the same database', () => {
    const second = useMade(() => startServer(served.project.dir, served.environment));

    it('what may be read changes at once, in both', async () => {
      const both = async (who: string) => {
        const headers = served.authorization(who);
        return [(await served.ask(who, 'GET', note)).status, (await second().get(note, headers)).status];
      };
      const asking = (who: string) => fromCache(() => served.ask(who, 'GET', note));
      await asking('public');
      await served.change("UPDATE up_permissions SET action = 'moved.note' WHERE action = 'api::note.note.findOne'");
      expect(await both('public')).toEqual([403, 403]);
      await served.change("UPDATE up_permissions SET action = 'api::note.note.findOne' WHERE action = 'moved.note'");
      expect(await both('public')).toEqual([200, 200]);
      await asking('reader');
      await served.change(`UPDATE strapi_api_tokens SET expires_at = ${engineSql[engine].moment(1000)} WHERE name = 'reader'`);
      expect(await both('reader')).toEqual([401, 401]);
      await served.change("UPDATE strapi_api_tokens SET expires_at = NULL WHERE name = 'reader'");
      expect(await both('reader')).toEqual([200, 200]);
      await asking('reader');
      await served.change("DELETE FROM strapi_api_tokens WHERE name = 'reader'");
      expect(await both('reader')).toEqual([401, 401]);
    });
  });
});

describe.each(cachingEngine)('%s: a cache of 256 KB, and headers for other caches', (engine) => {
  const types = {
    'api::note.note': { cacheControl: 'public, max-age=60, s-maxage=600, proxy-revalidate', surrogateKey: true, vary: ['Accept-Language'] },
  };
  const served = useNotes(engine, { LECTERN_CACHE_BYTES: String(256 * 1024), LECTERN_CACHE_TYPES: JSON.stringify(types) });
  const get = (path: string) => served.ask('public', 'GET', path);

  it('the least recently used response is removed first', async () => {
    const path = (at: number) => `/api/notes?filters[title][$ne]=${at}&pagination[pageSize]=10`;
    for (let at = 0; at < 70; at++) await get(path(at));
    expect(isHit(await get(path(0)))).toBe(false);
    await fromCache(() => get(path(69)));
  });

  it('a response that would take more than a sixteenth of it is not cached', async () => {
    const { text } = await get('/api/notes?pagination[pageSize]=40');
    expect(text.length).toBeGreaterThan(16 * 1024);
    for (let time = 0; time < 5; time++) expect(isHit(await get('/api/notes?pagination[pageSize]=40'))).toBe(false);
  });

  const headersOf = async (who: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const { headers: answered } = await served.ask(who, 'GET', path, undefined, headers);
    return [answered['cache-control'], answered['surrogate-key'], answered.vary];
  };
  const vary = 'Authorization, Strapi-Response-Format, Strapi-Encode-Source-Maps';
  const id = idOf('note', 'n0');

  it.each(['a read', 'a hit'])('%s', async (what) => {
    if (what === 'a hit') for (const path of ['/api/notes', note]) await fromCache(() => served.ask('public', 'GET', path));
    const control = 'public, max-age=60, s-maxage=600, proxy-revalidate';
    expect(await headersOf('public', '/api/notes')).toEqual([control, 'api::note.note', `${vary}, Accept-Language`]);
    expect(await headersOf('public', note)).toEqual([control, `api::note.note api::note.note/${id}`, `${vary}, Accept-Language`]);
    expect(await headersOf('public', topic)).toEqual([undefined, undefined, vary]);
    expect((await headersOf('public', note, { 'If-None-Match': '*' }))[0]).toBe(control);
  });

  it('whoever sends credentials gets nothing that a shared cache may keep', async () => {
    for (const who of ['full', 'reader']) expect((await headersOf(who, note))[0]).toBe('private, max-age=60');
    expect((await headersOf('public', note, { Authorization: 'Basic YTpi' }))[0]).not.toContain('public');
  });

  it('errors have none', async () => {
    for (const path of ['/api/notes/nothing', '/api/notes?nope=1'])
      expect(await headersOf('public', path)).toEqual([undefined, undefined, vary]);
  });
});

describe.each(engines)('%s: responses that may be old', (engine) => {
  const milliseconds = 600;
  const served = useNotes(engine, { LECTERN_CACHE_CONSISTENCY: String(milliseconds) });
  const get = (path: string) => served.ask('public', 'GET', path);

  it('may lack what others have committed within the time, except on SQLite', async () => {
    const before = nameOf(await fromCache(() => get(topic)));
    await changeIn(served.project, "UPDATE topics SET name = 'changed'");
    const changedAt = performance.now();
    let response = await get(topic);
    if (engine === 'sqlite') expect(nameOf(response)).toBe('changed');
    while (nameOf(response) !== 'changed') {
      expect([nameOf(response), isHit(response)]).toEqual([before, true]);
      await pause(20);
      const sentAt = performance.now();
      response = await get(topic);
      if (sentAt - changedAt > milliseconds) expect(nameOf(response)).toBe('changed');
    }
    await fromCache(() => get(topic));
  });

  it('are never the response to a write', async () => {
    const [user] = JSON.parse((await served.ask('full', 'GET', '/api/users')).text) as readonly { readonly id: number }[];
    for (const username of ['first', 'second', 'third']) {
      const changed = await served.send('full', { method: 'PUT', path: `/api/users/${user?.id}`, body: { username } });
      expect([changed.status, JSON.parse(changed.text)]).toMatchObject([200, { username }]);
    }
  });
});

describe.runIf(engines.includes('postgres'))('postgres: several processes', () => {
  const served = useNotes('postgres', { LECTERN_WORKERS: '2', LECTERN_CACHE_CONSISTENCY: '' });

  /** Over a connection of its own, which either process may accept. */
  const getApart = async () => {
    const response = await fetch(`${served.server.base}${topic}`, { headers: { Connection: 'close' } });
    return ((await response.json()) as { readonly data: Json }).data.name;
  };

  it('each of them sees at once what another one has written', async () => {
    const readAll = () => Promise.all(Array.from({ length: 8 }, getApart));
    for (let time = 0; time < 4; time++) {
      await readAll();
      await served.write('PATCH', topic, { name: `written ${time}` });
      expect(new Set(await readAll())).toEqual(new Set([`written ${time}`]));
    }
  });
});

describe('cache.types', () => {
  const wrong: readonly (readonly [value: unknown, says: string])[] = [
    [{ 'api::note.nope': {} }, 'cache.types: there is no content type "api::note.nope"'],
    [{ 'api::note.note': { cacheControl: 'public\r\nX: y' } }, 'LECTERN_CACHE_TYPES'],
    [{ 'api::note.note': { vary: ['a b'] } }, 'LECTERN_CACHE_TYPES'],
    [{ 'api::note.note': { nope: true } }, 'LECTERN_CACHE_TYPES'],
    [[], 'LECTERN_CACHE_TYPES'],
  ];
  it.each(wrong)('%j is refused at the start', async (value, says) => {
    const project = await projectOfTest('sqlite', files);
    const started = await run(['start', '--dir', project.dir], { ...project.env, LECTERN_CACHE_TYPES: JSON.stringify(value) });
    expect([started.status, started.stderr]).toEqual([1, expect.stringContaining(says)]);
  });
});
