/** Changes the type of a column: the old column is set aside, and the values that fit are copied to a new one. */
import type { Column, Table } from '../../tables/table.ts';
import type { PlannedDatabase } from '../planned-database.ts';
import { type DestructiveStep, remark } from '../steps.ts';

export function changeColumnType(
  planned: PlannedDatabase,
  { table, column, declared }: { readonly table: Table; readonly column: Column; readonly declared: string },
  strapiKnows: boolean,
): DestructiveStep {
  const needed = planned.indexesOf(table);
  const { keptAs, work } = planned.setColumnAside(table.name, column.name);
  const fromType = planned.dialect.storedType(declared);
  const indexes = needed.filter((index) => index.columns.includes(column.name));
  const reason =
    `The column "${column.name}" of "${table.name}" becomes ${planned.dialect.columnDefinition(column.type)}, as its attribute is ` +
    `${withArticle(column.type)} now: the old one (${declared}) is kept as "${keptAs}", and values that fit are copied.`;
  return {
    kind: 'type',
    table: table.name,
    column: column.name,
    keptAs,
    reason,
    ...remark(
      strapiKnows,
      'Strapi changes the type of the column in place at its next start, and does not start if the database cannot convert a value.',
    ),
    work: [
      ...work,
      ...planned.addColumn(table, column),
      ...indexes.flatMap((index) => planned.createIndex(table.name, index)),
      // A conversion from an unknown type may lose values.
      ...(fromType === undefined ? [] : [{ table: table.name, from: keptAs, fromType, to: column.name, toType: column.type }]),
    ],
  };
}

const withArticle = (word: string) => `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`;
