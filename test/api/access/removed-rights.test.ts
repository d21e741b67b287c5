/** Rights to types and attributes that schema files no longer have, and rights of deleted roles. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { declaredTypes, restricted, useDeclaredRights, withRights } from '../../support/declared-rights.ts';
import { anyEngine } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// How a shell finds the command is not what is tested here.
const tableMissing = /run `(npx )?lectern migrate apply` once/;

describe.each(anyEngine)('%s: rights to removed types and attributes', (engine) => {
  const declared = useDeclaredRights(engine);
  const schema = 'src/api/note/content-types/note/schema.json';
  const pageSchema = 'src/api/page/content-types/page/schema.json';
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(join(declared.project.dir, path)), { recursive: true });
    writeFileSync(join(declared.project.dir, path), JSON.stringify(content));
  };
  const remove = (path: string) => rmSync(dirname(join(declared.project.dir, path)), { recursive: true });

  it('are removed, and do not apply to a new type of the same name', async () => {
    await declared.lectern('role', 'allow', 'public', 'note', 'find', 'findDraft', '--only');
    await declared.lectern('role', 'allow', 'public', 'page', 'find', '--only');
    await declared.change("INSERT INTO strapi_api_token_permissions (action) VALUES ('api::note.note.find'), ('api::page.page.find')");
    remove(schema);
    expect(await declared.startAndStop({ LECTERN_APPLY_PERMISSIONS: 'never' })).toContain(
      'Warning: there are rights to types and attributes that no schema file has',
    );
    expect((await declared.lectern('check')).stderr).toContain('  api::note.note.find\n');
    expect(await declared.rights('public')).toContain('api::note.note.find');
    const output = await declared.startAndStop();
    expect(output).toContain('Removed rights to types and attributes that no schema file has');
    expect(output).toContain('  api::note.note.find\n  api::note.note.findDraft\n');
    expect(await declared.rights('public')).toEqual(['api::page.page.find']);
    expect(await declared.query('SELECT action FROM strapi_api_token_permissions')).toEqual([['api::page.page.find']]);
    write(schema, schemaFiles(declaredTypes)[schema]);
    const server = await declared.start();
    expect((await server.get('/api/notes')).status).toBe(403);
    expect((await server.get('/api/pages')).status).toBe(200);
  });

  it('stay while a rename is offered, and are renamed with it', async () => {
    await declared.lectern('role', 'allow', 'public', 'page', 'findOne', '--only');
    remove(pageSchema);
    const leaf = 'src/api/leaf/content-types/leaf/schema.json';
    write(leaf, schemaFiles({ leaf: declaredTypes.page })[leaf]);
    expect(await declared.startAndStop()).toContain('a rename changes them');
    expect(await declared.rights('public')).toEqual(['api::page.page.find', 'api::page.page.findOne']);
    const renamed = await declared.lectern('migrate', 'apply', '--rename', 'api::page.page=api::leaf.leaf');
    expect([renamed.status, renamed.stderr]).toEqual([0, '']);
    expect(await declared.rights('public')).toEqual(['api::leaf.leaf.find', 'api::leaf.leaf.findOne']);
    const server = await declared.start();
    expect((await server.get('/api/leafs')).status).toBe(200);
  });

  it('lose removed attributes, and do not apply to a new attribute of the same name', async () => {
    declared.declare(withRights({ note: { find: { fields: ['title', 'body'] }, update: { fields: ['body'] } } }));
    await declared.lectern('permissions', 'apply');
    declared.declare(undefined);
    write(schema, schemaFiles({ note: { drafts: true, attributes: { title: { type: 'string' } } } })[schema]);
    expect(await declared.startAndStop()).toContain('api::note.note.find, in its "fields" body');
    write(schema, schemaFiles(declaredTypes)[schema]);
    await declared.startAndStop();
    // The rule that is left with nothing stays: without it the right would have no restriction.
    const left = ['api::note.note.find', 'api::note.note.find ["title"]', 'api::note.note.update', 'api::note.note.update []'];
    expect((await declared.rights('public')).filter((each) => each.includes('note'))).toEqual(left);
  });

  it('in a condition are reported at each start, and allow nothing', async () => {
    const where = { body: { $eq: 'open' } };
    declared.declare(withRights({ note: { find: { where }, update: true } }));
    await declared.lectern('permissions', 'apply');
    declared.declare(undefined);
    write(schema, schemaFiles({ note: { drafts: true, attributes: { title: { type: 'string' } } } })[schema]);
    const reported = 'public: api::note.note.find, in its "where": Invalid key body';
    expect(await declared.startAndStop()).toContain(reported);
    expect((await declared.lectern('check')).stderr).toContain(reported);
    write(schema, schemaFiles(declaredTypes)[schema]);
    expect(await declared.startAndStop()).not.toContain('cannot be read');
  });

  it('of a deleted role are deleted with it', async () => {
    declared.declare({ roles: { editor: { name: 'Editor', rights: { note: { find: restricted, publish: true } } } } });
    await declared.lectern('permissions', 'apply');
    declared.declare(undefined);
    await declared.change("DELETE FROM up_roles WHERE type = 'editor'");
    expect(await declared.query("SELECT action FROM lectern_role_rules WHERE action = 'api::note.note.publish'")).toEqual([]);
    expect(await declared.query('SELECT 1 FROM up_permissions_role_lnk WHERE role_id NOT IN (SELECT id FROM up_roles)')).toEqual([]);
  });

  it('are left to Strapi in a database of its own, where restrictions need a table first', async () => {
    await declared.change('CREATE TABLE strapi_database_schema (id integer, schema text, time integer, hash text)');
    await declared.change("INSERT INTO up_permissions (action) VALUES ('api::gone.gone.find')");
    expect(await declared.startAndStop()).toContain('Warning: there are rights to types and attributes that no schema file has');
    expect(await declared.query("SELECT count(*) FROM up_permissions WHERE action = 'api::gone.gone.find'")).not.toEqual([[0]]);
    await declared.change('DROP TABLE lectern_role_rules');
    declared.declare(withRights({ note: ['find'] }));
    expect(await declared.startAndStop()).toContain('- api::note.note.update');
    declared.declare(withRights({ note: ['find', 'findDraft'] }));
    await expect(declared.start()).rejects.toThrow(tableMissing);
    const refused = await declared.lectern('role', 'allow', 'authenticated', 'note', 'publish');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(tableMissing)]);
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
