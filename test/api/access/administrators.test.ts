/** Users with the right `lectern::management.access` use the management API with their session. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, newAddress, signedInBy, useAccounts } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { errorOf, type Json } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const right = 'lectern::management.access';
const secret = 'a-management-token-of-forty-characters!!';
const carol = { username: 'carol', email: 'carol@example.org', password: 'Carol-Pass-1' };
const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });
const dataOf = <T = Json>(response: HttpResponse): T => (response.json() as { data: T }).data;

describe.each(engines)('%s: administrators', (engine) => {
  const accounts = useAccounts(engine, {
    LECTERN_AUTH_JWT_MANAGEMENT: 'refresh',
    LECTERN_AUTH_RESET_PASSWORD_PAGE: 'https://front.example/reset',
  });
  const lectern = (...args: readonly string[]) => run([...args, '--dir', accounts.project.dir], accounts.environment);
  const manage = (jwt: string, method: string, path: string, data?: unknown) =>
    accounts.as(jwt, method, `/api/_manage${path}`, data === undefined ? undefined : { data });
  let jwt: string;
  let carolId: number;

  beforeAll(async () => {
    const file = join(accounts.project.dir, 'permissions.json');
    mkdirSync(accounts.project.dir, { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({ roles: { administrator: { name: 'Administrator', rights: { 'lectern::management': ['access'] } } } }),
    );
    expect(await lectern('permissions', 'apply')).toMatchObject({ status: 0, stderr: '' });
    rmSync(file);
    const body = { ...carol, role: await accounts.roleId('authenticated'), confirmed: true };
    expect((await accounts.send('manager', { method: 'POST', path: '/api/users', body })).status).toBe(201);
    expect(await lectern('user', 'set-role', 'carol', 'administrator')).toMatchObject({ status: 0 });
    carolId = await accounts.userId('carol');
    ({ jwt } = await accounts.signIn(carol));
  });

  it('manage access without a token of the server, and nothing else', async () => {
    for (const path of ['/roles', '/types', '/users', '/permissions', '/tokens', '/webhooks']) {
      const { status, headers } = await manage(jwt, 'GET', path);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store']);
    }
    expect((await accounts.as(jwt, 'GET', '/api/notes')).status).toBe(403);
    const { headers } = await accounts.send('public', {
      path: '/api/_manage/roles',
      headers: { ...bearer(jwt), Origin: 'https://evil.example' },
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('find the right in GET /api/_me, and others do not', async () => {
    const actionsOf = async (authorization: Readonly<Record<string, string>>) =>
      (await accounts.send('public', { path: '/api/_me', headers: authorization })).json() as { actions: string[] };
    expect((await actionsOf(bearer(jwt))).actions).toContain(right);
    const { jwt: other } = await accounts.signIn(ada);
    for (const headers of [{}, bearer(other), accounts.authorization('full')])
      expect((await actionsOf(headers)).actions).not.toContain(right);
  });

  it('alone see that the paths exist; an ended session is a 401', async () => {
    const { jwt: other } = await accounts.signIn(ada);
    for (const method of ['GET', 'PUT']) {
      const unknown = await accounts.send('public', { method, path: '/api/nothing-at-all', body: method === 'PUT' ? {} : undefined });
      for (const headers of [{}, bearer(other), accounts.authorization('full'), bearer(secret), { Cookie: `jwt=${jwt}` }]) {
        const { status, text } = await accounts.send('public', { method, path: '/api/_manage/roles', headers, from: newAddress() });
        expect([status, text]).toEqual([unknown.status, unknown.text]);
      }
    }
    expect((await manage(`${jwt}x`, 'GET', '/roles')).status).toBe(401);
  });

  it('have the right beside a token of the server, and users without it get a 401', async () => {
    const server = await accounts.beside({ LECTERN_MANAGEMENT_TOKEN: secret });
    const status = async (token: string) =>
      (await server.send({ path: '/api/_manage/roles', headers: bearer(token), from: newAddress() })).status;
    expect(await status(jwt)).toBe(200);
    expect(await status(secret)).toBe(200);
    expect(await status((await accounts.signIn(ada)).jwt)).toBe(401);
    const from = newAddress();
    const guess = async (token: string) => (await server.send({ path: '/api/_manage/roles', headers: bearer(token), from })).status;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) statuses.push(await guess(`a.guess.${attempt}`));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    expect(await guess(jwt)).toBe(200);
  });

  it.each(['public', 'authenticated'])('do not have the role %s, whoever tries to give it the right', async (role) => {
    const refused = await lectern('role', 'allow', role, 'lectern::management', 'access');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(`${role} cannot have the right ${right}`)]);
    const rights = { 'lectern::management': ['access'] };
    const applied = await manage(jwt, 'POST', '/permissions/apply', { roles: { [role]: { rights } } });
    expect([applied.status, errorOf(applied).message]).toEqual([400, expect.stringContaining('give themselves every right')]);
    expect((await manage(jwt, 'PUT', `/roles/${await accounts.roleId(role)}`, { rights })).status).toBe(400);
    // Written by another program.
    await accounts.change(
      `INSERT INTO lectern_role_rules (role_id, action) SELECT id, '${right}' FROM up_roles WHERE type = '${role}'`,
      `INSERT INTO up_permissions (action) VALUES ('${right}')`,
      `INSERT INTO up_permissions_role_lnk (permission_id, role_id) SELECT p.id, r.id FROM up_permissions p, up_roles r WHERE p.action = '${right}' AND r.type = '${role}'`,
    );
    const { jwt: other } = await accounts.signIn(ada);
    for (const headers of [{}, bearer(other)])
      expect((await accounts.send('public', { path: '/api/_manage/roles', headers, from: newAddress() })).status).toBe(404);
    await accounts.change(
      `DELETE FROM up_permissions_role_lnk WHERE permission_id IN (SELECT id FROM up_permissions WHERE action = '${right}')`,
      `DELETE FROM up_permissions WHERE action = '${right}'`,
      `DELETE FROM lectern_role_rules WHERE action = '${right}' AND role_id IN (SELECT id FROM up_roles WHERE type = '${role}')`,
    );
  });

  it('cannot give the right to API tokens', async () => {
    const made = await manage(jwt, 'POST', '/tokens', { name: 'x', type: 'custom', actions: [right] });
    expect([made.status, errorOf(made).message]).toEqual([400, expect.stringContaining(`unknown action ${right}`)]);
  });

  it.each(['full', 'manager'])('are not made, changed or deleted by the API token %s', async (token) => {
    const role = await accounts.roleId('administrator');
    const adaId = await accounts.userId('ada');
    const state = () =>
      accounts.query(
        'SELECT u.id, u.email, u.password, u.blocked, l.role_id FROM up_users u, up_users_role_lnk l WHERE l.user_id = u.id ORDER BY u.id',
      );
    const before = await state();
    const refusals = [
      ['PUT', carolId, { password: 'Taken-Over-1' }],
      ['PUT', carolId, { email: 'mallory@example.org' }],
      ['PUT', carolId, { blocked: true }],
      ['PUT', carolId, { role: await accounts.roleId('authenticated') }],
      ['DELETE', carolId, undefined],
      ['PUT', adaId, { role }],
      ['PUT', adaId, { role: String(role) }],
      ['PUT', adaId, { role: { connect: [role] } }],
      ['PUT', adaId, { role: { connect: [{ id: role }], disconnect: [] } }],
      ['POST', '', { username: 'mallory', email: 'mallory@example.org', password: 'Mallory-Pass-1', role }],
      ['POST', '', { username: 'mallory', email: 'mallory@example.org', password: 'Mallory-Pass-1', role: { connect: [{ id: role }] } }],
    ] as const;
    for (const [method, id, body] of refusals) {
      const refused = await accounts.send(token, { method, path: `/api/users/${id}`, ...(body && { body }) });
      expect([body, refused.status, errorOf(refused).code]).toEqual([body, 403, 'user.administrator']);
    }
    expect(await state()).toEqual(before);
    expect((await manage(jwt, 'GET', '/roles')).status).toBe(200);
    expect((await accounts.send(token, { method: 'PUT', path: `/api/users/${adaId}`, body: { motto: token } })).status).toBe(200);
  });

  it('keep their role from API tokens, and from users who may write users and roles', async () => {
    const id = await accounts.roleId('administrator');
    const mayWrite = {
      'plugin::users-permissions.user': ['update'],
      'plugin::users-permissions.role': ['createRole', 'updateRole', 'deleteRole'],
    };
    const made = await manage(jwt, 'POST', '/roles', { name: 'Writer', rights: mayWrite });
    expect(made.status).toBe(201);
    const adaId = await accounts.userId('ada');
    const writer = await accounts.roleId('writer');
    expect((await manage(jwt, 'PATCH', `/users/${adaId}`, { role: writer })).status).toBe(200);
    const { jwt: other } = await accounts.signIn(ada);
    const path = `/api/users-permissions/roles/${id}`;
    const permissions = { 'plugin::users-permissions': { controllers: { user: { update: { enabled: true } } } } };
    for (const headers of [bearer(other), accounts.authorization('full')]) {
      for (const body of [{ name: 'Nobody' }, { permissions }]) {
        const refused = await accounts.send('public', { method: 'PUT', path, body, headers });
        expect([refused.status, errorOf(refused).code]).toEqual([403, 'role.administrators']);
      }
      const second = { method: 'POST', path: '/api/users-permissions/roles', body: { name: 'x', type: 'administrator' }, headers };
      expect((await accounts.send('public', second)).status).toBe(403);
      const refused = await accounts.send('public', { method: 'DELETE', path, headers });
      expect([refused.status, errorOf(refused).code]).toEqual([403, 'role.administrators']);
    }
    expect((await accounts.as(other, 'PUT', `/api/users/${adaId}`, { role: id })).status).toBe(403);
    expect((await accounts.as(other, 'PUT', `/api/users/${carolId}`, { password: 'Taken-Over-1' })).status).toBe(403);
    expect((await manage(jwt, 'GET', `/roles/${id}`)).json()).toMatchObject({ data: { name: 'Administrator', users: 1 } });
    expect((await manage(jwt, 'PATCH', `/users/${adaId}`, { role: id })).status).toBe(200);
    expect((await manage(jwt, 'PATCH', `/users/${adaId}`, { role: await accounts.roleId('authenticated') })).status).toBe(200);
    expect((await manage(jwt, 'DELETE', `/roles/${writer}`)).status).toBe(204);
  });

  it('are not made by registering', async () => {
    const register = (username: string) =>
      accounts.post('/api/auth/local/register', { username, email: `${username}@example.org`, password: 'Some-Pass-1' });
    await accounts.withAdvanced({ default_role: 'administrator' }, async () => {
      await vi.waitFor(
        async () => {
          const refused = await register(`dora${newAddress().replaceAll('.', '')}`);
          expect([refused.status, errorOf(refused).code]).toEqual([403, 'register.administrators']);
        },
        { timeout: 3000, interval: 50 },
      );
    });
    const role = await accounts.roleId('administrator');
    expect(await accounts.query(`SELECT user_id FROM up_users_role_lnk WHERE role_id = ${role}`)).toHaveLength(1);
    await vi.waitFor(async () => expect(signedInBy(await register('dora')).jwt).toBeTruthy(), { timeout: 3000, interval: 50 });
  });

  it('keep the right when the role is changed by /api/users-permissions/roles, which cannot express it', async () => {
    const { id } = dataOf<(Json & { id: number })[]>(await manage(jwt, 'GET', '/roles')).find(({ type }) => type === 'administrator') ?? {
      id: 0,
    };
    const granted = { 'lectern::management': ['access'], 'plugin::users-permissions.role': ['updateRole'] };
    expect((await manage(jwt, 'PUT', `/roles/${id}`, { rights: granted })).status).toBe(200);
    const permissions = { 'plugin::users-permissions': { controllers: { user: { me: { enabled: true } } } } };
    const changed = await accounts.as(jwt, 'PUT', `/api/users-permissions/roles/${id}`, { name: 'Administrator', permissions });
    expect(changed.status).toBe(200);
    expect((await manage(jwt, 'GET', `/roles/${id}`)).json()).toMatchObject({
      data: { rights: { 'lectern::management': ['access'], 'plugin::users-permissions.user': ['me'] } },
    });
  });

  it('make links to set a password, once and not for blocked users', async () => {
    const id = await accounts.userId('ben');
    const made = await manage(jwt, 'POST', `/users/${id}/password-link`);
    expect(made.status).toBe(201);
    const { url, expiresAt } = dataOf<{ url: string; expiresAt: string }>(made);
    expect(url).toMatch(/\/console\/set-password#code=[0-9a-f]{128}\.\w+$/);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    const code = url.slice(url.indexOf('=') + 1);
    const reset = (password: string) => accounts.post('/api/auth/reset-password', { code, password, passwordConfirmation: password });
    expect((await reset('Ben-Pass-2')).status).toBe(200);
    expect((await reset('Ben-Pass-3')).status).toBe(400);
    await accounts.signIn({ ...ben, password: 'Ben-Pass-2' });
    await manage(jwt, 'PATCH', `/users/${id}`, { blocked: true });
    const refused = await manage(jwt, 'POST', `/users/${id}/password-link`);
    expect([refused.status, errorOf(refused).message]).toEqual([409, expect.stringContaining('The user is blocked')]);
    expect((await manage(jwt, 'POST', '/users/99999/password-link')).status).toBe(404);
    await manage(jwt, 'PATCH', `/users/${id}`, { blocked: false });
  });

  it('see when users were active, and end their sessions', async () => {
    const id = await accounts.userId('ada');
    const { refreshToken } = await accounts.signIn(ada);
    const sessions = dataOf<Json[]>(await manage(jwt, 'GET', `/users/${id}/sessions`));
    expect(sessions.length).toBeGreaterThan(0);
    expect(Object.keys(sessions[0] ?? {})).toEqual(['deviceName', 'loginAt', 'lastActiveAt']);
    const last = dataOf<{ id: number; lastActiveAt: string }[]>(
      await manage(jwt, 'GET', `/users/last-active?ids=${id},${carolId},99999,x,${'1,'.repeat(5000)}`),
    );
    expect(last.map((each) => each.id).sort((a, b) => a - b)).toEqual([id, carolId].sort((a, b) => a - b));
    expect(Date.now() - Date.parse(last[0]?.lastActiveAt ?? '')).toBeLessThan(60_000);
    expect((await manage(jwt, 'DELETE', `/users/${id}/sessions`)).status).toBe(204);
    expect(dataOf(await manage(jwt, 'GET', `/users/${id}/sessions`))).toEqual([]);
    expect((await accounts.post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await manage(jwt, 'GET', '/users/99999/sessions')).status).toBe(404);
  });

  it('see webhooks without their secrets, and retry messages', async () => {
    const added = await lectern('webhook', 'add', 'site', '--url', 'http://127.0.0.1:9/hook/secret', '--events', 'entry.create');
    expect(added.status).toBe(0);
    const key = 'own:site';
    await accounts.change(
      `INSERT INTO lectern_events (id, uid, document_id, type) VALUES (900, 'api::note.note', 'abc', 'create')`,
      `INSERT INTO lectern_deliveries (id, event_id, webhook, name, document_id, state, attempts, due_at, created_at, updated_at, status, response)
       SELECT 901, 900, '${key}', 'entry.create', 'abc', 'failed', 8, created_at, created_at, created_at, 500, '${'x'.repeat(900)}' FROM up_users WHERE username = 'ada'`,
    );
    const list = await manage(jwt, 'GET', '/webhooks');
    expect(list.json()).toMatchObject({
      data: [{ id: key, name: 'site', from: 'database', url: 'http://127.0.0.1:9/…', messages: { failed: 1 } }],
    });
    expect(list.text).not.toMatch(/whsec_|hook\/secret/);
    expect(list.text).not.toContain(added.stdout.trim());
    const path = `/webhooks/${encodeURIComponent(key)}`;
    const [message] = dataOf<Json[]>(await manage(jwt, 'GET', `${path}/deliveries?state=failed`));
    expect(message).toMatchObject({ id: 901, state: 'failed', status: 500, response: 'x'.repeat(500) });
    expect(dataOf(await manage(jwt, 'POST', `${path}/deliveries/901/retry`))).toEqual({ count: 1 });
    expect(dataOf(await manage(jwt, 'POST', `${path}/retry`))).toEqual({ count: 0 });
    for (const wrong of ['/webhooks/none/retry', `${path}/deliveries/999/retry`, `${path}/deliveries/x/retry`])
      expect((await manage(jwt, 'POST', wrong)).status).toBe(404);
  });

  it('lose the right at the next request when they are blocked, or their role loses it', async () => {
    const id = await accounts.roleId('administrator');
    await accounts.change(`DELETE FROM lectern_role_rules WHERE role_id = ${id}`);
    await vi.waitFor(async () => expect((await manage(jwt, 'GET', '/roles')).status).toBe(404), { timeout: 3000, interval: 50 });
    expect(await lectern('role', 'allow', 'administrator', 'lectern::management', 'access')).toMatchObject({ status: 0 });
    await vi.waitFor(async () => expect((await manage(jwt, 'GET', '/roles')).status).toBe(200), { timeout: 3000, interval: 50 });
    expect((await manage(jwt, 'PATCH', `/users/${carolId}`, { blocked: true })).status).toBe(200);
    expect((await manage(jwt, 'GET', '/roles')).status).toBe(401);
  });
});
