/** Moves rows that have no meaning under the options of their type to tables of their own, with the
 *  links from and to them. Their components stay, and are no longer read. */
import type { Connection } from '../../dialects/database.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { literal } from '../../dialects/quote.ts';
import { type ContentModel, type ContentType, componentsColumns } from '../../model/content-model.ts';
import type { SetRowsAside } from '../steps.ts';
import { isSibling, linkColumns } from './make-drafts.ts';
import { hasDrafts, relationsOf } from './relations-of.ts';

/** A table, and a condition for rows that belong to the type's rows; `ids` selects these. */
interface Belonging {
  readonly table: string;
  condition(ids: string): string;
}

/** The table of a type, and the tables whose rows refer to its rows. */
export function tablesAround(model: ContentModel, type: ContentType, { quote }: Dialect): readonly Belonging[] {
  const { tables, morphTables } = relationsOf(model);
  const by =
    (...columns: readonly string[]) =>
    (ids: string) =>
      columns.map((column) => `${quote(column)} IN (${ids})`).join(' OR ');
  return [
    ...(type.componentsTable === undefined ? [] : [{ table: type.componentsTable.table, condition: by(componentsColumns.owner) }]),
    ...tables
      .filter(({ owner, target }) => owner === type || target === type)
      .map(({ owner, target, storage: { table, sourceColumn, targetColumn } }) => ({
        table,
        condition: by(...(owner === type ? [sourceColumn] : []), ...(target === type ? [targetColumn] : [])),
      })),
    ...morphTables.map(({ owner, storage: { table, sourceColumn, idColumn, typeColumn } }) => ({
      table,
      condition: (ids: string) =>
        `${owner === type ? `${by(sourceColumn)(ids)} OR ` : ''}${quote(typeColumn)} = ${literal(type.uid)} AND ${quote(idColumn)} IN (${ids})`,
    })),
  ];
}

interface RowsAside extends Pick<SetRowsAside, 'which' | 'relink'> {
  readonly type: ContentType;
  /** The new name for each table. */
  readonly keptAs: ReadonlyMap<string, string>;
}

/** Creates tables for the rows, and for links from and to them if needed. Existing ones stay. */
export async function createTablesAside(connection: Connection, model: ContentModel, { type, which, keptAs }: RowsAside): Promise<void> {
  const { dialect } = connection;
  const { quote } = dialect;
  const ids = `SELECT r.id FROM ${quote(type.table)} r WHERE ${which}`;
  const create = (table: string) => connection.query(dialect.tables.emptyCopy(nameAside(keptAs, table, dialect), quote(table)), []);
  await create(type.table);
  for (const { table, condition } of tablesAround(model, type, dialect)) {
    const [any] = await connection.query(`SELECT 1 FROM ${quote(table)} WHERE ${condition(ids)} LIMIT 1`, []);
    if (any !== undefined) await create(table);
  }
}

/** Moves the rows to these tables. */
export async function moveRowsAside(
  connection: Connection,
  model: ContentModel,
  { type, which, keptAs, relink }: RowsAside,
): Promise<void> {
  const { dialect } = connection;
  const { quote } = dialect;
  const rowsTable = nameAside(keptAs, type.table, dialect);
  await connection.query(`INSERT INTO ${rowsTable} SELECT r.* FROM ${quote(type.table)} r WHERE ${which}`, []);
  const ids = `SELECT id FROM ${rowsTable}`;
  const around = tablesAround(model, type, dialect);
  for (const { table, condition } of around) {
    const [any] = await connection.query(`SELECT 1 FROM ${quote(table)} WHERE ${condition(ids)} LIMIT 1`, []);
    if (any !== undefined)
      await connection.query(`INSERT INTO ${nameAside(keptAs, table, dialect)} SELECT * FROM ${quote(table)} WHERE ${condition(ids)}`, []);
  }
  if (relink) await relinkToPublished(connection, model, { type, drafts: ids });
  for (const { table, condition } of around) await connection.query(`DELETE FROM ${quote(table)} WHERE ${condition(ids)}`, []);
  await connection.query(`DELETE FROM ${quote(type.table)} WHERE id IN (${ids})`, []);
}

const nameAside = (keptAs: ReadonlyMap<string, string>, table: string, { quote }: Dialect): string =>
  quote(keptAs.get(table) ?? `${table}_old`);

/** For a type that loses its drafts: links from other drafts now lead to the row that stays, and
 *  its rows link to drafts as well. */
async function relinkToPublished(
  connection: Connection,
  model: ContentModel,
  { type, drafts }: { readonly type: ContentType; readonly drafts: string },
): Promise<void> {
  const { dialect } = connection;
  const { quote } = dialect;
  for (const { owner, target, storage } of relationsOf(model).tables) {
    const table = quote(storage.table);
    const [source, column] = [quote(storage.sourceColumn), quote(storage.targetColumn)];
    if (target === type) {
      const published = (id: string) =>
        `SELECT ${id} FROM ${quote(type.table)} t JOIN ${quote(type.table)} p ON ${isSibling('p', 't', dialect)} AND p.published_at IS NOT NULL ` +
        `WHERE t.id = ${table}.${column}`;
      await connection.query(
        `UPDATE ${table} SET ${column} = (${published('min(p.id)')}) WHERE ${column} IN (${drafts}) AND EXISTS (${published('p.id')}) ` +
          `${owner === type ? `AND ${source} NOT IN (${drafts}) ` : ''}` +
          `AND NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.${source} = ${table}.${source} AND o.${column} IN (${published('p.id')}))`,
        [],
      );
    } else if (owner === type && hasDrafts(target)) {
      const [, , ...orders] = linkColumns(storage).map(quote);
      await connection.query(
        `INSERT INTO ${table} (${linkColumns(storage).map(quote).join(', ')}) ` +
          `SELECT ${[`l.${source}`, 'd.id', ...orders.map((each) => `l.${each}`)].join(', ')} FROM ${table} l ` +
          `JOIN ${quote(target.table)} t ON t.id = l.${column} AND t.published_at IS NOT NULL ` +
          `JOIN ${quote(target.table)} d ON ${isSibling('d', 't', dialect)} AND d.published_at IS NULL ` +
          `WHERE l.${source} NOT IN (${drafts}) AND NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.${source} = l.${source} AND o.${column} = d.id) ORDER BY l.id`,
        [],
      );
    }
  }
}
