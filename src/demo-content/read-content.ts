/** Reads a folder of content: `locales.json`, `access.json`, and one file for each content type. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { parseJson } from '../text/json.ts';
import { positionsIn } from '../text/json-position.ts';
import { accessSchema, ContentError, documentsSchema, localesSchema, type SeedContent, type SeedDocuments } from './content.ts';

export interface ReadTypes extends SeedDocuments {
  readonly file: string;
  readonly text: string;
  readonly documents: readonly z.output<typeof documentsSchema>['documents'][number][];
}

export interface ReadContent extends SeedContent {
  readonly types: readonly ReadTypes[];
}

/** Throws a `ContentError` with file, line and column of the first mistake in a file's format. */
export async function readContent(folder: string): Promise<ReadContent> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const types = names.filter((name) => name !== 'locales.json' && name !== 'access.json');
  return {
    locales: names.includes('locales.json') ? (await read(join(folder, 'locales.json'), localesSchema)).value : undefined,
    access: names.includes('access.json')
      ? (await read(join(folder, 'access.json'), accessSchema)).value
      : { public: [], authenticated: [] },
    types: await Promise.all(
      types.map(async (name) => {
        const file = join(folder, name);
        const { value, text } = await read(file, documentsSchema);
        return { ...value, file, text };
      }),
    ),
  };
}

async function read<T extends z.ZodType>(file: string, schema: T): Promise<{ readonly value: z.output<T>; readonly text: string }> {
  // A named pipe would be waited for without end.
  if (!(await stat(file)).isFile()) throw new ContentError(file, 'this is no file');
  const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  const parsed = parseJson(text);
  if (!parsed.ok) throw new ContentError(`${file}:${parsed.position.line}:${parsed.position.column}`, parsed.reason);
  const result = schema.safeParse(parsed.value);
  if (result.success) return { value: result.data, text };
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
  const { name, problem } = issue === undefined ? { problem: 'the file does not have the format' } : explained(issue, path, parsed.value);
  // An unknown key is shown where it stands, a missing one where its object begins.
  const isMissing = valueAt(parsed.value, path) === undefined;
  const place = placeIn(file, text, name === undefined ? path : isMissing ? path.slice(0, -1) : [...path, name]);
  const within = isMissing ? path.slice(0, -1) : path;
  throw new ContentError(place, `${within.length === 0 ? '' : `${within.join('.')}: `}${problem}`);
}

type Path = readonly (string | number)[];

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null ? Object.entries(found).find(([key]) => key === String(step))?.[1] : undefined,
    value,
  );

const kinds: Readonly<Record<string, string>> = { string: 'a text', array: 'a list', object: 'an object', record: 'an object' };

/** The problem in plain English, and the key that is unknown or missing. */
function explained(issue: z.core.$ZodIssue, path: Path, value: unknown): { readonly name?: string; readonly problem: string } {
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  if (unknown !== undefined) return { name: unknown, problem: `there is no key "${unknown}"` };
  if (path.length > 0 && valueAt(value, path) === undefined) {
    const name = String(path.at(-1));
    return { name, problem: `"${name}" is missing` };
  }
  switch (issue.code) {
    case 'invalid_type':
      return { problem: `has to be ${kinds[issue.expected] ?? issue.expected}` };
    case 'invalid_value':
      return { problem: `has to be one of ${issue.values.map((each) => JSON.stringify(each)).join(', ')}` };
    case 'invalid_format':
      return { problem: 'has to be a time such as 2024-05-01T08:00:00.000Z' };
    default:
      return { problem: issue.message };
  }
}

const placeIn = (file: string, text: string, path: readonly (string | number)[]): string => {
  const position = positionsIn(text)(path);
  return position === undefined ? file : `${file}:${position.line}:${position.column}`;
};

/** File, line and column of what `writeContent` has refused; undefined if not in the content. */
export function findPlace(place: string, { types }: ReadContent): string | undefined {
  const found = types
    .map((each) => ({ ...each, rest: after(place, each.type) }))
    .filter(({ rest }) => rest !== undefined)
    .sort((a, b) => b.type.length - a.type.length);
  for (const { file, text, documents, rest = '' } of found) {
    if (rest === '') return placeIn(file, text, ['type']);
    // A key may begin like another one, and may have spaces, dots and parentheses.
    const [index = -1] = documents
      .map(({ key }, position) => ({ key, position }))
      .filter(({ key }) => /^(?: \(|\.|$)/.test(after(rest, ` ${key}`) ?? 'no'))
      .sort((a, b) => b.key.length - a.key.length)
      .map(({ position }) => position);
    const document = documents[index];
    if (document === undefined) continue;
    const [, locale, attributes = ''] = /^(?: \(([^)]*)\))?(?:\.(.*))?$/s.exec(after(rest, ` ${document.key}`) ?? '') ?? [];
    const translation = (document.translations ?? []).findIndex((each) => each.locale === locale);
    const start = translation < 0 ? ['documents', index] : ['documents', index, 'translations', translation];
    const steps = attributes === '' ? [] : ['data', ...attributes.split('.')];
    return placeIn(file, text, [...start, ...steps]);
  }
  return undefined;
}

const after = (text: string, start: string): string | undefined => (text.startsWith(start) ? text.slice(start.length) : undefined);
