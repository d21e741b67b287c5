/** Reads the JSON lines of an unpacked archive. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LosslessNumber, parse } from 'lossless-json';
import { nestsTooDeeply } from '../model/attributes/lossless.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { ArchiveRefused, type LinePart } from './archive-parts.ts';

/** Bytes. A longer line is refused, as it would be kept in memory. */
const maxLine = 32 * 1024 * 1024;

export interface Line {
  readonly value: JsonObject;
  /** `entities/entities_00001.jsonl, line 12`. */
  readonly place: string;
  /** The bytes of the line. */
  readonly size: number;
}

/** The files of a part, in their order. */
async function filesOf(folder: string, part: LinePart): Promise<readonly string[]> {
  const names = await readdir(join(folder, part)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => `${part}/${name}`);
}

export async function sizeOf(folder: string, part: LinePart): Promise<number> {
  let size = 0;
  for (const name of await filesOf(folder, part)) size += (await stat(join(folder, name))).size;
  return size;
}

/** Throws `ArchiveRefused` with file and line for what is no JSON object. */
export async function* linesOf(folder: string, part: LinePart): AsyncGenerator<Line> {
  for (const name of await filesOf(folder, part)) {
    // A named pipe in a folder would be waited for without end.
    if (!(await stat(join(folder, name))).isFile()) throw new ArchiveRefused([`${name} is no file.`]);
    let number = 0;
    for await (const text of textLines(createReadStream(join(folder, name)), name)) {
      number++;
      if (text.trim() === '') continue;
      const place = `${name}, line ${number}`;
      yield { value: objectIn(text, place), place, size: Buffer.byteLength(text) + 1 };
    }
  }
}

/** Throws `ArchiveRefused` for a line of more than 32 MB. `readline` has no such limit, and also
 *  ends lines at U+2028 and U+2029, which occur in JSON texts. */
export async function* textLines(source: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      [rest, length, start] = [[], 0, end + 1];
    }
    rest.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxLine) throw new ArchiveRefused([`${name} has a line of more than ${maxLine / 1024 / 1024} MB.`]);
  }
  if (length > 0) yield Buffer.concat(rest).toString('utf8');
}

/** Only a text with such a number is parsed by the slower parser that keeps its digits. */
const holdsImprecise = /[:[,]\s*-?(?:\d[\d.]{15}|[\d.]+[eE][+-]?\d{3})/;

function objectIn(text: string, place: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
    // The second parser, and all that reads the value, are recursive.
    if (nestsTooDeeply(value)) throw new RangeError('nested too deeply');
    if (holdsImprecise.test(text)) value = parse(text, undefined, parseNumber);
  } catch (error) {
    throw new ArchiveRefused([`${place}: ${error instanceof RangeError ? 'the line is nested too deeply' : 'the line is not JSON'}.`]);
  }
  if (isObject(value)) return value;
  throw new ArchiveRefused([`${place}: expected an object.`]);
}

const parseNumber = (text: string): number | LosslessNumber => (String(Number(text)) === text ? Number(text) : new LosslessNumber(text));
