/** The fourth stage: makes the statements of a plan, and the shapes of their rows. */

import { fileUid } from '../../model/built-in-types.ts';
import type { ScalarAttribute, Schema } from '../../model/content-model.ts';
import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Status } from '../parse/types.ts';
import type { Node, PlannedLink, ReadPlan } from '../plan/types.ts';
import type { Assembly } from './assembly.ts';
import { namesRows, whereClause } from './compile-conditions.ts';
import { compileGroups } from './compile-groups.ts';
import { isCostly, searchesText } from './costly.ts';
import { DependencyCollector } from './dependencies.ts';
import { type CompileParts, countedRows, ReadFragments, selectedColumns } from './fragments.ts';
import { ownDocuments, type ParentIds, referenceSource, rowSource } from './links.ts';
import { SeparateStatementsAssembly } from './separate-statements.ts';
import { SingleStatementAssembly } from './single-statement.ts';
import type { CompiledLink, CompiledRead, CompiledTotal, Shape, ShapeColumn, SingleStatement } from './types.ts';

/** Makes the statements of a plan, and the shapes by which `render` writes their rows.
 *
 *  One tag with its name gives on SQLite `SELECT t1."id", t1."document_id", t1."name",
 *  t1."updated_at" FROM "tags" t1 WHERE t1."document_id" = ? AND t1."published_at" IS NOT NULL
 *  ORDER BY +t1."id" ASC LIMIT 1`, with the key of the path as its parameter. */
export function compileRead(plan: ReadPlan, parts: CompileParts): CompiledRead {
  if (plan.grouping !== undefined) return compileGroups(plan, plan.grouping, parts);
  const { singleStatementReads } = parts.dialect;
  const fragments = new ReadFragments(parts);
  const assembly =
    singleStatementReads === undefined
      ? new SeparateStatementsAssembly(fragments)
      : new SingleStatementAssembly(fragments, singleStatementReads);
  const updatedAt = versionColumn(plan);
  const selected = updatedAt === undefined ? plan.root : withColumn(plan.root, updatedAt);
  const ids = assembly.root({ ...plan, root: selected });
  const dependencies = new DependencyCollector(parts.dialect);
  dependencies.root(plan, foundRows(plan, fragments));
  const shape = new ReadCompiler(fragments, assembly, parts.status, dependencies).shape(plan.root, 0, ids);
  const cursor = plan.cursor && { key: plan.cursor.key, places: assembly.places(plan) };
  const statements = assembly.statements();
  return {
    target: plan.target,
    envelope: plan.envelope,
    statements,
    shape,
    dependencies: dependencies.result(),
    total: totalOf(plan, parts),
    cursor,
    estimate: plan.estimatesTotal ? { counted: countedRows, expected: expectedRows(plan, parts) } : undefined,
    updatedAt: updatedAt === undefined ? undefined : selectedColumns(selected).indexOf(updatedAt) + 1,
    withIsUrlSigned: parts.withIsUrlSigned,
  };
}

/** The statement has fragments of its own: lists with the same conditions have the same total,
 *  whatever else they show. */
function totalOf(plan: ReadPlan, parts: CompileParts): CompiledTotal | undefined {
  const { pagination, root } = plan;
  if (plan.estimatesTotal || pagination.kind === 'none' || !pagination.withCount || namesRows(root.where) || searchesText(root.where))
    return undefined;
  // A single statement finds all rows of a costly list once, for the page and the total.
  if (parts.dialect.singleStatementReads !== undefined && isCostly(root.where)) return undefined;
  const fragments = new ReadFragments(parts);
  const found = fragments.filtered(plan)(fragments.alias());
  const dependencies = new DependencyCollector(parts.dialect);
  dependencies.root({ ...plan, root: { ...root, order: [] } }, found);
  return {
    statement: statementOf(parts.dialect, sql`SELECT count(*) ${found}`),
    keys: dependencies.result().tables,
    without:
      parts.dialect.singleStatementReads &&
      (compileRead({ ...plan, pagination: { ...pagination, withCount: false } }, parts).statements as SingleStatement),
  };
}

function expectedRows(plan: ReadPlan, parts: CompileParts): Statement | undefined {
  if (parts.dialect.expectedRows === undefined) return undefined;
  const fragments = new ReadFragments(parts);
  return statementOf(parts.dialect, sql`SELECT 1 ${fragments.filtered(plan)(fragments.alias())}`);
}

/** Everything after FROM of a statement that selects the requested rows in their order. */
function foundRows(plan: ReadPlan, fragments: ReadFragments): Sql {
  const alias = fragments.alias();
  const { terms, joins } = fragments.orders.compile(plan.root.order, alias, plan.root.schema, [fragments.id(alias)]);
  return sql`${fragments.filtered(plan)(alias, joins)} ORDER BY ${terms}`;
}

/** Returns the column that, together with the row id, identifies the state of one document. Users
 *  and files have no envelope and no entity tags. */
function versionColumn({ target, envelope, root }: ReadPlan): ScalarAttribute | undefined {
  if (target === 'list' || envelope === 'bare') return undefined;
  const attribute = root.schema.attributes.get('updatedAt');
  return attribute?.kind === 'scalar' ? attribute : undefined;
}

/** Adds a column to those that are selected. The shape decides what is shown. */
const withColumn = (node: Node, column: ScalarAttribute): Node =>
  node.columns.includes(column) ? node : { ...node, columns: [...node.columns, column] };

class ReadCompiler {
  readonly #fragments: ReadFragments;
  readonly #assembly: Assembly;
  readonly #status: Status;
  readonly #dependencies: DependencyCollector;

  constructor(fragments: ReadFragments, assembly: Assembly, status: Status, dependencies: DependencyCollector) {
    this.#fragments = fragments;
    this.#assembly = assembly;
    this.#status = status;
    this.#dependencies = dependencies;
  }

  /** Returns the shape of a node. `offset` is the number of columns before the row id. */
  shape(node: Node, offset: number, ids: ParentIds): Shape {
    let index = offset;
    const columns = node.columns.map((attribute): ShapeColumn => {
      if (attribute.name === 'id') return { key: 'id', type: 'integer', index: offset, holds: undefined };
      index++;
      return { key: attribute.name, type: attribute.type, index, holds: urlsIn(node.schema, attribute) };
    });
    return {
      table: node.schema.table,
      id: offset,
      columns,
      links: node.links.map((link) => this.#link(link, node.schema, ids)),
      component: node.schema.kind === 'component',
    };
  }

  /** All rows of a branch that may be shown, whatever their ids. */
  #targetsOf({ schema, where }: Node): Sql {
    const row = this.#fragments.alias();
    const condition = this.#fragments.conditions.where(where, row, schema);
    return sql`${sql.table(schema.table)} ${row}${whereClause(condition === undefined ? [] : [condition])}`;
  }

  #link(link: PlannedLink, owner: Schema, ids: ParentIds): CompiledLink {
    const { attribute } = link;
    const key = attribute.name;
    const conditions = this.#fragments.conditions;
    if (link.kind === 'polymorphic') {
      const targets = [...link.branches.values()].map(({ schema }) => schema);
      const source = referenceSource(conditions, link.attribute, { owner, targets, ids });
      const references = this.#assembly.references(source);
      const zone = link.attribute.kind === 'dynamiczone';
      return {
        kind: 'polymorphic',
        key,
        cardinality: link.attribute.kind === 'dynamiczone' ? 'many' : link.attribute.cardinality,
        component: zone,
        count: link.count,
        typeKey: zone ? '__component' : '__type',
        references: references.rows,
        branches: new Map(
          [...link.branches].map(([uid, node]) => {
            // A number needs no columns of the rows.
            const shown = link.count ? { ...node, columns: [], links: [] } : node;
            this.#dependencies.linked(node, sql`${source.from} ${this.#targetsOf(node)}`, { isCount: link.count });
            const level = this.#assembly.branch(shown, references.idsOf(uid));
            // The id by which a row was reached comes first, if it is that of another row.
            return [uid, { rows: level.rows, shape: this.shape(shown, shown.linked === undefined ? 0 : 1, level.ids) }];
          }),
        ),
        zone: link.zone,
      };
    }
    const { node } = link;
    const { schema, linked } = node;
    const links = rowSource(conditions, link.attribute, { owner, target: schema, status: this.#status, ids });
    const source = linked === undefined ? links : ownDocuments(conditions, links, { schema, linked });
    const where = conditions.where(node.where, source.target, schema);
    const filters = whereClause(where === undefined ? source.where : [...source.where, where]);
    const { terms, joins } = this.#fragments.orders.compile(node.order, source.target, schema, source.order);
    const found = sql`${source.from}${sql.join(joins, '')}${filters}`;
    this.#dependencies.linked(node, sql`${found} ORDER BY ${terms}`, { isCount: link.kind === 'count' });
    if (link.kind === 'count') return { kind: 'count', key, rows: this.#assembly.count(source, sql`${source.from}${filters}`) };
    const level = this.#assembly.linked({
      node,
      source,
      found,
      order: node.order.length + source.order.length === 0 ? undefined : terms,
    });
    return {
      kind: 'rows',
      key,
      cardinality: link.attribute.cardinality,
      component: link.attribute.kind === 'component',
      repeats: source.repeats ?? false,
      keyInRow: link.attribute.kind === 'relation' && link.attribute.storage.kind === 'ownColumn',
      rows: level.rows,
      shape: this.shape(node, 1, level.ids),
    };
  }
}

function urlsIn({ uid }: Schema, { name }: ScalarAttribute): ShapeColumn['holds'] {
  if (uid !== fileUid) return undefined;
  return name === 'url' ? 'url' : name === 'formats' ? 'urls' : undefined;
}
