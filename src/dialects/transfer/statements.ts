/** Statements that the engines have in common. */
import { quote } from '../quote.ts';
import type { TableDialect } from '../table-dialect.ts';
import { type CatalogueForeignKey, type CopiedIndex, type CopiedTable, idColumnOf } from './types.ts';

export const columnList = (columns: readonly string[]): string => columns.map(quote).join(', ');

interface TableParts {
  readonly tables: TableDialect;
  /** The type of columns with decimals that do not fit the column that Strapi would make. */
  readonly wideDecimal: string;
  readonly foreignKeys?: readonly CatalogueForeignKey[];
}

export function createTable(table: CopiedTable, { tables, wideDecimal, foreignKeys = [] }: TableParts): string {
  const id = idColumnOf(table);
  const columns = table.columns.map(({ name, type, length, notNull, isWide }) => {
    if (name === id) return `${quote(name)} ${tables.primaryKeyDefinition}`;
    const definition = type === 'string' ? `varchar(${length ?? 255})` : isWide ? wideDecimal : tables.columnDefinition(type);
    return `${quote(name)} ${definition}${notNull ? ' NOT NULL' : ''}`;
  });
  const key = id === undefined && table.primaryKey.length > 0 ? [`PRIMARY KEY (${columnList(table.primaryKey)})`] : [];
  const parts = [...columns, ...key, ...foreignKeys.map(constraint)];
  return `CREATE TABLE ${quote(table.name)} (${parts.join(', ')})${tables.tableOptions}`;
}

export const createIndex = (table: string, { name, unique, columns }: CopiedIndex): string =>
  `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${quote(table)} (${columnList(columns)})`;

export const addForeignKey = (table: string, key: CatalogueForeignKey): string => `ALTER TABLE ${quote(table)} ADD ${constraint(key)}`;

const constraint = ({ name, columns, target, targetColumns, onDelete, onUpdate }: CatalogueForeignKey): string =>
  `CONSTRAINT ${quote(name)} FOREIGN KEY (${columnList(columns)}) ` +
  `REFERENCES ${quote(target)} (${columnList(targetColumns)}) ON DELETE ${onDelete} ON UPDATE ${onUpdate}`;
