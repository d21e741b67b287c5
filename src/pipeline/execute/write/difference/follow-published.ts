/** One-way links from other documents to a document that is published for the first time or
 *  unpublished, or gets a draft. Its own type has no attribute for them. */

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
import { allDone } from '../../../../sql/all-done.ts';
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

/** A document in one locale. */
export interface LocatedDocument {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
}

/** With its draft and its published row. */
export interface FollowedDocument extends LocatedDocument {
  readonly draftId: number;
  readonly publishedId: number;
}

interface Parts {
  readonly rows: Rows;
  readonly model: ContentModel;
  readonly hasAwaitedLinks: boolean;
}

const awaitedOf = ({ type, documentId, locale }: LocatedDocument): AwaitedDocument => ({
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
export function followPublished(
  document: FollowedDocument,
  waiting: readonly WaitingRows[],
  { rows, model, hasAwaitedLinks }: Parts,
): void {
  for (const { source, storage, ids } of waiting)
    rows.updateAll(source.table, ids, [
      { name: storage.idColumn, type: 'reference', value: document.publishedId },
      { name: storage.typeColumn, type: 'string', value: document.type.uid },
    ]);
  for (const incoming of incomingTo(model)(document.type)) {
    const { source, field, storage } = incoming;
    if (hasAwaitedLinks && storage.kind !== 'morphColumns') rows.send(awaitedStatement({ source, field, storage }, document));
    if (mayBe('plain', source, model)) rows.send(besideStatement(incoming, { from: 'draft', owner: 'plain' }, document, model));
    if (storage.kind === 'linkTable' && source.kind !== 'component' && source.draftAndPublish)
      rows.send(draftStatement({ source, field, storage }, document));
    noteChanges(incoming, rows);
  }
  if (hasAwaitedLinks) forgetTarget(awaitedOf(document), { rows, model });
}

/** Lets links lead to the draft that a published document gets: imports leave documents without
 *  one. Drafts linked to the published row in its place, and types without drafts to that row
 *  alone. */
export function followDraft(document: FollowedDocument, { rows, model }: Parts): void {
  for (const incoming of incomingTo(model)(document.type)) {
    const { source, storage } = incoming;
    if (mayBe('draft', source, model)) rows.send(moveStatement(incoming, { from: 'published', owner: 'draft' }, document, model));
    if (storage.kind !== 'morphColumns' && mayBe('plain', source, model))
      rows.send(besideStatement(incoming, { from: 'published', owner: 'plain' }, document, model));
    noteChanges(incoming, rows);
  }
}

/** Lets published entries await their links to a document that is being unpublished, so that they
 *  get them again when it is published. Called before they are deleted. */
export function awaitUnpublished(document: FollowedDocument, { rows, model, hasAwaitedLinks }: Parts): void {
  for (const incoming of incomingTo(model)(document.type)) {
    const { source, storage } = incoming;
    if (storage.kind === 'morphColumns' && mayBe('plain', source, model))
      rows.send(moveStatement(incoming, { from: 'published', owner: 'plain' }, document, model));
    if (hasAwaitedLinks && (source.kind === 'component' || source.draftAndPublish)) rows.send(awaitStatement(incoming, document));
  }
}

/** Nothing awaits the document any more: its links are made, or it is deleted. */
export function forgetTarget(document: AwaitedDocument, { rows, model }: Pick<Parts, 'rows' | 'model'>): void {
  const type = model.contentTypes.get(document.uid);
  if (type === undefined || !type.draftAndPublish || incomingTo(model)(type).length === 0) return;
  rows.send(sql`DELETE FROM ${awaitedTable} WHERE ${isAwaited(document)}`);
}

const tableOf = ({ source, storage }: Incoming): string => (storage.kind === 'morphColumns' ? source.table : storage.table);

function noteChanges(incoming: Incoming, rows: Rows): void {
  const table = tableOf(incoming);
  rows.connection.changes(unknownRows(table), [table]);
}

type RowStatus = 'draft' | 'published';
const rowOf = ({ draftId, publishedId }: FollowedDocument, status: RowStatus): number => (status === 'draft' ? draftId : publishedId);
const otherStatus = (status: RowStatus): RowStatus => (status === 'draft' ? 'published' : 'draft');

/** Links of such owners that lead to one row of the document. */
interface Followed {
  readonly from: RowStatus;
  readonly owner: Owner;
}

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

/** Inserts links to a row. `found` selects `source_row` and `link_position`. */
function linkInsert(incoming: Incoming<LinkTable | MorphLink>, found: Sql, target: number, document: FollowedDocument): Sql {
  const { storage, field } = incoming;
  const table = sql.id(storage.table);
  const row = sql.value(target, 'id');
  const cells: [string, Sql][] =
    storage.kind === 'linkTable'
      ? [[storage.targetColumn, row]]
      : [
          [storage.idColumn, row],
          [storage.typeColumn, sql`${document.type.uid}`],
          [storage.fieldColumn, sql`${field}`],
        ];
  cells.unshift([storage.sourceColumn, sql`copied.source_row`]);
  if (storage.orderColumn !== undefined) cells.push([storage.orderColumn, sql`copied.link_position`]);
  const isThere = sql`SELECT 1 FROM ${table} AS e WHERE ${sql.id('e', storage.sourceColumn)} = copied.source_row AND ${leadsTo(incoming, 'e', target, document)}`;
  const names = sql.join(cells.map(([name]) => sql.id(name)));
  const values = sql.join(cells.map(([, value]) => value));
  return sql`INSERT INTO ${table} (${names}) SELECT ${values} FROM (${found}) AS copied WHERE NOT EXISTS (${isThere})`;
}

/** The rows of the table of awaited links, as `a`, that an attribute has for the document. */
const waitingRows = ({ source, field }: Incoming, document: LocatedDocument): Sql =>
  sql`FROM ${awaitedTable} AS a JOIN ${sql.id(source.table)} AS s ON s.id = a.source_id WHERE a.source_table = ${source.table} AND a.field = ${field} AND ${isAwaited(awaitedOf(document), 'a')}`;

function awaitedStatement(incoming: Incoming<LinkTable | MorphLink>, document: FollowedDocument): Sql {
  const found = sql`SELECT a.source_id AS source_row, a.position AS link_position ${waitingRows(incoming, document)}`;
  return linkInsert(incoming, found, document.publishedId, document);
}

/** Rows that await a link in columns of their own. */
export interface WaitingRows {
  readonly source: Schema;
  readonly storage: MorphColumns;
  readonly ids: readonly number[];
}

/** Reads them before the document is published: MariaDB would read all rows of a table that an
 *  UPDATE with a subquery changes. */
export function readWaitingRows(document: LocatedDocument, { rows, model, hasAwaitedLinks }: Parts): Promise<readonly WaitingRows[]> {
  const read = async ({ source, field, storage }: Incoming): Promise<WaitingRows[]> => {
    if (storage.kind !== 'morphColumns') return [];
    const isEmpty = sql`${sql.id('s', storage.idColumn)} IS NULL`;
    const found = await rows.run(sql`SELECT s.id ${waitingRows({ source, field, storage }, document)} AND ${isEmpty}`);
    return found.length === 0 ? [] : [{ source, storage, ids: found.map(([id]) => Number(id)) }];
  };
  return hasAwaitedLinks ? allDone(incomingTo(model)(document.type).map(read)).then((lists) => lists.flat()) : Promise.resolve([]);
}

/** Adds links to the other row of the document at the same positions. Links with equal positions
 *  are sorted by their row ids. A column has place for one link, which then leads to the other
 *  row. */
function besideStatement(incoming: Incoming, followed: Followed, document: FollowedDocument, model: ContentModel): Sql {
  const { source, field, storage } = incoming;
  if (storage.kind === 'morphColumns') return moveStatement(incoming, followed, document, model);
  const from = sql.id('original', storage.sourceColumn);
  const order = storage.orderColumn === undefined ? sql`NULL` : sql.id('original', storage.orderColumn);
  const conditions = followedLinks(incoming, 'original', followed, document, model);
  const found = sql`SELECT ${from} AS source_row, ${order} AS link_position FROM ${sql.id(storage.table)} AS original WHERE ${conditions}`;
  return linkInsert({ source, field, storage }, found, rowOf(document, otherStatus(followed.from)), document);
}

/** Lets links lead to the other row of the document. */
function moveStatement(incoming: Incoming, followed: Followed, document: FollowedDocument, model: ContentModel): Sql {
  const { storage } = incoming;
  const table = tableOf(incoming);
  const target = sql.id(storage.kind === 'linkTable' ? storage.targetColumn : storage.idColumn);
  const conditions = followedLinks(incoming, table, followed, document, model);
  return sql`UPDATE ${sql.id(table)} SET ${target} = ${sql.value(rowOf(document, otherStatus(followed.from)), 'id')} WHERE ${conditions}`;
}

function followedLinks(incoming: Incoming, alias: string, { from, owner }: Followed, document: FollowedDocument, model: ContentModel): Sql {
  const { source, storage } = incoming;
  const isRow = storage.kind === 'morphColumns';
  const id = sql.id(alias, isRow ? 'id' : storage.sourceColumn);
  const owned = isOwned(owner, { schema: source, id, ...(isRow ? { row: alias } : {}) }, model);
  return sql`${leadsTo(incoming, alias, rowOf(document, from), document)} AND ${owned}`;
}

function draftStatement(incoming: Incoming<LinkTable>, document: FollowedDocument): Sql {
  const { source, storage } = incoming;
  const { sourceColumn, targetColumn, orderColumn } = storage;
  const table = sql.id(storage.table);
  const rowsOf = sql.id(source.table);
  const isCounterpart = sql`p.document_id = d.document_id AND p.published_at IS NOT NULL AND (p.locale = d.locale OR (p.locale IS NULL AND d.locale IS NULL))`;
  // Publishing gives both rows the same time.
  const counterpart = sql` JOIN ${rowsOf} AS d ON d.id = ${sql.id('original', sourceColumn)} AND d.published_at IS NULL JOIN ${rowsOf} AS p ON ${isCounterpart} AND p.updated_at = d.updated_at`;
  const from = sql`FROM ${table} AS original${counterpart} WHERE ${leadsTo(incoming, 'original', document.draftId, document)}`;
  if (orderColumn === undefined)
    return linkInsert(incoming, sql`SELECT p.id AS source_row, NULL AS link_position ${from}`, document.publishedId, document);
  const list = { table: storage.table, ofColumn: sourceColumn, orderColumn, toColumn: targetColumn, of: source, to: document.type };
  const last = sql`SELECT MAX(${sql.id('latest', orderColumn)}) FROM ${table} AS latest WHERE ${sql.id('latest', sourceColumn)} = placed.source_row`;
  const before = sql`COALESCE((${lastBefore(list, sql`placed.source_row`, sql`placed.following`)}), placed.following - 1)`;
  const placed = sql`SELECT p.id AS source_row, (${firstFollowing(list)}) AS following ${from}`;
  const position = sql`COALESCE((${before} + placed.following) / 2.0, (${last}) + 1, 1)`;
  return linkInsert(
    incoming,
    sql`SELECT placed.source_row, ${position} AS link_position FROM (${placed}) AS placed`,
    document.publishedId,
    document,
  );
}

/** Skips rows that also link to the draft: they are of types without drafts, and keep that link. */
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
/** Whose links: those of rows of types without drafts, or of drafts. */
type Owner = 'plain' | 'draft';

const isOf = (owner: Owner, { draftAndPublish }: ContentType): boolean => draftAndPublish === (owner === 'draft');

/** Returns the types and components that may hold a component. */
const holders = (uid: Uid, model: ContentModel): Schema[] =>
  schemasOf(model).filter((schema) =>
    [...schema.attributes.values()].some(
      (attribute) =>
        (attribute.kind === 'component' && attribute.component === uid) ||
        (attribute.kind === 'dynamiczone' && attribute.components.includes(uid)),
    ),
  );

/** Whether rows of the schema may be such owners, or components in one, at any depth. */
function mayBe(owner: Owner, schema: Schema, model: ContentModel, seen: ReadonlySet<Uid> = new Set()): boolean {
  if (schema.kind !== 'component') return isOf(owner, schema);
  if (seen.has(schema.uid)) return false;
  const further = new Set([...seen, schema.uid]);
  return holders(schema.uid, model).some((holder) => mayBe(owner, holder, model, further));
}

/** Components nested more deeply than this are not followed; schemas do not nest them so deeply. */
const deepest = 10;

/** A condition: the row `id` of the schema is such an owner, or a component in one. `row`: the
 *  alias of a statement's table whose rows are meant. */
function isOwned(owner: Owner, { schema, id, row }: OwnedRow, model: ContentModel, depth = 0): Sql {
  if (schema.kind !== 'component') {
    if (!isOf(owner, schema)) return sql`1 = 0`;
    if (owner === 'plain') return sql`1 = 1`;
    if (row !== undefined) return sql`${sql.id(row, 'published_at')} IS NULL`;
    return sql`EXISTS (SELECT 1 FROM ${sql.id(schema.table)} AS d WHERE d.id = ${id} AND d.published_at IS NULL)`;
  }
  const own = componentsColumns;
  const conditions = holders(schema.uid, model).flatMap((holder) => {
    if (holder.componentsTable === undefined || depth > deepest || !mayBe(owner, holder, model)) return [];
    const join = `c${depth}`;
    const ofComponent = sql`${sql.id(join, own.component)} = ${id} AND ${sql.id(join, own.type)} = ${sql.value(schema.uid, 'string')}`;
    const further = isOwned(owner, { schema: holder, id: sql.id(join, own.owner) }, model, depth + 1);
    return [sql`EXISTS (SELECT 1 FROM ${sql.id(holder.componentsTable.table)} AS ${sql.raw(join)} WHERE ${ofComponent} AND ${further})`];
  });
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, ' OR ')})`;
}

interface OwnedRow {
  readonly schema: Schema;
  readonly id: Sql;
  readonly row?: string;
}
