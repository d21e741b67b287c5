/** `lectern transfer`: copies the SQLite database of a Strapi or Lectern project into an empty PostgreSQL database, with the column types,
 *  names, indexes and foreign keys that Strapi itself would have made there. The source is opened for reading only; the target is written in
 *  one transaction. This command is about two named engines, so it reads SQLite's catalogue itself; everything else asks the dialect. */
import { existsSync } from 'node:fs';
import type { DatabaseConfig } from '../../config/config.ts';
import type { ColumnType, Connection, Dialect, Row } from '../../dialects/dialect.ts';
import { openDatabase } from '../../dialects/open-database.ts';
import type { ContentModel } from '../../model/content-model.ts';

export interface TransferOptions {
  /** Path of the SQLite file. */
  readonly from: string;
  /** `postgres://user:password@host:port/database`; its tables must not exist yet. */
  readonly to: string;
  /** Tells decimals from floats, which SQLite declares alike. A database that Strapi has synchronised says it itself. */
  readonly model?: ContentModel | undefined;
}

export interface TransferResult {
  readonly tables: number;
  readonly rows: number;
  readonly indexes: number;
  readonly foreignKeys: number;
  /** What a person should know, such as a column that got a wider type than Strapi would have given it. */
  readonly notes: readonly string[];
}

/** The transfer cannot be done; nothing has been written. The message says everything that is in its way, a line each. */
export class TransferRefused extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TransferRefused';
  }
}

interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly definition: string;
  readonly notNull: boolean;
}

interface Index {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
}

type SourceValue = string | number | bigint | null | Uint8Array;
type TargetValue = string | number | boolean | null;

/** Rows read and written at a time; each batch is one statement with one array a column. */
const batchRows = 500;
/** Problems told before the rest is only counted. */
const problemsShown = 50;

export async function transfer(options: TransferOptions): Promise<TransferResult> {
  if (!existsSync(options.from)) throw new TransferRefused([`${options.from}: no such file`]);
  const { openSqliteReader } = await import('../../dialects/sqlite-connection.ts');
  const source = openSqliteReader(options.from);
  const target = await openDatabase(targetConfig(options.to), { create: false, statementTime: 0 });
  try {
    const existing = await target.tables();
    if (existing.length > 0) {
      const names = existing.slice(0, 5).map((table) => table.name);
      throw new TransferRefused([
        `the target database is not empty: it has ${existing.length} tables (${names.join(', ')}${existing.length > 5 ? ', …' : ''}). Create an empty database and name that one.`,
      ]);
    }
    return await source.snapshot((from) => target.write((to) => copy(from, to, target.dialect, options.model)));
  } finally {
    source.close();
    await target.close();
  }
}

/** The lines that the command prints at the end. */
export function describeTransfer(result: TransferResult): string {
  const count = (n: number) => n.toLocaleString('en-GB');
  return [
    `Copied ${count(result.tables)} tables with ${count(result.rows)} rows, ${count(result.indexes)} indexes and ${count(result.foreignKeys)} foreign keys.`,
    ...result.notes,
  ].join('\n');
}

const targetConfig = (url: string): DatabaseConfig => ({
  client: 'postgres',
  filename: '',
  url,
  host: undefined,
  port: undefined,
  name: undefined,
  username: undefined,
  password: undefined,
  schema: undefined,
  ssl: false,
  sslCa: undefined,
  sslCert: undefined,
  sslKey: undefined,
  sslRejectUnauthorized: true,
  unusedServer: undefined,
  poolMin: 0,
  poolMax: 1,
  connectionTime: 10_000,
  readers: 0,
  durable: true,
});

async function copy(from: Connection, to: Connection, dialect: Dialect, model: ContentModel | undefined): Promise<TransferResult> {
  const problems: string[] = [];
  const notes: string[] = [];
  const decimals = new Set([...(model === undefined ? [] : decimalsOfModel(model)), ...(await decimalsOfStrapi(from))]);
  const names = await from.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    [],
  );
  const tables: Table[] = [];
  for (const [name] of names) tables.push(await describeTable(from, dialect, String(name), decimals, problems, notes));
  if (problems.length > 0) throw new TransferRefused(problems);

  for (const table of tables) await to.query(createTable(dialect, table), []);
  let rows = 0;
  for (const table of tables) rows += await copyRows(from, to, dialect, table, problems);
  if (problems.length > 0) {
    const more = problems.length - problemsShown;
    throw new TransferRefused([...problems.slice(0, problemsShown), ...(more > 0 ? [`… and ${more} more`] : [])]);
  }

  let indexes = 0;
  let foreignKeys = 0;
  for (const table of tables) {
    for (const index of table.indexes) {
      await to.query(createIndex(dialect, table, index), []);
      indexes++;
    }
  }
  for (const table of tables) {
    for (const key of table.foreignKeys) {
      await explaining(`${table.name}: foreign key ${key.name}`, () => to.query(addForeignKey(dialect, table, key), []));
      foreignKeys++;
    }
  }
  const sequences = new Map((await highestIds(from)).map(([table, id]) => [table, id]));
  for (const table of tables) await continueSequence(to, dialect, table, sequences.get(table.name) ?? 0);
  // Statistics, without which the first queries would be planned as if every table were empty.
  for (const table of tables) await to.query(`ANALYZE ${dialect.quote(table.name)}`, []);
  return { tables: tables.length, rows, indexes, foreignKeys, notes };
}

// ---------------------------------------------------------------------------------------------------------------- what the source has

const typesByDeclaration: Readonly<Record<string, ColumnType>> = {
  integer: 'integer',
  bigint: 'biginteger',
  float: 'float',
  real: 'float',
  double: 'float',
  'double precision': 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
  jsonb: 'json',
  text: 'text',
};

async function describeTable(
  from: Connection,
  dialect: Dialect,
  name: string,
  decimals: ReadonlySet<string>,
  problems: string[],
  notes: string[],
): Promise<Table> {
  const columns: Column[] = [];
  const primaryKey: string[] = [];
  for (const [columnName, declaredAs, notNull, keyPosition] of await from.query(
    'SELECT name, lower(type), "notnull", pk FROM pragma_table_info(?) ORDER BY cid',
    [name],
  )) {
    const column = String(columnName);
    const declared = String(declaredAs);
    if (Number(keyPosition) > 0) primaryKey[Number(keyPosition) - 1] = column;
    const length = /^varchar\((\d+)\)$/.exec(declared)?.[1];
    const type = length === undefined ? typesByDeclaration[declared] : 'string';
    if (type === undefined) {
      problems.push(`${name}.${column}: no counterpart of the column type "${declared}"`);
    } else if (type === 'float' && decimals.has(`${name}.${column}`)) {
      columns.push({
        name: column,
        type: 'decimal',
        definition: await decimalDefinition(from, dialect, name, column, notes),
        notNull: Number(notNull) === 1,
      });
    } else {
      const definition = length === undefined ? dialect.columnDefinition(type) : `varchar(${length})`;
      columns.push({ name: column, type, definition, notNull: Number(notNull) === 1 });
    }
  }
  return {
    name,
    columns,
    primaryKey,
    indexes: await describeIndexes(from, name, notes),
    foreignKeys: await describeForeignKeys(from, name),
  };
}

/** `numeric(10,2)` as Strapi declares decimals, unless that would round a value: Strapi takes a `numeric` without limits for the same. */
async function decimalDefinition(from: Connection, dialect: Dialect, table: string, column: string, notes: string[]): Promise<string> {
  const value = sourceName(column);
  const [unfit] = await from.query(
    `SELECT count(*) FROM ${sourceName(table)} WHERE ${value} IS NOT NULL AND (round(${value}, 2) <> ${value} OR abs(${value}) >= 100000000)`,
    [],
  );
  if (Number(unfit?.[0] ?? 0) === 0) return dialect.columnDefinition('decimal');
  notes.push(
    `${table}.${column} is numeric without limits: ${String(unfit?.[0])} values do not fit ${dialect.columnDefinition('decimal')}.`,
  );
  return 'numeric';
}

async function describeIndexes(from: Connection, table: string, notes: string[]): Promise<Index[]> {
  const indexes: Index[] = [];
  for (const [indexName, unique, origin, partial] of await from.query(
    'SELECT name, "unique", origin, partial FROM pragma_index_list(?) ORDER BY name',
    [table],
  )) {
    if (origin === 'pk') continue;
    const name = String(indexName);
    const columns = (await from.query('SELECT name FROM pragma_index_info(?) ORDER BY seqno', [name])).map(([column]) => column);
    if (Number(partial) === 1 || columns.includes(null)) {
      notes.push(`The index ${name} of ${table} was not copied: it is partial or over an expression.`);
      continue;
    }
    const columnNames = columns.map(String);
    // An index that SQLite made for a UNIQUE constraint has a reserved name.
    indexes.push({
      name: origin === 'c' ? name : `${table}_${columnNames.join('_')}_unique`,
      unique: Number(unique) === 1,
      columns: columnNames,
    });
  }
  return indexes;
}

/** Strapi repeats each constraint in SQLite's DDL, and only the DDL has the names, which Strapi compares with its own. */
async function describeForeignKeys(from: Connection, table: string): Promise<ForeignKey[]> {
  const [ddl] = await from.query("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", [table]);
  const names = new Map<string, string>();
  for (const match of String(ddl?.[0]).matchAll(/CONSTRAINT\s+[`"]([^`"]+)[`"]\s+FOREIGN\s+KEY\s*\(([^)]*)\)/gi)) {
    const columns = (match[2] ?? '').split(',').map((column) => column.trim().replaceAll(/[`"]/g, ''));
    names.set(columns.join(), match[1] ?? '');
  }
  const parts = await from.query(
    'SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    [table],
  );
  const byId = new Map<unknown, Row[]>();
  for (const part of parts) byId.set(part[0], [...(byId.get(part[0]) ?? []), part]);
  const keys = new Map<string, ForeignKey>();
  for (const group of byId.values()) {
    const [, target, , , onDelete, onUpdate] = group[0] ?? [];
    const columns = group.map(([, , column]) => String(column));
    keys.set(`${columns.join()} ${String(target)}`, {
      name: names.get(columns.join()) ?? `${table}_${columns.join('_')}_fk`,
      columns,
      target: String(target),
      targetColumns: group.map(([, , , column]) => String(column ?? 'id')),
      onDelete: String(onDelete),
      onUpdate: String(onUpdate),
    });
  }
  return [...keys.values()];
}

function decimalsOfModel(model: ContentModel): string[] {
  return [...model.contentTypes.values(), ...model.components.values()].flatMap((schema) =>
    [...schema.attributes.values()].flatMap((attribute) =>
      attribute.kind === 'scalar' && attribute.type === 'decimal' ? [`${schema.table}.${attribute.column}`] : [],
    ),
  );
}

interface StrapiSchema {
  readonly tables: readonly { readonly name: string; readonly columns: readonly { readonly name: string; readonly type: string }[] }[];
}

/** Strapi keeps a description of its own tables, in which decimals are told from floats. */
async function decimalsOfStrapi(from: Connection): Promise<string[]> {
  const [known] = await from.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'strapi_database_schema'", []);
  if (known === undefined) return [];
  const [row] = await from.query('SELECT "schema" FROM strapi_database_schema ORDER BY id DESC LIMIT 1', []);
  if (typeof row?.[0] !== 'string') return [];
  const schema: StrapiSchema = JSON.parse(row[0]);
  return schema.tables.flatMap((table) =>
    table.columns.filter((column) => column.type === 'decimal').map((column) => `${table.name}.${column.name}`),
  );
}

/** The highest id that each table has ever given out: an id of a deleted row must not come back. */
async function highestIds(from: Connection): Promise<[table: string, id: number][]> {
  const [known] = await from.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sqlite_sequence'", []);
  if (known === undefined) return [];
  return (await from.query('SELECT name, seq FROM sqlite_sequence', [])).map(([name, id]) => [String(name), Number(id)]);
}

// ---------------------------------------------------------------------------------------------------------------- what the target gets

const hasSerial = (table: Table) => {
  const [key, ...others] = table.primaryKey;
  return others.length === 0 && table.columns.some((column) => column.name === key && column.type === 'integer') ? key : undefined;
};

function createTable(dialect: Dialect, table: Table): string {
  const serial = hasSerial(table);
  const lines = table.columns.map((column) =>
    column.name === serial
      ? `${dialect.quote(column.name)} ${dialect.primaryKeyDefinition}`
      : `${dialect.quote(column.name)} ${column.definition}${column.notNull ? ' NOT NULL' : ''}`,
  );
  if (serial === undefined && table.primaryKey.length > 0) lines.push(`PRIMARY KEY (${list(dialect, table.primaryKey)})`);
  return `CREATE TABLE ${dialect.quote(table.name)} (${lines.join(', ')})`;
}

/** A unique index is made as a constraint, because Strapi drops it as one. */
function createIndex(dialect: Dialect, table: Table, index: Index): string {
  const columns = list(dialect, index.columns);
  return index.unique
    ? `ALTER TABLE ${dialect.quote(table.name)} ADD CONSTRAINT ${dialect.quote(index.name)} UNIQUE (${columns})`
    : `CREATE INDEX ${dialect.quote(index.name)} ON ${dialect.quote(table.name)} (${columns})`;
}

function addForeignKey(dialect: Dialect, table: Table, key: ForeignKey): string {
  return (
    `ALTER TABLE ${dialect.quote(table.name)} ADD CONSTRAINT ${dialect.quote(key.name)} FOREIGN KEY (${list(dialect, key.columns)}) ` +
    `REFERENCES ${dialect.quote(key.target)} (${list(dialect, key.targetColumns)}) ON DELETE ${key.onDelete} ON UPDATE ${key.onUpdate}`
  );
}

async function continueSequence(to: Connection, dialect: Dialect, table: Table, given: number): Promise<void> {
  const serial = hasSerial(table);
  if (serial === undefined) return;
  const [row] = await to.query(`SELECT max(${dialect.quote(serial)}) FROM ${dialect.quote(table.name)}`, []);
  const last = Math.max(given, Number(row?.[0] ?? 0));
  if (last > 0) await to.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [dialect.quote(table.name), serial, last]);
}

const list = (dialect: Dialect, columns: readonly string[]) => columns.map((column) => dialect.quote(column)).join(', ');

// ---------------------------------------------------------------------------------------------------------------- rows

async function copyRows(from: Connection, to: Connection, dialect: Dialect, table: Table, problems: string[]): Promise<number> {
  const selected = table.columns.map((column) => selectFromSource(column)).join(', ');
  const select = `SELECT rowid, ${selected} FROM ${sourceName(table.name)} WHERE rowid > ? ORDER BY rowid LIMIT ${batchRows}`;
  const insert = insertInto(dialect, table);
  let copied = 0;
  let last = 0;
  for (;;) {
    const rows = await from.query(select, [copied === 0 ? Number.MIN_SAFE_INTEGER : last]);
    if (rows.length === 0) return copied;
    const columns = table.columns.map((column, at) =>
      rows.map((row) => {
        const converted = convert(row[at + 1] as SourceValue, column);
        if (typeof converted !== 'object' || converted === null) return converted;
        problems.push(`${table.name}.${column.name} of row ${String(row[0])}: ${converted.problem}`);
        return null;
      }),
    );
    // Once something is in the way nothing will be kept, but the other rows are still looked at, to tell everything at once.
    const first = Number(rows[0]?.[0]);
    last = Number(rows.at(-1)?.[0]);
    if (problems.length === 0) await explaining(`${table.name}, rows ${first} to ${last}`, () => to.query(insert, columns));
    copied += rows.length;
  }
}

/** One row per element of the arrays bound, one array a column: the same short statement for any number of rows. */
function insertInto(dialect: Dialect, table: Table): string {
  const arrays = table.columns.map((column, at) => `${dialect.placeholder(at + 1)}::${arrayOf(column.type)}[]`);
  const aliases = table.columns.map((_, at) => `c${at}`);
  const values = table.columns.map((column, at) => fromArray(dialect, `v.c${at}`, column));
  const names = list(
    dialect,
    table.columns.map((column) => column.name),
  );
  return `INSERT INTO ${dialect.quote(table.name)} (${names}) SELECT ${values.join(', ')} FROM unnest(${arrays.join(', ')}) AS v(${aliases.join(', ')})`;
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

function fromArray(dialect: Dialect, value: string, column: Column): string {
  switch (column.type) {
    case 'datetime':
      return dialect.comparand(value, 'datetime', 0);
    case 'date':
    case 'time':
    case 'json':
      return `${value}::${column.definition}`;
    default:
      return value;
  }
}

// Integers of 64 bits would lose digits on their way through a JavaScript number; a JSON value is read by its text whatever it was stored as.
const selectFromSource = (column: Column) =>
  column.type === 'biginteger' || column.type === 'json' ? `CAST(${sourceName(column.name)} AS TEXT)` : sourceName(column.name);

const sourceName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** SQLite keeps any value in any column: what the target could not hold as it is gets named instead of changed. */
function convert(value: SourceValue, column: Column): TargetValue | { readonly problem: string } {
  if (value === null) return null;
  if (value instanceof Uint8Array) return { problem: 'is binary' };
  switch (column.type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 31 - 1 + (value < 0 ? 1 : 0)
        ? value
        : { problem: `${JSON.stringify(value)} is not an integer of 32 bits` };
    case 'biginteger':
      return /^-?\d{1,19}$/.test(String(value)) ? String(value) : { problem: `${JSON.stringify(value)} is not an integer` };
    case 'float':
      return typeof value === 'number' ? value : { problem: `${JSON.stringify(value)} is not a number` };
    case 'decimal':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : { problem: `${JSON.stringify(value)} is not a decimal` };
    case 'boolean':
      return value === 0 || value === 1 ? value === 1 : { problem: `${JSON.stringify(value)} is neither 0 nor 1` };
    case 'datetime':
      return convertInstant(value);
    case 'json':
      return convertJson(String(value));
    case 'string': {
      const limit = Number(/\d+/.exec(column.definition)?.[0] ?? Number.POSITIVE_INFINITY);
      const length = [...String(value)].length;
      return length > limit ? { problem: `has ${length} characters, ${limit} are possible` } : convertText(String(value));
    }
    default:
      return convertText(String(value));
  }
}

const convertText = (text: string) => (text.includes('\0') ? { problem: 'contains a NUL character' } : text);

function convertInstant(value: string | number | bigint): number | { readonly problem: string } {
  if (typeof value !== 'string') return Number(value);
  const instant = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(instant) ? { problem: `${JSON.stringify(value)} is not a date` } : instant;
}

/** The JSON text whose value reads as this one does. Strapi stores texts and numbers raw in SQLite, reads what is no JSON as a text, and reads
 *  a JSON text that holds JSON again as the latter. */
function convertJson(text: string): string | { readonly problem: string } {
  const once = parsed(text);
  const json =
    once === undefined
      ? JSON.stringify(text)
      : typeof once === 'string'
        ? parsed(once) === undefined
          ? JSON.stringify(text)
          : once
        : text;
  return /(?<!\\)(?:\\\\)*\\u0000/.test(json) ? { problem: 'contains a NUL character' } : json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function explaining<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new TransferRefused([`${what}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
