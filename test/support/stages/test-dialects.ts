/** Tables of queries with the statements that are compiled for each dialect. */
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { postgres } from '../../../src/dialects/postgres.ts';
import { sqlite } from '../../../src/dialects/sqlite.ts';
import { unindented } from './read-stages.ts';

export interface DialectCase {
  readonly it: string;
  readonly query: string;
  readonly sqlite: string;
  readonly postgres: string;
}

/** Tests each case with each dialect. */
export function testDialects(cases: readonly DialectCase[], print: (query: string, dialect: Dialect) => string): void {
  describe.each([
    { name: 'sqlite', dialect: sqlite },
    { name: 'postgres', dialect: postgres },
  ] as const)('$name', ({ name, dialect }) => {
    it.each(cases)('$it', ({ query, ...expected }) => {
      expect(print(query, dialect)).toBe(unindented(expected[name]));
    });
  });
}
