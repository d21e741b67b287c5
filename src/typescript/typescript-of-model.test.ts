import { describe, expect, it } from 'vitest';
import { componentFile, loadFiles, noTypes, typeFile } from '../../test/support/model-files.ts';
import { typeCheck } from '../../test/support/type-check.ts';
import type { Files } from '../../test/support/write-files.ts';
import { typescriptOf } from './typescript-of-model.ts';

const rules = { fillUids: true, requireRelations: true };

function write(files: Files, bodyRules = rules): string {
  const result = loadFiles({ ...noTypes, ...files }, { asStrapi: true });
  if (!result.ok) throw new Error(JSON.stringify(result.errors, undefined, 2));
  return typescriptOf(result.model, bodyRules);
}

/** The lines of an interface, without those of the system. */
function members(text: string, name: string): readonly string[] {
  const [, body = ''] = new RegExp(`^export interface ${name} \\{\\n(.*?)^\\}`, 'ms').exec(text) ?? [];
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(id|documentId|createdAt|updatedAt|publishedAt|locale\??|localizations\??):/.test(line));
}

const target = typeFile('tag', { name: { type: 'string' } });
const seo = componentFile('seo', { title: { type: 'string', required: true } });

interface Case {
  readonly it: string;
  readonly attribute: Readonly<Record<string, unknown>>;
  readonly output: readonly string[];
  readonly input: readonly string[];
}

const cases: readonly Case[] = [
  { it: 'a text may be null', attribute: { type: 'string' }, output: ['a: string | null;'], input: ['a?: string | null;'] },
  {
    it: 'a required one is not, and new documents need it',
    attribute: { type: 'string', required: true },
    output: ['a: string;'],
    input: ['a: string;'],
  },
  {
    it: 'one with a default may be left out',
    attribute: { type: 'string', required: true, default: 'x' },
    output: ['/** Default: `x`. */', 'a: string;'],
    input: ['/** Default: `x`. */', 'a?: string;'],
  },
  {
    it: 'a uid that the server makes may be left out',
    attribute: { type: 'uid', required: true, targetField: 'b' },
    output: ['/** Made from `b`. */', 'a: string;'],
    input: ['/** Made from `b`. */', 'a?: string;'],
  },
  {
    it: 'rules are in the comment',
    attribute: { type: 'string', minLength: 2, maxLength: 9, regex: '^[a-z]*/', unique: true, description: 'A word' },
    output: [
      '/**',
      '* A word',
      '*',
      '* At least 2 characters. At most 9 characters. Matches `/^[a-z]*\\//`. Unique.',
      '*/',
      'a: string | null;',
    ],
    input: [
      '/**',
      '* A word',
      '*',
      '* At least 2 characters. At most 9 characters. Matches `/^[a-z]*\\//`. Unique.',
      '*/',
      'a?: string | null;',
    ],
  },
  {
    it: 'big integers are text',
    attribute: { type: 'biginteger' },
    output: ['/** A whole number of 64 bits, as text. */', 'a: string | null;'],
    input: ['/** A whole number of 64 bits, as text. */', 'a?: string | number | null;'],
  },
  { it: 'decimals are numbers', attribute: { type: 'decimal' }, output: ['a: number | null;'], input: ['a?: number | null;'] },
  {
    it: 'instants are text, and bodies may have a Date',
    attribute: { type: 'datetime' },
    output: ['/** An instant: `2024-02-29T10:20:30.500Z`. */', 'a: string | null;'],
    input: ['/** An instant: `2024-02-29T10:20:30.500Z`. */', 'a?: string | Date | null;'],
  },
  { it: 'JSON is any JSON', attribute: { type: 'json' }, output: ['a: JsonValue | null;'], input: ['a?: JsonValue | null;'] },
  { it: 'blocks are blocks', attribute: { type: 'blocks' }, output: ['a: BlocksContent | null;'], input: ['a?: BlocksContent | null;'] },
  {
    it: 'an enumeration is a union, each value once',
    attribute: { type: 'enumeration', enum: ['a', "b'c", 'a'] },
    output: ["a: 'a' | 'b\\'c' | null;"],
    input: ["a?: 'a' | 'b\\'c' | null;"],
  },
  {
    it: 'a long one has a line for each value',
    attribute: { type: 'enumeration', enum: ['a'.repeat(60), 'b'.repeat(60)], required: true },
    output: ['a:', `| '${'a'.repeat(60)}'`, `| '${'b'.repeat(60)}';`],
    input: ['a:', `| '${'a'.repeat(60)}'`, `| '${'b'.repeat(60)}';`],
  },
  {
    it: 'passwords are in bodies alone',
    attribute: { type: 'password' },
    output: [],
    input: ['/** Private: no response has it. */', 'a?: string | null;'],
  },
  {
    it: 'private attributes as well',
    attribute: { type: 'string', private: true },
    output: [],
    input: ['/** Private: no response has it. */', 'a?: string | null;'],
  },
  {
    it: 'what is not writable is in responses alone',
    attribute: { type: 'string', writable: false },
    output: ['a: string | null;'],
    input: [],
  },
  {
    it: 'a relation to one is optional, and may be null although it is required',
    attribute: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag', required: true },
    output: ['a?: Tag | null;'],
    input: ['a: ToOneInput;'],
  },
  {
    it: 'a relation to many is a list',
    attribute: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    output: ['a?: Tag[];'],
    input: ['a?: ToManyInput;'],
  },
  {
    it: 'a relation to any type names the type',
    attribute: { type: 'relation', relation: 'morphToMany' },
    output: ['a?: AnyDocument[];'],
    input: ['a?: ToManyInput<AnyDocumentInput>;'],
  },
  {
    it: 'media are files',
    attribute: { type: 'media', multiple: true, allowedTypes: ['images'] },
    output: ['/** Kinds of files: images. */', 'a?: UploadFile[];'],
    input: ['/** Kinds of files: images. */', 'a?: ToManyInput;'],
  },
  {
    it: 'a component that is required is never null',
    attribute: { type: 'component', component: 'shared.seo', required: true },
    output: ['a?: SharedSeo;'],
    input: ['a: ComponentInput<SharedSeoInput>;'],
  },
  {
    it: 'a repeatable component may be left out, unless it needs entries',
    attribute: { type: 'component', component: 'shared.seo', repeatable: true, required: true },
    output: ['a?: SharedSeo[];'],
    input: ['a?: ComponentInput<SharedSeoInput>[];'],
  },
  {
    it: 'a repeatable component that needs entries',
    attribute: { type: 'component', component: 'shared.seo', repeatable: true, required: true, min: 1 },
    output: ['/** At least 1 entries. */', 'a?: SharedSeo[];'],
    input: ['/** At least 1 entries. */', 'a: ComponentInput<SharedSeoInput>[];'],
  },
  {
    it: 'a zone of one component',
    attribute: { type: 'dynamiczone', components: ['shared.seo'] },
    output: ["a?: ZoneEntry<'shared.seo', SharedSeo>[];"],
    input: ["a?: ZoneEntry<'shared.seo', ComponentInput<SharedSeoInput>>[];"],
  },
  {
    it: 'a zone without components',
    attribute: { type: 'dynamiczone', components: [] },
    output: ['a?: never[];'],
    input: ['a?: never[];'],
  },
];

describe('attributes', () => {
  it.each(cases)('$it', ({ attribute, output, input }) => {
    const text = write({ ...target, ...seo, ...typeFile('note', { a: attribute, b: { type: 'string' } }) });
    expect(members(text, 'Note').slice(0, -1)).toEqual(output);
    expect(members(text, 'NoteInput').slice(0, -1)).toEqual(input);
  });

  it('of types with drafts may be missing in drafts, and those of components as well', () => {
    const text = write({ ...seo, ...typeFile('note', { a: { type: 'string', required: true } }, { options: { draftAndPublish: true } }) });
    expect(members(text, 'Note')).toEqual(['/** Drafts may lack it. */', 'a: string;']);
    expect(text).toMatch(/entry: Note;[^}]*\{\}|nullInDrafts: 'a';/);
    expect(members(text, 'SharedSeo')).toEqual(['/** Drafts may lack it. */', 'title: string;']);
  });

  it('are needed as the settings of the project say', () => {
    const attributes = {
      a: { type: 'uid', required: true, targetField: 'c' },
      b: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag', required: true },
    };
    const text = write({ ...target, ...typeFile('note', attributes) }, { fillUids: false, requireRelations: false });
    expect(members(text, 'NoteInput')).toEqual(['/** Made from `c`. */', 'a: string;', 'b?: ToOneInput;']);
  });

  it('without locales have none', () => {
    const localized = { pluginOptions: { i18n: { localized: true } } };
    const text = write({ ...typeFile('note', {}), ...typeFile('page', {}, localized) });
    expect(text).toContain('localizations?: Page[];');
    expect(text).not.toContain('localizations?: Note[];');
  });
});

const nameCases: readonly { readonly it: string; readonly files: Files; readonly names: readonly string[] }[] = [
  {
    it: 'of the language and of the file are not taken',
    files: { ...typeFile('date', {}), ...typeFile('json-value', {}), ...typeFile('schema', {}) },
    names: ['ApiDateDate', 'ApiJsonValueJsonValue', 'ApiSchemaSchema'],
  },
  {
    it: 'of types come before those of components',
    files: { ...seo, ...typeFile('shared-seo', {}) },
    names: ['SharedSeo', 'SharedSeoComponent'],
  },
  {
    it: 'of inputs are no names of types',
    files: { ...typeFile('note', {}), ...typeFile('note-input', {}) },
    names: ['NoteInput', 'ApiNoteNote'],
  },
  {
    it: 'that are the same get numbers',
    files: { ...componentFile('a-b', {}), ...componentFile('a b', {}), ...componentFile('a.b', {}) },
    names: ['SharedAB', 'SharedABComponent', 'SharedABComponent2'],
  },
  {
    it: 'keep letters of every script',
    files: { ...componentFile('本', {}), ...componentFile('ärger', {}), ...componentFile('ßa', {}) },
    names: ['Shared本', 'SharedÄrger', 'Sharedßa'],
  },
  {
    it: 'do not begin with a digit',
    files: { 'src/components/3d/model.json': { collectionName: 'x', attributes: {} } },
    names: ['_3dModel'],
  },
];

describe('names', () => {
  it.each(nameCases)('$it', ({ files, names }) => {
    const text = write(files);
    const own = [...text.matchAll(/^ {6}entry: (.*);$/gm)].map(([, name]) => name);
    expect(own.filter((name) => !/^(UploadFile|UsersPermissions.*)$/.test(name ?? '')).toSorted()).toEqual([...names].toSorted());
  });

  it('are legal', () => {
    const texts = nameCases.map(({ files }, index) => [`${index}.ts`, write(files)]);
    expect(typeCheck(Object.fromEntries(texts)).errors).toEqual({});
  });

  it('do not depend on the order of the files', () => {
    const files = { ...componentFile('a-b', {}), ...componentFile('a b', {}), ...typeFile('note', {}), ...typeFile('map', {}) };
    expect(write(Object.fromEntries(Object.entries(files).reverse()))).toBe(write(files));
  });
});

/** Texts that would end a comment or a string, or direct the compiler, if they were not escaped. */
const attacks = [
  '*/ export const injected = 1; /*',
  "'; export const injected = 1; '",
  '`$' + '{injected}`',
  '\\',
  'a\nb\r\n@ts-expect-error',
  '@ts-expect-error',
  '/@ts-ignore',
  '@deprecated',
  '\u2028export const injected = 1;',
  '\u202ereversed',
  '\ud800',
  '__proto__',
  'constructor',
  '</script>',
  '',
];

describe('texts of schema files', () => {
  const files: Files = {
    ...typeFile(
      'note',
      Object.fromEntries(
        attacks.map((each, index) => [
          `a${index}${each}`,
          { type: 'enumeration', enum: attacks, description: each, default: each, columnName: `c${index}` },
        ]),
      ),
      { info: { singularName: 'note', pluralName: 'notes', displayName: 'Note', description: attacks.join(' ') } },
    ),
    ...Object.fromEntries(
      attacks.map((each, index) => [
        `src/components/shared/c${index}.json`,
        {
          collectionName: `c${index}`,
          info: { displayName: 'C', description: each },
          attributes: { a: { type: 'string', description: each } },
        },
      ]),
    ),
  };

  it('never become code or directives', () => {
    const text = write(files);
    const { errors } = typeCheck({ 'types.ts': text, 'use.ts': `import { injected } from './types.ts';\nexport const value = injected;` });
    expect(errors).toEqual({ 'use.ts': [`Module '"./types.ts"' has no exported member 'injected'.`] });
    const comments = text.split('\n').filter((line) => /^ *(\/\*)?\*/.test(line));
    expect(comments.filter((line) => /[\s/*]@(ts-|deprecated)/.test(line))).toEqual([]);
  });

  it('are written without invisible characters', () => {
    expect(write(files)).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
  });

  it('name attributes as they are', () => {
    const { errors } = typeCheck({
      'types.ts': write(files),
      'use.ts': `import type { Note } from './types.ts';\nexport const read = (note: Note) => note[${JSON.stringify(`a4${attacks[4]}`)}];`,
    });
    expect(errors).toEqual({});
  });
});
