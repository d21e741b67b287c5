import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { errorCatalogue } from './catalogue.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/errors.md', import.meta.url)), 'utf8');

/** Stands for any argument of a message: whatever is read from it is written as `{name}`. */
const placeholders = new Proxy(
  {},
  {
    get(_, name) {
      const text = `{${String(name)}}`;
      return { toString: () => text, join: () => text };
    },
  },
);

/** `limit.depth` → `400 ValidationError {parameter} is nested deeper than {limit} levels (limits.depth)` */
const catalogue = Object.fromEntries(
  Object.entries(errorCatalogue).map(([code, { status, name, message }]) => {
    const write: (at: never) => unknown = message;
    return [code, `${status} ${name} ${String(write(placeholders as never))}`];
  }),
);

/** Rows of the tables of the page: | `code` | status | name | `message` | when | */
const rows = page.split('\n').flatMap((line) => {
  const row = /^\| `([^`]+)` \| (\d{3}) \| (\w+) \| `(.+)` \| (.*) \|$/.exec(line);
  if (row === null) return [];
  const [, code = '', status, name, message = '', when = ''] = row;
  return [{ code, text: `${status} ${name} ${message.replaceAll('\\|', '|')}`, when }];
});

describe('docs/errors.md', () => {
  it('lists every error of the catalogue and no other, as it is answered', () => {
    expect(Object.fromEntries(rows.map(({ code, text }) => [code, text]))).toEqual(catalogue);
  });

  it('lists each once', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual(Object.keys(errorCatalogue).sort());
  });

  it.each(rows)('says when $code comes', ({ when }) => expect(when).toMatch(/\w.*\./));
});
