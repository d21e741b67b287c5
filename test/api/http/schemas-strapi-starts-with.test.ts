/** Schema files that are not right, and that Strapi starts with: profile `strapi` serves them as Strapi 5.54.0 was seen to. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, type Json, type Served, useProject } from '../../support/served-project.ts';

const strapi = { LECTERN_PROFILE: 'strapi' };
const text = { type: 'string' };
const [shelf, book] = ['shelf', 'book'];

const files = schemaFiles(
  {
    // Both name `books` as their other side; the last one decides what it shows.
    book: {
      attributes: {
        title: text,
        first: relation('manyToMany', shelf, { inversedBy: 'books' }),
        second: relation('manyToMany', shelf, { inversedBy: 'books' }),
        home: relation('manyToOne', shelf, { inversedBy: 'residents' }),
        former: relation('manyToOne', shelf, { inversedBy: 'residents' }),
        owner: relation('oneToOne', shelf),
      },
    },
    shelf: {
      attributes: {
        name: text,
        books: relation('manyToMany', book, { mappedBy: 'first' }),
        residents: relation('oneToMany', book, { mappedBy: 'former' }),
        // Nobody points back.
        owned: relation('oneToMany', book, { mappedBy: 'owner' }),
        gone: relation('oneToOne', book, { mappedBy: 'nothing' }),
        morphs: relation('morphMany', book, { morphBy: 'title' }),
      },
    },
    // Both own: the last one holds the links of both.
    left: { attributes: { name: text, rights: relation('manyToMany', 'right', { inversedBy: 'lefts' }) } },
    right: { attributes: { name: text, lefts: relation('manyToMany', 'left', { inversedBy: 'rights' }) } },
    // Names that the server gives to attributes of its own.
    letter: {
      attributes: {
        title: text,
        locale: { type: 'enumeration', enum: ['de', 'fr'], required: true },
        localizations: text,
        createdAt: text,
        publishedAt: { type: 'date' },
        status: text,
        __type: text,
        pattern: { type: 'string', regex: '^[a-z' },
        choice: { type: 'enumeration', enum: [] },
        sections: { type: 'dynamiczone' },
        parts: { type: 'dynamiczone', components: ['part.note', 'part.gone'] },
      },
    },
    // An address of the server's own, and a kind that nobody knows.
    user: { attributes: { title: text } },
  },
  { note: { words: text } },
);
const named = 'src/api/letter/content-types/letter/schema.json';
const asWritten = files as Readonly<Record<string, Json>>;
const project = {
  ...files,
  [named]: {
    ...asWritten[named],
    kind: 'collection',
    attributes: { ...(asWritten[named]?.attributes as Json), other: { ...text, columnName: 'else_where' } },
  },
};

const names = (list: unknown): unknown => (list as readonly Json[]).map(({ name, title }) => name ?? title);

describe.each(anyEngine)('%s: what Strapi starts with', (engine) => {
  const served: Served = useProject(engine, { files: project, env: strapi });
  const create = async (type: string, data: Json) => String((await served.write('POST', `/api/${type}s`, data)).documentId);
  const shown = async (type: string, id: string) => served.read(`/api/${type}s/${id}?populate=*`);
  let [low, high]: [string, string] = ['', ''];
  beforeAll(async () => {
    low = await create('shelf', { name: 'low' });
    high = await create('shelf', { name: 'high' });
  });

  it('stores two relations with the same other side separately, and the last one decides what that side shows', async () => {
    const id = await create('book', { title: 'Both', first: [low, high], second: [high] });
    const entry = await shown('book', id);
    expect([names(entry.first), names(entry.second)]).toEqual([['low', 'high'], ['high']]);
    expect(names((await shown('shelf', high)).books)).toContain('Both');
    expect(names((await shown('shelf', low)).books)).not.toContain('Both');
    const found = await served.ask('full', 'GET', '/api/shelfs?filters[books][title]=Both');
    expect(names((found.json() as { data: unknown }).data)).toEqual(['high']);
  });

  it('writes that side into the table it shows, and leaves the other one alone', async () => {
    const id = await create('book', { title: 'Written', first: [high], second: [] });
    await served.write('PUT', `/api/shelfs/${low}`, { books: { connect: [id] } });
    const entry = await shown('book', id);
    expect([names(entry.first), names(entry.second)]).toEqual([['high'], ['low']]);
    await served.write('PUT', `/api/shelfs/${low}`, { books: { disconnect: [id] } });
    expect((await shown('book', id)).second).toEqual([]);
  });

  it('gives each its table with both orders', async () => {
    const columns = 'id, book_id, shelf_id, shelf_ord, book_ord';
    for (const table of ['books_first_lnk', 'books_second_lnk']) await served.query(`SELECT ${columns} FROM ${table}`);
    for (const table of ['books_home_lnk', 'books_former_lnk']) await served.query(`SELECT id, book_id, shelf_id, book_ord FROM ${table}`);
  });

  it('takes a target over only in the table that is shown', async () => {
    const one = await create('book', { title: 'One', home: low, former: high });
    const two = await create('book', { title: 'Two', home: low, former: low });
    await served.write('PUT', `/api/shelfs/${low}`, { residents: [one] });
    const [first, second] = [await shown('book', one), await shown('book', two)];
    expect([first.home, first.former].map((each) => (each as Json).name)).toEqual(['low', 'low']);
    expect([(second.home as Json).name, second.former]).toEqual(['low', null]);
    expect(names((await shown('shelf', low)).residents)).toEqual(['One']);
  });

  it('omits relations without another side from responses, and ignores them in writes', async () => {
    const id = await create('book', { title: 'Owned' });
    const left = await served.ask('full', 'POST', '/api/shelfs?populate=*', { name: 'x', owned: [id], gone: id });
    expect(left.status).toBe(201);
    expect(Object.keys(dataOf(left))).not.toContain('owned');
    const path = `/api/shelfs/${String(dataOf(left).documentId)}`;
    for (const query of [
      'populate[owned]=true',
      'populate[owned][fields]=title',
      'populate=*',
      'populate[gone]=true',
      'populate[morphs]=true',
    ]) {
      const entry = await served.read(`${path}?${query}`);
      expect(['owned', 'gone', 'morphs'].filter((name) => name in entry)).toEqual([]);
    }
    expect(await served.write('PUT', path, { owned: [id] })).toMatchObject({ name: 'x' });
    const missing = await served.ask('full', 'PUT', path, { owned: ['nobody'] });
    expect([missing.status, errorOf(missing).message]).toEqual([400, 'Document with id "nobody", locale "null" not found']);
    // The side that is there goes on as it was.
    await served.write('PUT', `/api/books/${id}`, { owner: String(dataOf(left).documentId) });
    expect((await shown('book', id)).owner).toMatchObject({ name: 'x' });
  });

  it('finds no rows by a filter through them', async () => {
    for (const query of ['filters[owned][title]=Owned', 'filters[gone][title][$contains]=O']) {
      const found = await served.ask('full', 'GET', `/api/shelfs?${query}`);
      expect([found.status, (found.json() as { data: unknown }).data]).toEqual([200, []]);
    }
    const all = await served.ask('full', 'GET', '/api/shelfs?sort=owned.title&pagination[pageSize]=1');
    expect([all.status, (all.json() as { data: readonly unknown[] }).data.length]).toEqual([200, 1]);
  });

  it('shows one set of links on two sides that both own them', async () => {
    const left = await create('left', { name: 'l' });
    const right = await create('right', { name: 'r', lefts: [left] });
    expect(names((await shown('left', left)).rights)).toEqual(['r']);
    await served.write('PUT', `/api/lefts/${left}`, { rights: [] });
    expect((await shown('right', right)).lefts).toEqual([]);
  });

  it('replaces an attribute that has a reserved name', async () => {
    const response = await served.ask('full', 'POST', '/api/letters', { title: 'x', locale: 'fr', status: 's', __type: 't', other: 'o' });
    expect(response.status).toBe(201);
    const entry = dataOf(response);
    expect(entry).toMatchObject({ title: 'x', status: 's', __type: 't', other: 'o' });
    expect(entry.createdAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect('locale' in entry || 'localizations' in entry).toBe(false);
    expect(errorOf(await served.ask('full', 'GET', '/api/letters?filters[locale]=fr')).message).toBe('Invalid key locale');
    expect(await served.query(`SELECT else_where FROM letters WHERE document_id = '${String(entry.documentId)}'`)).toEqual([['o']]);
  });

  it('ignores an invalid pattern, and accepts no value for an empty enumeration', async () => {
    expect(await served.write('POST', '/api/letters', { pattern: '0' })).toMatchObject({ pattern: '0', choice: null });
    const refused = await served.ask('full', 'POST', '/api/letters', { choice: 'a' });
    expect([refused.status, errorOf(refused).message]).toEqual([400, 'choice must be one of the following values: ']);
  });

  it('accepts any component in a zone without a list, and the known ones in a zone with an unknown one', async () => {
    const note = { __component: 'part.note', words: 'w' };
    const id = await create('letter', { sections: [note], parts: [note] });
    const entry = await shown('letter', id);
    expect([entry.sections, entry.parts]).toMatchObject([[note], [note]]);
  });

  it('serves a type of the project at a path of the server’s own', async () => {
    const id = await create('user', { title: 'mine' });
    expect(await served.read(`/api/users/${id}`)).toMatchObject({ title: 'mine' });
  });
});

describe.each(anyEngine)('%s: a user type without a role', (engine) => {
  const userFile = 'src/extensions/users-permissions/content-types/user/schema.json';
  const attributes = {
    username: text,
    email: { type: 'email' },
    provider: text,
    password: { type: 'password' },
    confirmed: { type: 'boolean' },
    blocked: { type: 'boolean' },
  };
  const served = useProject(engine, {
    files: { ...schemaFiles({ note: { attributes: { title: text } } }), [userFile]: { attributes } },
    env: { ...strapi, JWT_SECRET: 'a-secret-of-this-test-alone-0123456789' },
    public: ['plugin::users-permissions.auth.register', 'plugin::users-permissions.auth.callback', 'api::note.note.find'],
  });
  const ask = (path: string, value: object) => served.send('full', { method: 'POST', path, body: value });

  it('is served without roles, and registering is refused', async () => {
    const joe = { username: 'joe', email: 'joe@example.org', password: 'secret12' };
    const refused = await ask('/api/auth/local/register', joe);
    expect([refused.status, errorOf(refused).message]).toEqual([400, 'Invalid key role']);
    const unknown = await ask('/api/auth/local', { identifier: 'joe', password: 'secret12' });
    expect([unknown.status, errorOf(unknown).message]).toEqual([400, 'Invalid identifier or password']);
    expect((await served.ask('full', 'GET', '/api/users')).json()).toEqual([]);
  });

  it('has roles nevertheless, without users', async () => {
    const roles = async () =>
      ((await served.ask('full', 'GET', '/api/users-permissions/roles')).json() as { roles: readonly Json[] }).roles;
    expect((await roles()).map(({ type, nb_users }) => [type, nb_users])).toEqual([
      ['authenticated', 0],
      ['public', 0],
    ]);
    const made = await ask('/api/users-permissions/roles', { name: 'Editors', description: 'of notes', type: 'editors', permissions: {} });
    expect(made.status).toBe(200);
    const id = (await roles()).find(({ type }) => type === 'editors')?.id;
    expect((await served.send('full', { method: 'DELETE', path: `/api/users-permissions/roles/${String(id)}` })).status).toBe(200);
    expect((await served.ask('public', 'GET', '/api/notes')).status).toBe(200);
  });

  it('is listed and blocked by the commands', async () => {
    await served.change(
      "INSERT INTO up_users (document_id, username, email, confirmed, blocked) VALUES ('ann', 'ann', 'ann@example.org', true, false)",
    );
    expect((await served.command('user', 'list')).stdout).toMatch(/ann +ann@example\.org/);
    expect(await served.command('user', 'block', 'ann')).toMatchObject({ status: 0, stdout: expect.stringContaining('ann is blocked') });
  });
});

describe.each(anyEngine)('%s: an unknown custom field', (engine) => {
  const typed = (x: Json) => schemaFiles({ rating: { attributes: { title: text, stars: x, words: x } } });
  const before = schemaFiles({ rating: { attributes: { title: text, stars: { type: 'json' }, words: { type: 'text' } } } });
  const served = useProject(engine, { files: before, env: strapi });

  it('is served as its column says, with a warning', async () => {
    await served.write('POST', '/api/ratings', { stars: { of: 5 }, words: 'many' });
    const file = 'src/api/rating/content-types/rating/schema.json';
    writeFileSync(join(served.project.dir, file), JSON.stringify(typed({ type: 'customField', customField: 'plugin::stars.stars' })[file]));
    const server = await served.beside();
    const response = await server.send({ method: 'GET', path: '/api/ratings', headers: served.authorization('full') });
    expect((response.json() as { data: readonly Json[] }).data).toMatchObject([{ stars: { of: 5 }, words: 'many' }]);
    const body = { data: { stars: [1, 2], words: 'few' } };
    const made = await server.send({ method: 'POST', path: '/api/ratings', headers: served.authorization('full'), body });
    expect(dataOf(made)).toMatchObject({ stars: [1, 2], words: 'few' });
    expect(server.output.stderr).toContain('unknown custom field "plugin::stars.stars", served as json: that is what the column holds');
  });
});
