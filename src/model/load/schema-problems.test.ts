import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { componentFile, loadFiles, noTypes, schemaPath, typeFile } from '../../../test/support/model-files.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { Files } from '../../../test/support/write-files.ts';
import type { ModelError } from '../content-model.ts';
import { loadModel } from './load-model.ts';

function errors(files: Files): readonly ModelError[] {
  const result = loadFiles({ ...noTypes, ...files });
  return result.ok ? [] : result.errors;
}

describe('a broken project', () => {
  const relation = (more: object) => ({ type: 'relation', target: 'api::b.b', ...more });
  const cases: { it: string; files: Files; finds: Partial<ModelError>[] }[] = [
    {
      it: 'JSON that is none',
      files: { [schemaPath('a')]: '{\n  "info": }' },
      finds: [{ file: schemaPath('a'), path: '', position: { line: 2, column: 11 }, problem: 'not valid JSON: a value is expected' }],
    },
    {
      it: 'JSON that is none, and not the files that name its type or component',
      files: {
        ...typeFile('a', {
          x: { type: 'relation', relation: 'manyToMany', target: 'api::b.b', inversedBy: 'y' },
          y: { type: 'component', component: 'shared.seo' },
          z: { type: 'dynamiczone', components: ['shared.seo'] },
        }),
        [schemaPath('b')]: '{',
        'src/components/shared/seo.json': '{',
      },
      finds: [{ file: schemaPath('b') }, { file: 'src/components/shared/seo.json' }],
    },
    { it: 'JSON that is no object', files: { [schemaPath('a')]: '[]' }, finds: [{ problem: 'a schema is a JSON object' }] },
    {
      it: 'a misspelled attribute type',
      files: typeFile('a', { x: { type: 'strng' } }),
      finds: [{ file: schemaPath('a'), path: 'attributes.x.type', problem: 'unknown type "strng"', remedy: 'did you mean "string"?' }],
    },
    {
      it: 'a pattern that is no regular expression',
      files: typeFile('a', { x: { type: 'string', regex: '^[a-z' } }),
      finds: [{ path: 'attributes.x.regex', problem: '"^[a-z" is not a regular expression' }],
    },
    { it: 'no attribute type', files: typeFile('a', { x: {} }), finds: [{ path: 'attributes.x.type', problem: 'the type is missing' }] },
    { it: 'an attribute that is no object', files: typeFile('a', { x: 'string' }), finds: [{ path: 'attributes.x' }] },
    {
      it: 'a misspelled target',
      files: { ...typeFile('a', { x: relation({ relation: 'oneToOne', target: 'api::bb.b' }) }), ...typeFile('b', {}) },
      finds: [{ path: 'attributes.x.target', problem: 'unknown target "api::bb.b"', remedy: 'did you mean "api::b.b"?' }],
    },
    {
      it: 'a target in a plugin',
      files: typeFile('a', { x: relation({ relation: 'oneToOne', target: 'plugin::navigation.item' }) }),
      finds: [{ path: 'attributes.x.target', remedy: expect.stringContaining('src/extensions/') }],
    },
    {
      it: 'a component as a target',
      files: { ...typeFile('a', { x: relation({ relation: 'oneToOne', target: 'shared.c' }) }), ...componentFile('c', {}) },
      finds: [{ path: 'attributes.x.target', problem: expect.stringContaining('is a component') }],
    },
    {
      it: 'an unknown kind of relation',
      files: { ...typeFile('a', { x: relation({ relation: 'manyToman' }) }), ...typeFile('b', {}) },
      finds: [{ path: 'attributes.x.relation', remedy: 'did you mean "manyToMany"?' }],
    },
    {
      it: 'mappedBy without a partner',
      files: { ...typeFile('a', { x: relation({ relation: 'oneToMany', mappedBy: 'y' }) }), ...typeFile('b', {}) },
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
        ...typeFile('a', { x: relation({ relation: 'oneToMany', mappedBy: 'y' }) }),
        ...typeFile('b', { y: relation({ relation: 'manyToOne', target: 'api::a.a' }) }),
      },
      finds: [{ path: 'attributes.x.mappedBy', problem: 'api::b.b.y does not point back' }],
    },
    {
      it: 'a partner that points elsewhere',
      files: {
        ...typeFile('a', { x: relation({ relation: 'oneToMany', mappedBy: 'y' }) }),
        ...typeFile('b', { y: relation({ relation: 'manyToOne', inversedBy: 'x' }) }),
      },
      finds: [
        { file: schemaPath('a'), problem: 'api::b.b.y points at "api::b.b", not at api::a.a' },
        { file: schemaPath('b'), problem: 'api::b.b has no attribute "x"' },
      ],
    },
    {
      it: 'a partner of another kind',
      files: {
        ...typeFile('a', { x: relation({ relation: 'manyToMany', mappedBy: 'y' }) }),
        ...typeFile('b', { y: relation({ relation: 'manyToOne', target: 'api::a.a', inversedBy: 'x' }) }),
      },
      finds: [
        { path: 'attributes.x.mappedBy', remedy: 'set its relation to "manyToMany"' },
        { path: 'attributes.y.inversedBy', remedy: 'set its relation to "oneToMany"' },
      ],
    },
    {
      it: 'two sides that both want to own',
      files: {
        ...typeFile('a', { x: relation({ relation: 'manyToMany', inversedBy: 'y' }) }),
        ...typeFile('b', { y: relation({ relation: 'manyToMany', target: 'api::a.a', inversedBy: 'x' }) }),
      },
      finds: [{ path: 'attributes.x.inversedBy' }, { path: 'attributes.y.inversedBy' }],
    },
    {
      it: 'a partner that is no relation',
      files: {
        ...typeFile('a', { x: relation({ relation: 'manyToMany', inversedBy: 'y' }) }),
        ...typeFile('b', { y: { type: 'string' } }),
      },
      finds: [{ path: 'attributes.x.inversedBy', problem: 'api::b.b.y is not a relation' }],
    },
    {
      it: 'the one side as owner',
      files: { ...typeFile('a', { x: relation({ relation: 'oneToMany', inversedBy: 'y' }) }), ...typeFile('b', {}) },
      finds: [{ path: 'attributes.x', problem: expect.stringContaining('cannot own') }],
    },
    {
      it: 'both inversedBy and mappedBy',
      files: { ...typeFile('a', { x: relation({ relation: 'manyToMany', inversedBy: 'y', mappedBy: 'y' }) }), ...typeFile('b', {}) },
      finds: [{ path: 'attributes.x', problem: 'has both inversedBy and mappedBy' }],
    },
    {
      it: 'morphBy that is no morph relation',
      files: { ...typeFile('a', { x: relation({ relation: 'morphMany', morphBy: 'y' }) }), ...typeFile('b', { y: { type: 'string' } }) },
      finds: [{ path: 'attributes.x.morphBy' }],
    },
    {
      it: 'unknown components',
      files: {
        ...typeFile('a', {
          x: { type: 'component', component: 'shared.sceo' },
          y: { type: 'dynamiczone', components: ['shared.seo', 'shared.nothing'] },
        }),
        ...componentFile('seo', {}),
      },
      finds: [
        { path: 'attributes.x.component', remedy: 'did you mean "shared.seo"?' },
        { path: 'attributes.y.components[1]', problem: 'unknown component "shared.nothing"' },
      ],
    },
    {
      it: 'enumerations without values',
      files: typeFile('a', { x: { type: 'enumeration' }, y: { type: 'enumeration', enum: [] } }),
      finds: [{ path: 'attributes.x.enum' }, { path: 'attributes.y.enum' }],
    },
    {
      it: 'an unknown custom field',
      files: typeFile('a', { x: { type: 'customField', customField: 'plugin::stars.stars' } }),
      finds: [{ path: 'attributes.x.customField', remedy: expect.stringContaining('"customFields": { "plugin::stars.stars": "string" }') }],
    },
    {
      it: 'names used twice',
      files: {
        ...typeFile('a', {}),
        [schemaPath('b')]: { info: { singularName: 'b', pluralName: 'as', displayName: 'Name' }, attributes: {} },
      },
      finds: [{ file: schemaPath('b'), path: 'info.pluralName', problem: expect.stringContaining(schemaPath('a')) }],
    },
    {
      it: 'a singular name that is the plural name',
      files: { [schemaPath('sheep')]: { info: { singularName: 'sheep', pluralName: 'sheep', displayName: 'Name' }, attributes: {} } },
      finds: [{ path: 'info.pluralName' }],
    },
    {
      it: 'an address of the server',
      files: typeFile('user', {}),
      finds: [{ path: 'info.pluralName', problem: expect.stringContaining('/api/users') }],
    },
    {
      it: 'two types on one table',
      files: { ...typeFile('a', {}, { collectionName: 'things' }), ...typeFile('b', {}, { collectionName: 'Things' }) },
      finds: [{ file: schemaPath('b'), path: 'collectionName', problem: expect.stringContaining('api::a.a') }],
    },
    {
      it: 'a table of Strapi',
      files: typeFile('a', {}, { collectionName: 'files' }),
      finds: [{ path: 'collectionName', problem: expect.stringContaining('plugin::upload.file') }],
    },
    {
      it: 'two attributes on one column',
      files: typeFile('a', { fooBar: { type: 'string' }, foo_bar: { type: 'string' } }),
      finds: [{ path: 'attributes.foo_bar', problem: expect.stringContaining('"fooBar"') }],
    },
    {
      it: 'two morphToOne on one pair of columns',
      files: typeFile('a', { x: { type: 'relation', relation: 'morphToOne' }, y: { type: 'relation', relation: 'morphToOne' } }),
      finds: [{ path: 'attributes.y' }, { path: 'attributes.y' }],
    },
    {
      it: 'two relations in one table',
      files: typeFile('a', {
        fooBar: relation({ relation: 'oneToOne', target: 'api::a.a' }),
        foo_bar: relation({ relation: 'oneToOne', target: 'api::a.a' }),
      }),
      finds: [{ path: 'attributes.foo_bar', problem: expect.stringContaining('as_foo_bar_lnk') }],
    },
    {
      it: 'reserved names',
      files: typeFile('a', {
        id: { type: 'integer' },
        document_id: { type: 'string' },
        createdAt: { type: 'datetime' },
        __type: { type: 'string' },
      }),
      finds: ['id', 'document_id', 'createdAt', '__type'].map((name) => ({ path: `attributes.${name}` })),
    },
    { it: 'a name without a letter', files: typeFile('a', { '***': { type: 'string' } }), finds: [{ path: 'attributes.***' }] },
    {
      it: 'no names',
      files: { [schemaPath('a')]: { info: {}, attributes: {} } },
      finds: [{ path: 'info.singularName' }, { path: 'info.pluralName' }],
    },
    {
      it: 'a name in the wrong case',
      files: {
        [schemaPath('blogPost')]: { info: { singularName: 'blogPost', pluralName: 'blog-posts', displayName: 'Name' }, attributes: {} },
      },
      finds: [
        { path: 'info.singularName', problem: expect.stringContaining('folder') },
        { path: 'info.singularName', remedy: expect.stringContaining('"blog-post"') },
      ],
    },
    {
      it: 'a folder of another name',
      files: {
        'src/api/a/content-types/b/schema.json': { info: { singularName: 'a', pluralName: 'as', displayName: 'Name' }, attributes: {} },
      },
      finds: [{ path: 'info.singularName' }],
    },
    {
      it: 'an unknown kind',
      files: typeFile('a', {}, { kind: 'singletype' }),
      finds: [{ path: 'kind', remedy: 'did you mean "singleType"?' }],
    },
    {
      it: 'no attributes',
      files: { [schemaPath('a')]: { info: { singularName: 'a', pluralName: 'as', displayName: 'Name' } } },
      finds: [{ path: 'attributes' }],
    },
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

  it('says nothing about the target field of a uid whose type is misspelled', () => {
    const result = loadFiles({
      ...noTypes,
      ...typeFile('a', { title: { type: 'strng' }, slug: { type: 'uid', targetField: 'title' } }),
    });
    expect(result).toMatchObject({ ok: false, errors: [{ path: 'attributes.title.type' }], warnings: [] });
  });

  it('reports everything at once', () => {
    const found = errors({
      ...typeFile('a', { x: { type: 'strng' }, y: { type: 'enumeration' } }),
      [schemaPath('b')]: '{',
      ...typeFile('c', {}, { kind: 'x' }),
    });
    expect(found.map(({ file, path }) => `${file} ${path}`)).toEqual([
      `${schemaPath('b')} `,
      `${schemaPath('c')} kind`,
      `${schemaPath('a')} attributes.x.type`,
      `${schemaPath('a')} attributes.y.enum`,
    ]);
  });

  it('describes a project if the folder is not one', () => {
    expect(loadFiles({})).toMatchObject({
      ok: false,
      errors: [{ file: 'src/api', remedy: expect.stringContaining('src/api/<name>/content-types/<name>/schema.json') }],
    });
    const nowhere = join(temporaryFolder(), 'nowhere');
    expect(loadModel(nowhere, { customFields: {}, asStrapi: false })).toMatchObject({ ok: false, errors: [{ file: '' }] });
  });
});
