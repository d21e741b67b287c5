/** What a database has before content is added. */
import type { Connection } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { run } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { ContentError, type SeedDocument } from './content.ts';
import { documentIdOf } from './stable-document-id.ts';

/** The roles' rights as `<type> <action>`, by the role's type. Empty without tables of roles. */
export async function grantedRights(connection: Connection, model: ContentModel): Promise<ReadonlySet<string>> {
  if (!model.contentTypes.has('plugin::users-permissions.permission')) return new Set();
  const rows = await run(
    connection,
    sql`SELECT r.type, p.action FROM up_permissions AS p JOIN up_permissions_role_lnk AS l ON l.permission_id = p.id JOIN up_roles AS r ON r.id = l.role_id`,
  );
  return new Set(rows.map(([type, action]) => `${String(type)} ${String(action)}`));
}

/** Throws a `ContentError` for a type that has entries; with `add`, for a document that exists.
 *  Types that are not in the model are left to the writer. */
export async function refusePresent(
  connection: Connection,
  model: ContentModel,
  types: readonly { readonly type: string; readonly documents: readonly SeedDocument[] }[],
  add: boolean,
): Promise<void> {
  for (const { type, documents } of types) {
    const table = model.contentTypes.get(type)?.table;
    if (table === undefined) continue;
    if (!add) {
      if ((await run(connection, sql`SELECT 1 FROM ${sql.id(table)} LIMIT 1`)).length > 0)
        throw new ContentError(type, 'there are entries of this type already; with --add the content is added to them');
      continue;
    }
    const keys = new Map(documents.map(({ documentId, key }) => [documentId ?? documentIdOf(type, key), key]));
    const isListed = sql.isOneOf(sql`document_id`, [...keys.keys()], 't1');
    const [found] = await run(connection, sql`SELECT document_id FROM ${sql.id(table)} WHERE ${isListed} LIMIT 1`);
    if (found !== undefined) throw new ContentError(`${type} ${keys.get(String(found[0]))}`, 'this document exists already');
  }
}
