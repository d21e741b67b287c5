/** Makes a full-text index of a probe's table, and searches it. */
import type { Dialect } from '../dialect.ts';
import { literal } from '../quote.ts';
import type { IndexDefinition } from '../search/types.ts';
import type { Run } from './two-connections.ts';

/** The table has a row with the title `a`. */
export async function trySearch({ one, table, dialect: { search } }: { one: Run; table: string; dialect: Dialect }): Promise<string[]> {
  const name = 'c0';
  const texts = [{ kind: 'column', attribute: 'title', column: 'title', holds: 'text' } as const];
  const index: IndexDefinition = { table: `${table}_search`, rows: table, columns: [{ name, texts, isRanked: false }] };
  try {
    for (const statement of [...search.create(index), ...search.fill(index, 0, 1_000_000)]) await one(statement);
    const searched = { table: index.table, columns: [{ name, weight: 1 }], all: [name], terms: [{ words: ['a'], isPrefix: true }] };
    const { sql, values } = search.matches(searched, 'p.id');
    const condition = sql.map((part, position) => part + (values[position] === undefined ? '' : literal(values[position]))).join('');
    const [[found] = []] = await one(`SELECT COUNT(*) FROM ${table} p WHERE ${condition}`);
    return Number(found) > 0 ? [] : ['a word that is there is not found'];
  } finally {
    for (const [trigger, on] of await one(search.triggers))
      if (on === table) for (const statement of search.dropTrigger(String(trigger), table)) await one(statement);
    for (const statement of search.drop(index.table)) await one(statement);
  }
}
