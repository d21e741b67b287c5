/** One statement for each path: for engines inside of the process, where a statement costs no round
 *  trip. The engine returns the rows of an ordered join in the order of its left side, and copies
 *  every selected column when it sorts, so ids are sorted first and then joined with the rows. */
import { orderedJoin } from '../../sql/rows.ts';
import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Node, ReadPlan } from '../plan/types.ts';
import type { Assembly, Level, LinkedRows } from './assembly.ts';
import { namesRows, unindexed, whereClause } from './compile-conditions.ts';
import { isCostly } from './costly.ts';
import type { FilteredRows, ReadFragments } from './fragments.ts';
import { type ParentIds, parentIds, type ReferenceSource, type RowSource, rowsOfIds } from './links.ts';
import type { RootStatements } from './types.ts';

/** No table of a project has this name. */
const found = sql.raw('lectern_found');
const everyRow: Node['where'] = { kind: 'and', operands: [] };

export class SeparateStatementsAssembly implements Assembly {
  readonly #fragments: ReadFragments;
  #root: Omit<RootStatements, 'kind'> | undefined;

  constructor(fragments: ReadFragments) {
    this.#fragments = fragments;
  }

  root(plan: ReadPlan): ParentIds {
    const { root, pagination, target } = plan;
    const filtered = this.#fragments.filtered(plan);
    const alias = this.#fragments.alias();
    const page = this.#page(plan);
    const id = this.#fragments.id(alias);
    // For a page, the engine would choose the index on `id`, which is slow if another index finds
    // the few rows that match.
    const last = target === 'one' || namesRows(root.where) ? unindexed(id) : id;
    const order = this.#fragments.orders.compile(root.order, alias, root.schema, [sql`${last} ASC`]);
    const rows =
      target === 'list' && (root.order.length > 0 || plan.cursor !== undefined)
        ? this.#sortedPage(plan, filtered, page)
        : sql`SELECT ${this.#columns(root, alias)} ${filtered(alias, order.joins)} ORDER BY ${order.terms}${page}`;
    this.#root = {
      rows: this.#statement(rows),
      ...(pagination.kind !== 'none' && pagination.withCount ? this.#counted(plan, filtered, page) : notCounted),
    };
    return parentIds;
  }

  linked({ node, source, found, order }: LinkedRows): Level {
    const bound = this.#fragments.bound();
    if (order === undefined) {
      return this.#level(sql`SELECT ${source.parent}, ${this.#columns(node, source.target)} FROM ${found}${bound}`);
    }
    const links = this.#fragments.alias();
    const row = this.#fragments.alias();
    const ids = sql`SELECT ${source.parent} AS parent, ${this.#fragments.id(source.target)} AS id FROM ${found} ORDER BY ${order}${bound}`;
    return this.#level(
      sql`SELECT ${links}.parent, ${this.#columns(node, row)} FROM (${ids}) ${links} ${orderedJoin} ${sql.table(node.schema.table)} ${row} ON ${this.#fragments.id(row)} = ${links}.id`,
    );
  }

  count(source: RowSource, found: Sql): Statement {
    const { parent } = source;
    return this.#statement(sql`SELECT ${parent}, ${this.#fragments.number(source)} FROM ${found} GROUP BY ${parent}`);
  }

  references({ parent, id, type, from, where, order }: ReferenceSource): { rows: Statement; idsOf: () => ParentIds } {
    const ordered = order.length === 0 ? sql.empty : sql` ORDER BY ${sql.join(order)}`;
    const rows = sql`SELECT ${parent}, ${id}, ${type} FROM ${from}${whereClause(where)}${ordered}${this.#fragments.bound()}`;
    return { rows: this.#statement(rows), idsOf: () => parentIds };
  }

  branch(node: Node, idsOf: ParentIds): Level {
    const source = rowsOfIds(this.#fragments.conditions, node, idsOf);
    const where = this.#fragments.conditions.where(node.where, source.target, node.schema);
    const reachedBy = node.linked === undefined ? sql.empty : sql`${source.parent}, `;
    return this.#level(
      sql`SELECT ${reachedBy}${this.#columns(node, source.target)} FROM ${source.from}${whereClause(where === undefined ? source.where : [...source.where, where])}`,
    );
  }

  places({ root }: ReadPlan): Statement {
    const ids = this.#fragments.alias();
    const row = this.#fragments.alias();
    const { columns, joins } = this.#fragments.place(root, row);
    return this.#statement(
      sql`SELECT ${sql.join(columns)} FROM ${parentIds(ids)} ${orderedJoin} ${sql.table(root.schema.table)} ${row} ON ${this.#fragments.id(row)} = ${ids}.value${sql.join(joins, '')}`,
    );
  }

  statements(): RootStatements {
    if (this.#root === undefined) throw new Error('a read has no root');
    return { kind: 'separate', ...this.#root };
  }

  #counted(plan: ReadPlan, filtered: FilteredRows, page: Sql): Omit<RootStatements, 'kind' | 'rows'> {
    const { root } = plan;
    const count = this.#statement(this.#fragments.count(plan));
    const { materialized } = this.#fragments.dialect;
    if (materialized === undefined || plan.estimatesTotal || !isCostly(root.where)) return { count, found: undefined };
    const pageAndTotal = this.#statement(this.#pageAndTotal(root, filtered, page, materialized));
    const rowsOfIds = this.branch({ ...root, where: everyRow }, parentIds).rows as Statement;
    return { count, found: { pageAndTotal, rowsOfIds } };
  }

  #pageAndTotal(node: Node, filtered: FilteredRows, page: Sql, materialized: string): Sql {
    const row = this.#fragments.alias();
    const sorted = this.#fragments.alias();
    const { values, joins, order } = this.#fragments.sortValues(node, row);
    const all = sql`SELECT ${this.#fragments.id(row)} AS id${values} ${filtered(row, joins)}`;
    const ids = sql`SELECT ${sorted}.id FROM ${found} ${sorted} ORDER BY ${order(sorted)}${page}`;
    return sql`WITH ${found} ${sql.raw(materialized)} (${all}) SELECT id FROM (${ids}) UNION ALL SELECT count(*) FROM ${found}`;
  }

  /** The page is first selected with only ids and sort values. */
  #sortedPage(plan: ReadPlan, filtered: FilteredRows, page: Sql): Sql {
    const node = plan.root;
    const inner = this.#fragments.alias();
    const sorted = this.#fragments.alias();
    const found = this.#fragments.alias();
    const row = this.#fragments.alias();
    const { values, joins, order } = this.#fragments.sortValues(node, inner);
    const ids = sql`SELECT * FROM (SELECT ${this.#fragments.id(inner)} AS id${values} ${filtered(inner, joins)}) ${sorted}${this.#fragments.after(plan, sorted)} ORDER BY ${order(sorted)}${page}`;
    return sql`SELECT ${this.#columns(node, row)} FROM (${ids}) ${found} ${orderedJoin} ${sql.table(node.schema.table)} ${row} ON ${this.#fragments.id(row)} = ${found}.id`;
  }

  #page({ pagination, target }: ReadPlan): Sql {
    if (pagination.kind === 'none') return target === 'list' ? this.#fragments.bound() : sql` LIMIT 1`;
    return sql` LIMIT ${sql.limit(sql.parameter('limit'))} OFFSET ${sql.parameter('offset')}`;
  }

  #columns(node: Node, alias: Sql): Sql {
    return sql.join([this.#fragments.id(alias), ...this.#fragments.columns(node, alias)]);
  }

  #level(text: Sql): Level {
    return { rows: this.#statement(text), ids: parentIds };
  }

  #statement(text: Sql): Statement {
    return statementOf(this.#fragments.dialect, text);
  }
}

const notCounted = { count: undefined, found: undefined };
