/** SQLite's query plans in words that a test can be read by. */
import type { Statement } from '../../src/sql/statement.ts';
import type { Example } from './example.ts';

/** The accesses of a statement in the order in which SQLite makes them: `ids` (the list of row ids that was bound), `articles by locale, id` (by
 *  an index on these columns), `articles by rowid`, `scan articles` (from beginning to end), `correlated` before what is done once for each row.
 *  Sorting, and how the result of a subquery is stored, are left out. */
export async function sqlitePlan(example: Example, statement: Statement): Promise<string[]> {
  const tables = new Map([...statement.text.matchAll(/"(\w+)" (t\d+)\b/g)].map(([, table, alias]) => [alias, table]));
  const steps = await example.explain('EXPLAIN QUERY PLAN', statement);
  return steps.flatMap(([, , , detail]) => step(String(detail), tables));
}

function step(detail: string, tables: ReadonlyMap<string | undefined, string | undefined>): string[] {
  if (detail.includes('CORRELATED')) return ['correlated'];
  const [, verb, alias, how] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(detail) ?? [];
  if (verb === undefined || how === undefined) return [];
  if (how.includes('VIRTUAL TABLE')) return ['ids'];
  const table = tables.get(alias);
  // The result of a subquery, which the plan has shown already.
  if (table === undefined) return [];
  if (verb === 'SCAN') return [`scan ${table}`];
  const columns = [...how.matchAll(/(\w+)[=<>]+\?/g)].map(([, column]) => column);
  return [`${table} by ${columns.join(', ')}`];
}

/** Whether a statement looks into the rows of a table, and not only into its indexes. Asked of SQLite's bytecode, since the plan of a partial index
 *  does not say so: each column read names its cursor, and each cursor the first page of its table or index. */
export async function readsRowsOf(example: Example, table: string, statement: Statement): Promise<boolean> {
  const pages = await example.database.read((connection) =>
    connection.query("SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?", [table]),
  );
  const code = await example.explain('EXPLAIN', statement);
  const cursors = code.filter(([, opcode, , page]) => opcode === 'OpenRead' && page === pages[0]?.[0]).map(([, , cursor]) => cursor);
  return code.some(([, opcode, cursor]) => opcode === 'Column' && cursors.includes(cursor));
}
