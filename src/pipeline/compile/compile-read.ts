/** The fourth stage: makes one statement for the rows, one for their number, one for each populated path, and the shape of the response. */

import { columnTypeOf } from '../../dialects/column-type.ts';
import type { ColumnType, Dialect, SqlValue } from '../../dialects/dialect.ts';
import { fileUid } from '../../model/built-in-types.ts';
import type { ContentModel, ScalarAttribute, Schema, Uid } from '../../model/content-model.ts';
import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Status } from '../parse/types.ts';
import type { Link, Node, ReadPlan } from '../plan/types.ts';
import { ConditionCompiler, unindexed, whereClause } from './compile-conditions.ts';
import { joinsOf, OrderCompiler } from './compile-order.ts';
import { linkSource, orderedJoin, parentIds, referenceSource, type Source } from './links.ts';
import type { CompiledLink, CompiledRead, Shape, ShapeColumn } from './types.ts';

const everyRow: Node['where'] = { kind: 'and', operands: [] };

export interface CompileParts {
  readonly dialect: Dialect;
  readonly model: ContentModel;
  readonly status: Status;
  readonly withIsUrlSigned: boolean;
  /** The most rows that the engine sorts and sends (`limits.rows`). */
  readonly rowLimit: number;
}

/** Makes the statements of a plan, and the shapes by which `render` writes their rows.
 *
 *  One tag with its name gives on SQLite `SELECT t1."id", t1."document_id", t1."name", t1."updated_at" FROM "tags" t1 WHERE t1."document_id" = ? AND
 *  t1."published_at" IS NOT NULL ORDER BY +t1."id" ASC LIMIT 1`, with the key of the path as its parameter. */
export function compileRead(plan: ReadPlan, parts: CompileParts): CompiledRead {
  const compiler = new ReadCompiler(parts);
  const updatedAt = versionColumn(plan);
  const selected = updatedAt === undefined ? plan.root : withColumn(plan.root, updatedAt);
  const statements = compiler.root({ ...plan, root: selected });
  return {
    target: plan.target,
    envelope: plan.envelope,
    pagination: plan.pagination,
    ...statements,
    shape: compiler.shape(plan.root, 0),
    updatedAt: updatedAt === undefined ? undefined : selectedColumns(selected).indexOf(updatedAt) + 1,
    withIsUrlSigned: parts.withIsUrlSigned,
  };
}

/** Returns the column that, together with the row id, identifies the state of one document. Users and files have no envelope and no entity tags. */
function versionColumn({ target, envelope, root }: ReadPlan): ScalarAttribute | undefined {
  if (target === 'list' || envelope === 'bare') return undefined;
  const attribute = root.schema.attributes.get('updatedAt');
  return attribute?.kind === 'scalar' ? attribute : undefined;
}

/** Adds a column to those that are selected. The shape decides what is shown. */
const withColumn = (node: Node, column: ScalarAttribute): Node =>
  node.columns.includes(column) ? node : { ...node, columns: [...node.columns, column] };

/** Returns the columns that a statement selects after the row id. */
const selectedColumns = ({ columns }: Node): ScalarAttribute[] => columns.filter(({ name }) => name !== 'id');

class ReadCompiler {
  readonly #parts: CompileParts;
  readonly #conditions: ConditionCompiler;
  readonly #orders: OrderCompiler;

  constructor(parts: CompileParts) {
    this.#parts = parts;
    this.#conditions = new ConditionCompiler(parts.dialect, {
      schema: (uid: Uid) => parts.model.contentTypes.get(uid) ?? parts.model.components.get(uid),
    });
    this.#orders = new OrderCompiler(parts.dialect, this.#conditions);
  }

  root(plan: ReadPlan): Pick<CompiledRead, 'rows' | 'count' | 'list'> {
    const { dialect } = this.#parts;
    const { root, pagination } = plan;
    const table = sql.id(root.schema.table);
    const filtered = (alias: Sql, joins: readonly Sql[] = []) => {
      const conditions: Sql[] = [];
      if (plan.target === 'one') {
        conditions.push(
          plan.keyedBy === 'id'
            ? sql`${this.#conditions.column(alias, 'id')} = ${key('id', 1)}`
            : sql`${this.#conditions.column(alias, 'document_id')} = ${key('string', '')}`,
        );
      }
      const where = this.#conditions.where(root.where, alias, root.schema);
      if (where !== undefined) conditions.push(where);
      return sql`FROM ${table} ${alias}${sql.join(joins, '')}${whereClause(conditions)}`;
    };
    const byId = (alias: Sql) => this.#conditions.column(alias, 'id');
    const paged = pagination.kind !== 'none';
    const alias = this.#conditions.alias();
    const page = this.#page(pagination, plan.target);
    // For a page, the engine would choose the index on `id`, which is slow if the condition names documents.
    const last = plan.target === 'one' || namesDocuments(root.where) ? unindexed(byId(alias)) : byId(alias);
    const order = this.#orders.compile(root.order, alias, root.schema, [sql`${last} ASC`]);
    const rows =
      plan.target === 'list' && root.order.length > 0
        ? this.#sortedPage(root, filtered, page)
        : sql`SELECT ${this.#columns(root, alias)} ${filtered(alias, order.joins)} ORDER BY ${order.terms}${page}`;
    if (!paged) return { rows: statementOf(dialect, rows), count: undefined, list: undefined };

    const counted = sql`SELECT count(*) ${filtered(this.#conditions.alias())}`;
    const all = this.#conditions.alias();
    // The ids are sorted last, so that the engine can read them from the smallest index instead of reading the table in their order.
    const allOrdered = this.#orders.compile(root.order, all, root.schema, [sql`${unindexed(byId(all))} ASC`]);
    const ids = sql`SELECT ${byId(all)} ${filtered(all, allOrdered.joins)} ORDER BY ${allOrdered.terms}`;
    return {
      rows: statementOf(dialect, rows),
      count: pagination.withCount ? statementOf(dialect, counted) : undefined,
      list: pagination.withCount
        ? { ids: statementOf(dialect, ids), rowsOfIds: this.#branch({ ...root, where: everyRow }).statement }
        : undefined,
    };
  }

  /** A sort copies every selected column, so the page is first selected with only ids and sort values. A join has no order, so the order is repeated. */
  #sortedPage(node: Node, filtered: (alias: Sql, joins: readonly Sql[]) => Sql, page: Sql): Sql {
    const inner = this.#conditions.alias();
    const sorted = this.#conditions.alias();
    const found = this.#conditions.alias();
    const row = this.#conditions.alias();
    const id = this.#conditions.column(inner, 'id');
    const terms = this.#orders.terms(node.order, inner, node.schema);
    const values = terms.map(({ expression }, index) => sql`, ${expression} AS ${sortValue(index)}`);
    const order = (alias: Sql) =>
      sql.join([...terms.map(({ ordering }, index) => sql`${alias}.${sortValue(index)}${ordering}`), sql`${alias}.id`]);
    const again = this.#parts.dialect.keepsOrder ? sql.empty : sql` ORDER BY ${order(found)}`;
    const ids = sql`SELECT * FROM (SELECT ${id} AS id${sql.join(values, '')} ${filtered(inner, joinsOf(terms))}) ${sorted} ORDER BY ${order(sorted)}${page}`;
    return sql`SELECT ${this.#columns(node, row)} FROM (${ids}) ${found} ${orderedJoin} ${sql.id(node.schema.table)} ${row} ON ${this.#conditions.column(row, 'id')} = ${found}.id${again}`;
  }

  #page(pagination: ReadPlan['pagination'], target: ReadPlan['target']): Sql {
    if (pagination.kind === 'none') return target === 'list' ? this.#bound() : sql` LIMIT 1`;
    return sql` LIMIT ${pagination.limit} OFFSET ${pagination.offset}`;
  }

  /** Selects one row more than the limit, so that too many rows are noticed. */
  #bound(): Sql {
    return sql` LIMIT ${sql.integer(this.#parts.rowLimit + 1)}`;
  }

  /** Returns the row id, then the columns of the entry. */
  #columns(node: Node, alias: Sql): Sql {
    const columns = selectedColumns(node).map((attribute) => this.#select(alias, attribute));
    return sql.join([this.#conditions.column(alias, 'id'), ...columns]);
  }

  #select(alias: Sql, attribute: ScalarAttribute): Sql {
    return sql.read(this.#conditions.column(alias, attribute.column), columnTypeOf(attribute));
  }

  /** Returns the shape of a node. `offset` is the number of columns before the row id. */
  shape(node: Node, offset: number): Shape {
    let index = offset;
    const columns = node.columns.map((attribute): ShapeColumn => {
      if (attribute.name === 'id') return { key: 'id', type: 'integer', index: offset, holds: undefined };
      index++;
      return { key: attribute.name, type: attribute.type, index, holds: urlsIn(node.schema, attribute) };
    });
    return {
      id: offset,
      columns,
      links: node.links.map((link) => this.#link(link, node.schema)),
      component: node.schema.kind === 'component',
    };
  }

  #link(link: Link, owner: Schema): CompiledLink {
    const { dialect } = this.#parts;
    const key = link.attribute.name;
    if (link.kind === 'polymorphic') {
      const source = referenceSource(
        this.#conditions,
        link.attribute,
        owner,
        [...link.branches.values()].map(({ schema }) => schema),
      );
      const order = source.order.length === 0 ? sql.empty : sql` ORDER BY ${sql.join(source.order)}`;
      const zone = link.attribute.kind === 'dynamiczone';
      return {
        kind: 'polymorphic',
        key,
        cardinality: link.attribute.kind === 'dynamiczone' ? 'many' : link.attribute.cardinality,
        component: zone,
        count: link.count,
        typeKey: zone ? '__component' : '__type',
        references: statementOf(
          dialect,
          sql`SELECT ${source.parent}, ${source.id}, ${source.type} FROM ${source.from}${whereClause(source.where)}${order}${this.#bound()}`,
        ),
        // A number needs no columns of the rows.
        branches: new Map(
          [...link.branches].map(([uid, node]) => [uid, this.#branch(link.count ? { ...node, columns: [], links: [] } : node)]),
        ),
        zone: link.zone,
      };
    }
    const { node, attribute } = link;
    const source = linkSource(this.#conditions, attribute, owner, node.schema, this.#parts.status);
    const conditions = [...source.where];
    const where = this.#conditions.where(node.where, source.target, node.schema);
    if (where !== undefined) conditions.push(where);
    if (link.kind === 'count') return { kind: 'count', key, statement: this.#count(source, conditions) };
    const order = this.#orders.compile(node.order, source.target, node.schema, source.order);
    const ordered = node.order.length + source.order.length === 0 ? undefined : sql` ORDER BY ${order.terms}`;
    return {
      kind: 'rows',
      key,
      cardinality: attribute.cardinality,
      component: attribute.kind === 'component',
      keyInRow: attribute.kind === 'relation' && attribute.storage.kind === 'ownColumn',
      statement: statementOf(
        dialect,
        this.#linked(node, source, sql`${source.from}${sql.join(order.joins, '')}${whereClause(conditions)}`, ordered),
      ),
      shape: this.shape(node, 1),
    };
  }

  /** Selects the parent's id and the columns of each linked row. `found` is everything after FROM except the order. */
  #linked(node: Node, source: Source, found: Sql, ordered: Sql | undefined): Sql {
    const { dialect } = this.#parts;
    if (!dialect.keepsOrder || ordered === undefined) {
      return sql`SELECT ${source.parent}, ${this.#columns(node, source.target)} FROM ${found}${ordered ?? sql.empty}${this.#bound()}`;
    }
    const links = this.#conditions.alias();
    const row = this.#conditions.alias();
    const ids = sql`SELECT ${source.parent} AS parent, ${this.#conditions.column(source.target, 'id')} AS id FROM ${found}${ordered}${this.#bound()}`;
    return sql`SELECT ${links}.parent, ${this.#columns(node, row)} FROM (${ids}) ${links} ${orderedJoin} ${sql.id(node.schema.table)} ${row} ON ${this.#conditions.column(row, 'id')} = ${links}.id`;
  }

  #count(source: Source, conditions: readonly Sql[]): Statement {
    return statementOf(
      this.#parts.dialect,
      sql`SELECT ${source.parent}, count(*) FROM ${source.from}${whereClause(conditions)} GROUP BY ${source.parent}`,
    );
  }

  /** Selects the rows of one type by their ids. */
  #branch(node: Node): { statement: Statement; shape: Shape } {
    const { dialect } = this.#parts;
    const ids = this.#conditions.alias();
    const row = this.#conditions.alias();
    const where = this.#conditions.where(node.where, row, node.schema);
    const text = sql`SELECT ${this.#columns(node, row)} FROM ${parentIds(ids)} ${orderedJoin} ${sql.id(node.schema.table)} ${row} ON ${this.#conditions.column(row, 'id')} = ${ids}.value${whereClause(where === undefined ? [] : [where])}`;
    return { statement: statementOf(dialect, text), shape: this.shape(node, 0) };
  }
}

function urlsIn({ uid }: Schema, { name }: ScalarAttribute): ShapeColumn['holds'] {
  if (uid !== fileUid) return undefined;
  return name === 'url' ? 'url' : name === 'formats' ? 'urls' : undefined;
}

/** The key of the path, which is known only when the statement runs. The dialect chooses casts by value, so `example` is used in its place. */
const key = (type: ColumnType, example: SqlValue): Sql =>
  sql.ask((dialect, placeholder) => dialect.comparand(placeholder, type, example), sql.open('key'));

/** The name of a value that a page is sorted by. */
const sortValue = (index: number): Sql => sql`k${sql.integer(index)}`;

/** Whether a condition matches only documents with given ids, which the index on `document_id` finds. */
function namesDocuments(condition: Node['where']): boolean {
  if (condition.kind === 'and') return condition.operands.some(namesDocuments);
  if (condition.kind !== 'compare' || condition.negated) return false;
  const { operator } = condition.comparison;
  return condition.attribute.column === 'document_id' && (operator === '=' || operator === 'in');
}
