/** The lines of a file of documents, in groups that are written together. */

import { ApiError } from '../../errors/api-error.ts';
import { parseJsonBody } from '../../http/bodies/json-body.ts';
import type { ContentType, ScalarAttribute } from '../../model/content-model.ts';
import { isObject, type JsonObject } from '../../text/json.ts';

export interface LoadedType {
  readonly type: ContentType;
  /** The attribute whose value finds the document of a line. */
  readonly by: ScalarAttribute;
}

export interface LoadedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly data: JsonObject;
  readonly documentId: string | undefined;
  /** Undefined for the default locale, and for types without locales. */
  readonly locale: string | undefined;
  /** Undefined for types without drafts. */
  readonly status: 'draft' | 'published' | undefined;
  /** The value of `by`, as a text. */
  readonly key: string;
}

export interface Failure {
  readonly line: number;
  readonly text: string;
  readonly problems: readonly Problem[];
}

export interface Problem {
  /** The code of an error of the API. */
  readonly code?: string;
  readonly path: readonly string[];
  readonly message: string;
}

export interface LineGroup {
  readonly lines: readonly LoadedLine[];
  readonly failures: readonly Failure[];
  /** The last line that was read. */
  readonly last: number;
}

/** A group that is as long as this takes no further line. Bytes. */
const mostBytes = 4_000_000;

/** At most `most` lines in a group, and fewer if they are long. A document that a group names twice begins the next one: its
 *  second line has to see the first. */
export async function* lineGroups(
  texts: AsyncIterable<string>,
  loaded: LoadedType,
  most: number,
  bodyDepth: number,
): AsyncGenerator<LineGroup> {
  let lines: LoadedLine[] = [];
  let failures: Failure[] = [];
  let named = new Set<string>();
  let [last, bytes] = [0, 0];
  const group = (): LineGroup => {
    const done = { lines, failures, last };
    [lines, failures, named, bytes] = [[], [], new Set(), 0];
    return done;
  };
  for await (const text of texts) {
    const number = last + 1;
    const line = text.trim() === '' ? undefined : readLine(number === 1 ? text.replace(/^\ufeff/, '') : text, number, loaded, bodyDepth);
    const names = line === undefined || 'problems' in line ? [] : [`key ${line.key}`, `document ${line.documentId ?? number}`];
    if (lines.length + failures.length >= most || bytes >= mostBytes || names.some((name) => named.has(name))) yield group();
    for (const name of names) named.add(name);
    last = number;
    bytes += Buffer.byteLength(text) + 1;
    if (line === undefined) continue;
    if ('problems' in line) failures.push(line);
    else lines.push(line);
  }
  if (lines.length + failures.length > 0) yield group();
}

const isDocumentId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,100}$/.test(value);

function readLine(text: string, number: number, { type, by }: LoadedType, bodyDepth: number): LoadedLine | Failure {
  const failed = (message: string, path: readonly string[] = [], code?: string): Failure => ({
    line: number,
    text,
    problems: [{ ...(code === undefined ? {} : { code }), path, message }],
  });
  let value: unknown;
  try {
    value = parseJsonBody(text, { bodyDepth });
  } catch (error) {
    if (error instanceof ApiError) return failed(error.message, [], error.code);
    throw error;
  }
  if (!isObject(value)) return failed('The line must be a JSON object');
  const { documentId = null, locale = null, ...others } = value;
  const hasStatus = type.draftAndPublish && !type.attributes.has('status');
  const { status = null, ...withoutStatus } = others;
  const data = hasStatus ? withoutStatus : others;
  if (documentId !== null && !isDocumentId(documentId))
    return failed('documentId must be a text of letters, digits, - and _', ['documentId']);
  if (locale !== null && (typeof locale !== 'string' || !type.localized))
    return failed(`locale: ${type.localized ? 'must be a text' : `${type.uid} is not localized`}`, ['locale']);
  if (hasStatus && status !== null && status !== 'draft' && status !== 'published')
    return failed('status must be draft or published', ['status']);
  const key = data[by.name];
  if (key === undefined || key === null || key === '') return failed(`${by.name} is missing, which --upsert-by names`, [by.name]);
  return {
    ...{ number, text, data, documentId: documentId ?? undefined, key: String(key) },
    locale: locale === null ? undefined : locale,
    status: !type.draftAndPublish ? undefined : hasStatus && status === 'published' ? 'published' : 'draft',
  };
}
