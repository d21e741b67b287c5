/** Ranks of few matching rows and of many are found in different ways, which have to agree. */
import { describe, expect, it } from 'vitest';
import { Driver } from '../sqlite-driver.ts';
import { sqliteSearch } from './sqlite-search.ts';
import type { IndexColumn, IndexDefinition, SearchTerm } from './types.ts';

const column = (name: string, attribute: string, isRanked: boolean): IndexColumn => ({
  name,
  isRanked,
  texts: [{ kind: 'column', attribute, column: attribute, holds: 'text' }],
});
const index: IndexDefinition = {
  table: 'lectern_search_a',
  rows: 'a',
  columns: [column('c0', 'title', true), column('c1', 'body', false)],
};
const terms: readonly SearchTerm[] = [
  { words: ['bread'], isPrefix: false },
  { words: ['ov'], isPrefix: true },
];

/** The ranks of the first rows, of as many that match. */
function ranks(rows: number): unknown[][] {
  const database = new Driver(':memory:');
  database.exec('CREATE TABLE a (id integer PRIMARY KEY, title text, body text)');
  database.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) INSERT INTO a SELECT i, CASE i WHEN 1 THEN 'Bread' WHEN 2 THEN 'Bread, ovens' WHEN 3 THEN 'Oven' END, 'bread oven' FROM n`,
  );
  for (const statement of [...sqliteSearch.create(index), ...sqliteSearch.fill(index, 0, rows)]) database.exec(statement);
  const all = ['c0', 'c1'];
  const columns = all.map((name, position) => ({ name, weight: position === 0 ? 4 : 1 }));
  const { sql, values } = sqliteSearch.rank({ table: index.table, columns, all, terms }, 'a.id');
  const found = database
    .prepare(`SELECT id, ${sql.join('?')} AS rank FROM a WHERE id < 5`)
    .all(...values)
    .map((row) => Object.values(row as object));
  database.close();
  return found;
}

describe('ranks on SQLite', () => {
  it.each([4, 2000])('are the same with %d rows that match', (rows) => {
    expect(ranks(rows)).toEqual([
      [1, 5],
      [2, 8],
      [3, 5],
      [4, 2],
    ]);
  });
});
