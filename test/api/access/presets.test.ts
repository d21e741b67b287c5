/** Presets of rights over HTTP: the server fills in the owner and the tenant, and drafts stay hidden. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newAddress, signedInBy, userSchema } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { dataOf, errorOf, useProject } from '../../support/served-project.ts';

const text = { type: 'string' };
const toUser = (kind: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: 'plugin::users-permissions.user',
  ...more,
});

const people = ['ada', 'ben', 'guest'] as const;
type Person = (typeof people)[number];
const passwordOf = (who: Person) => `Pass-of-${who}-1`;

const owner = { preset: 'owner', attribute: 'author' };
const tenant = { preset: 'tenant', attribute: 'team' };
const readAndWrite = ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'];
const every = (right: object, actions = readAndWrite) => Object.fromEntries(actions.map((action) => [action, right]));
const withoutDrafts = ['find', 'findOne', 'create', 'update', 'delete'];

const permissions = {
  roles: {
    public: {
      rights: {
        news: { find: { preset: 'published-only' }, findOne: { preset: 'published-only' }, findDraft: true },
        // A preset would be refused here.
        article: { create: { where: { author: { id: { $eq: '$user.id' } } } } },
      },
    },
    authenticated: {
      rights: {
        article: { ...every(owner), create: { ...owner, fields: ['title', 'due'] }, update: { ...owner, fields: ['title', 'author'] } },
        album: every({ preset: 'owner', attribute: 'artists' }, withoutDrafts),
        item: every(tenant, withoutDrafts),
        project: { ...every({ ...owner, where: { team: '$user.team' } }, withoutDrafts) },
        room: every({ preset: 'tenant', attribute: 'organisation', user: 'organisationKey' }, withoutDrafts),
        profile: every({ preset: 'owner', attribute: 'person' }, withoutDrafts),
        page: every(owner, withoutDrafts),
        prefs: every(owner, ['find', 'update', 'delete']),
        'plugin::users-permissions.user': { create: tenant },
      },
    },
  },
};

describe.each(engines)('%s: presets', (engine) => {
  const served = useProject(engine, {
    files: {
      ...schemaFiles({
        article: {
          drafts: true,
          attributes: { title: text, due: { type: 'integer', min: 1 }, author: toUser('manyToOne', { required: true }) },
        },
        album: { attributes: { title: text, artists: toUser('manyToMany') } },
        item: { attributes: { title: text, team: { ...text, private: true } } },
        project: { attributes: { title: text, author: toUser('manyToOne'), team: text } },
        organisation: { attributes: { name: text } },
        room: { attributes: { title: text, organisation: relation('manyToOne', 'organisation') } },
        profile: { attributes: { title: text, person: toUser('oneToOne', { inversedBy: 'profile' }) } },
        page: { localized: true, attributes: { title: { ...text, ...translated }, author: toUser('manyToOne') } },
        prefs: { single: true, attributes: { color: text, author: toUser('manyToOne') } },
        news: { plural: 'newses', drafts: true, attributes: { title: text, related: relation('manyToMany', 'news') } },
      }),
      'src/extensions/users-permissions/content-types/user/schema.json': userSchema({
        team: text,
        organisationKey: text,
        profile: relation('oneToOne', 'profile', { mappedBy: 'person' }),
      }),
      'permissions.json': permissions,
    },
    locales: seedLocales('en', 'de'),
    users: people.map((username) => ({ username, email: `${username}@example.org`, password: passwordOf(username) })),
    public: ['plugin::users-permissions.auth.callback'],
    env: { JWT_SECRET: 'presets-jwt-secret-of-some-length', LECTERN_PROFILE: 'specification' },
  });
  const ids = new Map<Person, number>();
  const jwts = new Map<Person, string>();
  let organisation = '';

  beforeAll(async () => {
    organisation = String((await served.write('POST', '/api/organisations', { name: 'Press' })).documentId);
    await served.change(
      `UPDATE up_users SET team = 'red', organisation_key = '${organisation}' WHERE username = 'ada'`,
      `UPDATE up_users SET team = 'blue' WHERE username = 'ben'`,
    );
    for (const who of people) {
      const body = { identifier: who, password: passwordOf(who) };
      const response = await served.send('public', { method: 'POST', path: '/api/auth/local', body, from: newAddress() });
      const user = response.json() as { user: { id: number } };
      jwts.set(who, signedInBy(response).jwt);
      ids.set(who, user.user.id);
    }
  });

  const as = (who: Person, method: string, path: string, data?: object): Promise<HttpResponse> =>
    served.ask('public', method, path, data, { Authorization: `Bearer ${jwts.get(who)}` });
  const made = async (who: Person, path: string, data: object) => {
    const response = await as(who, 'POST', path, data);
    expect(response.status, response.text).toBe(201);
    return `${path.split('?')[0]}/${dataOf(response).documentId}`;
  };
  const statusOf = async (response: Promise<HttpResponse>) => (await response).status;
  const readWith = (path: string, attribute: string, query = '') => served.read(`${path}?populate=${attribute}${query}`);

  it('owner: the caller becomes the owner of what it creates, without the rights to users and to the attribute', async () => {
    const path = await made('ada', '/api/articles', { title: 'hers' });
    for (const status of ['draft', 'published']) {
      expect((await readWith(path, 'author', `&status=${status}`)).author).toMatchObject({ id: ids.get('ada') });
    }
    const draft = await made('ada', '/api/articles?status=draft', { title: 'draft' });
    expect((await readWith(draft, 'author', '&status=draft')).author).toMatchObject({ username: 'ada' });
    expect(await statusOf(as('ben', 'GET', path))).toBe(404);
    expect(await statusOf(as('ben', 'PATCH', path, { title: 'his' }))).toBe(404);
    expect(await statusOf(as('ben', 'DELETE', path))).toBe(204);
    expect(await statusOf(as('ada', 'PATCH', path, { title: 'changed' }))).toBe(200);
    expect(await statusOf(as('ada', 'DELETE', path))).toBe(204);
    expect(await statusOf(as('ada', 'GET', path))).toBe(404);
  });

  it('owner: wrong values are refused as without a preset', async () => {
    const error = errorOf(await as('ada', 'POST', '/api/articles', { title: 'late', due: 0 }));
    expect([error.status, error.message]).toEqual([400, expect.stringContaining('due')]);
  });

  it('owner: no body creates or leaves a document without this owner', async () => {
    const rows = async () => (await served.query('SELECT id FROM projects')).length;
    const before = await rows();
    for (const author of [null, [], {}, { set: [] }, { connect: [] }, { disconnect: [ids.get('ada')] }, ids.get('ben'), 'x'.repeat(24)]) {
      const response = await as('ada', 'POST', '/api/projects', { title: 'none', author });
      expect([400, 403], JSON.stringify(author)).toContain(response.status);
    }
    expect(await rows()).toBe(before);
    const path = await made('ada', '/api/projects', { title: 'hers' });
    for (const author of [null, [], { set: [] }, { disconnect: [ids.get('ada')] }, ids.get('ben'), { connect: [ids.get('ben')] }]) {
      expect([400, 403], JSON.stringify(author)).toContain(await statusOf(as('ada', 'PATCH', path, { author })));
    }
    expect((await readWith(path, 'author')).author).toMatchObject({ username: 'ada' });
    // Without the right to users nobody can be named; the right to all of them changes nothing about it.
    await served.change(
      `INSERT INTO up_permissions (action, document_id) VALUES ('plugin::users-permissions.user.find', 'finduserspermission00000')`,
      `INSERT INTO up_permissions_role_lnk (permission_id, role_id) SELECT p.id, r.id FROM up_permissions p, up_roles r WHERE p.document_id = 'finduserspermission00000' AND r.type = 'authenticated'`,
    );
    expect(await statusOf(as('ada', 'POST', '/api/projects', { title: 'his', author: ids.get('ben') }))).toBe(403);
    expect(await statusOf(as('ada', 'POST', '/api/projects', { title: 'none', author: null }))).toBe(403);
    expect(await statusOf(as('ada', 'PATCH', path, { author: ids.get('ben') }))).toBe(403);
    expect(await statusOf(as('ada', 'PATCH', path, { author: null }))).toBe(403);
    expect(await rows()).toBe(before + 1);
    const album = await made('ada', '/api/albums', { title: 'both' });
    expect(await statusOf(as('ada', 'PATCH', album, { artists: { connect: [ids.get('ben')] } }))).toBe(200);
    expect(await statusOf(as('ben', 'PATCH', album, { artists: [ids.get('ada')] }))).toBe(403);
    expect(await statusOf(as('ben', 'PATCH', album, { title: 'of both' }))).toBe(200);
    expect((await readWith(album, 'artists')).artists).toHaveLength(2);
    await served.change(
      `DELETE FROM up_permissions_role_lnk WHERE permission_id IN (SELECT id FROM up_permissions WHERE document_id = 'finduserspermission00000')`,
      `DELETE FROM up_permissions WHERE document_id = 'finduserspermission00000'`,
    );
  });

  it('owner: visitors create nothing, and an API token has no owner', async () => {
    for (const [query, status] of [
      ['', 400],
      ['?status=draft', 403],
    ] as const) {
      expect(errorOf(await served.ask('public', 'POST', `/api/articles${query}`, { title: 'nobody' })).status).toBe(status);
    }
    expect(await served.query(`SELECT id FROM articles WHERE title = 'nobody'`)).toEqual([]);
    const path = await served.make('/api/projects', { title: 'by token' });
    expect((await readWith(path, 'author')).author).toBeNull();
  });

  it('owner: a new locale gets the owner as well, and another user adds none', async () => {
    const path = await made('ada', '/api/pages', { title: 'page' });
    expect(await statusOf(as('ben', 'PATCH', `${path}?locale=de`, { title: 'seine' }))).toBe(404);
    expect(await statusOf(as('ada', 'PUT', `${path}?locale=de`, { title: 'Seite' }))).toBe(200);
    expect((await readWith(path, 'author', '&locale=de')).author).toMatchObject({ username: 'ada' });
    expect(await statusOf(as('ada', 'PATCH', `${path}?locale=de`, { author: null }))).toBe(400);
    expect(await statusOf(as('ada', 'PATCH', `${path}?locale=de`, { title: 'Seite 2' }))).toBe(200);
  });

  it('owner: the document of a single type belongs to the first user who writes it', async () => {
    expect(await statusOf(as('ada', 'PUT', '/api/prefs', { color: 'red', author: null }))).toBe(400);
    expect(await statusOf(as('ada', 'PUT', '/api/prefs', { color: 'red' }))).toBe(200);
    expect((await readWith('/api/prefs', 'author')).author).toMatchObject({ username: 'ada' });
    expect(await statusOf(as('ben', 'PUT', '/api/prefs', { color: 'blue' }))).toBe(404);
    expect(await statusOf(as('ada', 'PUT', '/api/prefs', { color: 'blue' }))).toBe(200);
  });

  it('owner: a second profile would take the user from the first', async () => {
    const path = await made('ada', '/api/profiles', { title: 'first' });
    expect(await statusOf(as('ada', 'POST', '/api/profiles', { title: 'second' }))).toBe(403);
    expect((await readWith(path, 'person')).person).toMatchObject({ username: 'ada' });
  });

  it('tenant: the server fills in the value of the user, and no other one is taken', async () => {
    const path = await made('ada', '/api/items', { title: 'of red' });
    expect(await served.query('SELECT title, team FROM items')).toEqual([['of red', 'red']]);
    expect(await statusOf(as('ben', 'GET', path))).toBe(404);
    expect(await statusOf(as('ben', 'PATCH', path, { title: 'of blue' }))).toBe(404);
    const project = await made('ada', '/api/projects', { title: 'of red' });
    expect(await served.query(`SELECT team FROM projects WHERE title = 'of red'`)).toEqual([['red']]);
    expect(await statusOf(as('ada', 'PATCH', project, { team: 'blue' }))).toBe(403);
    expect(await statusOf(as('ada', 'PATCH', project, { team: null }))).toBe(403);
    expect(await statusOf(as('ada', 'POST', '/api/projects', { title: 'of blue', team: 'blue' }))).toBe(403);
    expect(await statusOf(as('ada', 'POST', '/api/projects', { title: 'of none', team: null }))).toBe(403);
    // A user without a team has no part of any.
    expect(await statusOf(as('guest', 'POST', '/api/items', { title: 'of none' }))).toBe(403);
    expect(await statusOf(as('guest', 'POST', '/api/projects', { title: 'of none', team: '' }))).toBe(403);
    expect(await served.query(`SELECT id FROM items WHERE title = 'of none'`)).toEqual([]);
  });

  it('tenant: users who may create users create them in their own team', async () => {
    const create = (team: object, username: string) =>
      served.send('public', {
        method: 'POST',
        path: '/api/users',
        headers: { Authorization: `Bearer ${jwts.get('ada')}` },
        body: { username, email: `${username}@example.org`, password: 'Pass-of-new-1', role: 1, ...team },
      });
    expect(await statusOf(create({ team: 'blue' }, 'eve'))).toBe(403);
    expect(await statusOf(create({}, 'fay'))).toBe(201);
    expect(await served.query(`SELECT username, team FROM up_users WHERE username IN ('eve', 'fay')`)).toEqual([['fay', 'red']]);
  });

  it('tenant: links the document whose documentId the user has, which the user need not find', async () => {
    const path = await made('ada', '/api/rooms', { title: 'one' });
    expect((await readWith(path, 'organisation')).organisation).toMatchObject({ name: 'Press' });
    expect(await statusOf(as('ben', 'POST', '/api/rooms', { title: 'two' }))).toBe(403);
    await served.change(`UPDATE up_users SET organisation_key = 'missing0000000000000000a' WHERE username = 'ben'`);
    expect(await statusOf(as('ben', 'POST', '/api/rooms', { title: 'two' }))).toBe(403);
  });

  it('published-only: no drafts are shown, in either profile', async () => {
    const draft = await served.make('/api/newses?status=draft', { title: 'draft' });
    const path = await served.make('/api/newses', { title: 'open', related: [draft.split('/').at(-1)] });
    await served.write('PATCH', `${path}?status=draft`, { title: 'later' });
    for (const server of [served.server, await served.beside({ LECTERN_PROFILE: 'strapi' })]) {
      const read = async (query: string) => {
        const response = await server.get(`/api/newses${query}`);
        return response.status === 200 ? response.text.match(/(?<="title":")\w+/g) : response.status;
      };
      expect(await read('')).toEqual(['open']);
      expect(await read('?status=draft')).toBeNull();
      expect(await read('?status=draft&populate=related')).toBeNull();
      expect(await read('?populate=related')).toEqual(['open']);
      expect(await read('?filters[related][title]=draft')).toBeNull();
      expect((await server.get(`${path}?status=draft`)).status).toBe(404);
      expect((await server.get(draft)).status).toBe(404);
      expect((await server.get(path)).status).toBe(200);
    }
  });
});
