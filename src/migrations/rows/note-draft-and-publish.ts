/** Writes to Strapi's settings that drafts exist; Lectern changes nothing else there. At its start Strapi compares the schema files with the content
 *  types of its last start, not with the rows. It would create all drafts again and overwrite those that were changed since; on PostgreSQL it fails
 *  if entries refer to one another. */
import type { Connection, Dialect } from '../../dialects/dialect.ts';
import type { Uid } from '../../model/content-model.ts';
import { settingsTable } from '../../tables/system-tables.ts';
import { isObject, objectAt } from '../../text/json.ts';
import { parsedObject } from '../recorded/strapi-schema.ts';
import { literal } from '../statements.ts';

const key = 'strapi_content_types_schema';

/** Records that Draft & Publish was on for a type at Strapi's last start. */
export async function noteDraftAndPublish(connection: Connection, { quote, placeholder }: Dialect, uid: Uid): Promise<void> {
  const where = `WHERE ${quote('key')} = ${literal(key)}`;
  const [row] = await connection.query(`SELECT ${quote('value')} FROM ${quote(settingsTable)} ${where}`, []);
  const types = parsedObject(row?.[0]);
  const type = types?.[uid];
  if (!isObject(type)) return;
  const noted = { ...types, [uid]: { ...type, options: { ...objectAt(type, 'options'), draftAndPublish: true } } };
  await connection.query(`UPDATE ${quote(settingsTable)} SET ${quote('value')} = ${placeholder(1)} ${where}`, [JSON.stringify(noted)]);
}
