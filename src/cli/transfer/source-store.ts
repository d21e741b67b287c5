/** Reads the SQLite database of a project. The transfer is specific to SQLite and PostgreSQL, so it reads SQLite's catalogue itself. */
import type { ColumnType, Connection, Dialect, Row } from '../../dialects/dialect.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { run } from '../../sql/run.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { tableExists } from '../../sql/table-exists.ts';
import { strapiSchemaTable } from '../../tables/system-tables.ts';
import type { CopiedColumn, CopiedForeignKey, CopiedIndex, CopiedTable } from './tables.ts';

/** The number of rows in a batch, which is written by one statement with an array for each column. */
const batchRows = 500;

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

export async function describeTable(
  from: Connection,
  dialect: Dialect,
  name: string,
  { decimals, problems, notes }: { readonly decimals: ReadonlySet<string>; readonly problems: string[]; readonly notes: string[] },
): Promise<CopiedTable> {
  const columns: CopiedColumn[] = [];
  const primaryKey: string[] = [];
  const described = await run(from, sql`SELECT name, lower(type), "notnull", pk FROM pragma_table_info(${name}) ORDER BY cid`);
  for (const [columnName, declaredAs, notNull, keyPosition] of described) {
    const column = String(columnName);
    const declared = String(declaredAs);
    if (Number(keyPosition) > 0) primaryKey[Number(keyPosition) - 1] = column;
    const length = /^varchar\((\d+)\)$/.exec(declared)?.[1];
    const type = length === undefined ? typesByDeclaration[declared] : 'string';
    if (type === undefined) {
      problems.push(`${name}.${column}: PostgreSQL has no counterpart of the column type "${declared}"`);
    } else if (type === 'float' && decimals.has(`${name}.${column}`)) {
      columns.push({
        name: column,
        type: 'decimal',
        definition: await decimalDefinition(from, dialect, { table: name, column }, notes),
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

/** `numeric(10,2)`, as Strapi declares decimals, unless that would round a value. Strapi treats a `numeric` without limits the same. */
async function decimalDefinition(
  from: Connection,
  dialect: Dialect,
  { table, column }: { readonly table: string; readonly column: string },
  notes: string[],
): Promise<string> {
  const value = sql.id(column);
  const isUnfit = sql`${value} IS NOT NULL AND (round(${value}, 2) <> ${value} OR abs(${value}) >= 100000000)`;
  const [unfit] = await run(from, sql`SELECT count(*) FROM ${sql.id(table)} WHERE ${isUnfit}`);
  if (Number(unfit?.[0] ?? 0) === 0) return dialect.columnDefinition('decimal');
  notes.push(
    `${table}.${column} is numeric without limits: ${String(unfit?.[0])} values do not fit ${dialect.columnDefinition('decimal')}.`,
  );
  return 'numeric';
}

async function describeIndexes(from: Connection, table: string, notes: string[]): Promise<CopiedIndex[]> {
  const indexes: CopiedIndex[] = [];
  const listed = await run(from, sql`SELECT name, "unique", origin, partial FROM pragma_index_list(${table}) ORDER BY name`);
  for (const [indexName, unique, origin, partial] of listed) {
    if (origin === 'pk') continue;
    const name = String(indexName);
    const columns = (await run(from, sql`SELECT name FROM pragma_index_info(${name}) ORDER BY seqno`)).map(([column]) => column);
    if (Number(partial) === 1 || columns.includes(null)) {
      notes.push(`The index ${name} of ${table} was not copied: it is partial or over an expression.`);
      continue;
    }
    const columnNames = columns.map(String);
    // An index that SQLite created for a UNIQUE constraint has a reserved name.
    indexes.push({
      name: origin === 'c' ? name : `${table}_${columnNames.join('_')}_unique`,
      unique: Number(unique) === 1,
      columns: columnNames,
    });
  }
  return indexes;
}

/** Strapi repeats each constraint in SQLite's DDL, and only the DDL has the names, which Strapi compares with its own. */
async function describeForeignKeys(from: Connection, table: string): Promise<CopiedForeignKey[]> {
  const [ddl] = await run(from, sql`SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ${table}`);
  const names = new Map<string, string>();
  for (const match of String(ddl?.[0]).matchAll(/CONSTRAINT\s+[`"]([^`"]+)[`"]\s+FOREIGN\s+KEY\s*\(([^)]*)\)/gi)) {
    const columns = (match[2] ?? '').split(',').map((column) => column.trim().replaceAll(/[`"]/g, ''));
    names.set(columns.join(), match[1] ?? '');
  }
  const parts = await run(
    from,
    sql`SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(${table}) ORDER BY id, seq`,
  );
  const byId = new Map<unknown, Row[]>();
  for (const part of parts) byId.set(part[0], [...(byId.get(part[0]) ?? []), part]);
  const keys = new Map<string, CopiedForeignKey>();
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

export function decimalsOfModel(model: ContentModel): string[] {
  return [...model.contentTypes.values(), ...model.components.values()].flatMap((schema) =>
    [...schema.attributes.values()].flatMap((attribute) =>
      attribute.kind === 'scalar' && attribute.type === 'decimal' ? [`${schema.table}.${attribute.column}`] : [],
    ),
  );
}

interface StrapiSchema {
  readonly tables: readonly { readonly name: string; readonly columns: readonly { readonly name: string; readonly type: string }[] }[];
}

/** The decimal columns according to Strapi's record of its own tables, which distinguishes them from floats. */
export async function decimalsOfStrapi(from: Connection): Promise<string[]> {
  if (!(await tableExists(from, strapiSchemaTable))) return [];
  const [row] = await run(from, sql`SELECT "schema" FROM ${sql.id(strapiSchemaTable)} ORDER BY id DESC LIMIT 1`);
  if (typeof row?.[0] !== 'string') return [];
  const schema: StrapiSchema = JSON.parse(row[0]);
  return schema.tables.flatMap((table) =>
    table.columns.filter((column) => column.type === 'decimal').map((column) => `${table.name}.${column.name}`),
  );
}

/** The highest id that each table has ever assigned: the id of a deleted row must not be used again. */
export async function highestIds(from: Connection): Promise<[table: string, id: number][]> {
  if (!(await tableExists(from, 'sqlite_sequence'))) return [];
  return (await run(from, sql`SELECT name, seq FROM sqlite_sequence`)).map(([name, id]) => [String(name), Number(id)]);
}

/** The tables of the project, without SQLite's own. */
export async function tableNames(from: Connection): Promise<string[]> {
  const rows = await run(
    from,
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
  );
  return rows.map(([name]) => String(name));
}

/** All rows of a table in batches, by `rowid`, which comes before the columns. */
export async function* rowsOf(from: Connection, table: CopiedTable): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(table.columns.map(selected));
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await run(
      from,
      sql`SELECT rowid, ${columns} FROM ${sql.id(table.name)} WHERE rowid > ${last} ORDER BY rowid LIMIT ${sql.integer(batchRows)}`,
    );
    if (rows.length === 0) return;
    yield rows;
    last = Number(rows.at(-1)?.[0]);
  }
}

// Integers of 64 bits would lose digits as JavaScript numbers, so they are read as text; a JSON value is read as text however it was stored.
const selected = ({ name, type }: CopiedColumn): Sql =>
  type === 'biginteger' || type === 'json' ? sql`CAST(${sql.id(name)} AS TEXT)` : sql.id(name);
