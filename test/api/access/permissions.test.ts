/** Roles and rights as a file says them, and the commands about roles and users, against databases and running servers. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EngineName, engines } from '../../support/engines.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { changeIn, queryIn } from '../../support/served-project.ts';
import { command, type Environment, type Finished, type RunningServer, run, startServer } from '../../support/server.ts';
import type { Files } from '../../support/write-files.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const text = { type: 'string' };
const types = { note: { drafts: true, attributes: { title: text, body: text } }, page: { attributes: { title: text } } } as const;
const env: Environment = { API_TOKEN_SALT: 'permissions-salt', JWT_SECRET: 'permissions-secret-of-some-length', LECTERN_LOG_LEVEL: 'warn' };

interface Declared {
  readonly project: Project;
  declare(document: unknown): void;
  lectern(...args: readonly string[]): Promise<Finished>;
  start(more?: Environment): Promise<RunningServer>;
  /** Rights of a role as `action` or `action fields condition`, sorted. */
  rights(role: string): Promise<readonly string[]>;
  query(text: string): ReturnType<typeof queryIn>;
  change(text: string): Promise<void>;
}

/** For the body of a `describe`: a project, and a database that its tables have been made in. */
function useDeclared(engine: EngineName, files: Files = schemaFiles(types)): Declared {
  let made: Project | undefined;
  const project = (): Project => {
    if (made === undefined) throw new Error('the project is there from beforeAll on');
    return made;
  };
  const declared: Declared = {
    get project() {
      return project();
    },
    declare(document) {
      const file = join(project().dir, 'permissions.json');
      if (document === undefined) rmSync(file, { force: true });
      else writeFileSync(file, JSON.stringify(document));
    },
    lectern: (...args) => run([...args, '--dir', project().dir], { ...env, ...project().env }),
    start: (more = {}) => startServer(project().dir, { ...env, ...project().env, ...more }),
    async rights(role) {
      const ofRole = `JOIN up_roles r ON r.id = l.role_id WHERE r.type = '${role}'`;
      const granted = await declared.query(
        `SELECT p.action FROM up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id ${ofRole}`,
      );
      const rules = await declared.query(`SELECT l.action, l.fields, l.${'"condition"'} FROM lectern_role_rules l ${ofRole}`);
      return [...granted, ...rules.map((row) => row.filter((value) => value !== null))]
        .map((row) => row.join(' '))
        .filter((each) => !each.startsWith('plugin::'))
        .sort();
    },
    query: (sql) => queryIn(project(), sql),
    change: (sql) => changeIn(project(), sql),
  };
  beforeAll(async () => {
    made = await makeProject(engine, files);
    const applied = await declared.lectern('migrate', 'apply');
    if (applied.status !== 0) throw new Error(applied.stderr);
  });
  afterAll(() => made?.remove());
  return declared;
}

const withRights = (rights: unknown) => ({ roles: { public: { rights } } });

/** The status that a public caller gets; on PostgreSQL a running server sees another process's change after a second. */
const eventually = (server: RunningServer, path: string, status: number) =>
  vi.waitFor(async () => expect((await server.get(path)).status).toBe(status), { timeout: 3000, interval: 50 });

const limited = { fields: ['title'], where: { title: { $eq: '$user.username' } } };

describe.each(engines)('%s: rights as a file', (engine) => {
  describe('at the start', () => {
    const declared = useDeclared(engine);

    it('are written to the database, and the changes are printed; plugins that are not mentioned keep their rights', async () => {
      declared.declare(withRights({ note: ['find'], 'api::page.page': { find: true, update: false } }));
      const before = await declared.query("SELECT count(*) FROM up_permissions WHERE action LIKE 'plugin::%'");
      const server = await declared.start();
      expect(server.output.stderr).toContain('+ api::note.note.find\n');
      expect((await server.get('/api/notes')).status).toBe(200);
      expect((await server.send({ method: 'POST', path: '/api/notes', body: { data: { title: 'x' } } })).status).toBe(403);
      await server.stop();
      expect(await declared.rights('public')).toEqual(['api::note.note.find', 'api::page.page.find']);
      expect(await declared.query("SELECT count(*) FROM up_permissions WHERE action LIKE 'plugin::%'")).toEqual(before);
    });

    it('are left alone when they are right already', async () => {
      const server = await declared.start();
      await server.stop();
      expect(server.output.stderr).not.toContain('permissions.json');
    });

    it('are written by one of several processes that start together', async () => {
      declared.declare(withRights({ note: { find: limited, findDraft: true }, page: ['find', 'findOne', 'create'] }));
      const servers = await Promise.all([declared.start(), declared.start(), declared.start()]);
      for (const server of servers) await server.stop();
      expect(await declared.rights('public')).toEqual([
        'api::note.note.find',
        'api::note.note.find ["title"] {"title":{"$eq":"$user.username"}}',
        'api::note.note.findDraft',
        'api::page.page.create',
        'api::page.page.find',
        'api::page.page.findOne',
      ]);
      expect(servers.filter((each) => each.output.stderr.includes('Changed the rights')).length).toBe(1);
    });

    it.each([{ LECTERN_APPLY_PERMISSIONS: 'never' }, { LECTERN_MIGRATE: 'never' }])('are only compared with %j', async (never) => {
      const before = await declared.rights('public');
      declared.declare(withRights({ page: ['find'] }));
      const server = await declared.start(never);
      await server.stop();
      expect(server.output.stderr).toContain('`lectern permissions apply` would do:\npublic\n  - api::note.note.find');
      expect(await declared.rights('public')).toEqual(before);
    });

    it('may be in lectern.config.json, but not in two files', async () => {
      const config = join(declared.project.dir, 'lectern.config.json');
      writeFileSync(config, JSON.stringify({ permissions: withRights({ page: ['findOne'] }) }));
      const both = await declared.lectern('permissions', 'plan');
      expect([both.status, both.stderr]).toEqual([1, expect.stringContaining('Rights are declared twice')]);
      declared.declare(undefined);
      const server = await declared.start();
      await server.stop();
      expect(await declared.rights('public')).toEqual(['api::page.page.findOne']);
      rmSync(config);
    });

    const mistakes: readonly (readonly [document: unknown, says: string])[] = [
      ['[]', 'permissions.json must hold one JSON object'],
      ['{"roles": {', 'permissions.json:1:12 is not JSON'],
      [{ roles: { pubic: { rights: {} } } }, 'roles.pubic: there is no such role, and to make it a "name" is needed; did you mean public?'],
      [withRights({ 'api::note.nte': ['find'] }), 'permissions.json: roles.public.rights["api::note.nte"]: is no content type'],
      [withRights({ note: { find: { where: { titel: 'x' } } } }), 'permissions.json: roles.public.rights.note.find.where'],
    ];
    it.each(mistakes)('stop it when they are %j', async (document, says) => {
      const before = await declared.rights('public');
      if (typeof document === 'string') writeFileSync(join(declared.project.dir, 'permissions.json'), document);
      else declared.declare(document);
      await expect(declared.start()).rejects.toThrow(says);
      expect(await declared.rights('public')).toEqual(before);
    });
  });

  describe('by commands', () => {
    const declared = useDeclared(engine);

    it('are planned, applied while a server runs, and then are nothing to do', async () => {
      await declared.lectern('role', 'allow', 'public', 'note', 'find', 'update');
      const server = await declared.start();
      expect((await server.get('/api/notes')).status).toBe(200);
      declared.declare({
        roles: { ...withRights({ page: ['find'] }).roles, editor: { name: 'Editor', rights: { note: { publish: true, find: limited } } } },
      });
      const plan = await declared.lectern('permissions', 'plan');
      expect(plan.status).toBe(3);
      expect(plan.stdout).toContain(
        'public\n  + api::page.page.find\n  - api::note.note.find\n  - api::note.note.update\neditor\n  + the role, with the name "Editor"\n',
      );
      expect(plan.stdout).toContain('  public: plugin::users-permissions.auth.callback');
      const json = JSON.parse((await declared.lectern('permissions', 'plan', '--json')).stdout);
      expect(json.changes).toContainEqual({ kind: 'revoke', role: 'public', action: 'api::note.note.update' });
      expect((await server.get('/api/notes')).status).toBe(200);
      expect((await declared.lectern('permissions', 'apply')).status).toBe(0);
      await eventually(server, '/api/notes', 403);
      await eventually(server, '/api/pages', 200);
      const again = await declared.lectern('permissions', 'plan');
      expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
      await server.stop();
      expect(await declared.rights('editor')).toEqual([
        'api::note.note.find',
        'api::note.note.find ["title"] {"title":{"$eq":"$user.username"}}',
        'api::note.note.publish',
      ]);
    });

    it('are exported as a file that changes nothing, and limits change by it', async () => {
      const exported = JSON.parse((await declared.lectern('permissions', 'export')).stdout);
      expect(exported.roles.editor).toEqual({
        name: 'Editor',
        description: '',
        rights: { 'api::note.note': { find: limited, publish: true } },
      });
      declared.declare(exported);
      expect((await declared.lectern('permissions', 'plan')).status).toBe(0);
      expect((await declared.lectern('permissions', 'apply')).stdout).toContain('Nothing to do');

      exported.roles.editor.rights['api::note.note'] = { find: { fields: ['body'] }, publish: { where: { title: 'x' } } };
      exported.roles.editor.name = 'Editors';
      declared.declare(exported);
      const applied = await declared.lectern('permissions', 'apply');
      expect(applied.stdout).toContain('~ api::note.note.find {"fields":["body"]}, instead of {"fields":["title"]');
      expect(await declared.rights('editor')).toEqual([
        'api::note.note.find',
        'api::note.note.find ["body"]',
        'api::note.note.publish {"title":"x"}',
      ]);
      expect(await declared.query("SELECT name FROM up_roles WHERE type = 'editor'")).toEqual([['Editors']]);
      exported.roles.editor.rights['api::note.note'] = { find: true };
      declared.declare(exported);
      await declared.lectern('permissions', 'apply');
      expect(await declared.rights('editor')).toEqual(['api::note.note.find']);
    });

    it('own a controller of a plugin that is mentioned, and the right to sign in is lost only by saying so', async () => {
      declared.declare(withRights({ 'plugin::users-permissions.auth': ['callback'] }));
      const applied = await declared.lectern('permissions', 'apply');
      expect(applied.stdout).toContain('- plugin::users-permissions.auth.register');
      const auth =
        "SELECT action FROM up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id JOIN up_roles r ON r.id = l.role_id WHERE r.type = 'public' AND action LIKE '%.auth.%'";
      expect(await declared.query(auth)).toEqual([['plugin::users-permissions.auth.callback']]);
    });

    it('refuse commands that change declared rights, and name the file', async () => {
      declared.declare(withRights({ note: ['find'] }));
      for (const args of [
        ['allow', 'public', 'page', 'find'],
        ['deny', 'public', 'note', 'find'],
      ]) {
        const refused = await declared.lectern('role', ...args);
        expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('permissions.json declares the rights of')]);
      }
      expect((await declared.lectern('role', 'allow', 'public', 'plugin::users-permissions.auth', 'register')).status).toBe(0);
      expect((await declared.lectern('role', 'allow', 'authenticated', 'notes', 'find')).status).toBe(0);
      expect((await declared.lectern('role', 'list')).stdout).toMatch(/public +Public +0 +\d+ +declared\n/);
    });

    it('without a file have nothing to plan', async () => {
      declared.declare(undefined);
      const plan = await declared.lectern('permissions', 'plan');
      expect([plan.status, plan.stderr]).toEqual([1, expect.stringContaining('it has no permissions.json')]);
    });
  });

  describe('to removed types and attributes', () => {
    const declared = useDeclared(engine);
    const schema = 'src/api/note/content-types/note/schema.json';
    const pageSchema = 'src/api/page/content-types/page/schema.json';
    const write = (path: string, content: unknown) => {
      mkdirSync(dirname(join(declared.project.dir, path)), { recursive: true });
      writeFileSync(join(declared.project.dir, path), JSON.stringify(content));
    };
    const remove = (path: string) => rmSync(dirname(join(declared.project.dir, path)), { recursive: true });
    const startAndStop = async (more: Environment = {}) => {
      const server = await declared.start(more);
      await server.stop();
      return server.output.stderr;
    };

    it('are removed, and do not apply to a new type of the same name', async () => {
      await declared.lectern('role', 'allow', 'public', 'note', 'find', 'findDraft');
      await declared.lectern('role', 'allow', 'public', 'page', 'find');
      await declared.change("INSERT INTO strapi_api_token_permissions (action) VALUES ('api::note.note.find'), ('api::page.page.find')");
      remove(schema);
      expect(await startAndStop({ LECTERN_APPLY_PERMISSIONS: 'never' })).toContain(
        'Warning: there are rights to types and attributes that no schema file has',
      );
      expect((await declared.lectern('check')).stderr).toContain('  api::note.note.find\n');
      expect(await declared.rights('public')).toContain('api::note.note.find');
      const output = await startAndStop();
      expect(output).toContain('Removed rights to types and attributes that no schema file has');
      expect(output).toContain('  api::note.note.find\n  api::note.note.findDraft\n');
      expect(await declared.rights('public')).toEqual(['api::page.page.find']);
      expect(await declared.query('SELECT action FROM strapi_api_token_permissions')).toEqual([['api::page.page.find']]);
      write(schema, schemaFiles(types)[schema]);
      const server = await declared.start();
      expect((await server.get('/api/notes')).status).toBe(403);
      expect((await server.get('/api/pages')).status).toBe(200);
      await server.stop();
    });

    it('stay while a rename is offered, and are renamed with it', async () => {
      await declared.lectern('role', 'allow', 'public', 'page', 'findOne');
      remove(pageSchema);
      const leaf = 'src/api/leaf/content-types/leaf/schema.json';
      write(leaf, schemaFiles({ leaf: types.page })[leaf]);
      expect(await startAndStop()).toContain('a rename changes them');
      expect(await declared.rights('public')).toEqual(['api::page.page.find', 'api::page.page.findOne']);
      const renamed = await declared.lectern('migrate', 'apply', '--rename', 'api::page.page=api::leaf.leaf');
      expect([renamed.status, renamed.stderr]).toEqual([0, '']);
      expect(await declared.rights('public')).toEqual(['api::leaf.leaf.find', 'api::leaf.leaf.findOne']);
      const server = await declared.start();
      expect((await server.get('/api/leafs')).status).toBe(200);
      await server.stop();
    });

    it('lose removed attributes, and do not apply to a new attribute of the same name', async () => {
      declared.declare(withRights({ note: { find: { fields: ['title', 'body'] }, update: { fields: ['body'] } } }));
      await declared.lectern('permissions', 'apply');
      declared.declare(undefined);
      write(schema, schemaFiles({ note: { drafts: true, attributes: { title: text } } })[schema]);
      expect(await startAndStop()).toContain('api::note.note.find, in its "fields" body');
      write(schema, schemaFiles(types)[schema]);
      await startAndStop();
      // The rule that is left with nothing stays: without it the right would have no limit.
      const left = ['api::note.note.find', 'api::note.note.find ["title"]', 'api::note.note.update', 'api::note.note.update []'];
      expect((await declared.rights('public')).filter((each) => each.includes('note'))).toEqual(left);
    });

    it('in a condition are reported at each start, and allow nothing', async () => {
      const where = { body: { $eq: 'open' } };
      declared.declare(withRights({ note: { find: { where }, update: true } }));
      await declared.lectern('permissions', 'apply');
      declared.declare(undefined);
      write(schema, schemaFiles({ note: { drafts: true, attributes: { title: text } } })[schema]);
      const told = 'public: api::note.note.find, in its "where": Invalid key body';
      expect(await startAndStop()).toContain(told);
      expect((await declared.lectern('check')).stderr).toContain(told);
      write(schema, schemaFiles(types)[schema]);
      expect(await startAndStop()).not.toContain('cannot be read');
    });

    it('of a deleted role are deleted with it', async () => {
      declared.declare({ roles: { editor: { name: 'Editor', rights: { note: { find: limited, publish: true } } } } });
      await declared.lectern('permissions', 'apply');
      declared.declare(undefined);
      await declared.change("DELETE FROM up_roles WHERE type = 'editor'");
      expect(await declared.query("SELECT action FROM lectern_role_rules WHERE action = 'api::note.note.publish'")).toEqual([]);
      expect(await declared.query('SELECT 1 FROM up_permissions_role_lnk WHERE role_id NOT IN (SELECT id FROM up_roles)')).toEqual([]);
    });

    it('are left to Strapi in a database of its own, where limits need a table first', async () => {
      await declared.change('CREATE TABLE strapi_database_schema (id integer, schema text, time integer, hash text)');
      await declared.change("INSERT INTO up_permissions (action) VALUES ('api::gone.gone.find')");
      expect(await startAndStop()).toContain('Warning: there are rights to types and attributes that no schema file has');
      expect(await declared.query("SELECT count(*) FROM up_permissions WHERE action = 'api::gone.gone.find'")).not.toEqual([[0]]);
      await declared.change('DROP TABLE lectern_role_rules');
      declared.declare(withRights({ note: ['find'] }));
      expect(await startAndStop()).toContain('- api::note.note.update');
      declared.declare(withRights({ note: ['find', 'findDraft'] }));
      await expect(declared.start()).rejects.toThrow('run `lectern migrate apply` once');
      const refused = await declared.lectern('role', 'allow', 'authenticated', 'note', 'publish');
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('run `lectern migrate apply` once')]);
      // Rights that are granted already need no table.
      await declared.change("INSERT INTO up_permissions (document_id, action) VALUES ('by-hand', 'api::note.note.findDraft')");
      await declared.change(
        "INSERT INTO up_permissions_role_lnk (permission_id, role_id) SELECT p.id, r.id FROM up_permissions p, up_roles r WHERE p.document_id = 'by-hand' AND r.type = 'public'",
      );
      expect((await declared.lectern('permissions', 'plan')).status).toBe(0);
      const migrated = await declared.lectern('migrate', 'apply');
      expect(migrated.status).toBe(0);
      expect((await declared.lectern('role', 'allow', 'authenticated', 'note', 'publish')).status).toBe(0);
      expect(await declared.rights('authenticated')).toEqual(['api::note.note.publish']);
    });
  });

  describe('lectern user', () => {
    const declared = useDeclared(engine);
    const create = (...args: readonly string[]) => declared.lectern('user', 'create', ...args);
    const withPassword = (password: string, ...args: readonly string[]) =>
      spawnSync(process.execPath, [command, 'user', 'create', '--password-stdin', ...args, '--dir', declared.project.dir], {
        input: password,
        env: { PATH: process.env.PATH, ...env, ...declared.project.env },
        encoding: 'utf8',
      });
    const signIn = async (server: RunningServer, identifier: string, password: string) =>
      server.send({ method: 'POST', path: '/api/auth/local', body: { identifier, password } });

    it('creates users who can sign in, and blocks them', async () => {
      const server = await declared.start();
      const made = await create('--username', 'ada', '--email', 'Ada@Example.org');
      // Alone, so that a script can take it.
      const password = made.stdout.trimEnd();
      const told = 'Made the user ada (id 1) with the role authenticated. The password is shown only this once:\n';
      expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[\w-]{20}\n$/), stderr: told });
      const ben = withPassword('Ben-Pass-1\n', '--username', 'ben', '--email', 'ben@example.org', '--role', 'Public');
      expect([ben.status, ben.stdout, ben.stderr]).toEqual([0, '', 'Made the user ben (id 2) with the role public.\n']);
      expect((await signIn(server, 'ben', 'Ben-Pass-1')).status).toBe(200);
      const { jwt } = (await signIn(server, 'ada@example.org', password)).json() as { jwt: string };
      const me = () => server.get('/api/users/me', { Authorization: `Bearer ${jwt}` });
      expect((await me()).status).toBe(200);
      expect((await declared.lectern('user', 'block', 'ADA@example.org')).status).toBe(0);
      await vi.waitFor(async () => expect((await me()).status).toBe(401), { timeout: 3000, interval: 50 });
      expect((await signIn(server, 'ada', password)).status).toBe(400);
      expect((await declared.lectern('user', 'list')).stdout).toMatch(/1 +ada +ada@example.org +authenticated +blocked\n/);
      expect((await declared.lectern('user', 'unblock', 'ada')).status).toBe(0);
      expect((await signIn(server, 'ada', password)).status).toBe(200);
      await server.stop();
    });

    it.each([
      [['--username', 'ada', '--email', 'new@example.org'], 'long-enough', 'Email or Username are already taken'],
      [['--username', 'ada@example.org', '--email', 'new@example.org'], 'long-enough', 'Email or Username are already taken'],
      [['--username', 'newer', '--email', 'ADA@example.org'], 'long-enough', 'Email or Username are already taken'],
      [['--username', 'newer', '--email', 'no address'], 'long-enough', 'email must be a valid email'],
      [['--username', 'newer', '--email', 'new@example.org', '--role', 'edtor'], 'long-enough', 'There is no role edtor'],
      [['--username', 'newer', '--email', 'new@example.org'], 'short', 'password must be at least 6 characters'],
      [['--username', 'newer', '--email', 'new@example.org'], 'é'.repeat(37), 'Password must be less than 73 bytes'],
      [['--username', 'newer', '--email', 'new@example.org'], '', 'password is a required field'],
    ])('refuses %j with the password "%s"', async (args, password, says) => {
      const before = await declared.query('SELECT count(*) FROM up_users');
      const refused = withPassword(password, ...args);
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(says)]);
      expect(await declared.query('SELECT count(*) FROM up_users')).toEqual(before);
    });

    it('reports a missing option or user', async () => {
      expect(await create('--username', 'x')).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("required option '--email <address>'"),
      });
      const nobody = await declared.lectern('user', 'block', 'nobody');
      expect([nobody.status, nobody.stderr]).toEqual([1, expect.stringContaining('There is no user nobody')]);
    });
  });

  describe('lectern role', () => {
    const declared = useDeclared(engine);

    it('grants and revokes rights to a type while the server runs', async () => {
      const server = await declared.start();
      expect((await server.get('/api/notes')).status).toBe(403);
      const allowed = await declared.lectern('role', 'allow', 'public', 'notes', 'find', 'findOne');
      expect([allowed.status, allowed.stdout]).toEqual([
        0,
        'public may api::note.note.find now.\npublic may api::note.note.findOne now.\n',
      ]);
      await eventually(server, '/api/notes', 200);
      expect((await declared.lectern('role', 'allow', 'Public', 'api::note.note', 'find')).stdout).toBe(
        'public could api::note.note.find already.\n',
      );
      expect((await declared.lectern('role', 'deny', 'public', 'note', 'find', 'update')).stdout).toBe(
        'public may not api::note.note.find any more.\npublic could not api::note.note.update anyway.\n',
      );
      await eventually(server, '/api/notes', 403);
      await server.stop();
      expect(await declared.rights('public')).toEqual(['api::note.note.findOne']);
    });

    it('gives a right without the limits of a rule that was left behind', async () => {
      await declared.change(
        `INSERT INTO lectern_role_rules (role_id, action, fields) SELECT id, 'api::page.page.find', '["title"]' FROM up_roles WHERE type = 'public'`,
      );
      await declared.lectern('role', 'allow', 'public', 'page', 'find');
      expect(await declared.rights('public')).toContain('api::page.page.find');
      expect(await declared.rights('public')).not.toContain('api::page.page.find ["title"]');
    });

    it.each([
      [['allow', 'pubic', 'note', 'find'], 1, 'There is no role pubic; there are authenticated, public. Did you mean public?'],
      [['allow', 'public', 'ntoe', 'find'], 1, 'There is no content type or controller ntoe. Did you mean note?'],
      [
        ['allow', 'public', 'note', 'fnd'],
        1,
        'fnd is no action of api::note.note; there are find, findOne, create, update, delete, findDraft, publish. Did you mean find?',
      ],
      [['allow', 'public', 'note'], 2, "missing required argument 'action'"],
    ])('%j is refused', async (args, status, says) => {
      const refused = await declared.lectern('role', ...args);
      expect([refused.status, refused.stderr]).toEqual([status, expect.stringContaining(says)]);
    });
  });
});
