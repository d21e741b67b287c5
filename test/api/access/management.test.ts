/** `/api/_manage`: who gets in, and that what is changed there holds at the next request. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Accounts, ada, newAddress, useAccounts } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { errorOf, type Json } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

vi.setConfig({ testTimeout: 30_000 });

const token = 'a-management-token-of-forty-characters!!';
const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });
const dataOf = <T = Json>(response: HttpResponse): T => (response.json() as { data: T }).data;

describe.each(anyEngine)('%s: the management API', (engine) => {
  const accounts: Accounts = useAccounts(engine, { LECTERN_MANAGEMENT_TOKEN: token });
  const manage = (method: string, path: string, data?: unknown) =>
    accounts.server.send({
      method,
      path: `/api/_manage${path}`,
      headers: bearer(token),
      from: newAddress(),
      ...(data === undefined ? {} : { body: { data } }),
    });
  const roleOf = async (type: string): Promise<Json & { id: number }> => {
    const role = dataOf<(Json & { id: number })[]>(await manage('GET', '/roles')).find((each) => each.type === type);
    if (role === undefined) throw new Error(`no role ${type}`);
    return role;
  };

  describe('is opened by its token alone', () => {
    const paths = ['/roles', '/types', '/users', '/permissions', '/tokens'];
    it.each(paths)('%s', async (path) => {
      const { jwt } = await accounts.signIn(ada);
      const get = (headers: Readonly<Record<string, string>>) =>
        accounts.server.send({ path: `/api/_manage${path}`, headers, from: newAddress() });
      const others = [
        {},
        bearer(jwt),
        accounts.authorization('full'),
        bearer(token.slice(1)),
        bearer(`${token}x`),
        bearer(token.toUpperCase()),
        { Authorization: token },
        { Authorization: `Basic ${token}` },
        { Cookie: `token=${token}` },
        { 'X-Management-Token': token },
      ];
      for (const headers of others) {
        const refused = await get(headers);
        expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('Missing or invalid credentials')]);
      }
      expect((await get(bearer(token))).status).toBe(200);
    });

    it('and not by one in the query, and before a body is read; it is not accepted elsewhere', async () => {
      expect((await accounts.server.get(`/api/_manage/roles?token=${token}&access_token=${token}`)).status).toBe(401);
      const body = `{"data":${'['.repeat(5000)}`;
      const refused = await accounts.server.send({ method: 'POST', path: '/api/_manage/roles', body, from: newAddress() });
      expect(refused.status).toBe(401);
      expect((await accounts.server.get('/api/notes', bearer(token))).status).toBe(401);
    });

    it('in any spelling of the path', async () => {
      for (const path of ['/API/_MANAGE/roles', '/api/%5Fmanage/roles', '/api/_manage/roles/']) {
        expect((await accounts.server.get(path)).status).toBe(401);
        expect((await accounts.server.get(path, bearer(token))).status).toBe(200);
      }
    });

    it('and wrong ones are counted by IP address, without delaying the right one', async () => {
      const from = newAddress();
      const get = (value: string) => accounts.server.send({ path: '/api/_manage/roles', headers: bearer(value), from });
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 12; attempt++) statuses.push((await get(`wrong-${attempt}`)).status);
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
      expect(Number((await get('wrong again')).headers['retry-after'])).toBeGreaterThan(0);
      expect((await get(token)).status).toBe(200);
    });

    it('and not by pages of other origins', async () => {
      const Origin = 'https://evil.example';
      for (const path of ['/api/_manage/roles', '/api/%5Fmanage/roles']) {
        const preflight = await accounts.server.send({
          method: 'OPTIONS',
          path,
          headers: { Origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' },
        });
        const response = await accounts.server.get(path, { ...bearer(token), Origin });
        expect(response.status).toBe(200);
        expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' });
        for (const { headers } of [preflight, response]) {
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
        }
      }
      expect((await accounts.server.get('/api/notes', { Origin })).headers['access-control-allow-origin']).toBe('*');
    });
  });

  describe('roles', () => {
    it('are made, shown, changed and deleted; rights hold at the next request', async () => {
      expect((await accounts.server.get('/api/notes')).status).toBe(403);
      const open = await roleOf('public');
      const rights = { ...(open.rights as Json), note: { find: true } };
      expect((await manage('PUT', `/roles/${open.id}`, { rights })).status).toBe(200);
      expect((await accounts.server.get('/api/notes')).status).toBe(200);
      expect((await manage('PUT', `/roles/${open.id}`, { rights: { note: [] } })).status).toBe(200);
      expect((await accounts.server.get('/api/notes')).status).toBe(403);
      // Rights that the request did not mention are unchanged.
      expect((await roleOf('public')).rights).toEqual(open.rights);

      const limit = { fields: ['title'], where: { title: { $eq: '$user.username' } } };
      const made = await manage('POST', '/roles', { name: 'Night Editors', rights: { notes: { find: limit } } });
      expect(made.status).toBe(201);
      const { id } = dataOf<{ id: number }>(made);
      const role = { type: 'night_editors', name: 'Night Editors', users: 0, declared: false };
      const shown = { ...role, rights: { 'api::note.note': { find: limit } } };
      expect(dataOf(made)).toMatchObject(shown);
      expect(dataOf(await manage('GET', `/roles/${id}`))).toMatchObject(shown);
      expect(dataOf(await manage('PUT', `/roles/${id}`, { description: 'by night' }))).toMatchObject({ ...shown, description: 'by night' });
      expect((await manage('POST', '/roles', { name: 'Night editors' })).status).toBe(409);
      expect((await manage('DELETE', `/roles/${id}`)).status).toBe(204);
      expect((await manage('GET', `/roles/${id}`)).status).toBe(404);
      expect(await accounts.query(`SELECT 1 FROM lectern_role_rules WHERE role_id = ${id}`)).toEqual([]);
    });

    // Other mistakes in rights are in src/permissions/declaration.test.ts.
    it.each<readonly [data: unknown, status: number, says: string]>([
      [undefined, 400, 'object "data"'],
      [[], 400, 'object "data"'],
      [{ name: 'x', rights: { note: { find: { fields: ['titel'] } } } }, 400, 'data.rights.note.find.fields[0]: "titel" is not'],
      [{ name: 'x', right: {} }, 400, 'data.right: is an unknown key; did you mean rights?'],
      [{ name: 'x', type: 1 }, 400, 'data.type: has to be text'],
      [{ name: 'x', type: 'nul\0' }, 400, 'is not the type of a role'],
      [{ name: 'nul\0', type: 'x' }, 400, 'data.name: has to be text'],
      [{ name: { toString: 1, valueOf: 1 } }, 400, 'data.name: is required'],
      [{ name: 'Public' }, 409, 'A role of the type public already exists'],
    ])('refuse %j', async (data, status, says) => {
      const before = (await manage('GET', '/roles')).text;
      const refused = await manage('POST', '/roles', data);
      expect([refused.status, errorOf(refused).message]).toEqual([status, expect.stringContaining(says)]);
      expect((await manage('GET', '/roles')).text).toBe(before);
    });

    it('that do not exist are 404, and the role of the public cannot be deleted', async () => {
      for (const id of ['0', '999', 'public', '1e0', '99999999999'])
        expect((await manage('PUT', `/roles/${id}`, { name: 'x' })).status).toBe(404);
      expect(errorOf(await manage('DELETE', `/roles/${(await roleOf('public')).id}`)).message).toBe('Cannot delete public role');
      expect((await manage('PUT', `/roles/${(await roleOf('public')).id}`, { type: 'other' })).status).toBe(400);
    });
  });

  describe('the document of rights', () => {
    it('is exported, planned and applied', async () => {
      const document = dataOf<{ roles: Record<string, { rights: Json }> }>(await manage('GET', '/permissions'));
      expect(dataOf(await manage('POST', '/permissions/plan', document))).toMatchObject({ changes: [] });
      const more = { roles: { public: { rights: { note: ['find'] } } } };
      const change = { kind: 'grant', role: 'public', action: 'api::note.note.find', limit: {} };
      expect(dataOf(await manage('POST', '/permissions/plan', more))).toMatchObject({ source: 'data', changes: [change] });
      expect((await accounts.server.get('/api/notes')).status).toBe(403);
      expect(dataOf(await manage('POST', '/permissions/apply', more))).toMatchObject({ changes: [change] });
      expect((await accounts.server.get('/api/notes')).status).toBe(200);
      expect((await manage('POST', '/permissions/apply', document)).status).toBe(200);
      expect((await accounts.server.get('/api/notes')).status).toBe(403);
    });

    it('is refused with the positions of its mistakes', async () => {
      const refused = await manage('POST', '/permissions/apply', { roles: { public: { rights: { nots: [], note: ['fnd'] } } } });
      const errors = [/^data\.roles\.public\.rights\.nots: /, /fnd is not an action/];
      expect(errorOf(refused)).toMatchObject({
        ...{ status: 400, message: '2 errors occurred' },
        details: { errors: errors.map((says) => ({ message: expect.stringMatching(says) })) },
      });
      const without = await manage('POST', '/permissions/plan');
      expect([without.status, errorOf(without).message]).toEqual([400, expect.stringContaining('The project declares no rights')]);
    });

    it('of a project cannot be bypassed', async () => {
      const file = join(accounts.project.dir, 'permissions.json');
      writeFileSync(file, JSON.stringify({ roles: { authenticated: { rights: { note: ['findOne'] } } } }));
      try {
        const { id, declared } = await roleOf('authenticated');
        expect(declared).toBe(true);
        for (const refused of [
          await manage('PUT', `/roles/${id}`, { rights: {} }),
          await manage('DELETE', `/roles/${id}`),
          await manage('POST', '/permissions/apply', { roles: {} }),
        ]) {
          expect([refused.status, errorOf(refused).message]).toEqual([409, expect.stringContaining('permissions.json')]);
        }
        expect(dataOf(await manage('POST', '/permissions/plan'))).toMatchObject({
          source: 'permissions.json',
          changes: [{ kind: 'grant' }],
        });
        expect((await manage('POST', '/permissions/apply')).status).toBe(200);
        expect(dataOf(await manage('POST', '/permissions/plan'))).toMatchObject({ changes: [] });
        writeFileSync(file, '{');
        expect((await manage('GET', '/roles')).status).toBe(400);
      } finally {
        rmSync(file);
      }
    });
  });

  describe('users', () => {
    it('are made, found, changed, blocked and deleted; it holds at the next request', async () => {
      const { id: role } = await roleOf('authenticated');
      const eve = { username: 'eve', email: 'eve@example.org', password: 'Eve-Pass-1' };
      const made = await manage('POST', '/users', { ...eve, role });
      expect([made.status, dataOf(made)]).toEqual([201, expect.objectContaining({ username: 'eve', confirmed: true, blocked: false })]);
      expect(made.text).not.toMatch(/Eve-Pass|\$2[aby]\$/);
      const { id } = dataOf<{ id: number }>(made);
      const list = await manage('GET', '/users?filters[username]=eve&populate=role');
      expect(list.json()).toMatchObject({ data: [{ id, role: { type: 'authenticated' } }], meta: { pagination: { total: 1 } } });
      const { jwt } = await accounts.signIn(eve);
      expect((await accounts.as(jwt, 'GET', '/api/users/me')).status).toBe(200);
      expect(dataOf(await manage('PATCH', `/users/${id}`, { blocked: true }))).toMatchObject({ blocked: true });
      expect((await accounts.as(jwt, 'GET', '/api/users/me')).status).toBe(401);
      expect(dataOf(await manage('PATCH', `/users/${id}`, { blocked: false, username: 'eva' }))).toMatchObject({ username: 'eva' });
      expect(dataOf(await manage('GET', `/users/${id}`))).toMatchObject({ username: 'eva' });
      const slip = await manage('PATCH', `/users/${id}`, { bloked: true });
      expect([slip.status, errorOf(slip).message]).toEqual([400, 'Invalid key bloked']);
      expect((await manage('DELETE', `/users/${id}`)).status).toBe(204);
      expect((await manage('DELETE', `/users/${id}`)).status).toBe(404);
      expect((await manage('PATCH', `/users/${id}`, { blocked: true })).status).toBe(404);
    });

    const newer = { username: 'newer', email: 'other@example.org', password: 'long-enough', role: 1 };
    it.each([
      [{ ...newer, role: undefined }, 'role is a required field'],
      [{ ...newer, email: 'ada@example.org' }, 'Email already taken'],
      [{ ...newer, password: ['x'] }, 'password must be a `string` type'],
      [{ ...newer, confirmd: false }, 'Invalid key confirmd'],
    ])('refuse %j', async (data, says) => {
      const refused = await manage('POST', '/users', data);
      expect([refused.status, errorOf(refused).message]).toEqual([400, expect.stringContaining(says)]);
    });
  });

  it('API tokens are made, listed, given another secret and ended, from the next request on', async () => {
    const asToken = (secret: unknown) => accounts.server.get('/api/notes', bearer(String(secret)));
    const made = await manage('POST', '/tokens', { name: 'website', type: 'custom', actions: ['api::note.note.find'], expires: '30d' });
    expect([made.status, dataOf(made)]).toEqual([201, expect.objectContaining({ name: 'website', actions: ['api::note.note.find'] })]);
    const { id, secret } = dataOf(made);
    expect((await asToken(secret)).status).toBe(200);
    const list = await manage('GET', '/tokens');
    expect(dataOf<Json[]>(list)).toContainEqual(expect.objectContaining({ id, name: 'website' }));
    expect(list.text).not.toContain(String(secret));
    const rotated = dataOf(await manage('POST', `/tokens/${id}/rotate`));
    expect((await asToken(secret)).status).toBe(401);
    expect((await asToken(rotated.secret)).status).toBe(200);
    expect((await manage('DELETE', `/tokens/${id}`)).status).toBe(204);
    expect((await asToken(rotated.secret)).status).toBe(401);
    for (const path of [`/tokens/${id}`, '/tokens/website']) expect((await manage('DELETE', path)).status).toBe(404);
    for (const data of [undefined, {}, { name: 'x', type: 'admin' }, { name: 'x', type: 'custom', actions: ['api::note.note.fnd'] }]) {
      expect((await manage('POST', '/tokens', data)).status).toBe(400);
    }
  });

  it('API tokens are known by their id alone, whatever others are called', async () => {
    const make = async (name: string) => Number(dataOf(await manage('POST', '/tokens', { name, type: 'read-only' })).id);
    const id = await make('mistaken');
    const namesake = await make(String(id));
    await make('999999');
    for (const path of ['/tokens/999999', '/tokens/999999/rotate'])
      expect((await manage(path.endsWith('rotate') ? 'POST' : 'DELETE', path)).status).toBe(404);
    expect(dataOf(await manage('POST', `/tokens/${id}/rotate`))).toMatchObject({ id });
    expect((await manage('DELETE', `/tokens/${id}`)).status).toBe(204);
    expect((await manage('DELETE', `/tokens/${id}`)).status).toBe(404);
    expect((await manage('DELETE', `/tokens/${namesake}`)).status).toBe(204);
  });

  it('describes types, their actions and attributes', async () => {
    const { types, controllers } = dataOf<{ types: Json[]; controllers: Json[] }>(await manage('GET', '/types'));
    expect(types).toEqual([
      expect.objectContaining({
        uid: 'api::note.note',
        pluralName: 'notes',
        actions: ['find', 'findOne', 'create', 'update', 'delete', 'aggregate'],
        attributes: expect.arrayContaining([expect.objectContaining({ name: 'title', type: 'string', private: false })]),
      }),
    ]);
    expect(controllers).toContainEqual({ key: 'plugin::users-permissions.permissions', actions: ['getPermissions'] });
  });

  it('does not exist without a token of its own', async () => {
    const server = await accounts.beside({ LECTERN_MANAGEMENT_TOKEN: '' });
    const unknown = await server.get('/api/nothing-at-all');
    for (const headers of [{}, bearer(token), bearer('undefined'), { Authorization: 'Bearer' }]) {
      const response = await server.get('/api/_manage/roles', headers);
      expect([response.status, response.text]).toEqual([404, unknown.text]);
    }
  });

  it.each(['short', 'x'.repeat(31), `${'x'.repeat(31)} x`])('does not start with the token %j, and does not repeat it', async (value) => {
    const env = { ...accounts.project.env, LECTERN_MANAGEMENT_TOKEN: value };
    const { status, stdout, stderr } = await run(['start', '--dir', accounts.project.dir], env);
    expect(status).not.toBe(0);
    expect(stderr).toContain('LECTERN_MANAGEMENT_TOKEN is set to a value that is not shown, but must be at least 32 characters');
    expect(stdout + stderr).not.toContain(`${value} `);
  });
});
