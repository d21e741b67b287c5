/** A single statement for all paths, for engines to which each statement is a round trip. Each
 *  level of the tree is a common table expression that starts from the ids of the level above. The
 *  rows of all levels come back one after another, as texts, each with the number of its part.
 *
 *  A single statement sees one state of the data, so no transaction is needed. */

import { type ColumnType, columnTypeOf } from '../../dialects/column-type.ts';
import type { SingleStatementReads } from '../../dialects/dialect.ts';
import type { Uid } from '../../model/content-model.ts';
import { orderedJoin } from '../../sql/rows.ts';
import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import type { Node, ReadPlan } from '../plan/types.ts';
import type { Assembly, Level, LinkedRows } from './assembly.ts';
import { whereClause } from './compile-conditions.ts';
import { isCostly } from './costly.ts';
import { type ReadFragments, selectedColumns } from './fragments.ts';
import { type ParentIds, type ReferenceSource, type RowSource, rowsOfIds } from './links.ts';
import type { SingleStatement } from './types.ts';

interface Part {
  /** The columns, already as texts. */
  readonly columns: readonly Sql[];
  readonly types: readonly ColumnType[];
  /** Everything after the columns. */
  readonly rest: Sql;
  readonly isLinked?: boolean;
}

/** Stands where LIMIT and OFFSET will be written. No name contains this character. */
const pageMark = '\0';
/** The requested page: its ids in order. No table of a project has a name that begins like that of
 *  a common table expression. */
const page = sql.raw('lectern_page');
/** The ids of all rows of a list with the values that they are sorted by. */
const found = sql.raw('lectern_found');
/** Names of the columns of common table expressions: the parent's id, the row
 *  id, the type of the target. */
const [parentColumn, idColumn, typeColumn] = [sql.raw('p'), sql.raw('i'), sql.raw('t')];

export class SingleStatementAssembly implements Assembly {
  readonly #fragments: ReadFragments;
  readonly #reads: SingleStatementReads;
  /** The common table expressions of the page. */
  readonly #pageExpressions: Sql[] = [];
  /** The common table expressions of the paths. */
  readonly #expressions: Sql[] = [];
  readonly #parts: Part[] = [];

  constructor(fragments: ReadFragments, reads: SingleStatementReads) {
    this.#fragments = fragments;
    this.#reads = reads;
  }

  root(plan: ReadPlan): ParentIds {
    const { root } = plan;
    const row = this.#fragments.alias();
    this.#parts.push(this.#totalOf(plan));
    this.#pageExpressions.push(...this.#pageOf(plan));
    this.#parts.push({
      ...this.#entry(root, row),
      rest: sql`FROM ${page} ${orderedJoin} ${sql.table(root.schema.table)} ${row} ON ${this.#fragments.id(row)} = ${page}.${idColumn} ORDER BY ${page}.n`,
    });
    return (alias) => sql`(SELECT ${idColumn} FROM ${page}) AS ${alias}(value)`;
  }

  linked({ node, source, found, order }: LinkedRows): Level {
    const ordered = order === undefined ? sql.empty : sql` ORDER BY ${order}`;
    const rest = sql`FROM ${found}${ordered}${this.#fragments.bound()}`;
    return this.#level({ node, row: source.target, parent: source.parent, rest });
  }

  count(source: RowSource, found: Sql): number {
    const { parent } = source;
    return this.#add({
      columns: [this.#text(parent), this.#text(this.#fragments.number(source))],
      types: ['id', 'id'],
      rest: sql`FROM ${found} GROUP BY ${parent}`,
    });
  }

  references({ parent, id, type, from, where, order }: ReferenceSource): { rows: number; idsOf: (type: Uid) => ParentIds } {
    const ordered = order.length === 0 ? sql.empty : sql` ORDER BY ${sql.join(order)}`;
    const name = this.#express(
      sql`SELECT ${parent} AS ${parentColumn}, ${id} AS ${idColumn}, ${type} AS ${typeColumn} FROM ${from}${whereClause(where)}${ordered}${this.#fragments.bound()}`,
    );
    const rows = this.#add({
      columns: [this.#text(parentColumn), this.#text(idColumn), this.#text(typeColumn)],
      types: ['id', 'id', 'string'],
      rest: sql`FROM ${name}`,
    });
    const idsOf = (uid: Uid): ParentIds => {
      const ofType = sql`${typeColumn} = ${sql.value(uid, 'string')}`;
      return (alias) => sql`(SELECT DISTINCT ${idColumn} FROM ${name} WHERE ${ofType}) AS ${alias}(value)`;
    };
    return { rows, idsOf };
  }

  branch(node: Node, idsOf: ParentIds): Level {
    const source = rowsOfIds(this.#fragments.conditions, node, idsOf);
    const where = this.#fragments.conditions.where(node.where, source.target, node.schema);
    const rest = sql`FROM ${source.from}${whereClause(where === undefined ? source.where : [...source.where, where])}`;
    return this.#level({ node, row: source.target, parent: node.linked === undefined ? undefined : source.parent, rest });
  }

  places({ root }: ReadPlan): number {
    const row = this.#fragments.alias();
    const { columns, joins } = this.#fragments.place(root, row);
    return this.#add({
      columns: columns.map((column) => this.#text(column)),
      types: ['id', ...root.order.map(() => 'string' as const)],
      rest: sql`FROM ${page} ${orderedJoin} ${sql.table(root.schema.table)} ${row} ON ${this.#fragments.id(row)} = ${page}.${idColumn}${sql.join(joins, '')}`,
    });
  }

  statements(): SingleStatement {
    const width = Math.max(...this.#parts.map(({ columns }) => columns.length));
    // The first part decides the types of the columns.
    const absent = (index: number) => (index === 0 ? this.#text(sql`NULL`) : sql`NULL`);
    const selects = this.#parts.map(({ columns, rest }, index) => {
      const missing = Array.from({ length: width - columns.length }, () => absent(index));
      return sql`(SELECT ${sql.join([sql.integer(index), ...columns, ...missing])} ${rest})`;
    });
    const text = sql`WITH ${sql.join([...this.#pageExpressions, ...this.#expressions])} ${sql.join(selects, ' UNION ALL ')}`;
    const { text: marked, parameters, tables } = statementOf(this.#fragments.dialect, text);
    const pageAt = marked.indexOf(pageMark);
    return {
      kind: 'single',
      statement: { text: marked.replace(pageMark, ''), parameters, tables },
      pageAt: pageAt === -1 ? undefined : pageAt,
      parts: this.#parts.map(({ types, isLinked = false }) => ({ types, isLinked })),
    };
  }

  /** The total; null if it follows from the page. */
  #totalOf(plan: ReadPlan): Part {
    const { pagination } = plan;
    if (!isCounted(pagination)) return { columns: [this.#text(sql`NULL`)], types: ['id'], rest: sql.empty };
    const total = isFoundOnce(plan)
      ? sql`(SELECT count(*) FROM ${found})`
      : sql`CASE WHEN ${isLastPage} THEN NULL ELSE (${this.#fragments.count(plan)}) END`;
    return { columns: [this.#text(total)], types: ['id'], rest: sql.empty };
  }

  /** Selects the ids of the page, with their positions. */
  #pageOf(plan: ReadPlan): Sql[] {
    const { root, pagination, target } = plan;
    const alias = this.#fragments.alias();
    const numbered = this.#fragments.alias();
    const sorted = this.#fragments.alias();
    const { values, joins, order } = this.#fragments.sortValues(root, alias);
    const limit = pagination.kind !== 'none' ? sql.raw(pageMark) : target === 'list' ? this.#fragments.bound() : sql` LIMIT 1`;
    const all = sql`SELECT ${this.#fragments.id(alias)} AS id${values} ${this.#fragments.filtered(plan)(alias, joins)}`;
    const isOnce = isFoundOnce(plan);
    const rows = sql`SELECT * FROM ${isOnce ? found : sql`(${all})`} ${sorted}${this.#fragments.after(plan, sorted)} ORDER BY ${order(sorted)}${limit}`;
    const positions = sql`SELECT ${numbered}.id AS ${idColumn}, row_number() OVER () AS n FROM (${rows}) ${numbered}`;
    return [...(isOnce ? [sql`${found} AS MATERIALIZED (${all})`] : []), sql`${page} AS MATERIALIZED (${positions})`];
  }

  /** Adds the rows of a path. A path with populated attributes below becomes an expression, since
   *  the paths below start from its ids. */
  #level({ node, row, parent, rest }: { node: Node; row: Sql; parent: Sql | undefined; rest: Sql }): Level {
    const entry = this.#entry(node, row);
    const before = parent === undefined ? { columns: [], types: [] } : { columns: [this.#text(parent)], types: ['id' as const] };
    const types = [...before.types, ...entry.types];
    const isLinked = parent !== undefined;
    if (node.links.length === 0) {
      return { rows: this.#add({ columns: [...before.columns, ...entry.columns], types, rest, isLinked }), ids: noIds };
    }
    const names = selectedColumns(node).map((_, index) => sql`c${sql.integer(index)}`);
    const values = entry.columns.slice(1).map((column, index) => sql`, ${column} AS ${names[index] ?? sql.empty}`);
    const parentValue = parent === undefined ? sql.empty : sql`${parent} AS ${parentColumn}, `;
    const name = this.#express(sql`SELECT ${parentValue}${this.#fragments.id(row)} AS ${idColumn}${sql.join(values, '')} ${rest}`);
    const columns = [...(parent === undefined ? [] : [this.#text(parentColumn)]), this.#text(idColumn), ...names];
    return {
      rows: this.#add({ columns, types, rest: sql`FROM ${name}`, isLinked }),
      ids: (alias) => sql`(SELECT DISTINCT ${idColumn} FROM ${name}) AS ${alias}(value)`,
    };
  }

  /** The row id and the columns of an entry. */
  #entry(node: Node, row: Sql): Omit<Part, 'rest'> {
    return {
      columns: [this.#fragments.id(row), ...this.#fragments.columns(node, row)].map((column) => this.#text(column)),
      types: ['id', ...selectedColumns(node).map(columnTypeOf)],
    };
  }

  #express(select: Sql): Sql {
    const name = sql`lectern_${sql.integer(this.#expressions.length)}`;
    this.#expressions.push(sql`${name} AS MATERIALIZED (${select})`);
    return name;
  }

  #add(part: Part): number {
    return this.#parts.push(part) - 1;
  }

  #text(expression: Sql): Sql {
    return sql.ask((_, text) => this.#reads.asText(text), expression);
  }
}

const isCounted = (pagination: ReadPlan['pagination']): boolean => pagination.kind !== 'none' && pagination.withCount;

/** The list ends with this page, so the total follows from it (`totalOfPage`). */
const isLastPage = sql`(SELECT CASE WHEN count(*) = 0 THEN ${sql.parameter('offset')}::bigint = 0 ELSE count(*) < ${sql.parameter('limit')}::bigint END FROM ${page})`;

/** Whether costly conditions are evaluated once for both the page and the total. */
const isFoundOnce = ({ root, pagination, estimatesTotal }: ReadPlan): boolean =>
  isCounted(pagination) && !estimatesTotal && isCostly(root.where);

/** The ids of a path that has no paths below. */
const noIds: ParentIds = () => {
  throw new Error('the path was planned without paths below');
};
