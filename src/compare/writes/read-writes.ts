/** Reads the requests of a file of JSON lines. Reports all mistakes before a request is sent. */
import type { Readable } from 'node:stream';
import { StartError } from '../../errors/start-error.ts';
import { isObject, type JsonObject, parseJson } from '../../text/json.ts';
import { printable } from '../../text/printable.ts';
import { LongNumber, parseExactly } from '../exact-json.ts';
import { targetOf } from '../target.ts';
import { PlaceholderError, type Reference, referencesIn } from './placeholders.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** One request, with placeholders. */
export interface WriteLine {
  /** Its number in the file, from 1. */
  readonly line: number;
  readonly method: (typeof methods)[number];
  readonly path: string;
  /** Override the headers that are sent by default; null removes the header. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** Undefined if the request has no body. */
  readonly body: unknown;
  readonly references: readonly Reference[];
  /** The line in the file. */
  readonly text: string;
}

const maxRequests = 10_000;
const maxLineLength = 1024 * 1024;
const maxFileBytes = 64 * 1024 * 1024;
const maxReferences = 200;
const deepestBody = 200;
const maxHeaders = 50;
const maxHeaderLength = 8192;
const shownProblems = 20;

const keys: ReadonlySet<string> = new Set(['method', 'path', 'headers', 'body']);
/** Headers of the connection, which a line cannot set. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Throws a StartError that names the lines with mistakes. `name` is the file's, for messages. */
export async function readWrites(stream: Readable, name: string, prefix: string): Promise<readonly WriteLine[]> {
  const requests: WriteLine[] = [];
  const problems: string[] = [];
  const known = new Set<number>();
  for (const [index, text] of (await textOf(stream, name)).split('\n').entries()) {
    if (text.trim() === '' || text.startsWith('#')) continue;
    const line = index + 1;
    try {
      requests.push(readLine(text, { line, prefix, known }));
      known.add(line);
    } catch (error) {
      if (!(error instanceof LineError || error instanceof PlaceholderError)) throw error;
      problems.push(`${name}, line ${line}: ${printable(error.message)}`);
    }
    if (requests.length > maxRequests) problems.push(`${name} has more than ${maxRequests} requests: split it.`);
    if (problems.length >= shownProblems || requests.length > maxRequests) break;
  }
  if (problems.length > 0) throw new StartError(problems);
  if (requests.length === 0) throw new StartError([`There is nothing to compare: ${name} has no request.`]);
  return requests;
}

class LineError extends Error {}

async function textOf(stream: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxFileBytes) throw new StartError([`${name} is larger than ${maxFileBytes / 1024 / 1024} MB: split it.`]);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface Place {
  readonly line: number;
  readonly prefix: string;
  /** The numbers of the lines above that have a request. */
  readonly known: ReadonlySet<number>;
}

function readLine(text: string, { line, prefix, known }: Place): WriteLine {
  if (text.length > maxLineLength) throw new LineError(`it has more than ${maxLineLength} characters.`);
  const object = objectOf(text);
  const unknown = Object.keys(object).find((key) => !keys.has(key));
  if (unknown !== undefined) throw new LineError(`${JSON.stringify(unknown)} is unknown: a request has method, path, body and headers.`);
  const method = methods.find((each) => each === object.method);
  if (method === undefined) throw new LineError(`method must be ${methods.slice(0, -1).join(', ')} or DELETE.`);
  const { body } = object;
  if (method === 'GET' && body !== undefined) throw new LineError('a GET request has no body.');
  const headers = headersOf(object.headers);
  const path = pathOf(object.path, prefix);
  const texts = [path, ...Object.values(headers).filter((value) => value !== null), ...textsIn(body, 0)];
  const references = texts.flatMap((each) => [...referencesIn(each)]);
  if (references.length > maxReferences) throw new LineError(`it has more than ${maxReferences} placeholders.`);
  const wrong = references.find((each) => each.line >= line || !known.has(each.line));
  if (wrong !== undefined) throw new LineError(`\${${wrong.line}.${wrong.path}} must name a line above that has a request.`);
  return { line, method, path, headers, body, references, text };
}

function objectOf(text: string): JsonObject {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new LineError(`this is not JSON, at character ${parsed.position.column}: ${parsed.reason}.`);
  const value = parseExactly(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (!isObject(value) || value instanceof LongNumber) throw new LineError('an object such as {"method": "POST", "path": …} is expected.');
  return value;
}

function pathOf(path: unknown, prefix: string): string {
  if (typeof path !== 'string') throw new LineError('path must be a text such as "/api/articles".');
  const plain = path.replaceAll(/\$\{[^{}]*\}/g, '1');
  const found = targetOf(plain, prefix, 'accounts too');
  if (found.ok) return path;
  throw new LineError(
    found.reason === 'cut' ? 'path is too long.' : `path must be below ${prefix || '/'} or /uploads, and not the management API.`,
  );
}

function headersOf(value: unknown): WriteLine['headers'] {
  if (value === undefined) return {};
  if (!isObject(value)) throw new LineError('headers must be an object.');
  const entries = Object.entries(value).map(([name, each]) => [name.toLowerCase(), each] as const);
  if (entries.length > maxHeaders) throw new LineError(`it has more than ${maxHeaders} headers.`);
  for (const [name, each] of entries) {
    if (!/^[!#$%&'*+.^_`|~\da-z-]{1,200}$/.test(name) || ownHeaders.has(name)) throw new LineError(`the header ${name} cannot be set.`);
    if (each !== null && !isHeaderText(each)) throw new LineError(`the header ${name} must be null, or a text that a header can hold.`);
    if (name === 'content-type' && each !== null && !/^application\/json\b/i.test(each))
      throw new LineError('the body is sent as JSON: other content types, such as multipart/form-data, are not supported.');
  }
  return Object.fromEntries(entries) as WriteLine['headers'];
}

/** Whether Node can send the value in a header. */
export const isHeaderText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxHeaderLength && /^[\t\x20-\x7e]*$/.test(value);

function textsIn(value: unknown, depth: number): readonly string[] {
  if (depth > deepestBody) throw new LineError(`the body has more than ${deepestBody} levels.`);
  if (typeof value === 'string') return [value];
  if (value instanceof LongNumber) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, depth + 1));
  return isObject(value) ? Object.values(value).flatMap((each) => textsIn(each, depth + 1)) : [];
}
