import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { errorGroups } from './catalogue.ts';
import type { ErrorDefinition } from './error-definition.ts';

const page = readFileSync(fileURLToPath(new URL('../../../docs/errors.md', import.meta.url)), 'utf8');

/** A placeholder for the argument of a message: each property `name` becomes the text `{name}`. */
const placeholders = new Proxy(
  {},
  {
    get(_, name) {
      const text = `{${String(name)}}`;
      return { toString: () => text, join: () => text };
    },
  },
);

/** `400 ValidationError {parameter} is nested deeper than {limit} levels (limits.depth)` */
const described = ({ status, name, message }: ErrorDefinition) => `${status} ${name} ${message(placeholders)}`;

const catalogue = Object.entries(errorGroups).map(([heading, errors]) => ({
  heading,
  errors: Object.entries<ErrorDefinition>(errors).map(([code, definition]) => ({ code, text: described(definition) })),
}));

/** The groups of the page; rows of its tables: | `code` | status | name | `message` | when | */
const documented = page.split(/^## /m).flatMap((section) => {
  const [heading = '', ...lines] = section.split('\n');
  const rows = lines.flatMap((line) => {
    const row = /^\| `([^`]+)` \| (\d{3}) \| (\w+) \| `(.+)` \| (.*) \|$/.exec(line);
    if (row === null) return [];
    const [, code = '', status, name, message = '', when = ''] = row;
    return [{ code, text: `${status} ${name} ${message.replaceAll('\\|', '|')}`, when }];
  });
  return rows.length === 0 ? [] : [{ heading, rows }];
});

describe('docs/errors.md', () => {
  it('lists every error once, with its status and message, under the heading of its group', () => {
    expect(documented.map(({ heading, rows }) => ({ heading, errors: rows.map(({ code, text }) => ({ code, text })) }))).toEqual(catalogue);
  });

  it.each(documented.flatMap(({ rows }) => rows))('says when $code comes', ({ when }) => expect(when).toMatch(/\w.*\./));
});

it('no two groups have one code', () => {
  const codes = catalogue.flatMap(({ errors }) => errors.map(({ code }) => code));
  expect(new Set(codes).size).toBe(codes.length);
});
