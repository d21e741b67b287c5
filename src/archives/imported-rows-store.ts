/** Statements of an import, besides its inserts. */
import type { Connection } from '../dialects/database.ts';
import { roleUid } from '../model/built-in-types.ts';
import type { ContentModel } from '../model/content-model.ts';
import { run, send } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { physicalSchema } from '../tables/physical-schema.ts';
import type { Table } from '../tables/table.ts';
import { archivedTypes, isArchived, isContent, permissionUid } from './archived-types.ts';

/** The number of rows of each type with rows; without roles, rights and locales. */
export async function contentIn(connection: Connection, model: ContentModel): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const { uid, table } of archivedTypes(model).filter((type) => isContent(type.uid))) {
    const [[count] = []] = await run(connection, sql`SELECT count(*) FROM ${sql.id(table)}`);
    if (Number(count) > 0) found.set(uid, Number(count));
  }
  return found;
}

/** The tables of entries, components, and their links. */
const contentTables = (model: ContentModel): readonly Table[] =>
  physicalSchema(model).filter(({ origin: { uid } }) => uid !== 'system' && isArchived(uid) && uid !== roleUid && uid !== permissionUid);

/** Deletes all entries, locales too. Roles stay, with their restrictions. */
export function deleteContent(connection: Connection, model: ContentModel): void {
  // Tables that refer to others come after them.
  for (const { name, origin } of [...contentTables(model)].reverse()) {
    if (origin.uid === 'plugin::i18n.locale') continue;
    send(connection, sql`DELETE FROM ${sql.id(name)}`);
  }
}

export const deleteAll = (connection: Connection, table: string): void => send(connection, sql`DELETE FROM ${sql.id(table)}`);

export async function highestId(connection: Connection, table: string): Promise<number> {
  const [[highest] = []] = await run(connection, sql`SELECT coalesce(max(id), 0) FROM ${sql.id(table)}`);
  return Number(highest);
}

/** Deletes the rights that these roles had before, up to a row id. */
export function deleteRights(connection: Connection, roles: readonly number[], upTo: number): void {
  send(
    connection,
    sql`DELETE FROM up_permissions WHERE id <= ${sql.value(upTo, 'id')} AND id IN (
      SELECT l.permission_id FROM up_permissions_role_lnk l WHERE ${sql.isOneOf(sql`l.role_id`, roles, 'role')})`,
  );
}

/** Waits for the statements that were sent, so that they do not pile up in memory. */
export async function settled(connection: Connection): Promise<void> {
  await run(connection, sql`SELECT 1`);
}

/** URLs and variants of all files. */
export async function storedFiles(
  connection: Connection,
  table: string,
): Promise<readonly { readonly url: unknown; readonly formats: unknown }[]> {
  const rows = await run(connection, sql`SELECT url, ${sql.read(sql.id('formats'), 'json')} FROM ${sql.id(table)}`);
  return rows.map(([url, formats]) => ({ url, formats }));
}

/** Collects statistics: without them, the first plans would treat the new rows as few. */
export async function analyse(connection: Connection, model: ContentModel): Promise<void> {
  const { analyse } = connection.dialect.tables;
  if (analyse === undefined) return;
  for (const { name } of contentTables(model)) await connection.query(analyse(connection.dialect.quote(name)), []);
}
