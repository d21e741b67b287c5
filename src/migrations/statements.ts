/** DDL text. Tables and columns are added or renamed, never dropped. */
import type { Dialect } from '../dialects/dialect.ts';
import type { Column, ForeignKey, Table } from '../tables/table.ts';

function definition({ name, type, length }: Column, dialect: Dialect): string {
  const stored = length === undefined ? dialect.tables.columnDefinition(type) : `varchar(${length})`;
  return `${dialect.quote(name)} ${type === 'id' ? dialect.tables.primaryKeyDefinition : stored}`;
}

const references = (key: ForeignKey, dialect: Dialect): string =>
  `REFERENCES ${dialect.quote(key.references)} (${dialect.quote('id')}) ON DELETE ${key.onDelete}`;

/** CREATE TABLE with the foreign keys to tables in `known`. The columns of the other keys are added
 *  afterwards: not every engine accepts a reference to a later table. */
export function createTable(table: Table, known: ReadonlySet<string>, dialect: Dialect): { text: string; later: readonly Column[] } {
  const foreign = table.foreignKeys.filter((key) => !known.has(key.references) && key.references !== table.name);
  const later = table.columns.filter((column) => foreign.some((key) => key.column === column.name));
  const parts = [
    ...table.columns.filter((column) => !later.includes(column)).map((column) => definition(column, dialect)),
    ...table.foreignKeys
      .filter((key) => !foreign.includes(key))
      .map((key) => `CONSTRAINT ${dialect.quote(key.name)} FOREIGN KEY (${dialect.quote(key.column)}) ${references(key, dialect)}`),
  ];
  return { text: `CREATE TABLE ${dialect.quote(table.name)} (${parts.join(', ')})${dialect.tables.tableOptions}`, later };
}

export function addColumn(table: Table, column: Column, dialect: Dialect): string {
  const key = table.foreignKeys.find((each) => each.column === column.name);
  const constraint = key === undefined ? '' : dialect.tables.addedKey(key.name, column.name, references(key, dialect));
  return `ALTER TABLE ${dialect.quote(table.name)} ADD COLUMN ${definition(column, dialect)}${constraint}`;
}

export const renameTable = (from: string, to: string, { quote }: Dialect): string => `ALTER TABLE ${quote(from)} RENAME TO ${quote(to)}`;

export const renameColumn = (table: string, from: string, to: string, { quote }: Dialect): string =>
  `ALTER TABLE ${quote(table)} RENAME COLUMN ${quote(from)} TO ${quote(to)}`;
