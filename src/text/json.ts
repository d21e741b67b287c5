/** Reading JSON that people wrote by hand: values of unknown shape, and errors that say where. */

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isObject(value) ? value : {};
};

export const stringAt = (object: JsonObject, key: string): string | undefined => {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const numberAt = (object: JsonObject, key: string): number | undefined => {
  const value = object[key];
  return typeof value === 'number' ? value : undefined;
};

export const stringsAt = (object: JsonObject, key: string): readonly string[] | undefined => {
  const value = object[key];
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
};

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly reason: string };

/** Parses a JSON text; a byte order mark is ignored. On a mistake says where it is, 1-based. */
export function parseJson(text: string): JsonResult {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(body) };
  } catch {
    const { position, reason } = findMistake(body);
    const before = body.slice(0, position).split('\n');
    return { ok: false, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, reason };
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows no control characters in a string.
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordToken = /true|false|null/y;
const space = /[ \t\r\n]*/y;

class Mistake {
  readonly position: number;
  readonly reason: string;
  constructor(position: number, reason: string) {
    this.position = position;
    this.reason = reason;
  }
}

/** Where JSON.parse stopped. Its messages name a position on some versions of Node.js and for some mistakes only, so a text that
 *  it refused is read once more. */
function findMistake(text: string): Mistake {
  let at = 0;
  const skip = (token: RegExp): boolean => {
    token.lastIndex = at;
    if (!token.test(text)) return false;
    at = token.lastIndex;
    return true;
  };
  const fail = (expected: string): never => {
    throw new Mistake(at, at >= text.length ? `the file ends where ${expected} is expected` : `${expected} is expected`);
  };
  const separated = (close: string, item: () => void): void => {
    at += 1;
    skip(space);
    if (text[at] === close) {
      at += 1;
      return;
    }
    for (;;) {
      item();
      skip(space);
      if (text[at] === close) {
        at += 1;
        return;
      }
      if (text[at] !== ',') fail(`a comma or "${close}"`);
      at += 1;
      skip(space);
      if (text[at] === close) fail('no comma before the end');
    }
  };
  const value = (): void => {
    skip(space);
    if (text[at] === '{') {
      separated('}', () => {
        skip(space);
        if (!skip(stringToken)) fail('a key in double quotes');
        skip(space);
        if (text[at] !== ':') fail('":"');
        at += 1;
        value();
      });
    } else if (text[at] === '[') separated(']', value);
    else if (!(skip(stringToken) || skip(numberToken) || skip(wordToken))) fail('a value');
  };
  try {
    value();
    skip(space);
    return new Mistake(at, 'the end of the file is expected');
  } catch (error) {
    // A RangeError: nested so deeply that neither reader gets to the end.
    return error instanceof Mistake ? error : new Mistake(0, 'the file is nested too deeply');
  }
}
