/** Statements that create and drop indexes. */
import type { Dialect } from '../dialects/dialect.ts';
import type { Index, Table } from './table.ts';

/** The indexes of Lectern that the engine can have. */
export const ownIndexesFor = ({ ownIndexes }: Pick<Table, 'ownIndexes'>, { tables: { partialIndexes } }: Dialect): readonly Index[] =>
  ownIndexes.filter(({ where, replacesPartial }) => (partialIndexes ? replacesPartial !== true : where === undefined));

export const createIndex = (table: Pick<Table, 'name'>, index: Index, dialect: Dialect): string =>
  `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${definition(table, index, dialect)}`;

/** Creates an index while others write, where the engine can; then it
 *  must not run in a transaction. */
export const createIndexOnline = (table: Pick<Table, 'name'>, index: Index, dialect: Dialect): string =>
  `CREATE ${index.unique ? 'UNIQUE ' : ''}${dialect.tables.indexOnline} ${definition(table, index, dialect)}`;

export const dropIndex = (table: string, name: string, { tables: { indexOf } }: Dialect): string => `DROP INDEX ${indexOf(table, name)}`;

export const dropIndexOnline = (table: string, name: string, { tables: { indexOf, indexOnline } }: Dialect): string =>
  `DROP ${indexOnline} ${indexOf(table, name)}`;

function definition(
  { name: table }: Pick<Table, 'name'>,
  { name, columns, sorted, where, ofTexts }: Index,
  { quote, indexOrdering, tables: { textIndexes } }: Dialect,
): string {
  const condition = where === undefined ? '' : ` WHERE ${quote(where.column)} IS ${where.isNull ? '' : 'NOT '}NULL`;
  const listed = columns.map(
    (column) => quote(column) + (column === sorted?.column ? indexOrdering(sorted.direction ?? 'asc', sorted.type) : ''),
  );
  const using = ofTexts === true && textIndexes !== undefined ? textIndexes.using(listed.join(', ')) : `(${listed.join(', ')})`;
  return `${quote(name)} ON ${quote(table)} ${using}${condition}`;
}
