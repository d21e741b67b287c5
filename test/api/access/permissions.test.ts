/** Rights as a file declares them: written to the database at the start or by commands. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { eventually, restricted, useDeclaredRights, withRights } from '../../support/declared-rights.ts';
import { anyEngine, engines } from '../../support/engines.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(engines)('%s: rights as a file', (engine) => {
  // What does not depend on the database.
  const once = it.runIf(anyEngine.includes(engine));
  describe('at the start', () => {
    const declared = useDeclaredRights(engine);

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
      expect(await declared.startAndStop()).not.toContain('permissions.json');
    });

    it('are written by one of two processes that start together', async () => {
      declared.declare(withRights({ note: { find: restricted, findDraft: true }, page: ['find', 'findOne', 'create'] }));
      const servers = await Promise.all([declared.start(), declared.start()]);
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

    once.each([{ LECTERN_APPLY_PERMISSIONS: 'never' }, { LECTERN_MIGRATE: 'never' }])('are only compared with %j', async (never) => {
      const before = await declared.rights('public');
      declared.declare(withRights({ page: ['find'] }));
      expect(await declared.startAndStop(never)).toContain('`lectern permissions apply` would do:\npublic\n  - api::note.note.find');
      expect(await declared.rights('public')).toEqual(before);
    });

    once('may be in lectern.config.json, but not in two files', async () => {
      const config = join(declared.project.dir, 'lectern.config.json');
      writeFileSync(config, JSON.stringify({ permissions: withRights({ page: ['findOne'] }) }));
      const both = await declared.lectern('permissions', 'plan');
      expect([both.status, both.stderr]).toEqual([1, expect.stringContaining('Rights are declared twice')]);
      declared.declare(undefined);
      await declared.startAndStop();
      expect(await declared.rights('public')).toEqual(['api::page.page.findOne']);
      rmSync(config);
    });

    // Others are in src/permissions/declaration.test.ts.
    once.each([
      ['{"roles": {', 'permissions.json:1:12 is not JSON'],
      [JSON.stringify(withRights({ 'api::note.nte': ['find'] })), 'permissions.json: roles.public.rights["api::note.nte"]: is neither'],
    ])('stop it when they are %s', async (document, says) => {
      const before = await declared.rights('public');
      writeFileSync(join(declared.project.dir, 'permissions.json'), document);
      await expect(declared.start()).rejects.toThrow(says);
      expect(await declared.rights('public')).toEqual(before);
    });
  });

  describe.runIf(anyEngine.includes(engine))('by commands', () => {
    const declared = useDeclaredRights(engine);

    it('are granted and revoked one by one while a server runs', async () => {
      const server = await declared.start();
      expect((await server.get('/api/notes')).status).toBe(403);
      const role = async (...args: readonly string[]) => (await declared.lectern('role', ...args)).stdout;
      expect(await role('allow', 'public', 'notes', 'find', 'findOne', '--only')).toBe(
        'public now has the right api::note.note.find.\npublic now has the right api::note.note.findOne.\n',
      );
      await eventually(server, '/api/notes', 200);
      expect(await role('allow', 'Public', 'api::note.note', 'find', '--only')).toBe('public already had the right api::note.note.find.\n');
      expect(await role('deny', 'public', 'note', 'find', 'findOne', 'update')).toBe(
        'public no longer has the right api::note.note.find.\npublic no longer has the right api::note.note.findOne.\n' +
          'public did not have the right api::note.note.update.\n',
      );
      await eventually(server, '/api/notes', 403);
      await server.stop();
      // A rule that was left behind does not restrict what is granted.
      await declared.change(
        `INSERT INTO lectern_role_rules (role_id, action, fields) SELECT id, 'api::page.page.find', '["title"]' FROM up_roles WHERE type = 'public'`,
      );
      await role('allow', 'public', 'page', 'find', '--only');
      expect(await declared.rights('public')).toEqual(['api::page.page.find']);
      await role('deny', 'public', 'page', 'find');
    });

    it.each([
      [['allow', 'pubic', 'note', 'find'], 1, 'There is no role pubic; there are authenticated, public. Did you mean public?'],
      [['allow', 'public', 'ntoe', 'find'], 1, 'There is no content type or controller ntoe. Did you mean note?'],
      [['allow', 'public', 'note', 'fnd'], 1, 'fnd is not an action of api::note.note; there are find, findOne, create, update,'],
      [['allow', 'public', 'note'], 2, "missing required argument 'action'"],
    ])('role %j is refused', async (args, status, says) => {
      expect(await declared.lectern('role', ...args)).toEqual({ status, stdout: '', stderr: expect.stringContaining(says) });
    });

    it('are planned, applied while a server runs, and then are nothing to do', async () => {
      await declared.lectern('role', 'allow', 'public', 'note', 'find', 'update', '--only');
      const server = await declared.start();
      expect((await server.get('/api/notes')).status).toBe(200);
      declared.declare({
        roles: {
          ...withRights({ page: ['find'] }).roles,
          editor: { name: 'Editor', rights: { note: { publish: true, find: restricted } } },
        },
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

    it('are exported as a file that changes nothing, and restrictions change by it', async () => {
      const exported = JSON.parse((await declared.lectern('permissions', 'export')).stdout);
      expect(exported.roles.editor).toEqual({
        name: 'Editor',
        description: '',
        rights: { 'api::note.note': { find: restricted, publish: true } },
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

    it('are shown with the presets of the file, as long as the database has the same', async () => {
      const note = {
        find: { preset: 'published-only' },
        findOne: true,
        update: { preset: 'owner', attribute: 'body', fields: ['title'] },
      };
      declared.declare({ roles: { editor: { name: 'Editor', rights: { note } } } });
      await declared.lectern('permissions', 'apply');
      const where = { find: '{"publishedAt":{"$notNull":true}}', update: '{"body":{"$eq":"$user.documentId"}}' };
      const show = async (...args: readonly string[]) =>
        (await declared.lectern('permissions', 'show', ...args)).stdout.replaceAll(/ +/g, ' ');
      expect(await show('editor')).toBe(
        `editor (Editor)\n RIGHT PRESET FIELDS ROWS\n api::note.note.find published-only ${where.find}\n api::note.note.findOne\n api::note.note.update owner: body title ${where.update}\n`,
      );
      expect(JSON.parse(await show('editor', '--json')).roles[0].rights).toContainEqual({
        action: 'api::note.note.update',
        preset: { preset: 'owner', attribute: 'body' },
        fields: ['title'],
        where: JSON.parse(where.update),
      });
      declared.declare(undefined);
      expect(await show()).toContain(` api::note.note.update title ${where.update}\n`);
      expect(await declared.lectern('permissions', 'show', 'editr')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('no role'),
      });
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
});
