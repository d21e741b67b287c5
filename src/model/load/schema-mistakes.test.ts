/** Mistakes in schema files that affect nothing else: warnings in each profile, with a position. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelError } from '../content-model.ts';
import { loadModel } from './load-model.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Files = Readonly<Record<string, object | string>>;

function warnings(files: Files, asStrapi = false): readonly ModelError[] {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
  folders.push(dir);
  for (const [name, content] of Object.entries({ [path('other')]: file('other', { name: { type: 'string' } }), ...files })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  }
  const result = loadModel(dir, { customFields: {}, asStrapi });
  if (!result.ok) throw new Error(JSON.stringify(result.errors, undefined, 2));
  return result.model.warnings;
}

const path = (name: string) => `src/api/${name}/content-types/${name}/schema.json`;
const file = (name: string, attributes: object, more: object = {}) => ({
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: 'Name' },
  attributes,
  ...more,
});
const note = (attributes: object, more: object = {}): Files => ({ [path('note')]: file('note', attributes, more) });
const seo = 'src/components/shared/seo.json';

interface Case {
  readonly it: string;
  readonly files: Files;
  readonly finds: readonly (readonly [path: string, problem: string, remedy: string])[];
}

/** Each mistake as `path`, `problem` and `remedy`. */
const listed = (found: readonly ModelError[]) => found.map(({ path: where, problem, remedy }) => [where, problem, remedy]);

describe('an unknown key', () => {
  const cases: readonly Case[] = [
    {
      it: 'of a file',
      files: note({}, { optoins: { draftAndPublish: true } }),
      finds: [['optoins', 'unknown key "optoins"', 'did you mean "options"?']],
    },
    {
      it: 'of a file that resembles no other',
      files: note({}, { colour: 'red' }),
      finds: [['colour', 'unknown key "colour"', 'remove it']],
    },
    {
      it: 'of the options',
      files: note({}, { options: { draftAndPublsh: true } }),
      finds: [['options.draftAndPublsh', 'unknown key "draftAndPublsh"', 'did you mean "draftAndPublish"?']],
    },
    {
      it: 'that belongs into the options',
      files: note({}, { draftAndPublish: true }),
      finds: [['draftAndPublish', 'unknown key "draftAndPublish"', 'it belongs into options']],
    },
    {
      it: 'that belongs into the options of a plugin',
      files: note({ a: { type: 'string', localized: true } }, { options: { localized: true } }),
      finds: [['attributes.a.localized', 'unknown key "localized"', 'it belongs into pluginOptions.i18n']],
    },
    {
      it: 'of the names',
      files: note({}, { info: { singularName: 'note', pluralName: 'notes', displayname: 'Note' } }),
      finds: [['info.displayname', 'unknown key "displayname"', 'did you mean "displayName"?']],
    },
    {
      it: 'of the localization of a type',
      files: note({}, { pluginOptions: { i18n: { localised: true } } }),
      finds: [['pluginOptions.i18n.localised', 'unknown key "localised"', 'did you mean "localized"?']],
    },
    {
      it: 'of the localization of an attribute',
      files: note({ a: { type: 'string', pluginOptions: { i18n: { localised: true } } } }),
      finds: [['attributes.a.pluginOptions.i18n.localised', 'unknown key "localised"', 'did you mean "localized"?']],
    },
    {
      it: 'that resembles the name of a plugin',
      files: note({ a: { type: 'string', pluginOptions: { il8n: { localized: true } } } }),
      finds: [['attributes.a.pluginOptions.il8n', 'unknown key "il8n"', 'did you mean "i18n"?']],
    },
    {
      it: 'of an attribute',
      files: note({ a: { type: 'string', requird: true } }),
      finds: [['attributes.a.requird', 'unknown key "requird"', 'did you mean "required"?']],
    },
    {
      it: 'of an attribute of another type',
      files: note({ a: { type: 'uid', multiple: true } }),
      finds: [['attributes.a.multiple', 'the key "multiple" has no effect here', 'remove it: it is a key of media']],
    },
    {
      it: 'of a relation',
      files: note({ a: { type: 'relation', relation: 'oneToOne', target: 'api::other.other', inverseBy: 'note' } }),
      finds: [['attributes.a.inverseBy', 'unknown key "inverseBy"', 'did you mean "inversedBy"?']],
    },
    {
      it: 'of a component',
      files: { [seo]: { collectionName: 'seos', info: { displayNam: 'SEO' }, attributes: { a: { type: 'text', maxLenght: 5 } } } },
      finds: [
        ['info.displayNam', 'unknown key "displayNam"', 'did you mean "displayName"?'],
        ['attributes.a.maxLenght', 'unknown key "maxLenght"', 'did you mean "maxLength"?'],
      ],
    },
    {
      it: 'of an extension',
      files: { 'src/extensions/navigation/content-types/item/schema.json': file('item', { a: { type: 'string', uniqe: true } }) },
      finds: [['attributes.a.uniqe', 'unknown key "uniqe"', 'did you mean "unique"?']],
    },
  ];
  it.each(cases)('$it', ({ files, finds }) => {
    expect(listed(warnings(files))).toEqual(finds);
    expect(listed(warnings(files, true))).toEqual(finds);
  });
});

describe('a value', () => {
  const cases: readonly Case[] = [
    {
      it: 'that is a text in place of true',
      files: note({ a: { type: 'string', required: 'true' } }),
      finds: [['attributes.a.required', '"true" has no effect: it must be true or false', 'write true without quotes']],
    },
    {
      it: 'that is a text in place of a number',
      files: note({ a: { type: 'string', maxLength: '10' } }),
      finds: [['attributes.a.maxLength', '"10" has no effect: it must be a whole number from 0 on', 'write 10 without quotes']],
    },
    {
      it: 'that is no object',
      files: note({}, { options: true }),
      finds: [['options', 'true has no effect: it must be an object', 'correct the value, or remove the key']],
    },
    {
      it: 'that is an unknown type of files',
      files: note({ a: { type: 'media', allowedTypes: ['image'] } }),
      finds: [['attributes.a.allowedTypes[0]', '"image" has no effect', 'did you mean "images"?']],
    },
    {
      it: 'that is a default outside the enumeration',
      files: note({ a: { type: 'enumeration', enum: ['draft', 'final'], default: 'finl' } }),
      finds: [['attributes.a.default', 'the default "finl" is not in "enum", so new entries get none', 'did you mean "final"?']],
    },
    {
      it: 'that an enumeration repeats',
      files: note({ a: { type: 'enumeration', enum: ['a', 'b', 'a'] } }),
      finds: [['attributes.a.enum[2]', '"a" is there twice', 'remove one of them']],
    },
    {
      it: 'that Strapi refuses in an enumeration: equal when normalised, or without a letter before a digit',
      files: note({ a: { type: 'enumeration', enum: ['red ish', 'red-ish', 'Red ish', '1'] } }),
      finds: [
        [
          'attributes.a.enum[1]',
          '"red-ish" and "red ish" are both red_ish when Strapi normalises them, and it does not start with them',
          'rename the value',
        ],
        ['attributes.a.enum[3]', '"1" has no letter before its first digit, with which Strapi does not start', 'rename the value'],
      ],
    },
    {
      it: 'that Strapi requires: the name for people',
      files: note({}, { info: { singularName: 'note', pluralName: 'notes' } }),
      finds: [['info', 'displayName is missing, and Strapi does not start without it', 'add a name for people, such as "Article"']],
    },
    {
      it: 'that is a default of another type',
      files: note({ a: { type: 'integer', default: 'three' }, b: { type: 'date', default: 'now' } }),
      finds: [
        ['attributes.a.default', 'the default "three" has no effect: it must be a number', 'correct the default, or remove it'],
        [
          'attributes.b.default',
          'the default "now" has no effect: it must be a date, such as `"2024-02-29"`',
          'correct the default, or remove it',
        ],
      ],
    },
    {
      it: 'that is a default against a rule',
      files: note({ a: { type: 'integer', max: 5, default: 6 }, b: { type: 'string', minLength: 3, default: 'ab' } }),
      finds: [
        ['attributes.a.default', 'the default 6 has no effect: a must be less than or equal to 5', 'correct the default, or the rule'],
        [
          'attributes.b.default',
          'the default "ab" cannot be published: b must be at least 3 characters',
          'correct the default, or the rule',
        ],
      ],
    },
    {
      it: 'that is a minimum above the maximum',
      files: note({
        a: { type: 'integer', min: 10, max: 5 },
        b: { type: 'string', minLength: 10, maxLength: 5 },
        c: { type: 'biginteger', min: '10', max: '5' },
        d: { type: 'dynamiczone', components: [], min: 3, max: 2 },
      }),
      finds: [
        ['attributes.a.min', 'min is 10 and max is 5, so no value fits', 'make min the smaller one'],
        ['attributes.b.minLength', 'minLength is 10 and maxLength is 5, so no value fits', 'make minLength the smaller one'],
        ['attributes.c.min', 'min is 10 and max is 5, so no value fits', 'make min the smaller one'],
        ['attributes.d.min', 'min is 3 and max is 2, so no value fits', 'make min the smaller one'],
      ],
    },
    {
      it: 'that is a target field which is not there',
      files: note({ title: { type: 'string' }, slug: { type: 'uid', targetField: 'titel' } }),
      finds: [['attributes.slug.targetField', 'api::note.note has no attribute "titel"', 'did you mean "title"?']],
    },
    {
      it: 'that is a target field without text',
      files: note({ cover: { type: 'media' }, slug: { type: 'uid', targetField: 'cover' } }),
      finds: [['attributes.slug.targetField', 'the attribute "cover" has no text to make a value from', 'remove the key']],
    },
  ];
  it.each(cases)('$it', ({ files, finds }) => {
    expect(listed(warnings(files))).toEqual(finds);
    expect(listed(warnings(files, true))).toEqual(finds);
  });
});

describe('a schema file in a folder where it is not read', () => {
  const type = file('note', {});
  const cases: readonly (readonly [at: string, belongs: string])[] = [
    ['src/api/note/schema.json', path('note')],
    ['src/api/note.json', path('note')],
    ['src/api/note/content-types/note.json', path('note')],
    ['src/api/note/content-types/schema.json', path('note')],
    ['src/api/note/content-type/note/schema.json', path('note')],
    ['src/api/note/models/note.settings.json', path('note')],
    ['src/content-types/note.json', path('note')],
    ['content-types/note.json', path('note')],
    ['api/note/content-types/note/schema.json', path('note')],
    ['src/extensions/navigation/content-types/note.json', 'src/extensions/navigation/content-types/note/schema.json'],
  ];
  it.each(cases)('%s', (at, belongs) => {
    const finds = [{ file: at, path: '', position: { line: 1, column: 1 }, remedy: `move it to ${belongs}` }];
    expect(warnings({ [at]: type })).toMatchObject(finds);
    expect(warnings({ [at]: type }, true)).toMatchObject(finds);
  });

  const components: readonly (readonly [at: string, belongs: string])[] = [
    ['src/components/seo.json', 'src/components/<category>/seo.json'],
    ['src/components/shared/page/seo.json', 'src/components/shared/seo.json'],
    ['src/component/shared/seo.json', 'src/components/shared/seo.json'],
    ['components/shared/seo.json', 'src/components/shared/seo.json'],
  ];
  it.each(components)('%s', (at, belongs) => {
    const component = { collectionName: 'seos', info: { displayName: 'SEO' }, attributes: { title: { type: 'string' } } };
    expect(warnings({ [at]: component })).toMatchObject([{ file: at, remedy: `move it to ${belongs}` }]);
  });

  it('is not confused with other JSON', () => {
    const data = {
      'src/api/note/data.json': { attributes: 5 },
      'src/api/note/content-types/list.json': [1],
      'src/components/x.json': '{',
      'api/node_modules/a.json': type,
    };
    expect(warnings(data)).toEqual([]);
  });

  it('is named by a type without a schema', () => {
    const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
    folders.push(dir);
    mkdirSync(join(dir, 'src/api/note/content-types/note'), { recursive: true });
    writeFileSync(join(dir, 'src/api/note/content-types/note/note.json'), JSON.stringify(type));
    expect(loadModel(dir, { customFields: {}, asStrapi: true })).toMatchObject({
      ok: false,
      errors: [{ file: path('note'), remedy: 'rename note.json to schema.json, or remove the folder' }],
    });
  });
});

it('a mistake has the position of its key, its item, or what lacks it', () => {
  const text = `{
  "info": { "singularName": "note", "pluralName": "notes", "displayName": "Name" },
  "attributes": {
    "a.b": { "type": "string", "requird": true },
    "c": {
      "type": "media",
      "allowedTypes": ["images", "video"]
    }
  }
}`;
  const found = warnings({ [path('note')]: `\ufeff${text}` });
  expect(found.map(({ path: where, position }) => [where, position])).toEqual([
    ['attributes.a.b.requird', { line: 4, column: 32 }],
    ['attributes.c.allowedTypes[1]', { line: 7, column: 34 }],
  ]);
});

describe('what Strapi and its plugins write is no mistake', () => {
  const cases: readonly (readonly [it: string, files: Files])[] = [
    [
      'in a type',
      note(
        {},
        {
          $schema: 'x.json',
          kind: 'collectionType',
          info: { singularName: 'note', pluralName: 'notes', displayName: 'Note', description: '', icon: 'book', name: 'note' },
          options: { comment: '', increments: true, timestamps: true, reviewWorkflows: true, 'third-party': 1, draftAndPublish: false },
          pluginOptions: { 'content-manager': { visible: true }, 'content-type-builder': { visible: true }, versions: { versioned: true } },
          config: {},
        },
      ),
    ],
    [
      'in an attribute',
      note({
        a: {
          type: 'string',
          default: null,
          maxLength: null,
          configurable: false,
          visible: true,
          searchable: true,
          writable: true,
          column: { unique: true },
          conditions: { visible: { '==': [{ var: 'b' }, true] } },
          pluginOptions: { i18n: { localized: true }, 'import-export-entries': { idField: true }, seo: {}, icon: {} },
        },
        b: { type: 'email', minLength: 6, default: '' },
        c: { type: 'customField', customField: 'plugin::color-picker.color', options: { format: 'hex' }, regex: '^#' },
        d: { type: 'uid', options: { separator: '_' }, targetField: 'a' },
        e: { type: 'enumeration', enum: ['x'], enumName: 'E', default: '' },
        f: { type: 'relation', relation: 'oneToOne', target: 'api::other.other', autoPopulate: true, private: false },
        g: { type: 'media', multiple: false, unique: false, allowedTypes: ['images', 'files', 'videos', 'audios'], required: false },
        h: { type: 'json', default: { a: 1 } },
        i: { type: 'biginteger', default: '1', min: '0', max: '9223372036854775807' },
        j: { type: 'datetime', default: '2024-02-29T00:00:00.000Z' },
        k: { type: 'boolean', default: false, description: 'a note' },
      }),
    ],
    [
      'in an attribute with a component',
      {
        [seo]: { collectionName: 'seos', attributes: {} },
        ...note({ a: { type: 'component', component: 'shared.seo', displayName: 'SEO', repeatable: false } }),
      },
    ],
    [
      'in a component',
      {
        [seo]: { collectionName: 'seos', info: { displayName: 'S', icon: 'x', description: '' }, options: {}, attributes: {}, config: {} },
      },
    ],
  ];
  it.each(cases)('%s', (_, files) => {
    expect(warnings(files)).toEqual([]);
    expect(warnings(files, true)).toEqual([]);
  });
});

it.each(['examples/blog', 'test/compatibility/recordings/reads/project', 'test/compatibility/recordings/writes/project'])(
  '%s has no mistakes',
  (project) => {
    const dir = fileURLToPath(new URL(`../../../${project}`, import.meta.url));
    for (const asStrapi of [false, true]) {
      expect(loadModel(dir, { customFields: {}, asStrapi })).toMatchObject({ ok: true, model: { warnings: [] } });
    }
  },
);
