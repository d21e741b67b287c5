/** Links from other documents to a draft that is published for the first time or unpublished. The
 *  document's own type has no attribute for them. */

import { oncePer } from '../../../../collections.ts';
import {
  type ContentModel,
  type ContentType,
  componentsColumns,
  type LinkTable,
  type MorphColumns,
  type MorphLink,
  type Schema,
  schemasOf,
  type Uid,
} from '../../../../model/content-model.ts';
import type { Rows } from '../../../../sql/rows.ts';
import { type Sql, sql } from '../../../../sql/sql.ts';
import { type AwaitedDocument, awaitedColumns, awaitedTable, isAwaited } from './awaited-links.ts';
import { unknownRows } from './changed-keys.ts';
import { firstFollowing, lastBefore } from './link-positions.ts';

/** A one-way relation that may lead to a document's type. */
interface Incoming<Storage = LinkTable | MorphLink | MorphColumns> {
  readonly source: Schema;
  readonly field: string;
  readonly storage: Storage;
}

const incomingTo = oncePer((model: ContentModel) =>
  oncePer((type: ContentType): readonly Incoming[] =>
    schemasOf(model).flatMap((source) => {
      if (source.uid.startsWith('plugin::') || source.uid.startsWith('admin::')) return [];
      return [...source.attributes.values()].flatMap((attribute): Incoming[] => {
        if (attribute.kind !== 'relation') return [];
        const { name: field, storage } = attribute;
        if (storage.kind === 'morphLink' || storage.kind === 'morphColumns') return [{ source, field, storage }];
        // A two-way relation is an attribute of the document as well, and was published with it.
        const isOneWay = attribute.inversedBy === undefined && attribute.mappedBy === undefined;
        return storage.kind === 'linkTable' && attribute.target === type.uid && isOneWay ? [{ source, field, storage }] : [];
      });
    }),
  ),
);

/** A document in one locale, with its draft and its published row. */
export interface FollowedDocument {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
  readonly draftId: number;
  readonly publishedId: number;
}

interface Parts {
  readonly rows: Rows;
  readonly model: ContentModel;
  readonly hasAwaitedLinks: boolean;
}

const awaitedOf = ({ type, documentId, locale }: FollowedDocument): AwaitedDocument => ({
  uid: type.uid,
  documentId,
  locale: type.localized ? locale : null,
});

/** Makes the links to a document that has been published for the first time:
 *
 *  - those that published entries await;
 *  - those of published entries that Strapi wrote, which link to the document in their drafts: if
 *    the draft has not changed since, at the same position;
 *  - those of rows of types without drafts, which link to both rows. */
export function followPublished(document: FollowedDocument, { rows, model, hasAwaitedLinks }: Parts): void {
  for (const incoming of incomingTo(model)(document.type)) {
    const { source, storage } = incoming;
    const statements = [
      ...(hasAwaitedLinks ? [awaitedStatement(incoming, document)] : []),
      ...(mayBePlain(source, model) ? [plainStatement(incoming, document, model)] : []),
      ...(storage.kind === 'linkTable' && isDrafted(source) ? [draftStatement({ ...incoming, storage }, document)] : []),
    ];
    for (const statement of statements) rows.send(statement);
    const table = tableOf(incoming);
    if (statements.length > 0) rows.connection.changes(unknownRows(table), [table]);
  }
  if (hasAwaitedLinks) forgetTarget(awaitedOf(document), { rows, model });
}

/** Nothing awaits the document any more: its links are made, or it is deleted. */
export function forgetTarget(document: AwaitedDocument, { rows, model }: Pick<Parts, 'rows' | 'model'>): void {
  const type = model.contentTypes.get(document.uid);
  if (type === undefined || !type.draftAndPublish || incomingTo(model)(type).length === 0) return;
  rows.send(sql`DELETE FROM ${awaitedTable} WHERE ${isAwaited(document)}`);
}

/** Remembers the links to a document that is being unpublished, so that they are made again when it
 *  is published. Called before they are deleted. */
export function awaitUnpublished(document: FollowedDocument, { rows, model, hasAwaitedLinks }: Parts): void {
  for (const incoming of incomingTo(model)(document.type)) {
    const { source, field, storage } = incoming;
    if (storage.kind === 'morphColumns' && mayBePlain(source, model)) rows.send(backToDraft({ source, field, storage }, document, model));
    if (hasAwaitedLinks && (source.kind === 'component' || source.draftAndPublish)) rows.send(awaitStatement(incoming, document));
  }
}

const isDrafted = (source: Schema): boolean => source.kind !== 'component' && source.draftAndPublish;
const mayBePlain = (source: Schema, model: ContentModel): boolean =>
  source.kind === 'component' ? ownedByPlain(source.uid, model) : !source.draftAndPublish;
const tableOf = ({ source, storage }: Incoming): string => (storage.kind === 'morphColumns' ? source.table : storage.table);

/** Conditions on rows of the relation's table that lead to a row. */
function leadsTo({ storage, field }: Incoming, alias: string, target: number, { type }: FollowedDocument): Sql {
  const column = (name: string) => sql.id(alias, name);
  const id = sql.value(target, 'id');
  if (storage.kind === 'linkTable') return sql`${column(storage.targetColumn)} = ${id}`;
  const ofType = sql`${column(storage.idColumn)} = ${id} AND ${column(storage.typeColumn)} = ${type.uid}`;
  return storage.kind === 'morphLink' ? sql`${ofType} AND ${column(storage.fieldColumn)} = ${field}` : ofType;
}

/** The column with the id of the source's row. */
const sourceColumnOf = ({ storage }: Incoming): string => (storage.kind === 'morphColumns' ? 'id' : storage.sourceColumn);

/** Inserts links to the published row. `found` selects `source_row` and `link_position`. */
function linkInsert(incoming: Incoming<LinkTable | MorphLink>, found: Sql, document: FollowedDocument): Sql {
  const { storage, field } = incoming;
  const table = sql.id(storage.table);
  const published = sql.value(document.publishedId, 'id');
  const cells: [string, Sql][] =
    storage.kind === 'linkTable'
      ? [[storage.targetColumn, published]]
      : [
          [storage.idColumn, published],
          [storage.typeColumn, sql`${document.type.uid}`],
          [storage.fieldColumn, sql`${field}`],
        ];
  cells.unshift([storage.sourceColumn, sql`copied.source_row`]);
  if (storage.orderColumn !== undefined) cells.push([storage.orderColumn, sql`copied.link_position`]);
  const isThere = sql`SELECT 1 FROM ${table} AS e WHERE ${sql.id('e', storage.sourceColumn)} = copied.source_row AND ${leadsTo(incoming, 'e', document.publishedId, document)}`;
  const names = sql.join(cells.map(([name]) => sql.id(name)));
  const values = sql.join(cells.map(([, value]) => value));
  return sql`INSERT INTO ${table} (${names}) SELECT ${values} FROM (${found}) AS copied WHERE NOT EXISTS (${isThere})`;
}

function awaitedStatement(incoming: Incoming, document: FollowedDocument): Sql {
  const { source, field, storage } = incoming;
  const table = sql.id(source.table);
  const isHere = sql`a.source_table = ${source.table} AND a.field = ${field} AND ${isAwaited(awaitedOf(document), 'a')}`;
  if (storage.kind === 'morphColumns') {
    const [id, type] = [sql.id(storage.idColumn), sql.id(storage.typeColumn)];
    const change = sql`${id} = ${sql.value(document.publishedId, 'id')}, ${type} = ${document.type.uid}`;
    return sql`UPDATE ${table} SET ${change} WHERE ${id} IS NULL AND id IN (SELECT a.source_id FROM ${awaitedTable} AS a WHERE ${isHere})`;
  }
  const found = sql`SELECT a.source_id AS source_row, a.position AS link_position FROM ${awaitedTable} AS a JOIN ${table} AS s ON s.id = a.source_id WHERE ${isHere}`;
  return linkInsert({ source, field, storage }, found, document);
}

/** The list has both links. Links with equal positions are sorted by their row ids. */
function plainStatement(incoming: Incoming, document: FollowedDocument, model: ContentModel): Sql {
  const { source, field, storage } = incoming;
  if (storage.kind === 'morphColumns') {
    const table = sql.id(source.table);
    const change = sql`${sql.id(storage.idColumn)} = ${sql.value(document.publishedId, 'id')}`;
    const isPlain = plainCondition(source, sql.id(source.table, 'id'), model);
    return sql`UPDATE ${table} SET ${change} WHERE ${leadsTo(incoming, source.table, document.draftId, document)}${isPlain}`;
  }
  const from = sql.id('original', storage.sourceColumn);
  const order = storage.orderColumn === undefined ? sql`NULL` : sql.id('original', storage.orderColumn);
  const isPlain = plainCondition(source, from, model);
  const found = sql`SELECT ${from} AS source_row, ${order} AS link_position FROM ${sql.id(storage.table)} AS original WHERE ${leadsTo(incoming, 'original', document.draftId, document)}${isPlain}`;
  return linkInsert({ source, field, storage }, found, document);
}

/** The column of a row of a type without drafts leads to the draft again. */
function backToDraft(incoming: Incoming<MorphColumns>, document: FollowedDocument, model: ContentModel): Sql {
  const { source, storage } = incoming;
  const change = sql`${sql.id(storage.idColumn)} = ${sql.value(document.draftId, 'id')}`;
  const isPlain = plainCondition(source, sql.id(source.table, 'id'), model);
  return sql`UPDATE ${sql.id(source.table)} SET ${change} WHERE ${leadsTo(incoming, source.table, document.publishedId, document)}${isPlain}`;
}

const plainCondition = (source: Schema, id: Sql, model: ContentModel): Sql =>
  source.kind === 'component' ? sql` AND ${plainOwner(source.uid, id, model)}` : sql.empty;

function draftStatement(incoming: Incoming<LinkTable>, document: FollowedDocument): Sql {
  const { source, storage } = incoming;
  const { sourceColumn, targetColumn, orderColumn } = storage;
  const table = sql.id(storage.table);
  const rowsOf = sql.id(source.table);
  const isCounterpart = sql`p.document_id = d.document_id AND p.published_at IS NOT NULL AND (p.locale = d.locale OR (p.locale IS NULL AND d.locale IS NULL))`;
  // Publishing gives both rows the same time.
  const counterpart = sql` JOIN ${rowsOf} AS d ON d.id = ${sql.id('original', sourceColumn)} AND d.published_at IS NULL JOIN ${rowsOf} AS p ON ${isCounterpart} AND p.updated_at = d.updated_at`;
  const from = sql`FROM ${table} AS original${counterpart} WHERE ${leadsTo(incoming, 'original', document.draftId, document)}`;
  if (orderColumn === undefined) return linkInsert(incoming, sql`SELECT p.id AS source_row, NULL AS link_position ${from}`, document);
  const list = { table: storage.table, ofColumn: sourceColumn, orderColumn, toColumn: targetColumn, of: source, to: document.type };
  const last = sql`SELECT MAX(${sql.id('latest', orderColumn)}) FROM ${table} AS latest WHERE ${sql.id('latest', sourceColumn)} = placed.source_row`;
  const before = sql`COALESCE((${lastBefore(list, sql`placed.source_row`, sql`placed.following`)}), placed.following - 1)`;
  const placed = sql`SELECT p.id AS source_row, (${firstFollowing(list)}) AS following ${from}`;
  const position = sql`COALESCE((${before} + placed.following) / 2.0, (${last}) + 1, 1)`;
  return linkInsert(incoming, sql`SELECT placed.source_row, ${position} AS link_position FROM (${placed}) AS placed`, document);
}

/** Rows that link to the draft as well are of types without drafts, and keep that link. */
function awaitStatement(incoming: Incoming, document: FollowedDocument): Sql {
  const { source, field, storage } = incoming;
  const table = sql.id(tableOf(incoming));
  const from = sql.id('l', sourceColumnOf(incoming));
  const { uid, documentId, locale } = awaitedOf(document);
  const position = storage.kind === 'morphColumns' || storage.orderColumn === undefined ? sql`NULL` : sql.id('l', storage.orderColumn);
  const selected = sql.join([
    sql`${sql.value(source.table, 'string')}`,
    from,
    sql`${sql.value(field, 'string')}`,
    sql`${sql.value(uid, 'string')}`,
    sql`${sql.value(documentId, 'string')}`,
    sql`${sql.value(locale, 'string')}`,
    position,
  ]);
  const isBoth = sql`SELECT 1 FROM ${table} AS e WHERE ${sql.id('e', sourceColumnOf(incoming))} = ${from} AND ${leadsTo(incoming, 'e', document.draftId, document)}`;
  return sql`INSERT INTO ${awaitedTable} (${awaitedColumns}) SELECT ${selected} FROM ${table} AS l WHERE ${leadsTo(incoming, 'l', document.publishedId, document)} AND NOT EXISTS (${isBoth})`;
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
