/** Selects the rows of a populated attribute, given the row ids of their parents. Each
 *  statement starts from those ids. */
import {
  type ComponentAttribute,
  componentsColumns,
  type DynamicZoneAttribute,
  type MediaAttribute,
  type RelationAttribute,
  type Schema,
} from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import type { Status } from '../parse/types.ts';
import { type ConditionCompiler, componentsTableOf, orderedJoin, unindexed } from './compile-conditions.ts';

export interface RowSource {
  /** Everything after FROM. */
  readonly from: Sql;
  readonly where: readonly Sql[];
  /** SQL of the parent's row id. */
  readonly parent: Sql;
  /** Alias of the target's table. */
  readonly target: Sql;
  /** Order of the rows of one parent, unless a sort says otherwise. */
  readonly order: readonly Sql[];
}

/** Writes the row ids of the parents as the relation `alias`, with one column, `value`. */
export type ParentIds = (alias: Sql) => Sql;

/** The row ids as one parameter. */
export const parentIds: ParentIds = (alias) => sql.ask((dialect, ids, name) => dialect.idList(ids, name), sql.open('ids'), alias);

interface RelatedBy {
  readonly owner: Schema;
  readonly target: Schema;
  readonly status: Status;
  /** The ids of the owner's rows. */
  readonly ids: ParentIds;
}

/** Returns the source of the rows that a relation, media or component attribute leads to. */
export function rowSource(
  compiler: ConditionCompiler,
  attribute: RelationAttribute | MediaAttribute | ComponentAttribute,
  { owner, target, status, ids: idsOf }: RelatedBy,
): RowSource {
  const { dialect } = compiler;
  const ids = compiler.alias();
  const link = compiler.alias();
  const row = compiler.alias();
  const from = idsOf(ids);
  const stops = compiler.stopPoints(link);
  const parent = sql`${ids}.value`;
  const join = orderedJoin;
  const column = (alias: Sql, name: string) => compiler.column(alias, name);
  const table = (name: string, alias: Sql) => sql`${sql.table(name)} ${alias}`;
  const equals = (name: string, value: string) => sql`${unindexed(column(link, name))} = ${sql.value(value, 'string')}`;
  const targetById = (name: string) => sql`${join} ${table(target.table, row)} ON ${column(row, 'id')} = ${column(link, name)}`;

  if (attribute.kind === 'component') {
    const own = componentsColumns;
    return {
      from: sql`${from} ${join} ${table(componentsTableOf(owner), link)} ON ${column(link, own.owner)} = ${parent} ${targetById(own.component)}`,
      where: [...stops, equals(own.field, attribute.name), equals(own.type, attribute.component)],
      parent,
      target: row,
      order: [column(link, own.order), column(link, 'id')],
    };
  }
  const { storage } = attribute;
  switch (storage.kind) {
    case 'linkTable':
      return {
        from: sql`${from} ${join} ${table(storage.table, link)} ON ${column(link, storage.sourceColumn)} = ${parent} ${targetById(storage.targetColumn)}`,
        where: stops,
        parent,
        target: row,
        order: [...(storage.orderColumn === undefined ? [] : [column(link, storage.orderColumn)]), column(link, 'id')],
      };
    case 'ownColumn':
      return {
        from: sql`${from} ${join} ${table(owner.table, link)} ON ${column(link, 'id')} = ${parent} ${targetById(storage.column)}`,
        where: [],
        parent,
        target: row,
        order: [],
      };
    case 'inverseMorphLink':
      return {
        from: sql`${from} ${join} ${table(storage.table, link)} ON ${column(link, storage.idColumn)} = ${parent} ${targetById(storage.targetColumn)}`,
        where: [...stops, equals(storage.typeColumn, storage.typeValue), equals(storage.fieldColumn, storage.fieldValue)],
        parent,
        target: row,
        order: [column(link, storage.orderColumn), column(link, 'id')],
      };
    case 'inverseMorphColumns':
      // Strapi has no index on the id column, so the target is scanned once, not once for each
      // parent.
      return {
        from: table(target.table, row),
        where: [
          ...compiler.stopPoints(row),
          sql`${column(row, storage.typeColumn)} = ${sql.value(storage.typeValue, 'string')}`,
          sql`${column(row, storage.idColumn)} IN (SELECT ${parent} FROM ${from})`,
        ],
        parent: column(row, storage.idColumn),
        target: row,
        order: [column(row, 'id')],
      };
    case 'sameDocument': {
      const published = status === 'published' ? sql`IS NOT NULL` : sql`IS NULL`;
      const drafts = owner.kind !== 'component' && owner.draftAndPublish;
      return {
        from: sql`${from} ${join} ${table(owner.table, link)} ON ${column(link, 'id')} = ${parent} ${join} ${table(owner.table, row)} ON ${column(row, 'document_id')} = ${column(link, 'document_id')}`,
        where: [
          sql`${column(row, 'locale')} <> ${column(link, 'locale')}`,
          ...(drafts ? [sql`${column(row, 'published_at')} ${published}`] : []),
        ],
        parent,
        target: row,
        order: [...(dialect.localizationsBy === 'locale' ? [column(row, 'locale')] : []), column(row, 'id')],
      };
    }
    case 'morphColumns':
    case 'morphLink':
    case 'nowhere':
      throw new Error(`${attribute.name} has no one target`);
  }
}

export interface ReferenceSource extends RowSource {
  readonly id: Sql;
  readonly type: Sql;
}

/** Returns the source of the references of a dynamic zone or a relation to any type: parent, target
 *  id, target type, in order. `targets` are the types of the rows that are shown. */
export function referenceSource(
  compiler: ConditionCompiler,
  attribute: DynamicZoneAttribute | RelationAttribute,
  { owner, targets, ids: idsOf }: { readonly owner: Schema; readonly targets: readonly Schema[]; readonly ids: ParentIds },
): ReferenceSource {
  const ids = compiler.alias();
  const link = compiler.alias();
  const parent = sql`${ids}.value`;
  const column = (name: string) => compiler.column(link, name);
  const from = (table: string, ownerColumn: string) =>
    sql`${idsOf(ids)} ${orderedJoin} ${sql.table(table)} ${link} ON ${column(ownerColumn)} = ${parent}`;
  if (attribute.kind === 'dynamiczone') {
    const own = componentsColumns;
    return {
      from: from(componentsTableOf(owner), own.owner),
      where: [...compiler.stopPoints(link), sql`${unindexed(column(own.field))} = ${sql.value(attribute.name, 'string')}`],
      parent,
      target: link,
      order: [column(own.order), column('id')],
      id: column(own.component),
      type: column(own.type),
    };
  }
  const { storage } = attribute;
  if (storage.kind === 'morphColumns') {
    return {
      from: from(owner.table, 'id'),
      where: [sql`${column(storage.idColumn)} IS NOT NULL`],
      parent,
      target: link,
      order: [],
      id: column(storage.idColumn),
      type: column(storage.typeColumn),
    };
  }
  if (storage.kind !== 'morphLink') throw new Error(`${attribute.name} names no type in its rows`);
  return {
    from: from(storage.table, storage.sourceColumn),
    where: [
      ...compiler.stopPoints(link),
      ...privateMedia(storage.table, targets).map(
        ([type, field]) =>
          sql`(${column(storage.typeColumn)} <> ${sql.value(type, 'string')} OR ${column(storage.fieldColumn)} <> ${sql.value(field, 'string')} OR ${column(storage.fieldColumn)} IS NULL)`,
      ),
    ],
    parent,
    target: link,
    order: [column(storage.orderColumn), column('id')],
    id: column(storage.idColumn),
    type: column(storage.typeColumn),
  };
}

/** Returns the private media attributes of the types: `related` of a file must not reveal entries
 *  that have the file in a private attribute. */
const privateMedia = (table: string, targets: readonly Schema[]): (readonly [type: string, field: string])[] =>
  targets.flatMap(({ uid, attributes }) =>
    [...attributes.values()]
      .filter((attribute) => attribute.kind === 'media' && !isVisible(attribute) && attribute.storage.table === table)
      .map(({ name }) => [uid, name] as const),
  );
