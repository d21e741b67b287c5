/** Links of published entries to documents that have no published version. What an entry links to
 *  is decided when it is published; it awaits such a link, and gets it when the target is published
 *  (`follow-published.ts`). */
import { grouped, oncePer } from '../../../../collections.ts';
import type { ContentModel, Schema, Uid } from '../../../../model/content-model.ts';
import type { TypedColumn } from '../../../../sql/inserts.ts';
import type { Rows } from '../../../../sql/rows.ts';
import { type Sql, sql } from '../../../../sql/sql.ts';
import { awaitedLinksTable } from '../../../../tables/system-tables.ts';
import { type Entry, insertedId } from '../../../entry/entry.ts';
import { targetRow } from '../load/target-rows.ts';
import type { AwaitedLinkInsert, Change } from './types.ts';

export const awaitedTable = sql.id(awaitedLinksTable);

const columns: readonly TypedColumn[] = [
  { name: 'source_table', type: 'string' },
  { name: 'source_id', type: 'reference' },
  { name: 'field', type: 'string' },
  { name: 'target_type', type: 'string' },
  { name: 'document_id', type: 'string' },
  { name: 'locale', type: 'string' },
  { name: 'position', type: 'order' },
];
export const awaitedColumns: Sql = sql.join(columns.map(({ name }) => sql.id(name)));

/** The changes by which a published entry awaits what `wanted` says, and nothing else. */
export function awaitedChanges(wanted: Entry, current: Entry | undefined, model: ContentModel): Change[] {
  const forgotten = current === undefined ? [] : forgottenOf(withComponents(current), model);
  const awaited = withComponents(wanted).flatMap((owner) =>
    (owner.awaited ?? []).map((link): Change => ({ kind: 'await link', owner, link })),
  );
  return [...forgotten, ...awaited];
}

/** The changes by which stored entries await nothing any more. */
export function forgottenOf(entries: readonly Entry[], model: ContentModel): Change[] {
  const stored = entries.filter(({ id, schema }) => id !== undefined && mayAwait(model)(schema));
  return [...grouped(stored, ({ schema }) => schema.table)].map(([table, list]) => ({
    kind: 'forget awaited links',
    table,
    ids: list.flatMap(({ id }) => id ?? []),
  }));
}

/** Whether entries of the schema may await links: it has a one-way relation that may lead to a type
 *  with drafts. Two-way relations are published with the target as well. */
const mayAwait = oncePer((model: ContentModel) =>
  oncePer(({ attributes }: Schema): boolean =>
    [...attributes.values()].some((attribute) => {
      if (attribute.kind !== 'relation' || attribute.twoWay) return false;
      const { target, storage } = attribute;
      if (target === undefined) return storage.kind === 'morphLink' || storage.kind === 'morphColumns';
      return storage.kind === 'linkTable' && model.contentTypes.get(target)?.draftAndPublish === true;
    }),
  ),
);

/** The entry and its components, at all depths. */
export const withComponents = (entry: Entry): readonly Entry[] => [
  entry,
  ...[...entry.components.values()].flatMap((list) => list.flatMap((component) => withComponents(component.entry))),
];

/** Whether some entry of the type, or some component, awaits links. */
export async function mayHaveAwaited(
  type: Schema,
  { rows, model, hasAwaitedLinks }: { readonly rows: Rows; readonly model: ContentModel; readonly hasAwaitedLinks: boolean },
): Promise<boolean> {
  const tables = [type, ...model.components.values()].filter(mayAwait(model)).map(({ table }) => table);
  if (!hasAwaitedLinks || tables.length === 0) return false;
  const isOfTables = sql.isOneOf(sql`source_table`, tables, 'wanted');
  return (await rows.run(sql`SELECT 1 FROM ${awaitedTable} WHERE ${isOfTables} LIMIT 1`)).length > 0;
}

/** Sets what stored published entries and their components await. */
export async function readAwaited(entries: readonly Entry[], rows: Rows, model: ContentModel): Promise<void> {
  const waiting = entries.flatMap(withComponents).filter(({ id, schema }) => id !== undefined && mayAwait(model)(schema));
  const owners = new Map(waiting.map((entry) => [`${entry.schema.table} ${entry.id}`, entry]));
  const ids = [...new Set(waiting.flatMap(({ id }) => id ?? []))];
  if (ids.length === 0) return;
  const tables = [...new Set(waiting.map(({ schema }) => schema.table))];
  const isOfTables = sql.isOneOf(sql`source_table`, tables, 'tables');
  const found = await rows.run(
    sql`SELECT ${awaitedColumns} FROM ${awaitedTable} WHERE ${isOfTables} AND ${sql.isOneOf(sql`source_id`, ids, 'ids')} ORDER BY position, id`,
  );
  for (const [table, id, name, type, document, code, position] of found) {
    const owner = owners.get(`${table} ${Number(id)}`);
    const [field, uid] = [String(name), type as Uid];
    // The type may have no drafts any more.
    if (owner?.links.has(field) !== true || model.contentTypes.get(uid)?.draftAndPublish !== true) continue;
    const locale = code === null ? null : String(code);
    owner.awaited = [...(owner.awaited ?? []), { field, uid, documentId: String(document), locale, position: Number(position) }];
  }
}

/** Adds the links that a published entry and its components await, for copies of it. The rows that
 *  they lead to have no id. */
export function addAwaited(entry: Entry): void {
  for (const { links, awaited = [] } of withComponents(entry))
    for (const { field, uid, documentId, locale, position } of awaited) {
      const row = targetRow(uid, 0, [documentId, locale, 0]);
      const all = [...(links.get(field) ?? []), { row, id: undefined, order: position, inverseOrder: undefined }];
      links.set(
        field,
        all.sort((a, b) => (a.order ?? 0) - (b.order ?? 0)),
      );
    }
}

/** Called when the owner's row has been inserted. */
export function insertAwaited({ owner, link }: AwaitedLinkInsert, rows: Rows): void {
  const { field, uid, documentId, locale, position } = link;
  rows.inserts.later(awaitedLinksTable, columns, [owner.schema.table, insertedId(owner), field, uid, documentId, locale, position]);
}

export function forgetAwaited(table: string, ids: readonly number[], rows: Rows): void {
  rows.send(sql`DELETE FROM ${awaitedTable} WHERE source_table = ${table} AND ${sql.isOneOf(sql`source_id`, ids, 'gone')}`);
}

/** One locale of a document, to which links may be awaited. */
export interface AwaitedDocument {
  readonly uid: Uid;
  readonly documentId: string;
  /** Null for a type without locales. */
  readonly locale: string | null;
}

export function isAwaited({ uid, documentId, locale }: AwaitedDocument, alias = awaitedLinksTable): Sql {
  const column = (name: string) => sql.id(alias, name);
  const inLocale = locale === null ? sql`${column('locale')} IS NULL` : sql`${column('locale')} = ${locale}`;
  return sql`${column('document_id')} = ${documentId} AND ${column('target_type')} = ${uid} AND ${inLocale}`;
}
