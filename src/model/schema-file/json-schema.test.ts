/** The JSON Schemas accept recorded and example files, and refuse what the loader warns of. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf } from './json-schema.ts';
import type { SchemaFileKind } from './schema-file-kinds.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const projects = ['examples/blog', 'test/compatibility/recordings/reads/project', 'test/compatibility/recordings/writes/project'];

const ajv = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
// Keywords of VS Code.
ajv.addVocabulary(['enumDescriptions', 'doNotSuggest']);
const validators = { 'content-type': ajv.compile(jsonSchemaOf('content-type')), component: ajv.compile(jsonSchemaOf('component')) };

function mistakesIn(kind: SchemaFileKind, json: unknown): readonly string[] {
  const validate = validators[kind];
  return validate(json) ? [] : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

function schemaFilesIn(project: string): readonly (readonly [file: string, kind: SchemaFileKind])[] {
  const folder = join(root, project, 'src');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^(api\/.+\/schema|components\/.+)\.json$/.test(file))
    .map((file) => [join(project, 'src', file), file.startsWith('components/') ? 'component' : 'content-type']);
}

describe('the schema files of recorded projects and examples', () => {
  const files = projects.flatMap(schemaFilesIn);
  it('are there', () => expect(files.length).toBeGreaterThan(45));
  it.each(files)('%s', (file, kind) => expect(mistakesIn(kind, JSON.parse(readFileSync(join(root, file), 'utf8')))).toEqual([]));
});

const info = { singularName: 'note', pluralName: 'notes', displayName: 'Name' };
const note = (attributes: object, more: object = {}) => ({ info, attributes, ...more });

describe('a schema file', () => {
  const accepted: readonly (readonly [it: string, json: object])[] = [
    ['may name its JSON Schema', note({}, { $schema: './node_modules/lectern/schema/content-type.json' })],
    [
      'may have options of plugins',
      note({ a: { type: 'string', pluginOptions: { 'import-export': { x: 1 } } } }, { options: { comment: '' } }),
    ],
    ['may have a custom field with keys of its base type', note({ a: { type: 'customField', customField: 'plugin::a.b', maxLength: 3 } })],
    ['may have a morph relation without a target', note({ a: { type: 'relation', relation: 'morphToMany' } })],
    [
      'may say how editors see it',
      note(
        { a: { type: 'string', lectern: { group: 'g', width: 'half' }, pluginOptions: { lectern: { help: 'Short' } } } },
        { lectern: { title: 'a', groups: [{ name: 'g', label: 'G' }] } },
      ),
    ],
    ['may have bounds as text', note({ a: { type: 'biginteger', min: '-5', max: '5' } })],
  ];
  it.each(accepted)('%s', (_, json) => expect(mistakesIn('content-type', json)).toEqual([]));

  const refused: readonly (readonly [it: string, json: object, mistake: string])[] = [
    ['without names', { info: {}, attributes: {} }, "/info must have required property 'singularName'"],
    [
      'with a group without a name',
      note({}, { lectern: { groups: [{ label: 'G' }] } }),
      "/lectern/groups/0 must have required property 'name'",
    ],
    [
      'with a misspelled key of a group',
      note({}, { lectern: { groups: [{ name: 'g', lable: 'G' }] } }),
      '/lectern/groups/0 must NOT have additional properties',
    ],
    ['with a misspelled option', note({}, { option: { draftAndPublish: true } }), ' must NOT have additional properties'],
    ['with a misspelled key', note({ a: { type: 'string', requird: true } }), '/attributes/a must NOT have additional properties'],
    ['with a key of another type', note({ a: { type: 'integer', maxLength: 3 } }), '/attributes/a must NOT have additional properties'],
    ['with an unknown type', note({ a: { type: 'strng' } }), '/attributes/a/type must be equal to one of the allowed values'],
    ['with a text for a number', note({ a: { type: 'string', maxLength: '3' } }), '/attributes/a/maxLength must be integer'],
    [
      'with a misspelled plugin option',
      note({ a: { type: 'string', pluginOptions: { i18n: { localised: true } } } }),
      '/attributes/a/pluginOptions/i18n must NOT have additional properties',
    ],
    [
      'with a relation without a target',
      note({ a: { type: 'relation', relation: 'manyToOne' } }),
      "/attributes/a must have required property 'target'",
    ],
    [
      'with an unknown type of files',
      note({ a: { type: 'media', allowedTypes: ['image'] } }),
      '/attributes/a/allowedTypes/0 must be equal to one of the allowed values',
    ],
  ];
  it.each(refused)('is refused %s', (_, json, mistake) => expect(mistakesIn('content-type', json)).toContain(mistake));

  it('of a component has to name its table', () =>
    expect(mistakesIn('component', { attributes: {} })).toContain(" must have required property 'collectionName'"));
});
