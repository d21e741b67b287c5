/** Runs the steps of a migration that depend on existing rows. */
import type { Connection } from '../../dialects/database.ts';
import { literal } from '../../dialects/quote.ts';
import type { ContentModel, ContentType, Uid } from '../../model/content-model.ts';
import { settingsTable } from '../../tables/system-tables.ts';
import { isObject, objectAt, parsedObject } from '../../text/json.ts';
import type { RowWork } from '../steps.ts';
import { createTablesForDrafts, dropTablesForDrafts, makeDrafts } from './make-drafts.ts';
import { hasTwin } from './row-changes.ts';
import { createTablesAside, moveRowsAside } from './set-rows-aside.ts';

/** A step in parts, which an engine without transactional DDL runs one by one on a connection. */
export interface WorkParts<Result = unknown> {
  /** Creates the tables that the step fills. Can be run again. */
  before?(): Promise<void>;
  /** Changes rows, and no tables. */
  run(): Promise<Result>;
  /** Drops temporary tables. */
  after?(): Promise<void>;
}

export function rowWorkParts(work: RowWork, connection: Connection, model: ContentModel): WorkParts {
  switch (work.kind) {
    case 'makeDrafts': {
      const types = work.types.map((uid) => typeOf(model, uid));
      if (types.length === 0) return { run: async () => undefined };
      return {
        before: () => createTablesForDrafts(connection),
        run: () => makeDrafts(connection, model, types),
        after: () => dropTablesForDrafts(connection),
      };
    }
    case 'setRowsAside': {
      const aside = { ...work, type: typeOf(model, work.type), keptAs: new Map(work.keptAs) };
      return { before: () => createTablesAside(connection, model, aside), run: () => moveRowsAside(connection, model, aside) };
    }
    case 'setLocale':
      return { run: () => setLocale(connection, typeOf(model, work.type), work.locale) };
    case 'noteDraftAndPublish':
      return { run: () => noteDraftAndPublish(connection, work.type) };
  }
}

async function setLocale(connection: Connection, type: ContentType, locale: string): Promise<void> {
  const { quote } = connection.dialect;
  const which = `SELECT r.id FROM ${quote(type.table)} r WHERE r.locale IS NULL AND NOT ${hasTwin(type, locale, connection.dialect)}`;
  await connection.query(`UPDATE ${quote(type.table)} SET locale = ${literal(locale)} WHERE id IN (${which})`, []);
}

function typeOf(model: ContentModel, uid: Uid): ContentType {
  const type = model.contentTypes.get(uid);
  if (type === undefined) throw new Error(`there is no type ${uid}`);
  return type;
}

// Writes to Strapi's settings that drafts exist; Lectern changes nothing else there. At its start
// Strapi compares the schema files with the content types of its last start, not with the rows. It
// would create all drafts again and overwrite those that were changed since; on PostgreSQL it fails
// if entries refer to one another.

const key = 'strapi_content_types_schema';

/** Records that Draft & Publish was on for a type at Strapi's last start. */
async function noteDraftAndPublish(connection: Connection, uid: Uid): Promise<void> {
  const { quote, placeholder } = connection.dialect;
  const where = `WHERE ${quote('key')} = ${literal(key)}`;
  const [row] = await connection.query(`SELECT ${quote('value')} FROM ${quote(settingsTable)} ${where}`, []);
  const types = parsedObject(row?.[0]);
  const type = types?.[uid];
  if (!isObject(type)) return;
  const updated = { ...types, [uid]: { ...type, options: { ...objectAt(type, 'options'), draftAndPublish: true } } };
  await connection.query(`UPDATE ${quote(settingsTable)} SET ${quote('value')} = ${placeholder(1)} ${where}`, [JSON.stringify(updated)]);
}
