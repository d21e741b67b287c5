/** Copies the links from other documents to a draft that is published for the first time. */

import { oncePer } from '../../../../collections.ts';
import {
  type ContentModel,
  type ContentType,
  componentsColumns,
  type LinkTable,
  type Schema,
  schemasOf,
  type Uid,
} from '../../../../model/content-model.ts';
import type { Rows } from '../../../../sql/rows.ts';
import { type Sql, sql } from '../../../../sql/sql.ts';
import { unknownRows } from './changed-keys.ts';
import { firstFollowing, lastBefore } from './link-positions.ts';

/** A one-way relation to the document's type: the type has no attribute for it. */
interface Incoming {
  readonly source: Schema;
  readonly storage: LinkTable;
}

const incomingTo = oncePer((model: ContentModel) =>
  oncePer((type: ContentType): readonly Incoming[] =>
    schemasOf(model).flatMap((source) =>
      [...source.attributes.values()].flatMap((attribute) => {
        if (attribute.kind !== 'relation' || attribute.target !== type.uid || attribute.storage.kind !== 'linkTable') return [];
        // A two-way relation is an attribute of the document as well, and was published with it.
        return attribute.inversedBy === undefined && attribute.mappedBy === undefined ? [{ source, storage: attribute.storage }] : [];
      }),
    ),
  ),
);

/** A published row whose draft links to the document's draft gets a link to the published row, at
 *  the same position. So does a row of a type without drafts, which links to both. Components of
 *  types with drafts get the link when their owner is published: it is unknown which component of
 *  the published row corresponds to one of the draft. */
export function followPublished(
  type: ContentType,
  { draftId, publishedId }: { readonly draftId: number; readonly publishedId: number },
  rows: Rows,
  model: ContentModel,
): void {
  for (const incoming of incomingTo(model)(type)) {
    if (incoming.source.kind === 'component' && !ownedByPlain(incoming.source.uid, model)) continue;
    rows.send(linkStatement(incoming, { type, draftId, publishedId }, model));
    rows.connection.changes(unknownRows(incoming.storage.table), [incoming.storage.table]);
  }
}

function linkStatement(
  { source, storage }: Incoming,
  { type, draftId, publishedId }: { readonly type: ContentType; readonly draftId: number; readonly publishedId: number },
  model: ContentModel,
): Sql {
  const { sourceColumn, targetColumn, orderColumn } = storage;
  const table = sql.id(storage.table);
  const rowsOf = sql.id(source.table);
  const original = sql.id('original', sourceColumn);
  const withDrafts = source.kind !== 'component' && source.draftAndPublish;
  const id = withDrafts ? sql`p.id` : original;
  const published = sql.value(publishedId, 'id');
  const isCounterpart = sql`p.document_id = d.document_id AND p.published_at IS NOT NULL AND (p.locale = d.locale OR (p.locale IS NULL AND d.locale IS NULL))`;
  const counterpart = withDrafts
    ? sql` JOIN ${rowsOf} AS d ON d.id = ${original} AND d.published_at IS NULL JOIN ${rowsOf} AS p ON ${isCounterpart}`
    : sql.empty;
  const columns = [sourceColumn, targetColumn];
  const selected = [sql`${id} AS source_row`, sql`${published} AS target_row`];
  const inserted = [sql`copied.source_row`, sql`copied.target_row`];
  if (orderColumn !== undefined) columns.push(orderColumn);
  if (orderColumn !== undefined && withDrafts) {
    const list = { table: storage.table, ofColumn: sourceColumn, orderColumn, toColumn: targetColumn, of: source, to: type };
    const last = sql`SELECT MAX(${sql.id('latest', orderColumn)}) FROM ${table} AS latest WHERE ${sql.id('latest', sourceColumn)} = copied.source_row`;
    const before = sql`COALESCE((${lastBefore(list, sql`copied.source_row`, sql`copied.following`)}), copied.following - 1)`;
    selected.push(sql`(${firstFollowing(list)}) AS following`);
    inserted.push(sql`COALESCE((${before} + copied.following) / 2.0, (${last}) + 1, 1)`);
  } else if (orderColumn !== undefined) {
    // The list has both links. Links with equal positions are sorted by their row ids.
    selected.push(sql`${sql.id('original', orderColumn)} AS link_position`);
    inserted.push(sql`copied.link_position`);
  }
  const conditions = [
    sql`${sql.id('original', targetColumn)} = ${sql.value(draftId, 'id')}`,
    sql`NOT EXISTS (SELECT 1 FROM ${table} AS e WHERE ${sql.id('e', sourceColumn)} = ${id} AND ${sql.id('e', targetColumn)} = ${published})`,
    ...(source.kind === 'component' ? [plainOwner(source.uid, original, model)] : []),
  ];
  const copied = sql`SELECT ${sql.join(selected)} FROM ${table} AS original${counterpart} WHERE ${sql.join(conditions, ' AND ')}`;
  return sql`INSERT INTO ${table} (${sql.join(columns.map((name) => sql.id(name)))}) SELECT ${sql.join(inserted)} FROM (${copied}) AS copied`;
}

/** Returns the types and components that may hold a component. */
const holders = (uid: Uid, model: ContentModel): Schema[] =>
  schemasOf(model).filter((schema) =>
    [...schema.attributes.values()].some(
      (attribute) =>
        (attribute.kind === 'component' && attribute.component === uid) ||
        (attribute.kind === 'dynamiczone' && attribute.components.includes(uid)),
    ),
  );

/** Returns whether a type without drafts may hold the component, at any depth. */
function ownedByPlain(uid: Uid, model: ContentModel, seen: ReadonlySet<Uid> = new Set()): boolean {
  if (seen.has(uid)) return false;
  return holders(uid, model).some((holder) =>
    holder.kind === 'component' ? ownedByPlain(holder.uid, model, new Set([...seen, uid])) : !holder.draftAndPublish,
  );
}

/** Components nested more deeply than this are not followed; schemas do not nest them so deeply. */
const deepest = 10;

function plainOwner(uid: Uid, id: Sql, model: ContentModel, depth = 0): Sql {
  const own = componentsColumns;
  const conditions = holders(uid, model).flatMap((holder) => {
    const isPlain = holder.kind !== 'component' && !holder.draftAndPublish;
    const leadsToPlain = holder.kind === 'component' && depth < deepest && ownedByPlain(holder.uid, model);
    if (holder.componentsTable === undefined || !(isPlain || leadsToPlain)) return [];
    const join = `c${depth}`;
    const ofComponent = sql`${sql.id(join, own.component)} = ${id} AND ${sql.id(join, own.type)} = ${sql.value(uid, 'string')}`;
    const further = isPlain ? sql.empty : sql` AND ${plainOwner(holder.uid, sql.id(join, own.owner), model, depth + 1)}`;
    return [sql`EXISTS (SELECT 1 FROM ${sql.id(holder.componentsTable.table)} AS ${sql.raw(join)} WHERE ${ofComponent}${further})`];
  });
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, ' OR ')})`;
}
