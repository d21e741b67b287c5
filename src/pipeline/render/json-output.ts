/** The bytes of a response, to which its JSON is written value by value. Appending texts would
 *  make a tree of thousands of small texts, which V8 then copies and encodes: that took more than
 *  half of the time of rendering. */
import type { Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ValueOutput } from '../../model/attributes/attribute-type.ts';

/** A member of an entry whose value depends only on the row. */
export interface WrittenColumn {
  readonly key: string;
  readonly write: (row: Row, output: JsonOutput) => void;
}

/** A part of the output. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The maximum number of bytes of one UTF-16 code unit in UTF-8. */
const maxBytes = 3;
/** Texts up to this length are written character by character, longer ones by a call of Node, which
 *  was measured to take as long as 60 characters. */
const short = 60;
/** Characters that JSON escapes, and some more. Without the flag `u`, each half of a pair
 *  of surrogates would match. */
const escaped = /["\\\p{Cc}\p{Cs}]/u;
const quote = 0x22;
/** The bytes around a text. */
const quotes = 2;
const backslash = 0x5c;
const firstPrintable = 0x20;
const lastAscii = 0x7e;

const usualSize = 64 * 1024;
/** The longest buffer that is kept for the next response. Bytes. */
const maxKept = 512 * 1024;
const none = Buffer.allocUnsafeSlow(0);
/** The buffer of the last response, while no other response has it. */
let kept = none;

function takeKept(): Buffer<ArrayBuffer> {
  const bytes = kept;
  kept = none;
  return bytes;
}

export class JsonOutput implements ValueOutput {
  #bytes = takeKept();
  #length = 0;
  readonly #limit: number;
  /** Where the rows that several parents share were written. */
  readonly #rows = new Map<object, Range>();

  /** Throws `limit.response-bytes` when more bytes than the limit are written. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Writes JSON that was encoded before. */
  encoded(json: Uint8Array): void {
    this.#reserve(json.length);
    const bytes = this.#bytes;
    if (json.length > short) {
      bytes.set(json, this.#length);
      this.#length += json.length;
      return;
    }
    let at = this.#length;
    for (let index = 0; index < json.length; index++) bytes[at++] = json[index] ?? 0;
    this.#length = at;
  }

  json(text: string): void {
    this.#reserveFor(text);
    const end = text.length > short ? -1 : writeAscii(text, this.#bytes, this.#length, false);
    this.#length = end >= 0 ? end : this.#length + this.#bytes.write(text, this.#length);
  }

  text(value: string): void {
    this.#reserveFor(value);
    const start = this.#length;
    let end = value.length > short ? -1 : writeAscii(value, this.#bytes, start + 1, true);
    if (end < 0) {
      if (escaped.test(value)) {
        this.json(JSON.stringify(value));
        return;
      }
      end = start + 1 + this.#bytes.write(value, start + 1);
    }
    this.#bytes[start] = quote;
    this.#bytes[end] = quote;
    this.#length = end + 1;
  }

  /** Writes the text of a row that several parents share: by `write` the
   *  first time, later as a copy. */
  shared(row: object, write: () => void): void {
    const written = this.#rows.get(row);
    if (written === undefined) {
      const from = this.#length;
      write();
      this.#rows.set(row, { from, to: this.#length });
      return;
    }
    const { from, to } = written;
    this.#reserve(to - from);
    this.#bytes.copyWithin(this.#length, from, to);
    this.#length += to - from;
  }

  /** Returns all bytes, in memory of their own. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.#length > this.#limit) this.#refuse();
    const bytes = Buffer.allocUnsafeSlow(this.#length);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    if (this.#bytes.length <= maxKept) kept = this.#bytes;
    return bytes;
  }

  /** Makes room for a text in quotes. */
  #reserveFor(text: string): void {
    if (this.#length + maxBytes * text.length + quotes > this.#bytes.length) this.#reserve(Buffer.byteLength(text) + quotes);
  }

  #reserve(count: number): void {
    if (this.#length + count > this.#bytes.length) this.#grow(count);
  }

  #grow(count: number): void {
    const needed = this.#length + count;
    const max = this.#limit + quotes;
    if (needed > max) this.#refuse();
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(2 * this.#bytes.length, max), usualSize));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #refuse(): never {
    throw ApiError.of('limit.response-bytes', { limit: this.#limit });
  }
}

/** Writes a text if it is ASCII and, in quotes, has no characters to escape. Returns the
 *  position after it, otherwise -1. */
function writeAscii(text: string, bytes: Uint8Array, from: number, inQuotes: boolean): number {
  let at = from;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > lastAscii || code < firstPrintable || (inQuotes && (code === quote || code === backslash))) return -1;
    bytes[at++] = code;
  }
  return at;
}
