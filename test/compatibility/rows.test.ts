/** The comparison of rows, on the recorded ones: what a run makes up itself is no difference, everything else is. `writes.test.ts` depends on it. */
import { expect, it } from 'vitest';
import { canonicalRows, contradictions, onlyReachable, type Row, type Rows, readRowSchema, unreachable } from './rows.ts';
import { recordedRows, scenarios, schemaFiles, startDatabase } from './scenarios.ts';

const schema = readRowSchema(startDatabase, schemaFiles);
const played = [...recordedRows].filter(([name]) => scenarios.some(({ scenario }) => scenario === name));
const canonical = (rows: Rows) => JSON.stringify(canonicalRows(rows, schema));

it.each(played)('%s: other row ids are no difference; a row less, another value or another order is one', (_, recorded) => {
  expect(canonicalRows(shifted(recorded), schema)).toEqual(canonicalRows(recorded, schema));
  const rows = onlyReachable(recorded, schema);
  const unnoticed: unknown[] = [];
  for (const [table, ofTable] of Object.entries(rows)) {
    const isNoticed = (others: readonly Row[]) => canonical({ ...rows, [table]: others }) !== canonical(rows);
    for (const [index, row] of ofTable.entries()) {
      if (!isNoticed(ofTable.filter((other) => other !== row))) unnoticed.push({ table, row, what: 'removed' });
      // Rows of a table have the same columns.
      if (index % 3 !== 0) continue;
      for (const column of Object.keys(row)) {
        if (column === 'id' || column === 'order' || /_(?:at|ord)$/.test(column) || table === 'files') continue;
        const changed = { ...row, [column]: row[column] === null ? '77' : null };
        if (!isNoticed(ofTable.map((other) => (other === row ? changed : other)))) unnoticed.push({ table, row, what: column });
      }
    }
  }
  expect(unnoticed).toEqual([]);
});

it('another order of links, components and files is a difference', () => {
  const noticed = played.flatMap(([, rows]) =>
    Object.entries(rows).flatMap(([table, ofTable]) => {
      const reversed = ofTable.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, /^order$|_ord$/.test(name) ? -Number(value) : value])),
      );
      return canonical({ ...rows, [table]: reversed }) === canonical(rows) ? [] : [table];
    }),
  );
  expect(noticed).toEqual(expect.arrayContaining(['plainbooks_writers_lnk', 'books_similar_lnk', 'books_cmps', 'files_related_mph']));
});

it('rows that must not be left are found where a row is missing or there twice', () => {
  const found = new Set<string>();
  for (const [, recorded] of played) {
    const rows = onlyReachable(recorded, schema);
    for (const [table, ofTable] of Object.entries(rows)) {
      for (const row of ofTable) {
        for (const others of [ofTable.filter((other) => other !== row), [...ofTable, { ...row, id: 99_999 }]]) {
          const changed = { ...rows, [table]: others };
          for (const { why } of [...unreachable(changed, schema), ...contradictions(changed, schema)]) found.add(why);
        }
      }
    }
  }
  expect([...found]).toEqual(
    expect.arrayContaining([
      ...['used nowhere', 'used twice', 'the component is gone', 'the related row is gone', 'the row of publisher_id is gone'],
      'the document has this status and locale twice',
    ]),
  );
});

/** The same rows under other ids. */
function shifted(rows: Rows): Rows {
  const by = (table: string | undefined) => 100 * (1 + Object.keys(schema.columns).indexOf(table ?? ''));
  return Object.fromEntries(
    Object.entries(rows).map(([table, ofTable]) => [
      table,
      ofTable.map((row) => {
        const moved: Record<string, unknown> = { ...row, id: Number(row.id) + by(table) };
        const move = (column: string, target: string | undefined) => {
          if (row[column] !== null) moved[column] = Number(row[column]) + by(target);
        };
        for (const [column, target] of Object.entries(schema.references[table] ?? {})) move(column, target);
        if ('cmp_id' in row) move('cmp_id', schema.typeTables[String(row.component_type)]);
        if ('related_id' in row) move('related_id', schema.typeTables[String(row.related_type)]);
        return moved;
      }),
    ]),
  );
}
