import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ContentModel, ModelError } from '../content-model.ts';
import { type LoadOptions, loadModel } from './load-model.ts';

const recordedProject = fileURLToPath(new URL('../../../test/compatibility/recordings/reads/project', import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Files = Readonly<Record<string, object | string>>;

function project(files: Files): string {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
  folders.push(dir);
  mkdirSync(join(dir, 'src/api'), { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return dir;
}

const path = (name: string) => `src/api/${name}/content-types/${name}/schema.json`;
const type = (name: string, attributes: object, more: object = {}): Files => ({
  [path(name)]: { collectionName: `${name}s`, info: { singularName: name, pluralName: `${name}s` }, attributes, ...more },
});
const component = (name: string, attributes: object): Files => ({
  [`src/components/shared/${name}.json`]: { collectionName: `components_shared_${name}s`, attributes },
});

function load(files: Files, options: Partial<LoadOptions> = {}): ContentModel {
  const result = loadModel(project(files), { customFields: {}, asStrapi: false, ...options });
  if (!result.ok) throw new Error(JSON.stringify(result.errors, undefined, 2));
  return result.model;
}

function errors(files: Files): readonly ModelError[] {
  const result = loadModel(project(files), { customFields: {}, asStrapi: false });
  return result.ok ? [] : result.errors;
}

const attribute = (model: ContentModel, uid: string, name: string) =>
  (model.contentTypes.get(uid) ?? model.components.get(uid))?.attributes.get(name);

describe('the recorded project', () => {
  const result = loadModel(recordedProject, { customFields: {}, asStrapi: false });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const { model } = result;

  it('has its types and components, and the built-in types', () => {
    const own = [...model.contentTypes.values()].filter((each) => each.routed).map((each) => each.uid);
    expect(own).toHaveLength(12);
    expect(model.components.size).toBe(10);
    expect([...model.contentTypes.keys()].filter((uid) => !own.includes(uid)).sort()).toEqual([
      'admin::api-token',
      'admin::api-token-permission',
      'admin::permission',
      'admin::role',
      'admin::session',
      'admin::user',
      'plugin::i18n.locale',
      'plugin::upload.file',
      'plugin::upload.folder',
      'plugin::users-permissions.permission',
      'plugin::users-permissions.role',
      'plugin::users-permissions.user',
    ]);
  });

  it('keeps attributes in the order of the schema, between those of the system', () => {
    expect([...(model.contentTypes.get('api::restaurant.restaurant')?.attributes.keys() ?? [])]).toEqual([
      'id',
      'documentId',
      'Name',
      'Description',
      'createdAt',
      'updatedAt',
      'publishedAt',
      'locale',
      'createdBy',
      'updatedBy',
      'localizations',
    ]);
    expect([...(model.components.get('geo.point')?.attributes.keys() ?? [])]).toEqual(['id', 'lat', 'lng']);
  });

  it('shows locale, localizations and creators only where the type says so', () => {
    const isPrivate = (uid: string) =>
      ['locale', 'localizations', 'createdBy', 'updatedBy'].map((name) => attribute(model, uid, name)?.private);
    expect(isPrivate('api::article.article')).toEqual([false, false, true, true]);
    expect(isPrivate('api::tag.tag')).toEqual([true, true, false, false]);
  });

  it('shows only the names and the language of an administrator', () => {
    const shown = [...(model.contentTypes.get('admin::user')?.attributes.values() ?? [])].filter((each) => !each.private);
    expect(shown.map((each) => each.name)).toEqual([
      'id',
      'documentId',
      'firstname',
      'lastname',
      'username',
      'preferedLanguage',
      'createdAt',
      'updatedAt',
      'publishedAt',
    ]);
  });

  it.each([
    ['api::article.article', 'category', 'articles_category_lnk', 'article_id', 'category_id', undefined, 'article_ord', true],
    ['api::category.category', 'articles', 'articles_category_lnk', 'category_id', 'article_id', 'article_ord', undefined, false],
    ['api::article.article', 'tags', 'articles_tags_lnk', 'article_id', 'tag_id', 'tag_ord', 'article_ord', true],
    ['api::tag.tag', 'articles', 'articles_tags_lnk', 'tag_id', 'article_id', 'article_ord', 'tag_ord', false],
    ['api::category.category', 'parent', 'categories_parent_lnk', 'category_id', 'inv_category_id', undefined, 'category_ord', true],
    ['api::category.category', 'children', 'categories_parent_lnk', 'inv_category_id', 'category_id', 'category_ord', undefined, false],
    ['api::article.article', 'related', 'articles_related_lnk', 'article_id', 'inv_article_id', 'article_ord', undefined, true],
    ['api::profile.profile', 'author', 'authors_profile_lnk', 'profile_id', 'author_id', undefined, undefined, false],
    ['shared.link', 'article', 'components_shared_links_article_lnk', 'link_id', 'article_id', undefined, undefined, true],
  ])('%s.%s is in %s', (uid, name, table, sourceColumn, targetColumn, orderColumn, inverseOrderColumn, owner) => {
    expect(attribute(model, uid, name)).toMatchObject({
      storage: { kind: 'linkTable', table, sourceColumn, targetColumn, orderColumn, inverseOrderColumn, owner },
    });
  });

  it('finds morph relations from both sides', () => {
    expect(attribute(model, 'api::comment.comment', 'subject')).toMatchObject({
      cardinality: 'one',
      target: undefined,
      storage: { kind: 'morphColumns', idColumn: 'target_id', typeColumn: 'target_type' },
    });
    expect(attribute(model, 'api::author.author', 'remarks')).toMatchObject({
      cardinality: 'many',
      target: 'api::comment.comment',
      storage: { kind: 'inverseMorphColumns', idColumn: 'target_id', typeColumn: 'target_type', typeValue: 'api::author.author' },
    });
    expect(attribute(model, 'api::comment.comment', 'attachments')).toMatchObject({
      storage: { kind: 'morphLink', table: 'comments_attachments_mph', idColumn: 'attachments_id', typeColumn: 'attachments_type' },
    });
  });

  it('finds media through the links of files', () => {
    expect(attribute(model, 'shared.seo', 'shareImage')).toMatchObject({
      kind: 'media',
      cardinality: 'one',
      target: 'plugin::upload.file',
      allowedTypes: ['images'],
      storage: {
        kind: 'inverseMorphLink',
        table: 'files_related_mph',
        targetColumn: 'file_id',
        idColumn: 'related_id',
        typeValue: 'shared.seo',
        fieldValue: 'shareImage',
      },
    });
  });

  it('cannot be changed', () => {
    const article = model.contentTypes.get('api::article.article');
    expect(Object.isFrozen(article)).toBe(true);
    expect(Object.isFrozen(article?.attributes.get('kind'))).toBe(true);
    expect(() => Reflect.apply(Reflect.get(model.contentTypes, 'set'), model.contentTypes, ['x', article])).toThrow(TypeError);
  });
});

describe('a schema file', () => {
  it('draft and publish is off unless the schema says so', () => {
    const model = load({ ...type('a', {}), ...type('b', {}, { options: { draftAndPublish: true } }) });
    expect([...model.contentTypes.values()].filter((each) => each.routed).map((each) => each.draftAndPublish)).toEqual([false, true]);
  });

  it('without a collectionName the table is the singular name', () => {
    expect(
      load({ [path('note')]: { info: { singularName: 'note', pluralName: 'notes' }, attributes: {} } }).contentTypes.get('api::note.note')
        ?.table,
    ).toBe('note');
  });

  it('attributes can be private by themselves, by options.privateAttributes, and passwords always are', () => {
    const model = load(
      type(
        'note',
        { a: { type: 'string', private: true }, b: { type: 'string' }, c: { type: 'password' }, d: { type: 'string' } },
        { options: { privateAttributes: ['b', 'updatedAt'] } },
      ),
    );
    const hidden = ['a', 'b', 'c', 'd', 'updatedAt', 'createdAt'].filter((name) => attribute(model, 'api::note.note', name)?.private);
    expect(hidden).toEqual(['a', 'b', 'c', 'updatedAt']);
  });

  it('attributes that differ between locales are marked, relations and uids always, and only in localized types', () => {
    const i18n = { pluginOptions: { i18n: { localized: true } } };
    const attributes = {
      a: { type: 'string', ...i18n },
      b: { type: 'string' },
      c: { type: 'uid' },
      d: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
    };
    const localized = (more: object) => {
      const model = load(type('note', attributes, more));
      return ['a', 'b', 'c', 'd'].filter((name) => attribute(model, 'api::note.note', name)?.localized);
    };
    expect(localized(i18n)).toEqual(['a', 'c', 'd']);
    expect(localized({})).toEqual([]);
  });

  it('keeps the options for validation as they are written', () => {
    const written = {
      type: 'string',
      minLength: 2,
      regex: '^x',
      default: 'xx',
      required: true,
      unique: true,
      writable: false,
      searchable: false,
    };
    expect(attribute(load(type('note', { a: written })), 'api::note.note', 'a')).toMatchObject({
      required: true,
      unique: true,
      writable: false,
      searchable: false,
      options: { minLength: 2, regex: '^x', default: 'xx' },
    });
  });

  it('custom fields are their base type, known or configured', () => {
    const attributes = {
      color: { type: 'customField', customField: 'plugin::color-picker.color' },
      stars: { type: 'customField', customField: 'plugin::stars.stars' },
    };
    const model = load(type('note', attributes), { customFields: { 'plugin::stars.stars': 'integer' } });
    expect(attribute(model, 'api::note.note', 'color')).toMatchObject({ kind: 'scalar', type: 'string' });
    expect(attribute(model, 'api::note.note', 'stars')).toMatchObject({ kind: 'scalar', type: 'integer' });
  });

  it('the built-in user can be extended, as can be types of other plugins', () => {
    const model = load({
      ...type('note', { item: { type: 'relation', relation: 'oneToOne', target: 'plugin::navigation.item' } }),
      'src/extensions/users-permissions/content-types/user/schema.json': {
        attributes: {
          nickname: { type: 'string' },
          role: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.role', inversedBy: 'users' },
        },
      },
      'src/extensions/navigation/content-types/item/schema.json': {
        info: { singularName: 'item', pluralName: 'items' },
        attributes: {},
      },
    });
    const user = model.contentTypes.get('plugin::users-permissions.user');
    expect(user).toMatchObject({ table: 'up_users', routed: false, singularName: 'user' });
    expect([...(user?.attributes.keys() ?? [])].slice(0, 4)).toEqual(['id', 'documentId', 'nickname', 'role']);
    expect(model.contentTypes.get('plugin::navigation.item')).toMatchObject({ table: 'navigation_item', routed: false });
  });

  it('two-way many-to-many within one type has an inverse order column of its own', () => {
    const model = load(
      type('note', {
        to: { type: 'relation', relation: 'manyToMany', target: 'api::note.note', inversedBy: 'from' },
        from: { type: 'relation', relation: 'manyToMany', target: 'api::note.note', mappedBy: 'to' },
      }),
    );
    expect(attribute(model, 'api::note.note', 'from')).toMatchObject({
      storage: { sourceColumn: 'inv_note_id', targetColumn: 'note_id', orderColumn: 'inv_note_ord', inverseOrderColumn: 'note_ord' },
    });
  });

  it('morphMany finds a morphToMany, and needs no morphBy when there is one only', () => {
    const model = load({
      ...type('tag', { related: { type: 'relation', relation: 'morphToMany' } }),
      ...type('note', { tags: { type: 'relation', relation: 'morphMany', target: 'api::tag.tag' } }),
    });
    expect(attribute(model, 'api::note.note', 'tags')).toMatchObject({
      target: 'api::tag.tag',
      storage: {
        kind: 'inverseMorphLink',
        table: 'tags_related_mph',
        targetColumn: 'tag_id',
        typeValue: 'api::note.note',
        fieldValue: 'tags',
      },
    });
  });

  it('components may contain themselves', () => {
    const model = load(component('item', { items: { type: 'component', repeatable: true, component: 'shared.item' } }));
    expect(model.components.get('shared.item')?.componentsTable).toEqual({ table: 'components_shared_items_cmps' });
  });

  it('a project without types is fine', () => {
    expect([...load({}).contentTypes.values()].filter((each) => each.routed)).toEqual([]);
  });
});

describe('a broken project', () => {
  const relation = (more: object) => ({ type: 'relation', target: 'api::b.b', ...more });
  const cases: { it: string; files: Files; finds: Partial<ModelError>[] }[] = [
    {
      it: 'JSON that is none',
      files: { [path('a')]: '{\n  "info": }' },
      finds: [{ file: path('a'), path: '', position: { line: 2, column: 11 }, problem: 'not valid JSON: a value is expected' }],
    },
    { it: 'JSON that is no object', files: { [path('a')]: '[]' }, finds: [{ problem: 'a schema is a JSON object' }] },
    {
      it: 'a misspelled attribute type',
      files: type('a', { x: { type: 'strng' } }),
      finds: [{ file: path('a'), path: 'attributes.x.type', problem: 'unknown type "strng"', remedy: 'did you mean "string"?' }],
    },
    {
      it: 'a pattern that is no regular expression',
      files: type('a', { x: { type: 'string', regex: '^[a-z' } }),
      finds: [{ path: 'attributes.x.regex', problem: '"^[a-z" is not a regular expression' }],
    },
    { it: 'no attribute type', files: type('a', { x: {} }), finds: [{ path: 'attributes.x.type', problem: 'the type is missing' }] },
    { it: 'an attribute that is no object', files: type('a', { x: 'string' }), finds: [{ path: 'attributes.x' }] },
    {
      it: 'a misspelled target',
      files: { ...type('a', { x: relation({ relation: 'oneToOne', target: 'api::bb.b' }) }), ...type('b', {}) },
      finds: [{ path: 'attributes.x.target', problem: 'unknown target "api::bb.b"', remedy: 'did you mean "api::b.b"?' }],
    },
    {
      it: 'a target in a plugin',
      files: type('a', { x: relation({ relation: 'oneToOne', target: 'plugin::navigation.item' }) }),
      finds: [{ path: 'attributes.x.target', remedy: expect.stringContaining('src/extensions/') }],
    },
    {
      it: 'a component as a target',
      files: { ...type('a', { x: relation({ relation: 'oneToOne', target: 'shared.c' }) }), ...component('c', {}) },
      finds: [{ path: 'attributes.x.target', problem: expect.stringContaining('is a component') }],
    },
    {
      it: 'an unknown kind of relation',
      files: { ...type('a', { x: relation({ relation: 'manyToman' }) }), ...type('b', {}) },
      finds: [{ path: 'attributes.x.relation', remedy: 'did you mean "manyToMany"?' }],
    },
    {
      it: 'mappedBy without a partner',
      files: { ...type('a', { x: relation({ relation: 'oneToMany', mappedBy: 'y' }) }), ...type('b', {}) },
      finds: [
        {
          path: 'attributes.x.mappedBy',
          problem: 'api::b.b has no attribute "y"',
          remedy:
            'add it there as { "type": "relation", "relation": "manyToOne", "target": "api::a.a", "inversedBy": "x" }, or remove mappedBy here',
        },
      ],
    },
    {
      it: 'a partner that does not point back',
      files: {
        ...type('a', { x: relation({ relation: 'oneToMany', mappedBy: 'y' }) }),
        ...type('b', { y: relation({ relation: 'manyToOne', target: 'api::a.a' }) }),
      },
      finds: [{ path: 'attributes.x.mappedBy', problem: 'api::b.b.y does not point back' }],
    },
    {
      it: 'a partner that points elsewhere',
      files: {
        ...type('a', { x: relation({ relation: 'oneToMany', mappedBy: 'y' }) }),
        ...type('b', { y: relation({ relation: 'manyToOne', inversedBy: 'x' }) }),
      },
      finds: [
        { file: path('a'), problem: 'api::b.b.y points at "api::b.b", not at api::a.a' },
        { file: path('b'), problem: 'api::b.b has no attribute "x"' },
      ],
    },
    {
      it: 'a partner of another kind',
      files: {
        ...type('a', { x: relation({ relation: 'manyToMany', mappedBy: 'y' }) }),
        ...type('b', { y: relation({ relation: 'manyToOne', target: 'api::a.a', inversedBy: 'x' }) }),
      },
      finds: [
        { path: 'attributes.x.mappedBy', remedy: 'set its relation to "manyToMany"' },
        { path: 'attributes.y.inversedBy', remedy: 'set its relation to "oneToMany"' },
      ],
    },
    {
      it: 'two sides that both want to own',
      files: {
        ...type('a', { x: relation({ relation: 'manyToMany', inversedBy: 'y' }) }),
        ...type('b', { y: relation({ relation: 'manyToMany', target: 'api::a.a', inversedBy: 'x' }) }),
      },
      finds: [{ path: 'attributes.x.inversedBy' }, { path: 'attributes.y.inversedBy' }],
    },
    {
      it: 'a partner that is no relation',
      files: { ...type('a', { x: relation({ relation: 'manyToMany', inversedBy: 'y' }) }), ...type('b', { y: { type: 'string' } }) },
      finds: [{ path: 'attributes.x.inversedBy', problem: 'api::b.b.y is not a relation' }],
    },
    {
      it: 'the one side as owner',
      files: { ...type('a', { x: relation({ relation: 'oneToMany', inversedBy: 'y' }) }), ...type('b', {}) },
      finds: [{ path: 'attributes.x', problem: expect.stringContaining('cannot own') }],
    },
    {
      it: 'both inversedBy and mappedBy',
      files: { ...type('a', { x: relation({ relation: 'manyToMany', inversedBy: 'y', mappedBy: 'y' }) }), ...type('b', {}) },
      finds: [{ path: 'attributes.x', problem: 'has both inversedBy and mappedBy' }],
    },
    {
      it: 'morphBy that is no morph relation',
      files: { ...type('a', { x: relation({ relation: 'morphMany', morphBy: 'y' }) }), ...type('b', { y: { type: 'string' } }) },
      finds: [{ path: 'attributes.x.morphBy' }],
    },
    {
      it: 'unknown components',
      files: {
        ...type('a', {
          x: { type: 'component', component: 'shared.sceo' },
          y: { type: 'dynamiczone', components: ['shared.seo', 'shared.nothing'] },
        }),
        ...component('seo', {}),
      },
      finds: [
        { path: 'attributes.x.component', remedy: 'did you mean "shared.seo"?' },
        { path: 'attributes.y.components[1]', problem: 'unknown component "shared.nothing"' },
      ],
    },
    {
      it: 'enumerations without values',
      files: type('a', { x: { type: 'enumeration' }, y: { type: 'enumeration', enum: [] } }),
      finds: [{ path: 'attributes.x.enum' }, { path: 'attributes.y.enum' }],
    },
    {
      it: 'an unknown custom field',
      files: type('a', { x: { type: 'customField', customField: 'plugin::stars.stars' } }),
      finds: [{ path: 'attributes.x.customField', remedy: expect.stringContaining('"customFields": { "plugin::stars.stars": "string" }') }],
    },
    {
      it: 'names used twice',
      files: { ...type('a', {}), [path('b')]: { info: { singularName: 'b', pluralName: 'as' }, attributes: {} } },
      finds: [{ file: path('b'), path: 'info.pluralName', problem: expect.stringContaining(path('a')) }],
    },
    {
      it: 'a singular name that is the plural name',
      files: { [path('sheep')]: { info: { singularName: 'sheep', pluralName: 'sheep' }, attributes: {} } },
      finds: [{ path: 'info.pluralName' }],
    },
    {
      it: 'an address of the server',
      files: type('user', {}),
      finds: [{ path: 'info.pluralName', problem: expect.stringContaining('/api/users') }],
    },
    {
      it: 'two types on one table',
      files: { ...type('a', {}, { collectionName: 'things' }), ...type('b', {}, { collectionName: 'Things' }) },
      finds: [{ file: path('b'), path: 'collectionName', problem: expect.stringContaining('api::a.a') }],
    },
    {
      it: 'a table of Strapi',
      files: type('a', {}, { collectionName: 'files' }),
      finds: [{ path: 'collectionName', problem: expect.stringContaining('plugin::upload.file') }],
    },
    {
      it: 'two attributes on one column',
      files: type('a', { fooBar: { type: 'string' }, foo_bar: { type: 'string' } }),
      finds: [{ path: 'attributes.foo_bar', problem: expect.stringContaining('"fooBar"') }],
    },
    {
      it: 'two morphToOne on one pair of columns',
      files: type('a', { x: { type: 'relation', relation: 'morphToOne' }, y: { type: 'relation', relation: 'morphToOne' } }),
      finds: [{ path: 'attributes.y' }, { path: 'attributes.y' }],
    },
    {
      it: 'two relations in one table',
      files: type('a', {
        fooBar: relation({ relation: 'oneToOne', target: 'api::a.a' }),
        foo_bar: relation({ relation: 'oneToOne', target: 'api::a.a' }),
      }),
      finds: [{ path: 'attributes.foo_bar', problem: expect.stringContaining('as_foo_bar_lnk') }],
    },
    {
      it: 'reserved names',
      files: type('a', {
        id: { type: 'integer' },
        document_id: { type: 'string' },
        createdAt: { type: 'datetime' },
        __type: { type: 'string' },
      }),
      finds: ['id', 'document_id', 'createdAt', '__type'].map((name) => ({ path: `attributes.${name}` })),
    },
    { it: 'a name without a letter', files: type('a', { '***': { type: 'string' } }), finds: [{ path: 'attributes.***' }] },
    {
      it: 'no names',
      files: { [path('a')]: { info: {}, attributes: {} } },
      finds: [{ path: 'info.singularName' }, { path: 'info.pluralName' }],
    },
    {
      it: 'a name in the wrong case',
      files: { [path('blogPost')]: { info: { singularName: 'blogPost', pluralName: 'blog-posts' }, attributes: {} } },
      finds: [
        { path: 'info.singularName', problem: expect.stringContaining('folder') },
        { path: 'info.singularName', remedy: expect.stringContaining('"blog-post"') },
      ],
    },
    {
      it: 'a folder of another name',
      files: { 'src/api/a/content-types/b/schema.json': { info: { singularName: 'a', pluralName: 'as' }, attributes: {} } },
      finds: [{ path: 'info.singularName' }],
    },
    {
      it: 'an unknown kind',
      files: type('a', {}, { kind: 'singletype' }),
      finds: [{ path: 'kind', remedy: 'did you mean "singleType"?' }],
    },
    { it: 'no attributes', files: { [path('a')]: { info: { singularName: 'a', pluralName: 'as' } } }, finds: [{ path: 'attributes' }] },
    {
      it: 'a component without a table',
      files: { 'src/components/shared/seo.json': { attributes: {} } },
      finds: [{ path: 'collectionName', remedy: 'add "collectionName": "components_shared_seos"' }],
    },
    {
      it: 'a schema in code',
      files: { 'src/api/a/content-types/a/schema.ts': 'export default {}' },
      finds: [{ file: 'src/api/a/content-types/a/schema.ts', problem: 'this schema is code, which is not run' }],
    },
  ];
  it.each(cases)('finds $it', ({ files, finds }) => {
    expect(errors(files)).toEqual(finds.map((found) => expect.objectContaining(found)));
  });

  it('reports everything at once', () => {
    const found = errors({
      ...type('a', { x: { type: 'strng' }, y: { type: 'enumeration' } }),
      [path('b')]: '{',
      ...type('c', {}, { kind: 'x' }),
    });
    expect(found.map(({ file, path: where }) => `${file} ${where}`)).toEqual([
      `${path('b')} `,
      `${path('c')} kind`,
      `${path('a')} attributes.x.type`,
      `${path('a')} attributes.y.enum`,
    ]);
  });

  it('describes a project if the folder is not one', () => {
    const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
    folders.push(dir);
    expect(loadModel(dir, { customFields: {}, asStrapi: false })).toMatchObject({
      ok: false,
      errors: [{ file: 'src/api', remedy: expect.stringContaining('src/api/<name>/content-types/<name>/schema.json') }],
    });
    expect(loadModel(join(dir, 'nowhere'), { customFields: {}, asStrapi: false })).toMatchObject({ ok: false, errors: [{ file: '' }] });
  });
});
