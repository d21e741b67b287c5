/** Users and roles, as those who manage them write them, and as those who register would like to. */
import { describe, expect, it } from 'vitest';
import { type Accounts, ada, ben, profilesOn, signedInBy, useAccounts } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { errorOf, type Json } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

let names = 0;
function somebody() {
  names++;
  return { username: `person${names}`, email: `person${names}@example.org`, password: 'Person-Pass-1' };
}

const manage = (accounts: Accounts, method: string, path: string, body?: unknown, who = 'full') =>
  accounts.send(who, { method, path, ...(body === undefined ? {} : { body }) });

describe.each(engines)('%s: users', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const accounts = useAccounts(engine, { LECTERN_PROFILE: profile });
    // What depends neither on the database nor on the profile.
    const once = it.runIf(profile === 'specification' && anyEngine.includes(engine));
    const exists = async (username: string) => (await accounts.query(`SELECT 1 FROM up_users WHERE username = '${username}'`)).length > 0;
    const newUser = async () => {
      const user = somebody();
      const role = await accounts.roleId('authenticated');
      const response = await manage(accounts, 'POST', '/api/users', { ...user, role, confirmed: true });
      expect(response.status).toBe(201);
      return { ...user, id: Number((response.json() as Json).id) };
    };

    it('rules of a role stay with rights that a PUT keeps, and are deleted with those that it removes', async () => {
      const note = (...actions: readonly string[]) => ({
        'api::note': { controllers: { note: Object.fromEntries(actions.map((action) => [action, { enabled: true }])) } },
      });
      const rule = (role: string, action: string, fields: string) =>
        accounts.change(
          `INSERT INTO lectern_role_rules (role_id, action, fields) SELECT id, 'api::note.note.${action}', ${fields} FROM up_roles WHERE type = '${role}'`,
        );
      const rulesOf = (role: string) =>
        accounts.query(
          `SELECT l.action FROM lectern_role_rules l JOIN up_roles r ON r.id = l.role_id WHERE r.type = '${role}' ORDER BY l.action`,
        );

      await manage(accounts, 'POST', '/api/users-permissions/roles', { name: 'ruled', permissions: note('find', 'update') });
      const path = `/api/users-permissions/roles/${await accounts.roleId('ruled')}`;
      await rule('ruled', 'find', `'["title"]'`);
      await rule('ruled', 'update', `'["title"]'`);
      await rule('ruled', 'delete', `'["title"]'`);
      await rule('ruled', 'findDraft', 'NULL');
      const { role } = (await manage(accounts, 'GET', path)).json() as { role: { permissions: Json } };
      expect(role.permissions['api::note']).toMatchObject({
        controllers: { note: { find: { enabled: true }, findDraft: { enabled: true }, delete: { enabled: false } } },
      });
      expect((await manage(accounts, 'PUT', path, { permissions: role.permissions })).status).toBe(200);
      expect(await rulesOf('ruled')).toEqual([['api::note.note.find'], ['api::note.note.findDraft'], ['api::note.note.update']]);
      await manage(accounts, 'PUT', path, { name: 'still ruled' });
      expect((await rulesOf('ruled')).length).toBe(3);
      await manage(accounts, 'PUT', path, { permissions: note('find') });
      expect(await rulesOf('ruled')).toEqual([['api::note.note.find']]);
      await manage(accounts, 'DELETE', path);
      expect(await rulesOf('ruled')).toEqual([]);
      expect(await accounts.query("SELECT 1 FROM lectern_role_rules WHERE action LIKE 'api::note%'")).toEqual([]);
    });

    describe('a newly registered user', () => {
      once.each<Json>([
        ...[{ role: 1 }, { role: { connect: [{ id: 1 }] } }, { confirmed: true }, { blocked: false }, { provider: 'github' }, { id: 1 }],
        ...[{ documentId: 'a'.repeat(24) }, { resetPasswordToken: 'mine' }, { confirmationToken: 'mine' }, { createdBy: 1 }],
        ...[{ createdAt: '2000-01-01T00:00:00.000Z' }, { locale: 'en' }, { constructor: { prototype: {} } }, { data: {} }],
      ])('cannot set server attributes with %j', async (extra) => {
        const user = somebody();
        const message = `Invalid parameters: ${Object.keys(extra)[0]}`;
        expect(errorOf(await accounts.post('/api/auth/local/register', { ...user, ...extra }))).toMatchObject({ status: 400, message });
        expect(await exists(user.username)).toBe(false);
      });

      once('sets nothing through the prototype', async () => {
        const { username, email, password } = somebody();
        const body = `{"username":"${username}","email":"${email}","password":"${password}","__proto__":{"confirmed":false}}`;
        expect((await accounts.post('/api/auth/local/register', body)).status).toBe(400);
      });

      it('gets the role of new users with its rights', async () => {
        const user = somebody();
        const response = await accounts.post('/api/auth/local/register', { ...user, email: user.email.toUpperCase() });
        const { user: shown } = response.json() as { user: Json };
        expect(shown).toMatchObject({ username: user.username, email: user.email, provider: 'local', confirmed: true, blocked: false });
        expect(response.text).not.toMatch(/Person-Pass|\$2[aby]\$|role/);
        const { jwt } = signedInBy(response);
        expect((await accounts.as(jwt, 'GET', '/api/users/me')).status).toBe(200);
        expect((await accounts.as(jwt, 'GET', '/api/users')).status).toBe(403);
      });

      it('is created once by simultaneous registrations with the same e-mail address or name', async () => {
        const { email, username, password } = somebody();
        const sameEmail = Array.from({ length: 4 }, (_, at) => ({ username: `${username}-${at}`, email, password }));
        const first = await Promise.all(sameEmail.map((body) => accounts.post('/api/auth/local/register', body)));
        expect(first.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
        const sameName = Array.from({ length: 4 }, (_, at) => ({ username, email: `${at}-${email}`, password }));
        const second = await Promise.all(sameName.map((body) => accounts.post('/api/auth/local/register', body)));
        expect(second.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      });

      it('cannot when registering is switched off', async () => {
        await accounts.withAdvanced({ allow_register: false }, async () => {
          expect((await accounts.post('/api/auth/local/register', somebody())).status).toBe(400);
        });
      });
    });

    once.each(['GET', 'PUT', 'DELETE'])('%s of a user needs a right that users do not have', async (method) => {
      const { jwt } = await accounts.signIn(ada);
      for (const id of [await accounts.userId('ada'), await accounts.userId('ben'), 999]) {
        expect((await accounts.as(jwt, method, `/api/users/${id}`, method === 'PUT' ? { blocked: true } : undefined)).status).toBe(403);
      }
    });

    it('PUT /api/users/me updates no user, even with the right to write users', async () => {
      const updated = errorOf(await manage(accounts, 'PUT', '/api/users/me', { username: 'me' }));
      expect(updated).toMatchObject({ status: 404, message: 'User not found' });
      expect((await manage(accounts, 'DELETE', '/api/users/me')).status).toBe(204);
    });

    it('a new user is local and has no tokens, whatever the body says', async () => {
      const user = somebody();
      const role = await accounts.roleId('authenticated');
      const body = { ...user, role, provider: 'github', resetPasswordToken: 'mine', confirmationToken: 'mine', createdBy: 1, nope: 1 };
      expect((await manage(accounts, 'POST', '/api/users', body)).status).toBe(201);
      const [row] = await accounts.query(
        `SELECT provider, reset_password_token, confirmation_token, created_by_id FROM up_users WHERE username = '${user.username}'`,
      );
      expect(row).toEqual(['local', null, null, null]);
    });

    once.each(['id', 'documentId'])('a body with %s is refused', async (key) => {
      const { id } = await newUser();
      const role = await accounts.roleId('authenticated');
      expect((await manage(accounts, 'PUT', `/api/users/${id}`, { [key]: 5 })).status).toBe(400);
      expect((await manage(accounts, 'POST', '/api/users', { ...somebody(), role, [key]: 5 })).status).toBe(400);
    });

    once.each([[[]], [['a']], ['{"a":1}x']])('the body %j is refused', async (body) => {
      const { id } = await newUser();
      expect((await manage(accounts, 'PUT', `/api/users/${id}`, body)).status).toBe(400);
      expect((await manage(accounts, 'POST', '/api/users', body)).status).toBe(400);
    });

    once.each([
      ...[null, [], '', true, { id: 1 }, { set: [] }, { set: null }, { connect: null }, { connect: [], set: [] }],
      { disconnect: [{ id: 1 }] },
    ])('the role %j does not remove the role', async (role) => {
      const { id } = await newUser();
      expect((await manage(accounts, 'PUT', `/api/users/${id}`, { role })).status).toBe(400);
      expect((await manage(accounts, 'GET', `/api/users/${id}?populate=role`)).json()).toMatchObject({ role: { type: 'authenticated' } });
    });

    it('a role is given in any form', async () => {
      const { id } = await newUser();
      const [open, usual] = [await accounts.roleId('public'), await accounts.roleId('authenticated')];
      const documentId = String((await accounts.query(`SELECT document_id FROM up_roles WHERE id = ${usual}`))[0]?.[0]);
      const forms: readonly (readonly [unknown, string])[] = [
        [open, 'public'],
        [String(usual), 'authenticated'],
        [{ connect: [{ id: open }] }, 'public'],
        [documentId, 'authenticated'],
        [{ connect: [{ id: open }], disconnect: [{ id: usual }] }, 'public'],
        [{ connect: [{ documentId }] }, 'authenticated'],
      ];
      for (const [role, type] of forms) {
        expect((await manage(accounts, 'PUT', `/api/users/${id}`, { role })).json()).toMatchObject({ role: { type } });
      }
      expect(await accounts.query(`SELECT count(*) FROM up_users_role_lnk WHERE user_id = ${id}`)).toEqual([[1]]);
    });

    it('no user can get the name or e-mail address of another', async () => {
      const { id } = await newUser();
      const refusals: readonly (readonly [Json, string])[] = [
        [{ username: ada.username }, 'Username already taken'],
        [{ username: ada.email }, 'Username already taken'],
        [{ email: ada.email.toUpperCase() }, 'Email already taken'],
      ];
      for (const [body, message] of refusals) {
        const error = errorOf(await manage(accounts, 'PUT', `/api/users/${id}`, body));
        expect(error).toMatchObject({ status: 400, name: 'ApplicationError', message });
      }
    });

    it('a name that equals another user’s e-mail address except for letter case does not lock that user out', async () => {
      const path = `/api/users/${await accounts.userId('ada')}`;
      const alias = 'Ben@Example.org';
      expect((await manage(accounts, 'PUT', path, { username: alias })).status).toBe(200);
      const signIn = async (identifier: string, password: string) =>
        (await accounts.post('/api/auth/local', { identifier, password })).status;
      expect(await signIn(alias, ben.password)).toBe(200);
      expect(await signIn(alias, ada.password)).toBe(400);
      expect((await manage(accounts, 'PUT', path, { username: ada.username })).status).toBe(200);
    });

    it('responses show no roles to a caller who may not find them', async () => {
      await manage(accounts, 'PUT', `/api/users/${await accounts.userId('ben')}`, {});
      const role = await accounts.roleId('authenticated');
      const created = await manage(accounts, 'POST', '/api/users', { ...somebody(), role }, 'creator');
      expect(created.status).toBe(201);
      expect(created.json()).not.toHaveProperty('role');
    });

    it('a user cannot be linked to a document that the caller may not find', async () => {
      const note = await accounts.write('POST', '/api/notes', { title: 'hidden' });
      const role = await accounts.roleId('authenticated');
      const body = { ...somebody(), role, notes: [note.documentId] };
      expect((await manage(accounts, 'POST', '/api/users', body, 'manager')).status).toBe(400);
      const { id } = await newUser();
      expect((await manage(accounts, 'PUT', `/api/users/${id}`, { notes: [note.documentId] }, 'manager')).status).toBe(400);
      expect((await manage(accounts, 'PUT', `/api/users/${id}`, { notes: [note.documentId], motto: 'read' })).status).toBe(200);
      expect((await manage(accounts, 'GET', `/api/users/${id}?populate=notes`)).json()).toMatchObject({
        motto: 'read',
        notes: [{ title: 'hidden' }],
      });
    });

    describe('roles', () => {
      const right = (action: string) => ({ 'api::note': { controllers: { note: { [action]: { enabled: true } } } } });
      const rolePath = async (type: string) => `/api/users-permissions/roles/${await accounts.roleId(type)}`;

      it('a granted or revoked right takes effect at the next request', async () => {
        expect(
          (await manage(accounts, 'POST', '/api/users-permissions/roles', { name: 'Note keeper', permissions: right('find') })).status,
        ).toBe(200);
        const user = await newUser();
        const role = await accounts.roleId('note_keeper');
        await manage(accounts, 'PUT', `/api/users/${user.id}`, { role });
        const others = [await newUser(), await newUser()];
        for (const other of others) await manage(accounts, 'PUT', `/api/users/${other.id}`, { role });
        const { jwt } = await accounts.signIn(user);
        const read = async () => (await accounts.as(jwt, 'GET', '/api/notes')).status;
        expect(await read()).toBe(200);
        await manage(accounts, 'PUT', await rolePath('note_keeper'), { permissions: right('findOne') });
        expect(await read()).toBe(403);
        await manage(accounts, 'PUT', await rolePath('note_keeper'), { permissions: right('find') });
        expect(await read()).toBe(200);
        // Without a word about permissions they stay.
        await manage(accounts, 'PUT', await rolePath('note_keeper'), { description: 'Keeps notes' });
        expect(await read()).toBe(200);
        await manage(accounts, 'DELETE', await rolePath('note_keeper'));
        expect(await read()).toBe(403);
        expect((await manage(accounts, 'GET', `/api/users/${user.id}?populate=role`)).json()).toMatchObject({ role: { type: 'public' } });
        // They come last among the users of their new role, in their order.
        const last =
          "SELECT user_id FROM up_users_role_lnk WHERE role_id = (SELECT id FROM up_roles WHERE type = 'public') ORDER BY user_ord";
        expect((await accounts.query(last)).slice(-3).map(([id]) => Number(id))).toEqual([user, ...others].map(({ id }) => id));
        expect(await accounts.query("SELECT 1 FROM up_permissions WHERE action LIKE 'api::note%'")).toEqual([]);
      });

      once.each([{ name: 'Public' }, { name: 'x', type: 'public' }, { name: 'authenticated' }])(
        'there is no second role by %j',
        async (body) => {
          const response = await manage(accounts, 'POST', '/api/users-permissions/roles', { ...body, permissions: right('find') });
          expect(errorOf(response)).toMatchObject({ status: 400, name: 'ApplicationError' });
          expect((await accounts.send('public', { path: '/api/notes' })).status).toBe(403);
        },
      );

      const found = (value: unknown, controller = 'api::note') => ({ [controller]: { controllers: { note: { find: value } } } });
      once.each<unknown>([
        ...[{ name: 5 }, { name: 'x'.repeat(256) }, { name: 'x', permissions: [] }, { name: 'x', permissions: 'all' }, [], [1]],
        { name: 'x', permissions: found(true) },
        { name: 'x', permissions: found({ enabled: true }, 'api::note.note') },
      ])('a role cannot be created from %j', async (body) => {
        expect(errorOf(await manage(accounts, 'POST', '/api/users-permissions/roles', body))).toMatchObject({ status: 400 });
      });

      it('a body cannot choose ids', async () => {
        const body = { name: 'Chosen', id: 4711, documentId: 'a'.repeat(24), createdAt: '2000-01-01T00:00:00.000Z', users: [1] };
        expect((await manage(accounts, 'POST', '/api/users-permissions/roles', body)).status).toBe(200);
        const [row] = await accounts.query("SELECT id, document_id FROM up_roles WHERE name = 'Chosen'");
        expect(row?.[0]).not.toBe(4711);
        expect(row?.[1]).not.toBe(body.documentId);
      });

      once('users cannot write roles', async () => {
        const { jwt } = await accounts.signIn(ben);
        const path = await rolePath('authenticated');
        expect((await accounts.as(jwt, 'PUT', path, { permissions: right('find') })).status).toBe(403);
        expect((await accounts.as(jwt, 'DELETE', path)).status).toBe(403);
        expect((await accounts.as(jwt, 'POST', '/api/users-permissions/roles', { name: 'mine' })).status).toBe(403);
      });
    });
  });
});

describe.each(engines)('%s: the own profile', (engine) => {
  const accounts = useAccounts(engine, { LECTERN_AUTH_OWN_FIELDS: 'motto,username' });

  it('is changed in the fields that the configuration lists, and in no other', async () => {
    const { jwt } = await accounts.signIn(ada);
    const changed = await accounts.as(jwt, 'PUT', '/api/users/me?fields=motto', { motto: 'per aspera', username: 'ada2' });
    expect([changed.status, changed.json()]).toEqual([200, expect.objectContaining({ motto: 'per aspera' })]);
    expect((await accounts.as(jwt, 'GET', '/api/users/me')).json()).toMatchObject({ username: 'ada2', motto: 'per aspera' });
    for (const body of [
      { role: 1 },
      { motto: 'x', blocked: false },
      { email: 'new@example.org' },
      { password: 'Other-Pass-1' },
      { confirmed: true },
    ])
      expect([body, (await accounts.as(jwt, 'PUT', '/api/users/me', body)).status]).toEqual([body, 400]);
    expect(errorOf(await accounts.as(jwt, 'PUT', '/api/users/me', { username: ben.username })).message).toContain('taken');
    expect((await accounts.as(jwt, 'PUT', '/api/users/me', [])).status).toBe(400);
    expect((await accounts.as(jwt, 'GET', '/api/users/me')).json()).toMatchObject({
      username: 'ada2',
      email: ada.email,
      motto: 'per aspera',
    });
  });

  it('needs a user who may read it', async () => {
    for (const who of ['public', 'full', 'manager'])
      expect([401, 403]).toContain((await manage(accounts, 'PUT', '/api/users/me', { motto: 'x' }, who)).status);
  });
});

describe.each(anyEngine)('%s: the own profile without listed fields', (engine) => {
  const accounts = useAccounts(engine);

  it('is not changed in fields that there are not: the start and `check` say so', async () => {
    const env = { ...accounts.environment, LECTERN_AUTH_OWN_FIELDS: 'mottto' };
    const { status, stderr } = await run(['check', '--dir', accounts.project.dir], env);
    expect([status, stderr]).toEqual([1, expect.stringContaining('auth.ownFields: users have no attribute "mottto"')]);
    await expect(accounts.beside({ LECTERN_AUTH_OWN_FIELDS: 'mottto' })).rejects.toThrow('users have no attribute');
  });

  it('is not changed', async () => {
    const { jwt } = await accounts.signIn(ben);
    expect((await accounts.as(jwt, 'PUT', '/api/users/me', { motto: 'x' })).status).toBe(403);
  });
});
