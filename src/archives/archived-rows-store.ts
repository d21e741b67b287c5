/** Reads the rows for an archive in batches by id, so that memory does not grow with them. */
import type { Connection } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import {
  type ComponentsTable,
  componentsColumns,
  type LinkTable,
  type MorphColumns,
  type MorphLink,
  type Schema,
} from '../model/content-model.ts';
import { Rows } from '../sql/rows.ts';
import { run } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { tableExists } from '../sql/table-exists.ts';
import { roleRulesTable, settingsTable } from '../tables/system-tables.ts';
import { isSecret, scalarsOf } from './archived-types.ts';

const rowsAtOnce = 500;
const linksAtOnce = 2000;

export async function countRows(connection: Connection, table: string): Promise<number> {
  const [[count] = []] = await run(connection, sql`SELECT count(*) FROM ${sql.id(table)}`);
  return Number(count);
}

async function* batches(connection: Connection, table: string, columns: readonly Sql[], size: number): AsyncGenerator<readonly Row[]> {
  const selected = sql.join([sql`t.id`, ...columns]);
  for (let last = 0; ; ) {
    const rows = await run(
      connection,
      sql`SELECT ${selected} FROM ${sql.id(table)} t WHERE t.id > ${sql.value(last, 'id')} ORDER BY t.id LIMIT ${sql.integer(size)}`,
    );
    if (rows.length === 0) return;
    yield rows;
    last = Number(rows.at(-1)?.[0]);
  }
}

/** The attributes that an export contains, ordered as the columns of `entryRows`. */
export const exportedScalars = (schema: Schema) => scalarsOf(schema).filter((attribute) => !isSecret(schema, attribute));

const scalarColumns = (schema: Schema, alias: string) =>
  exportedScalars(schema).map(({ column, type }) => sql.read(sql.id(alias, column), type));

/** The id and the scalar values of all rows of a type. */
export const entryRows = (connection: Connection, schema: Schema): AsyncGenerator<readonly Row[]> =>
  batches(connection, schema.table, scalarColumns(schema, 't'), rowsAtOnce);

export const componentRows = (connection: Connection, schema: Schema, ids: readonly number[]): Promise<readonly Row[]> =>
  new Rows(connection, connection.dialect).select(schema.table, {
    key: 'id',
    ids,
    columns: [sql`r.id`, ...scalarColumns(schema, 'r')],
    order: 'r.id',
  });

/** Owner's id, component's id and type, and attribute, in the order of the components. */
export function componentsOf(connection: Connection, { table }: ComponentsTable, owners: readonly number[]): Promise<readonly Row[]> {
  const { owner, component, type, field, order } = componentsColumns;
  const columns = [owner, component, type, field].map((name) => sql.id('r', name));
  return new Rows(connection, connection.dialect).select(table, {
    key: owner,
    ids: owners,
    columns,
    order: sql.join([sql.id('r', owner), sql.id('r', order), sql`r.id`]),
  });
}

/** id, source, target, position of the target, position of the source. */
export const linkRows = (connection: Connection, link: LinkTable): AsyncGenerator<readonly Row[]> => {
  const position = (column: string | undefined) => (column === undefined ? sql`NULL` : sql.id('t', column));
  return batches(
    connection,
    link.table,
    [sql.id('t', link.sourceColumn), sql.id('t', link.targetColumn), position(link.orderColumn), position(link.inverseOrderColumn)],
    linksAtOnce,
  );
};

/** id, source, type, id and attribute of the target, position. */
export const morphRows = (connection: Connection, link: MorphLink): AsyncGenerator<readonly Row[]> =>
  batches(
    connection,
    link.table,
    [link.sourceColumn, link.typeColumn, link.idColumn, link.fieldColumn, link.orderColumn].map((column) => sql.id('t', column)),
    linksAtOnce,
  );

/** id, type and id of the target, which may be null. */
export const morphColumnRows = (connection: Connection, table: string, link: MorphColumns): AsyncGenerator<readonly Row[]> =>
  batches(connection, table, [sql.id('t', link.typeColumn), sql.id('t', link.idColumn)], linksAtOnce);

/** The ids of rights that are restricted to rows or fields. An archive cannot express restrictions,
 *  and without them these rights would allow more. */
export async function restrictedRights(connection: Connection): Promise<ReadonlySet<number>> {
  if (!(await tableExists(connection, roleRulesTable))) return new Set();
  const rows = await run(
    connection,
    sql`SELECT p.id FROM up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id
      JOIN ${sql.id(roleRulesTable)} r ON r.role_id = l.role_id AND r.action = p.action`,
  );
  return new Set(rows.map(([id]) => Number(id)));
}

/** id, key, value, type, environment, tag. */
export const settingRows = (connection: Connection): Promise<readonly Row[]> =>
  run(connection, sql`SELECT id, ${sql.id('key')}, value, type, environment, tag FROM ${sql.id(settingsTable)} ORDER BY id`);
