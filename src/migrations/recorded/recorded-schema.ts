/** Records the tables and columns that were created for a model. Others may belong to other
 *  programs, and are never reported as unneeded. */

import type { ColumnType } from '../../dialects/column-type.ts';
import type { Connection, LiveTable } from '../../dialects/database.ts';
import { type Attribute, type ContentModel, componentsColumns, type Schema, type Uid } from '../../model/content-model.ts';
import { physicalSchema } from '../../tables/physical-schema.ts';
import { recordTable } from '../../tables/system-tables.ts';
import type { Column, ForeignKey, Index, Table } from '../../tables/table.ts';
import { parsedObject } from '../../text/json.ts';

/** When a table, column or field was added and lost. One that was added when another was lost may
 *  be the same one, renamed. */
export interface RecordedTimes {
  /** Undefined for columns created with their table, and tables created with the database. */
  readonly added?: string;
  readonly lost?: string;
}

export interface RecordedColumn extends Column, RecordedTimes {}

/** The options that decide what the rows of a content type mean. */
export interface TypeOptions {
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
}

/** An attribute whose values are rows of a shared table: components, dynamic zones, media. */
export interface RecordedField extends RecordedTimes {
  readonly name: string;
  /** A renamed field has the same kind: `component shared.seo one`. */
  readonly kind: string;
}

export interface RecordedTable extends RecordedTimes {
  readonly name: string;
  /** The type is unknown for the tables of components that Strapi made. */
  readonly origin: { readonly uid?: Uid; readonly attribute?: string };
  readonly columns: readonly RecordedColumn[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly fields: readonly RecordedField[];
  /** Undefined for components, and in records of earlier versions. */
  readonly options?: TypeOptions;
}

export type RecordedTables = ReadonlyMap<string, RecordedTable>;

/** The record of a completed migration: the tables of the model. */
export function recordOf(model: ContentModel): Map<string, RecordedTable> {
  const schemas = new Map<string, Schema>([...model.contentTypes.values(), ...model.components.values()].map((each) => [each.table, each]));
  return new Map(physicalSchema(model).map((table) => [table.name, recorded(table, schemas.get(table.name))]));
}

const recorded = (table: Table, schema: Schema | undefined): RecordedTable => ({
  name: table.name,
  origin: table.origin,
  columns: table.columns,
  indexes: [...table.indexes, ...table.ownIndexes],
  foreignKeys: table.foreignKeys,
  fields: schema === undefined ? [] : fieldsOf(schema),
  ...(schema === undefined || schema.kind === 'component'
    ? {}
    : { options: { draftAndPublish: schema.draftAndPublish, localized: schema.localized } }),
});

const fieldsOf = (schema: Schema): RecordedField[] =>
  [...schema.attributes.values()].flatMap((attribute) => {
    const kind = fieldKind(attribute);
    return kind === undefined ? [] : [{ name: attribute.name, kind }];
  });

function fieldKind(attribute: Attribute): string | undefined {
  switch (attribute.kind) {
    case 'component':
      return `component ${attribute.component} ${attribute.cardinality}`;
    case 'media':
      return `media ${attribute.cardinality}`;
    case 'dynamiczone':
      return 'dynamiczone';
    case 'scalar':
    case 'relation':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** The record after a migration: the model's tables, and those that remain of earlier models.
 *  `live` are the tables before additions. `now` becomes the time of added and lost tables and
 *  columns. `settled`: all offered renames were accepted or declined, so tables belong to the types
 *  that use them now. `unfollowed`: types whose rows do not match their options yet. */
export function nextRecord(
  before: RecordedTables,
  model: ContentModel,
  live: readonly LiveTable[],
  { now, settled, unfollowed }: { readonly now: string; readonly settled: boolean; readonly unfollowed: ReadonlySet<Uid> },
): RecordedTable[] {
  const wanted = recordOf(model);
  const liveTables = new Map(live.map((table) => [table.name, table]));
  const known = (uid: Uid | undefined) =>
    uid === 'system' || (uid !== undefined && (model.contentTypes.has(uid) || model.components.has(uid)));
  const isNew = before.size > 0;
  const tables = [...wanted.values()].map(({ options, ...table }): RecordedTable => {
    const earlier = before.get(table.name);
    const followed = unfollowed.has(table.origin.uid ?? '') ? earlier?.options : options;
    const asOptions = followed === undefined ? {} : { options: followed };
    if (earlier === undefined) return { ...table, ...asOptions, ...(isNew ? { added: now } : {}) };
    const present = (name: string) => liveTables.get(table.name)?.columns.has(name) === true;
    const isLeft = (column: string) => present(column) && !table.columns.some(({ name }) => name === column);
    // An index on a column that stays keeps its name; a new one must not get the same name.
    const leftIndexes = earlier.indexes.filter((index) => index.columns.some(isLeft));
    return {
      ...table,
      ...asOptions,
      ...timeAdded(earlier),
      origin: settled || known(earlier.origin.uid) ? table.origin : { ...table.origin, ...earlier.origin },
      columns: merged(
        earlier.columns.filter(({ name }) => present(name)),
        table.columns,
        now,
      ),
      indexes: [...leftIndexes, ...table.indexes.filter(({ name }) => !leftIndexes.some((index) => index.name === name))],
      foreignKeys: [...table.foreignKeys, ...earlier.foreignKeys.filter(({ column }) => isLeft(column))],
      fields: merged(earlier.fields, table.fields, now),
    };
  });
  const left = [...before.values()].filter((table) => !wanted.has(table.name) && liveTables.has(table.name));
  return [...tables, ...left.map((table) => ({ ...table, lost: table.lost ?? now }))];
}

/** Whether a record lacks tables or columns of a model. */
export const isIncomplete = (record: RecordedTables, model: ContentModel): boolean =>
  [...recordOf(model).values()].some(({ name, columns }) => {
    const known = new Set(record.get(name)?.columns.map((column) => column.name));
    return columns.some((column) => !known.has(column.name));
  });

/** Whether a record has the options that the types have now. */
export const recordsOptions = (record: RecordedTables, model: ContentModel): boolean =>
  [...model.contentTypes.values()].every(({ table, draftAndPublish, localized }) => {
    const options = record.get(table)?.options;
    return options?.draftAndPublish === draftAndPublish && options.localized === localized;
  });

const timeAdded = ({ added }: RecordedTimes): RecordedTimes => (added === undefined ? {} : { added });

function merged<T extends RecordedTimes & { readonly name: string }>(before: readonly T[], wanted: readonly T[], now: string): T[] {
  const earlier = new Map(before.map((each) => [each.name, each]));
  const names = new Set(wanted.map((each) => each.name));
  return [
    ...wanted.map((each) => {
      const same = earlier.get(each.name);
      return same === undefined ? { ...each, added: now } : { ...each, ...timeAdded(same) };
    }),
    ...before.filter((each) => !names.has(each.name)).map((each) => ({ ...each, lost: each.lost ?? now })),
  ];
}

/** Lectern's own record; undefined in a database without one. Skips entries that cannot be read, so
 *  nothing is proposed for them. */
export async function readRecord(connection: Connection, live: readonly LiveTable[]) {
  const { quote } = connection.dialect;
  if (!live.some((table) => table.name === recordTable)) return undefined;
  const rows = await connection.query(
    `SELECT ${quote('name')}, ${quote('definition')} FROM ${quote(recordTable)} ORDER BY ${quote('id')}`,
    [],
  );
  const tables = new Map<string, RecordedTable>();
  for (const [name, definition] of rows) {
    const table = parseTable(String(name), String(definition));
    if (table !== undefined) tables.set(table.name, table);
  }
  return tables;
}

/** Replaces the record; part of the transaction that changes the tables. */
export async function writeRecord(connection: Connection, tables: readonly RecordedTable[], now: Date): Promise<void> {
  const { dialect } = connection;
  const { quote } = dialect;
  const placeholder = (position: number, type: ColumnType) =>
    dialect.comparand(dialect.placeholder(position), type, position === 3 ? 0 : '');
  await connection.query(`DELETE FROM ${quote(recordTable)}`, []);
  for (const { name, ...definition } of tables) {
    await connection.query(
      `INSERT INTO ${quote(recordTable)} (${quote('name')}, ${quote('definition')}, ${quote('recorded_at')}) ` +
        `VALUES (${placeholder(1, 'string')}, ${placeholder(2, 'text')}, ${placeholder(3, 'datetime')})`,
      [name, JSON.stringify(definition), dialect.bind(now.getTime(), 'datetime')],
    );
  }
}

/** Lectern has written the text itself; earlier versions wrote fewer members. */
function parseTable(name: string, text: string): RecordedTable | undefined {
  const definition = parsedObject(text);
  return definition && { origin: {}, columns: [], indexes: [], foreignKeys: [], fields: [], ...definition, name };
}

/** The kind of a table. Only `_cmps` tables have columns for the component and its type. */
export function purposeOf(table: Pick<RecordedTable, 'columns' | 'origin'>): 'type' | 'components' | 'relation' {
  if (table.origin.attribute !== undefined) return 'relation';
  const has = (name: string) => table.columns.some((column) => column.name === name);
  return has(componentsColumns.component) && has(componentsColumns.type) ? 'components' : 'type';
}
