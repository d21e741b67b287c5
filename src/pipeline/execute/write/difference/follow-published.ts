/** Copies the links from other documents to a draft when the draft is
 *  published for the first time. */
import type { ColumnType } from '../../../../dialects/column-type.ts';
import type { Dialect, SqlValue } from '../../../../dialects/dialect.ts';
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
import { oncePer } from '../../../collections.ts';
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
    const statement = linkStatement(incoming, { type, draftId, publishedId }, rows.dialect, model);
    rows.connection.send(statement.text, statement.parameters);
    rows.connection.changes(unknownRows(incoming.storage.table), [incoming.storage.table]);
  }
}

function linkStatement(
  { source, storage }: Incoming,
  { type, draftId, publishedId }: { readonly type: ContentType; readonly draftId: number; readonly publishedId: number },
  dialect: Dialect,
  model: ContentModel,
) {
  const { quote } = dialect;
  const parameters: SqlValue[] = [];
  const bound = (value: SqlValue, type: ColumnType) => {
    parameters.push(dialect.bind(value, type));
    return dialect.comparand(dialect.placeholder(parameters.length), type, value);
  };
  const table = quote(storage.table);
  const [sourceColumn, targetColumn] = [quote(storage.sourceColumn), quote(storage.targetColumn)];
  const { orderColumn } = storage;
  const columns = [sourceColumn, targetColumn, ...(orderColumn === undefined ? [] : [quote(orderColumn)])];
  const withDrafts = source.kind !== 'component' && source.draftAndPublish;
  const id = withDrafts ? 'p.id' : `original.${sourceColumn}`;
  const counterpart = `JOIN ${quote(source.table)} AS d ON d.id = original.${sourceColumn} AND d.published_at IS NULL JOIN ${quote(source.table)} AS p ON p.document_id = d.document_id AND p.published_at IS NOT NULL AND (p.locale = d.locale OR (p.locale IS NULL AND d.locale IS NULL))`;
  const target = bound(publishedId, 'id');
  const selected = [`${id} AS source_row`, `${target} AS target_row`];
  let position: string[] = [];
  if (orderColumn !== undefined && withDrafts) {
    const list = {
      table: storage.table,
      ofColumn: storage.sourceColumn,
      orderColumn,
      toColumn: storage.targetColumn,
      of: source,
      to: type,
    };
    const last = `SELECT MAX(latest.${quote(orderColumn)}) FROM ${table} AS latest WHERE latest.${sourceColumn} = copied.source_row`;
    const before = `COALESCE((${lastBefore(list, dialect, 'copied.source_row', 'copied.following')}), copied.following - 1)`;
    selected.push(`(${firstFollowing(list, dialect)}) AS following`);
    position = [`COALESCE((${before} + copied.following) / 2.0, (${last}) + 1, 1)`];
  } else if (orderColumn !== undefined) {
    // The list has both links. Links with equal positions are sorted by their row ids.
    selected.push(`original.${quote(orderColumn)} AS link_position`);
    position = ['copied.link_position'];
  }
  const text =
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${['copied.source_row', 'copied.target_row', ...position].join(', ')} FROM (` +
    `SELECT ${selected.join(', ')} FROM ${table} AS original ${withDrafts ? counterpart : ''} ` +
    `WHERE original.${targetColumn} = ${bound(draftId, 'id')} ` +
    `AND NOT EXISTS (SELECT 1 FROM ${table} AS e WHERE e.${sourceColumn} = ${id} AND e.${targetColumn} = ${bound(publishedId, 'id')})` +
    `${source.kind === 'component' ? ` AND ${plainOwner(source.uid, `original.${sourceColumn}`, { dialect, model, bound })}` : ''}) AS copied`;
  return { text, parameters };
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

interface StatementParts {
  readonly dialect: Dialect;
  readonly model: ContentModel;
  /** Binds a value, and returns its placeholder. */
  readonly bound: (value: SqlValue, type: ColumnType) => string;
}

function plainOwner(uid: Uid, id: string, parts: StatementParts, depth = 0): string {
  const { model, bound } = parts;
  const { quote } = parts.dialect;
  const own = componentsColumns;
  const conditions = holders(uid, model).flatMap((holder) => {
    const isPlain = holder.kind !== 'component' && !holder.draftAndPublish;
    if (
      holder.componentsTable === undefined ||
      (!isPlain && (holder.kind !== 'component' || depth >= deepest || !ownedByPlain(holder.uid, model)))
    )
      return [];
    const join = `c${depth}`;
    const ownCondition = `${join}.${quote(own.component)} = ${id} AND ${join}.${quote(own.type)} = ${bound(uid, 'string')}`;
    const further = isPlain ? '' : ` AND ${plainOwner(holder.uid, `${join}.${quote(own.owner)}`, parts, depth + 1)}`;
    return [`EXISTS (SELECT 1 FROM ${quote(holder.componentsTable.table)} AS ${join} WHERE ${ownCondition}${further})`];
  });
  return conditions.length === 0 ? '1 = 0' : `(${conditions.join(' OR ')})`;
}
