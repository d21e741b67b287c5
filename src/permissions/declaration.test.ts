import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadModel } from '../model/load/load-model.ts';
import { readDeclaration } from './declaration.ts';

const text = { type: 'string' };
const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
afterAll(() => rmSync(dir, { recursive: true }));
for (const [name, draftAndPublish] of [
  ['note', true],
  ['page', false],
] as const) {
  const folder = join(dir, `src/api/${name}/content-types/${name}`);
  mkdirSync(folder, { recursive: true });
  const schema = {
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish },
    attributes: { title: text, body: text, inner: { ...text, private: true } },
  };
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
}
const loaded = loadModel(dir, { customFields: {}, asStrapi: false });
if (!loaded.ok) throw new Error('the schemas of this test have mistakes');
const { model } = loaded;
const read = (document: unknown) => readDeclaration(document, model);

const withRights = (rights: unknown) => ({ roles: { public: { rights } } });

describe('readDeclaration', () => {
  it('reads lists and objects, types by any of their names, and which controllers are mentioned', () => {
    const where = { title: { $eq: '$user.username' } };
    const result = read({
      roles: {
        public: {
          rights: { notes: ['find', 'find'], page: { find: true, create: false, update: { fields: ['title', 'body'], where } } },
        },
        editor: { name: 'Editor', description: '', rights: { 'plugin::users-permissions.auth': [] } },
      },
    });
    if (!result.ok) throw new Error(result.problems.join());
    expect([...result.declaration.roles]).toEqual([
      [
        'public',
        {
          name: undefined,
          description: undefined,
          rights: new Map<string, object>([
            ['api::note.note.find', {}],
            ['api::page.page.find', {}],
            ['api::page.page.update', { fields: ['body', 'title'], where }],
          ]),
          presets: new Map(),
          controllers: new Set(),
        },
      ],
      [
        'editor',
        {
          name: 'Editor',
          description: '',
          rights: new Map(),
          presets: new Map(),
          controllers: new Set(['plugin::users-permissions.auth']),
        },
      ],
    ]);
  });

  it('gives rights to every type, as far as it has the actions and is not named', () => {
    const drafts = { publishedAt: { $null: true } };
    const rightsTo = (rights: object) => {
      const result = read({ roles: { editor: { name: 'Editor', rights } } });
      return result.ok ? Object.fromEntries(result.declaration.roles.get('editor')?.rights ?? []) : result.problems;
    };
    expect(rightsTo({ 'api::*': ['find', 'publish', 'find'] })).toEqual({
      'api::note.note.find': {},
      'api::note.note.publish': {},
      'api::page.page.find': {},
    });
    expect(rightsTo({ 'api::*': { find: { preset: 'published-only' }, create: { preset: 'drafts-only' }, update: false } })).toEqual({
      'api::note.note.find': { where: { publishedAt: { $notNull: true } } },
      'api::note.note.create': { where: drafts },
      'api::page.page.find': {},
    });
    expect(rightsTo({ 'api::*': ['find'], notes: [] })).toEqual({ 'api::page.page.find': {} });
    expect(rightsTo({ notes: { update: { preset: 'drafts-only' } } })).toEqual({ 'api::note.note.update': { where: drafts } });
  });

  const ofEditor = (rights: unknown) => ({ roles: { editor: { name: 'Editor', rights } } });
  const mistakes: readonly (readonly [document: unknown, says: string])[] = [
    [[], 'has to be an object of roles'],
    [withRights({ 'api::*': ['find'] }), 'roles.public.rights["api::*"]: would open every type that is added to visitors'],
    [ofEditor({ 'api::*': 'find' }), 'roles.editor.rights["api::*"]: has to be a list of actions'],
    [ofEditor({ 'api::*': ['fnd'] }), 'roles.editor.rights["api::*"][0]: "fnd" is not an action of content types'],
    [ofEditor({ 'api::*': { upload: true } }), 'roles.editor.rights["api::*"].upload: "upload" is not an action of content types'],
    [ofEditor({ 'api::*': { find: { where: {} } } }), 'roles.editor.rights["api::*"].find: can only be true, false, or one of the presets'],
    [ofEditor({ 'api::*': { find: { preset: 'owner' } } }), 'can only be true, false, or one of the presets published-only, drafts-only'],
    [
      ofEditor({ 'api::*': { find: { preset: 'drafts-only' } } }),
      'find: drafts-only is about writing; it restricts create, update and delete',
    ],
    [ofEditor({ page: { update: { preset: 'drafts-only' } } }), 'api::page.page has no drafts, so drafts-only would allow nothing'],
    [ofEditor({ note: { publish: { preset: 'drafts-only' } } }), 'drafts-only is about writing'],
    [{}, 'roles: has to be an object of roles'],
    [{ roles: [] }, 'roles: has to be an object of roles'],
    [{ rols: {} }, 'rols: is an unknown key; did you mean roles?'],
    [{ roles: {}, role: {} }, 'role: is an unknown key; did you mean roles?'],
    [{ roles: { '': { rights: {} } } }, 'roles[""]: is not the type of a role'],
    [{ roles: { public: [] } }, 'roles.public: has to be an object such as'],
    [{ roles: { public: {} } }, 'roles.public.rights: has to be an object'],
    [{ roles: { public: { rights: {}, right: {} } } }, 'roles.public.right: is an unknown key; did you mean rights?'],
    [{ roles: { editor: { name: '', rights: {} } } }, 'roles.editor.name: has to be text'],
    [{ roles: { editor: { name: 'x'.repeat(256), rights: {} } } }, 'roles.editor.name: has to be text'],
    [
      withRights({ 'api::note.nte': [] }),
      'roles.public.rights["api::note.nte"]: is neither a content type nor a controller of a plugin; did you mean',
    ],
    [withRights({ note: ['find'], 'api::note.note': [] }), 'rights["api::note.note"]: is the same as note'],
    [withRights({ note: ['fnd'] }), 'rights.note[0]: fnd is not an action of api::note.note; there are find,'],
    [withRights({ page: ['findDraft'] }), 'findDraft is not an action of api::page.page'],
    [withRights({ note: [1] }), 'rights.note[0]: has to be the name of an action'],
    [withRights({ note: 'find' }), 'rights.note: has to be a list of actions'],
    [withRights({ note: { find: 1 } }), 'rights.note.find: has to be true, false, or an object'],
    [withRights({ note: { find: {} } }), 'rights.note.find: limits nothing'],
    [withRights({ note: { find: { field: ['title'] } } }), 'rights.note.find.field: is an unknown key; did you mean fields?'],
    [withRights({ note: { find: { fields: [] } } }), 'rights.note.find.fields: has to be a list of attributes'],
    [
      withRights({ note: { find: { fields: ['titel'] } } }),
      'fields[0]: "titel" is not an attribute that callers can name; did you mean title?',
    ],
    [withRights({ note: { find: { fields: ['inner'] } } }), '"inner" is not an attribute that callers can name'],
    [withRights({ note: { find: { fields: [['title']] } } }), '["title"] is not an attribute that callers can name'],
    [withRights({ note: { find: { fields: [{ toString: 1 }] } } }), '{"toString":1} is not an attribute that callers can name'],
    [withRights({ note: { delete: { fields: ['title'] } } }), 'delete is about whole documents'],
    [withRights({ note: { find: { where: 'title' } } }), 'rights.note.find.where: has to be an object'],
    [withRights({ note: { find: { where: {} } } }), 'rights.note.find.where: '],
    [withRights({ note: { find: { where: { titel: 'x' } } } }), 'rights.note.find.where: '],
    [withRights({ note: { find: { where: { constructor: 'x' } } } }), 'rights.note.find.where: '],
    [withRights({ note: { find: { where: { title: { $eq: '$user.usrname' } } } } }), 'rights.note.find.where: '],
    [withRights({ note: { find: { where: { title: { $eq: '$user.password' } } } } }), 'rights.note.find.where: '],
    [withRights({ note: { find: { where: { title: { $like: 'x' } } } } }), 'rights.note.find.where: Invalid key $like'],
    [withRights({ note: { find: { where: { $or: [] } } } }), 'rights.note.find.where: a group or a relation without conditions'],
    [withRights({ 'plugin::users-permissions.user': { find: { where: { password: 'x' } } } }), 'find.where: Invalid key password'],
    [
      withRights({ 'plugin::users-permissions.auth': { callback: { where: { id: 1 } } } }),
      'callback of plugin::users-permissions.auth is not',
    ],
    [withRights({ 'plugin::users-permissions.role': { find: { fields: ['name'] } } }), 'find of plugin::users-permissions.role is not'],
    [withRights({ 'plugin::users-permissions.user': ['fnd'] }), 'fnd is not an action of plugin::users-permissions.user'],
    [JSON.parse('{"roles":{"public":{"rights":{},"__proto__":{}}}}'), 'roles.public.__proto__: is an unknown key'],
    [JSON.parse('{"roles":{"public":{"rights":{"__proto__":["find"]}}}}'), 'rights.__proto__: is neither a content type'],
    [withRights({ constructor: ['find'] }), 'rights.constructor: is neither a content type'],
    [withRights({ note: { constructor: true } }), 'constructor is not an action of api::note.note'],
  ];
  it.each(mistakes)('refuses %j', (document, says) => {
    const result = read(document);
    expect(result.ok ? [] : result.problems).toContainEqual(expect.stringContaining(says));
  });

  it('limits rights to users, with what they may write and not see, and to files', () => {
    const mine = { where: { id: { $eq: '$user.id' } } };
    const result = read(
      withRights({
        'plugin::users-permissions.user': { find: mine, me: { fields: ['username'] }, update: { fields: ['password'], ...mine } },
        'plugin::upload.content-api': { find: { where: { mime: { $startsWith: 'image/' } } } },
        note: { find: { where: { inner: { $in: ['a', 1, true] } } } },
      }),
    );
    expect(result.ok ? [] : result.problems).toEqual([]);
  });

  it('reports all mistakes at once', () => {
    const result = read({ roles: { public: { rights: { nots: [], page: ['fnd'] } }, editor: 1 } });
    expect(result.ok ? 0 : result.problems.length).toBe(3);
  });
});
