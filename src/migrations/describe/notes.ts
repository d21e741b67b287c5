/** Counts rows that violate the schema files. For information: no migration is needed. */
import type { Connection, Database, LiveTable } from '../../dialects/database.ts';
import { literal } from '../../dialects/quote.ts';
import { type ContentModel, type ContentType, componentsColumns, type Schema } from '../../model/content-model.ts';
import { localeQuestions } from './locale-notes.ts';
import { type Question, type QuestionContext, relationQuestions } from './relation-notes.ts';

/** Returns sentences with counts. It reads entire tables, so only `migrate plan` calls it.
 *  `renames`, requested or offered, fill columns that are still to be added. */
export async function notesOn(database: Database, model: ContentModel, renames: readonly string[]): Promise<readonly string[]> {
  const live = new Map((await database.tables()).map((table) => [table.name, table]));
  return database.read(async (connection) => {
    const notes: string[] = [];
    for (const schema of [...model.contentTypes.values(), ...model.components.values()]) {
      const isOurs = schema.kind === 'component' || schema.routed;
      const table = live.get(schema.table);
      if (!isOurs || table === undefined) continue;
      for (const { query, say } of questionsOn(schema, table, { model, live, dialect: database.dialect }, renames)) {
        const count = await counted(connection, query);
        if (count > 0) notes.push(say(count.toLocaleString('en-US')));
      }
    }
    return notes;
  });
}

async function counted(connection: Connection, query: string): Promise<number> {
  const [[count] = []] = await connection.query(query, []);
  return Number(count);
}

function questionsOn(schema: Schema, table: LiveTable, context: QuestionContext, renames: readonly string[]): Question[] {
  const { live, dialect } = context;
  const { quote } = dialect;
  const name = quote(schema.table);
  const isServed = schema.kind !== 'component' && schema.draftAndPublish ? 'published_at IS NOT NULL' : '1 = 1';
  const questions: Question[] = [];
  if (schema.kind === 'singleType') questions.push(severalDocuments(schema, name));
  for (const attribute of schema.attributes.values()) {
    const at = `${schema.uid}.${attribute.name}`;
    questions.push(...localeQuestions(schema, attribute, context));
    if (attribute.kind === 'relation') questions.push(...relationQuestions(schema, attribute, context));
    if (attribute.kind === 'scalar' && !attribute.system) {
      const column = quote(attribute.column);
      const isThere = table.columns.has(attribute.column);
      if (attribute.required) {
        // A column that is still to be added has no value in any row.
        const rename = isThere ? undefined : renames.find((each) => newNameOf(each) === at);
        const filled = rename === undefined ? '' : `, before \`--rename ${rename}\` fills them`;
        questions.push({
          query: `SELECT count(*) FROM ${name} WHERE ${isServed}${isThere ? ` AND ${column} IS NULL` : ''}`,
          say: (count) => `${at} is required; rows without a value: ${count}${filled}.`,
        });
      }
      if (!isThere) continue;
      if ((attribute.unique || attribute.type === 'uid') && attribute.type !== 'json') {
        const groups = schema.kind === 'component' ? column : `${column}, locale`;
        questions.push({
          query: `SELECT count(*) FROM (SELECT 1 FROM ${name} WHERE ${column} IS NOT NULL AND ${isServed} GROUP BY ${groups} HAVING count(*) > 1) AS g`,
          say: (count) =>
            `${at} is unique; values that occur in several rows: ${count}. They are served, and refused when they are written again.`,
        });
      }
    }
    if (attribute.kind === 'component' && attribute.cardinality === 'one' && schema.componentsTable !== undefined) {
      const joins = schema.componentsTable.table;
      if (!live.has(joins)) continue;
      const { owner, field } = componentsColumns;
      questions.push({
        query: `SELECT count(*) FROM (SELECT 1 FROM ${quote(joins)} WHERE ${quote(field)} = ${literal(attribute.name)} GROUP BY ${quote(owner)} HAVING count(*) > 1) AS g`,
        say: (count) =>
          `${at} is not repeatable; rows with several components: ${count}. The first is served, and a write of the attribute removes the others.`,
      });
    }
    if (attribute.kind === 'media' && attribute.cardinality === 'one' && live.has(attribute.storage.table)) {
      const { table: joins, idColumn, typeColumn, fieldColumn } = attribute.storage;
      const isOf = `${quote(typeColumn)} = ${literal(schema.uid)} AND ${quote(fieldColumn)} = ${literal(attribute.name)}`;
      questions.push({
        query: `SELECT count(*) FROM (SELECT 1 FROM ${quote(joins)} WHERE ${isOf} GROUP BY ${quote(idColumn)} HAVING count(*) > 1) AS g`,
        say: (count) => `${at} takes one file; rows with several: ${count}. A write of the attribute removes the others.`,
      });
    }
  }
  return questions;
}

/** `api::note.note.headline` for `api::note.note.title=headline`. */
const newNameOf = (rename: string): string => {
  const [from = '', to] = rename.split('=');
  return `${from.slice(0, from.lastIndexOf('.'))}.${to}`;
};

const severalDocuments = ({ uid }: ContentType, table: string): Question => ({
  query: `SELECT CASE WHEN count(DISTINCT document_id) > 1 THEN count(DISTINCT document_id) ELSE 0 END FROM ${table}`,
  say: (count) =>
    `${uid} is a single type; documents in its table: ${count}. The entry with the lowest row id is served, and the others stay.`,
});
