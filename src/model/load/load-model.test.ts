import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { componentFile, loadFiles, noTypes, schemaPath, typeFile } from '../../../test/support/model-files.ts';
import type { Files } from '../../../test/support/write-files.ts';
import type { ContentModel } from '../content-model.ts';
import { type LoadOptions, loadModel } from './load-model.ts';

const recordedProject = fileURLToPath(new URL('../../../test/compatibility/recordings/reads/project', import.meta.url));

function load(files: Files, options: Partial<LoadOptions> = {}): ContentModel {
  const result = loadFiles({ ...noTypes, ...files }, options);
  if (!result.ok) throw new Error(JSON.stringify(result.errors, undefined, 2));
  return result.model;
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
    const model = load({ ...typeFile('a', {}), ...typeFile('b', {}, { options: { draftAndPublish: true } }) });
    expect([...model.contentTypes.values()].filter((each) => each.routed).map((each) => each.draftAndPublish)).toEqual([false, true]);
  });

  it('without a collectionName the table is the singular name', () => {
    expect(
      load({
        [schemaPath('note')]: { info: { singularName: 'note', pluralName: 'notes', displayName: 'Name' }, attributes: {} },
      }).contentTypes.get('api::note.note')?.table,
    ).toBe('note');
  });

  it('attributes can be private by themselves, by options.privateAttributes, and passwords always are', () => {
    const model = load(
      typeFile(
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
      const model = load(typeFile('note', attributes, more));
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
    expect(attribute(load(typeFile('note', { a: written })), 'api::note.note', 'a')).toMatchObject({
      required: true,
      unique: true,
      writable: false,
      searchable: false,
      options: { minLength: 2, regex: '^x', default: 'xx' },
    });
  });

  it('keeps the descriptions of types, components and attributes; an empty one is none', () => {
    const described = (attributes: object, description: string) => ({
      collectionName: `${description}notes`,
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note', description },
      attributes,
    });
    const model = load({
      [schemaPath('note')]: described(
        { title: { type: 'string', description: 'A line' }, text: { type: 'text', description: '' } },
        'Some',
      ),
      'src/components/shared/seo.json': described({ title: { type: 'string' } }, ''),
    });
    expect(model.contentTypes.get('api::note.note')?.description).toBe('Some');
    expect(attribute(model, 'api::note.note', 'title')?.description).toBe('A line');
    expect(attribute(model, 'api::note.note', 'text')?.description).toBeUndefined();
    expect(model.components.get('shared.seo')?.description).toBeUndefined();
  });

  it('custom fields are their base type, known or configured', () => {
    const attributes = {
      color: { type: 'customField', customField: 'plugin::color-picker.color' },
      stars: { type: 'customField', customField: 'plugin::stars.stars' },
    };
    const model = load(typeFile('note', attributes), { customFields: { 'plugin::stars.stars': 'integer' } });
    expect(attribute(model, 'api::note.note', 'color')).toMatchObject({ kind: 'scalar', type: 'string' });
    expect(attribute(model, 'api::note.note', 'stars')).toMatchObject({ kind: 'scalar', type: 'integer' });
  });

  it('the built-in user can be extended, as can be types of other plugins', () => {
    const model = load({
      ...typeFile('note', { item: { type: 'relation', relation: 'oneToOne', target: 'plugin::navigation.item' } }),
      'src/extensions/users-permissions/content-types/user/schema.json': {
        attributes: {
          nickname: { type: 'string' },
          role: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.role', inversedBy: 'users' },
        },
      },
      'src/extensions/navigation/content-types/item/schema.json': {
        info: { singularName: 'item', pluralName: 'items', displayName: 'Name' },
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
      typeFile('note', {
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
      ...typeFile('tag', { related: { type: 'relation', relation: 'morphToMany' } }),
      ...typeFile('note', { tags: { type: 'relation', relation: 'morphMany', target: 'api::tag.tag' } }),
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
    const model = load(componentFile('item', { items: { type: 'component', repeatable: true, component: 'shared.item' } }));
    expect(model.components.get('shared.item')?.componentsTable).toEqual({ table: 'components_shared_items_cmps' });
  });

  it('a project without types is fine', () => {
    expect([...load({}).contentTypes.values()].filter((each) => each.routed)).toEqual([]);
  });
});
