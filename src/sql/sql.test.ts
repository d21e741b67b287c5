import { describe, expect, it } from 'vitest';
import { postgres } from '../dialects/postgres.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { type Sql, sql, statementOf } from './sql.ts';

const evil = `x"; DROP TABLE up_users; --'`;

const cases: readonly { it: string; fragment: Sql; sqlite: string; postgres: string; values: readonly unknown[] }[] = [
  {
    it: 'binds what it is given, whatever it says',
    fragment: sql`SELECT id FROM up_users WHERE email = ${evil} AND id > ${5}`,
    sqlite: 'SELECT id FROM up_users WHERE email = ? AND id > ?',
    postgres: 'SELECT id FROM up_users WHERE email = $1 AND id > $2',
    values: [evil, 5],
  },
  {
    it: 'quotes names',
    fragment: sql`SELECT ${sql.id('u', evil)} FROM ${sql.id('order')} u`,
    sqlite: `SELECT "u"."x""; DROP TABLE up_users; --'" FROM "order" u`,
    postgres: `SELECT "u"."x""; DROP TABLE up_users; --'" FROM "order" u`,
    values: [],
  },
  {
    it: 'puts fragments into others, with their values in order',
    fragment: sql`SELECT ${sql.join([sql`a`, sql`${1}`])} WHERE ${sql.join([sql`b = ${2}`, sql`c = ${3}`], ' AND ')}`,
    sqlite: 'SELECT a, ? WHERE b = ? AND c = ?',
    postgres: 'SELECT a, $1 WHERE b = $2 AND c = $3',
    values: [1, 2, 3],
  },
  {
    it: 'gives a value the type of its column',
    fragment: sql`id = ${sql.value(5, 'id')} AND ${sql.ask((dialect, column) => dialect.unindexed(column), sql.id('field'))} = ${sql.value('a', 'string')}`,
    sqlite: 'id = ? AND +"field" = ?',
    postgres: 'id = $1::bigint AND "field" = $2::text',
    values: [5, 'a'],
  },
  {
    it: 'writes a fixed part once, and values around it each time',
    fragment: sql`${sql.fixed(sql`SELECT ${sql.id('a')} FROM t`)} WHERE b = ${'c'}`,
    sqlite: 'SELECT "a" FROM t WHERE b = ?',
    postgres: 'SELECT "a" FROM t WHERE b = $1',
    values: ['c'],
  },
];

describe('the sql tag', () => {
  it.each(cases)('$it', ({ fragment, values, ...texts }) => {
    // Twice for each engine: a fragment remembers nothing of the other.
    for (const [dialect, written] of [
      [sqlite, texts.sqlite],
      [postgres, texts.postgres],
      [sqlite, texts.sqlite],
      [postgres, texts.postgres],
    ] as const) {
      const { text, parameters } = statementOf(dialect, fragment);
      expect(text).toBe(written);
      expect(parameters).toEqual(values.map((value) => ({ kind: 'value', value })));
    }
  });

  it('binds lists as one parameter', () => {
    const fragment = sql`SELECT wanted.value FROM ${sql.ids([1, 2, 3], 'wanted')}`;
    expect(statementOf(sqlite, fragment)).toEqual({
      text: 'SELECT wanted.value FROM json_each(?) AS wanted',
      parameters: [{ kind: 'value', value: '[1,2,3]' }],
      tables: [],
    });
    expect(statementOf(postgres, fragment)).toEqual({
      text: 'SELECT wanted.value FROM unnest($1::bigint[]) AS wanted(value)',
      parameters: [{ kind: 'value', value: [1, 2, 3] }],
      tables: [],
    });
  });

  it('binds booleans and texts as the engine takes them', () => {
    const fragment = sql`${true} ${'a\0b'}`;
    expect(statementOf(sqlite, fragment).parameters).toEqual([
      { kind: 'value', value: 1 },
      { kind: 'value', value: 'a\0b' },
    ]);
    expect(statementOf(postgres, fragment).parameters).toEqual([
      { kind: 'value', value: true },
      { kind: 'value', value: 'a\uffffb' },
    ]);
  });

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY])('writes no %d into the text', (value) => {
    expect(() => sql.integer(value)).toThrow(RangeError);
  });

  it('refuses values in a fixed part', () => {
    expect(() => statementOf(sqlite, sql.fixed(sql`a = ${1}`))).toThrow('no values');
  });
});
