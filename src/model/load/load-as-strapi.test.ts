/** How Strapi 5.54.0 treats each faulty schema file. Those it starts with are warnings here. */
import { describe, expect, it } from 'vitest';
import { loadFiles, typeFile } from '../../../test/support/model-files.ts';
import type { Files } from '../../../test/support/write-files.ts';
import type { LoadOptions, LoadResult } from './load-model.ts';

const load = (files: Files, options: Partial<LoadOptions> = {}): LoadResult => loadFiles(files, { asStrapi: true, ...options });
const relation = (kind: string, target: string, more: object = {}) => ({ type: 'relation', relation: kind, target, ...more });
const [A, B] = ['api::a.a', 'api::b.b'];
/** Types `a` with the attribute `x`, and `b` with `y` and `t`. */
const two = (x: object, y: object = { type: 'string' }): Files => ({
  ...typeFile('a', { x }),
  ...typeFile('b', { y, t: { type: 'string' } }),
});

const pathsOf = (result: LoadResult) => (result.ok ? result.model.warnings : []).map(({ path }) => path);

describe('Strapi starts', () => {
  const cases: readonly (readonly [it: string, files: Files, warns: readonly string[]])[] = [
    ['without a folder of types', { 'package.json': {} }, ['']],
    ['with a kind that nobody knows', typeFile('a', {}, { kind: 'singletype' }), ['kind']],
    ['with a plural name that is an address of its own', typeFile('user', {}), ['info.pluralName']],
    ['with an enumeration without values', typeFile('a', { x: { type: 'enumeration', enum: [] } }), ['attributes.x.enum']],
    ['with a pattern that is no regular expression', typeFile('a', { x: { type: 'string', regex: '[' } }), ['attributes.x.regex']],
    ['with a zone without a list', typeFile('a', { x: { type: 'dynamiczone' } }), ['attributes.x.components']],
    [
      'with an unknown component in a zone',
      typeFile('a', { x: { type: 'dynamiczone', components: ['part.none'] } }),
      ['attributes.x.components[0]'],
    ],
    [
      'with attributes that have the name of one of its own',
      typeFile('a', {
        locale: { type: 'string' },
        localizations: relation('oneToMany', A),
        createdAt: { type: 'string' },
        updatedBy: { type: 'json' },
      }),
      ['locale', 'localizations', 'createdAt', 'updatedBy'].map((name) => `attributes.${name}`),
    ],
    [
      'with names that mean something in a list of several types',
      typeFile('a', { __component: { type: 'string' }, __type: { type: 'string' } }),
      ['attributes.__component', 'attributes.__type'],
    ],
    [
      'with a component as the target of a relation',
      { ...typeFile('a', { x: relation('oneToOne', 'part.c') }), 'src/components/part/c.json': { collectionName: 'cs', attributes: {} } },
      ['attributes.x.target'],
    ],
    [
      'with both inversedBy and mappedBy',
      two(relation('manyToMany', B, { inversedBy: 'y', mappedBy: 'y' }), relation('manyToMany', A, { mappedBy: 'x' })),
      ['attributes.x'],
    ],
    ['with a table of one’s own', two(relation('manyToMany', B, { joinTable: { name: 'mine' } })), ['attributes.x.joinTable']],
    ['with mappedBy that is not there', two(relation('oneToMany', B, { mappedBy: 'none' })), ['attributes.x.mappedBy']],
    ['with mappedBy that is no relation', two(relation('oneToMany', B, { mappedBy: 't' })), ['attributes.x.mappedBy']],
    [
      'with mappedBy that does not point back',
      two(relation('oneToMany', B, { mappedBy: 'y' }), relation('oneToOne', A)),
      ['attributes.x.mappedBy'],
    ],
    [
      'with two sides that own',
      two(relation('oneToOne', B, { inversedBy: 'y' }), relation('oneToOne', A, { inversedBy: 'x' })),
      ['attributes.x.inversedBy', 'attributes.y.inversedBy'],
    ],
    [
      'with two sides that do not own',
      two(relation('oneToOne', B, { mappedBy: 'y' }), relation('oneToOne', A, { mappedBy: 'x' })),
      ['attributes.x.mappedBy', 'attributes.y.mappedBy'],
    ],
    [
      'with sides of kinds that do not fit',
      two(relation('oneToMany', B, { mappedBy: 'y' }), relation('oneToOne', A, { inversedBy: 'x' })),
      ['attributes.x.mappedBy', 'attributes.y.inversedBy'],
    ],
    ['with a morph relation to an attribute that is none', two(relation('morphMany', B, { morphBy: 't' })), ['attributes.x.morphBy']],
    ['with a morph relation to a type without one', two(relation('morphOne', B)), ['attributes.x.morphBy']],
    [
      'with a two-way relation without a join table',
      two(
        relation('manyToOne', B, { inversedBy: 'y', useJoinTable: false }),
        relation('oneToMany', A, { mappedBy: 'x', useJoinTable: false }),
      ),
      ['attributes.x.useJoinTable', 'attributes.y.useJoinTable', 'attributes.y.mappedBy'],
    ],
    [
      'with a user without a role',
      {
        ...typeFile('a', {}),
        'src/extensions/users-permissions/content-types/user/schema.json': { attributes: { username: { type: 'string' } } },
      },
      ['attributes.users.mappedBy'],
    ],
  ];
  it.each(cases)('%s', (_it, files, warns) => {
    const result = load(files);
    expect(result.ok ? [] : result.errors).toEqual([]);
    expect(pathsOf(result)).toEqual(warns);
    // Profile `specification` still refuses the files.
    expect(load(files, { asStrapi: false }).ok).toBe(false);
  });
});

describe('Strapi does not start', () => {
  const cases: readonly (readonly [it: string, files: Files, finds: string])[] = [
    ['with an attribute that is no object', typeFile('a', { x: 'string' }), 'attributes.x'],
    ['with an unknown type', typeFile('a', { x: { type: 'strng' } }), 'attributes.x.type'],
    ['with an enumeration without a list', typeFile('a', { x: { type: 'enumeration' } }), 'attributes.x.enum'],
    ['with an unknown component', typeFile('a', { x: { type: 'component', component: 'part.none' } }), 'attributes.x.component'],
    ['with an unknown kind of relation', two(relation('manyToman', B)), 'attributes.x.relation'],
    ['with an unknown target', two(relation('oneToOne', 'api::none.none')), 'attributes.x.target'],
    ['with inversedBy that is not there', two(relation('manyToOne', B, { inversedBy: 'none' })), 'attributes.x.inversedBy'],
    ['with inversedBy that is no relation', two(relation('manyToOne', B, { inversedBy: 't' })), 'attributes.x.inversedBy'],
    ['with a oneToMany that owns', two(relation('oneToMany', B, { inversedBy: 'y' })), 'attributes.x'],
    ['with a manyToOne that does not own', two(relation('manyToOne', B, { mappedBy: 'y' })), 'attributes.x'],
    ['with morphBy that is not there', two(relation('morphMany', B, { morphBy: 'none' })), 'attributes.x.morphBy'],
    ['with an attribute called id', typeFile('a', { id: { type: 'string' } }), 'attributes.id'],
    ['with an attribute called documentId', typeFile('a', { documentId: { type: 'string' } }), 'attributes.documentId'],
    ['with two attributes on one column', typeFile('a', { fooBar: { type: 'string' }, foo_bar: { type: 'string' } }), 'attributes.foo_bar'],
    [
      'with two types in one table',
      { ...typeFile('a', {}, { collectionName: 'c' }), ...typeFile('b', {}, { collectionName: 'c' }) },
      'collectionName',
    ],
    [
      'with a folder of another name',
      { 'src/api/a/content-types/b/schema.json': { info: { singularName: 'a', pluralName: 'as', displayName: 'Name' }, attributes: {} } },
      'info.singularName',
    ],
  ];
  it.each(cases)('%s', (_it, files, finds) => {
    const result = load(files);
    expect(result.ok ? [] : result.errors.map(({ path }) => path)).toContain(finds);
  });
});

describe('custom fields', () => {
  const field = (uid: string) => ({ type: 'customField', customField: uid });
  const starred = {
    'package.json': { dependencies: { 'strapi-plugin-stars': '1' } },
    ...typeFile('a', { x: field('plugin::stars.stars') }),
  };
  const plugin = (code: string, file = 'dist/server/index.js'): Files => ({
    'node_modules/strapi-plugin-stars/package.json': { name: 'strapi-plugin-stars', strapi: { kind: 'plugin', name: 'stars' } },
    [`node_modules/strapi-plugin-stars/${file}`]: code,
  });
  const typeOf = (result: LoadResult) => {
    const attribute = result.ok ? result.model.contentTypes.get(A)?.attributes.get('x') : undefined;
    return attribute?.kind === 'scalar' ? attribute.type : undefined;
  };

  const codes: readonly (readonly [it: string, code: string])[] = [
    ['plain', `strapi.customFields.register({ name: 'stars', plugin: 'stars', type: 'integer' });`],
    ['minified', `e.strapi.customFields.register({name:"stars",plugin:"stars",type:"integer",inputSize:{default:4,isResizable:!0}})`],
    ['a list', `strapi.customFields.register([{ name: 'other', type: 'json' }, /* the one */ { "name": 'stars', type: 'integer' }])`],
    [
      'constants',
      `const NAME = 'stars';\nconst register = ({ strapi }) => { strapi.customFields.register({ name: NAME, plugin: pluginId, type: 'integer' }) }`,
    ],
    [
      'an object with a name',
      `const PLUGIN_ID = 'stars';\nconst field = {\n  name: 'stars',\n  plugin: PLUGIN_ID,\n  type: 'integer',\n};\nconst other = { type: 'json' };\nexport default ({ strapi }) => strapi.customFields.register(field);`,
    ],
    ['one field, its name in another file', `strapi.customFields.register({ name: names.stars, plugin: names.id, type: 'integer' })`],
    [
      'text that looks like code',
      `strapi.customFields.register({ name: 'stars', inputSize: { type: 'json' }, type: 'integer', note: "type: 'text'" })`,
    ],
  ];
  it.each(codes)('are read from the code of a plugin that is installed: %s', (_it, code) => {
    const result = load({ ...starred, ...plugin(code) });
    expect(result.ok ? [] : result.errors).toEqual([]);
    expect(typeOf(result)).toBe('integer');
  });

  it('are read from a plugin of the project, and from the project itself', () => {
    const code = `export default ({ strapi }) => strapi.customFields.register({ name: 'stars', plugin: 'stars', type: 'decimal' })`;
    expect(typeOf(load({ ...starred, 'src/plugins/stars/server/src/register.ts': code }))).toBe('decimal');
    expect(typeOf(load({ ...typeFile('a', { x: field('global::stars') }), 'src/index.ts': code }))).toBe('decimal');
  });

  const silent: readonly (readonly [it: string, files: Files])[] = [
    ['a type that is computed', plugin(`strapi.customFields.register({ name: 'stars', type: kind(1) })`)],
    ['a type that no custom field has', plugin(`strapi.customFields.register({ name: 'stars', type: 'relation' })`)],
    ['another field of another plugin', plugin(`strapi.customFields.register({ name: 'stars', plugin: 'moons', type: 'integer' })`)],
    ['the admin panel', plugin(`app.customFields.register({ name: 'stars', type: 'integer' })`, 'dist/admin/index.js')],
    ['files that are too long', plugin(`${' '.repeat(1_000_001)}strapi.customFields.register({ name: 'stars', type: 'integer' })`)],
    ['no code', {}],
  ];
  it.each(silent)('are not guessed at: %s', (_it, files) => {
    const result = load({ ...starred, ...files });
    expect(result).toMatchObject({ ok: false, needsColumns: true, errors: [{ path: 'attributes.x.customField' }] });
  });

  it('are served as the column says', () => {
    const columns = (table: string, column: string) => (table === 'as' && column === 'x' ? 'json' : undefined);
    const result = load(starred, { columns });
    expect(typeOf(result)).toBe('json');
    expect(result.ok && result.model.warnings).toMatchObject([
      { path: 'attributes.x.customField', remedy: expect.stringContaining('"customFields": { "plugin::stars.stars": "json" }') },
    ]);
  });

  it('ask for one line where there is no column yet, and the line works', () => {
    const files = typeFile('a', { x: field('plugin::stars.stars'), y: field('plugin::moons.moons'), z: field('plugin::moons.moons') });
    const result = load(files, { columns: () => undefined });
    const line = '"customFields": { "plugin::stars.stars": "string", "plugin::moons.moons": "string" }';
    expect(result).toMatchObject({
      ok: false,
      needsColumns: false,
      errors: [{ problem: expect.stringContaining('"plugin::moons.moons" (2 attributes)'), remedy: expect.stringContaining(line) }],
    });
    const { customFields } = JSON.parse(`{ ${line} }`) as { customFields: Record<string, string> };
    expect(load(files, { customFields }).ok).toBe(true);
  });
});
