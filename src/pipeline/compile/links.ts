/** Selects the rows of a populated attribute. Statements start from the row ids of the parents. */
import { componentsColumns, type DynamicZoneAttribute, type RelationAttribute, type Schema } from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import { orderedJoin } from '../../sql/rows.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import type { HopAttribute, Status } from '../parse/types.ts';
import type { LinkedVersion, Node } from '../plan/types.ts';
import { type ConditionCompiler, unindexed } from './compile-conditions.ts';
import { componentsTableOf, stepOf } from './steps.ts';

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
  /** Whether several links of one parent may lead to the same row, which is shown once. */
  readonly repeats?: true;
}

/** Writes the row ids of the parents as the relation `alias`, with one column, `value`. */
export type ParentIds = (alias: Sql) => Sql;

/** The row ids as one parameter. */
export const parentIds: ParentIds = (alias) => sql.ask((dialect, ids, name) => dialect.idList(ids, name), sql.parameter('ids'), alias);

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
  attribute: HopAttribute,
  { owner, target, status, ids: idsOf }: RelatedBy,
): RowSource {
  const ids = compiler.alias();
  const link = compiler.alias();
  const row = compiler.alias();
  const from = idsOf(ids);
  const parent = sql`${ids}.value`;
  const column = (alias: Sql, name: string) => compiler.column(alias, name);
  const linked = (table: string, ownerColumn: string) =>
    sql`${from} ${orderedJoin} ${sql.table(table)} ${link} ON ${column(link, ownerColumn)} = ${parent}`;
  const targets = sql`${sql.table(target.table)} ${row}`;
  const targetById = (name: string) => sql`${orderedJoin} ${targets} ON ${column(row, 'id')} = ${column(link, name)}`;
  const step = stepOf(attribute, owner);
  switch (step.kind) {
    case 'joinTable':
      return {
        from: sql`${linked(step.table, step.ownerColumn)} ${targetById(step.targetColumn)}`,
        where: [...compiler.stopPoints(link), ...compiler.fixed(step, link)],
        parent,
        target: row,
        order: [...(step.orderColumn === undefined ? [] : [column(link, step.orderColumn)]), column(link, 'id')],
      };
    case 'ownColumn':
      return { from: sql`${linked(owner.table, 'id')} ${targetById(step.column)}`, where: [], parent, target: row, order: [] };
    case 'inverseMorphColumns':
      // Strapi has no index on the id column, so the target is scanned once, not for each parent.
      return {
        from: targets,
        where: [
          ...compiler.stopPoints(row),
          compiler.hasType(step, row),
          sql`${column(row, step.idColumn)} IN (SELECT ${parent} FROM ${from})`,
        ],
        parent: column(row, step.idColumn),
        target: row,
        order: [column(row, 'id')],
      };
    case 'sameDocument': {
      const published = status === 'published' ? sql`IS NOT NULL` : sql`IS NULL`;
      const drafts = owner.kind !== 'component' && owner.draftAndPublish;
      return {
        from: sql`${linked(owner.table, 'id')} ${orderedJoin} ${sql.table(owner.table)} ${row} ON ${column(row, 'document_id')} = ${column(link, 'document_id')}`,
        where: [
          sql`${column(row, 'locale')} <> ${column(link, 'locale')}`,
          ...(drafts ? [sql`${column(row, 'published_at')} ${published}`] : []),
        ],
        parent,
        target: row,
        order: [...(compiler.dialect.localizationsBy === 'locale' ? [column(row, 'locale')] : []), column(row, 'id')],
      };
    }
    case 'nowhere':
      throw new Error(`${attribute.name} has no target`);
  }
}

/** Leads on from the linked rows to rows of the same documents. */
export function ownDocuments(
  compiler: ConditionCompiler,
  source: RowSource,
  { schema, linked }: { readonly schema: Schema; readonly linked: LinkedVersion },
): RowSource {
  const row = compiler.alias();
  const { target } = source;
  const where = linked.where === undefined ? undefined : compiler.where(linked.where, target, schema);
  return {
    ...source,
    from: sql`${source.from} ${orderedJoin} ${sql.table(schema.table)} ${row} ON ${compiler.column(row, 'document_id')} = ${compiler.column(target, 'document_id')}`,
    where: [...source.where, ...(where === undefined ? [] : [where]), ...(linked.sameStatus ? [compiler.sameStatus(target, row)] : [])],
    target: row,
    repeats: true,
  };
}

/** Returns the source of rows by their ids, or by the ids of other rows of their documents. */
export function rowsOfIds(compiler: ConditionCompiler, { schema, linked }: Node, idsOf: ParentIds): RowSource {
  const ids = compiler.alias();
  const row = compiler.alias();
  const parent = sql`${ids}.value`;
  const from = sql`${idsOf(ids)} ${orderedJoin} ${sql.table(schema.table)} ${row} ON ${compiler.column(row, 'id')} = ${parent}`;
  const source = { from, where: [], parent, target: row, order: [] };
  return linked === undefined ? source : ownDocuments(compiler, source, { schema, linked });
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
