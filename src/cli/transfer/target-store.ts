/** Writes to the PostgreSQL database: tables, indexes and constraints as Strapi would have created them, and the rows. */
import type { ColumnType, Connection } from '../../dialects/dialect.ts';
import { run } from '../../sql/run.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import type { TargetValue } from './postgres-value.ts';
import type { CopiedColumn, CopiedForeignKey, CopiedIndex, CopiedTable } from './tables.ts';

const hasSerial = (table: CopiedTable) => {
  const [key, ...others] = table.primaryKey;
  return others.length === 0 && table.columns.some((column) => column.name === key && column.type === 'integer') ? key : undefined;
};

export function createCopiedTable(table: CopiedTable): Sql {
  const serial = hasSerial(table);
  const lines = table.columns.map(({ name, definition, notNull }) =>
    name === serial
      ? sql`${sql.id(name)} ${sql.ask((dialect) => dialect.primaryKeyDefinition)}`
      : sql`${sql.id(name)} ${sql.raw(definition)}${notNull ? sql` NOT NULL` : sql.empty}`,
  );
  if (serial === undefined && table.primaryKey.length > 0) lines.push(sql`PRIMARY KEY (${names(table.primaryKey)})`);
  return sql`CREATE TABLE ${sql.id(table.name)} (${sql.join(lines)})`;
}

/** A unique index is created as a constraint, because Strapi drops it as one. */
export const createCopiedIndex = (table: CopiedTable, { name, unique, columns }: CopiedIndex): Sql =>
  unique
    ? sql`ALTER TABLE ${sql.id(table.name)} ADD CONSTRAINT ${sql.id(name)} UNIQUE (${names(columns)})`
    : sql`CREATE INDEX ${sql.id(name)} ON ${sql.id(table.name)} (${names(columns)})`;

export function addForeignKey(table: CopiedTable, key: CopiedForeignKey): Sql {
  const references = sql`${sql.id(key.target)} (${names(key.targetColumns)})`;
  const actions = sql`ON DELETE ${sql.raw(key.onDelete)} ON UPDATE ${sql.raw(key.onUpdate)}`;
  return sql`ALTER TABLE ${sql.id(table.name)} ADD CONSTRAINT ${sql.id(key.name)} FOREIGN KEY (${names(key.columns)}) REFERENCES ${references} ${actions}`;
}

/** New ids continue after the highest one that was ever assigned. */
export async function continueSequence(to: Connection, table: CopiedTable, given: number): Promise<void> {
  const serial = hasSerial(table);
  if (serial === undefined) return;
  const [row] = await run(to, sql`SELECT max(${sql.id(serial)}) FROM ${sql.id(table.name)}`);
  const last = Math.max(given, Number(row?.[0] ?? 0));
  if (last > 0) await run(to, sql`SELECT setval(pg_get_serial_sequence(${to.dialect.quote(table.name)}, ${serial}), ${last})`);
}

/** Collects statistics, without which the first queries would be planned as if every table were empty. */
export const analyse = (table: CopiedTable): Sql => sql`ANALYZE ${sql.id(table.name)}`;

const names = (columns: readonly string[]): Sql => sql.join(columns.map((column) => sql.id(column)));

/** Inserts a row for each element of the arrays. With one array for each column, the statement is equally short for any number of rows. */
export function insertRows(table: CopiedTable, columns: readonly (readonly TargetValue[])[]): Sql {
  const arrays = table.columns.map(({ type }, at) => sql`${sql.array(columns[at] ?? [])}::${sql.raw(arrayOf(type))}[]`);
  const aliases = table.columns.map((_, at) => sql.id(`c${at}`));
  const values = table.columns.map((column, at) => fromArray(sql.id('v', `c${at}`), column));
  const into = sql`INSERT INTO ${sql.id(table.name)} (${names(table.columns.map(({ name }) => name))})`;
  return sql`${into} SELECT ${sql.join(values)} FROM unnest(${sql.join(arrays)}) AS v(${sql.join(aliases)})`;
}

function arrayOf(type: ColumnType): string {
  switch (type) {
    case 'integer':
      return 'integer';
    case 'biginteger':
      return 'bigint';
    case 'float':
    case 'datetime':
      return 'float8';
    case 'decimal':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    default:
      return 'text';
  }
}

function fromArray(value: Sql, { type, definition }: CopiedColumn): Sql {
  switch (type) {
    case 'datetime':
      return sql.ask((dialect, text) => dialect.comparand(text, 'datetime', 0), value);
    case 'date':
    case 'time':
    case 'json':
      return sql`${value}::${sql.raw(definition)}`;
    default:
      return value;
  }
}
