/** Fragments of SQL that every statement of a read consists of. */

import { columnTypeOf } from '../../dialects/column-type.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { ScalarAttribute } from '../../model/content-model.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import type { After, Status } from '../parse/types.ts';
import type { AttributeOrder, Node, Order, ReadPlan } from '../plan/types.ts';
import { ConditionCompiler, whereClause } from './compile-conditions.ts';
import { OrderCompiler } from './compile-order.ts';
import type { RowSource } from './links.ts';
import { pathParameter as key } from './path-parameter.ts';

/** The most rows that are counted for an estimated total. */
export const countedRows = 10_000;

export interface CompileParts {
  readonly dialect: Dialect;
  readonly status: Status;
  readonly withIsUrlSigned: boolean;
  /** The maximum number of rows that the engine sorts and sends (`limits.rows`). */
  readonly rowLimit: number;
}

/** Makes the table, joins and conditions of a list: everything after FROM. */
export type FilteredRows = (alias: Sql, joins?: readonly Sql[]) => Sql;

export interface SortValues {
  /** Written after another column of the same SELECT. */
  readonly values: Sql;
  readonly joins: readonly Sql[];
  /** The order by these values of the relation `alias`, and then by its ids. */
  readonly order: (alias: Sql) => Sql;
}

export class ReadFragments {
  readonly dialect: Dialect;
  readonly conditions: ConditionCompiler;
  readonly orders: OrderCompiler;
  readonly #rowLimit: number;

  constructor({ dialect, rowLimit }: CompileParts) {
    this.dialect = dialect;
    this.#rowLimit = rowLimit;
    this.conditions = new ConditionCompiler(dialect);
    this.orders = new OrderCompiler(dialect, this.conditions);
  }

  alias(): Sql {
    return this.conditions.alias();
  }

  id(alias: Sql): Sql {
    return this.conditions.column(alias, 'id');
  }

  /** Selects one row more than the limit, so that too many rows are noticed. */
  bound(): Sql {
    return sql` LIMIT ${sql.integer(this.#rowLimit + 1)}`;
  }

  /** The number of rows that are shown. */
  number({ target, repeats }: RowSource): Sql {
    return repeats === true ? sql`count(DISTINCT ${this.id(target)})` : sql`count(*)`;
  }

  /** Returns the columns of the entry, without the row id. */
  columns(node: Node, alias: Sql): Sql[] {
    return selectedColumns(node).map((attribute) => sql.read(this.conditions.column(alias, attribute.column), columnTypeOf(attribute)));
  }

  /** Returns the rows that the root of a plan asks for. */
  filtered({ root, target, keyedBy }: ReadPlan): FilteredRows {
    return (alias, joins = []) => {
      const conditions = target === 'list' ? this.conditions.stopPoints(alias) : [];
      if (target === 'one') {
        conditions.push(
          keyedBy === 'id'
            ? sql`${this.id(alias)} = ${key('id', 1)}`
            : sql.equals(this.conditions.column(alias, 'document_id'), key('string', ''), 'string', 'names'),
        );
      }
      const where = this.conditions.where(root.where, alias, root.schema);
      if (where !== undefined) conditions.push(where);
      return sql`FROM ${sql.table(root.schema.table)} ${alias}${sql.join(joins, '')}${whereClause(conditions)}`;
    };
  }

  /** Returns a statement for the number of rows: up to one more than `countedRows` for an
   *  estimate. */
  count(plan: ReadPlan): Sql {
    const filtered = this.filtered(plan)(this.alias());
    if (!plan.estimatesTotal) return sql`SELECT count(*) ${filtered}`;
    return sql`SELECT count(*) FROM (SELECT 1 AS n ${filtered} LIMIT ${sql.integer(countedRows + 1)}) ${this.alias()}`;
  }

  /** Returns the condition that the rows of the relation `sorted` (`sortValues`) come after the
   *  cursor; empty for the first page. */
  after({ root, cursor }: ReadPlan, sorted: Sql): Sql {
    const after = cursor?.after;
    if (after === undefined) return sql.empty;
    const last = sql`${sorted}.id > ${sql.sorted(after.id, 'id')}`;
    const condition = root.order.reduceRight((rest, order, index) => {
      const { follows, isNotBefore } = this.#compared(byAttribute(order), sql`${sorted}.${sortValue(index)}`, after.values[index] ?? null);
      const both = follows === undefined ? rest : sql`(${follows} OR ${rest})`;
      // By this condition alone, an index finds where the page begins.
      return isNotBefore === undefined ? both : sql`(${isNotBefore} AND ${both})`;
    }, last);
    return sql` WHERE ${condition}`;
  }

  /** Conditions: a value comes after that of the cursor, and it does not come before. Undefined for
   *  one that is never, or always, true. */
  #compared({ direction, attribute }: AttributeOrder, column: Sql, value: After['values'][number]) {
    const type = columnTypeOf(attribute);
    const nullsComeFirst = (direction === 'asc') === (this.dialect.nulls === 'smallest');
    const isNull = sql`${column} IS NULL`;
    if (value === null)
      return nullsComeFirst ? { follows: sql`${column} IS NOT NULL`, isNotBefore: undefined } : { follows: undefined, isNotBefore: isNull };
    const compared = sql.ask((dialect, text) => dialect.ranged(text, type), column);
    const than = sql.sorted<string | number>(value, type);
    const [after, notBefore] =
      direction === 'asc'
        ? [sql`${compared} > ${than}`, sql`${compared} >= ${than}`]
        : [sql`${compared} < ${than}`, sql`${compared} <= ${than}`];
    return nullsComeFirst
      ? { follows: after, isNotBefore: notBefore }
      : { follows: sql`(${after} OR ${isNull})`, isNotBefore: sql`(${notBefore} OR ${isNull})` };
  }

  /** Returns the row id and what the row is sorted by, as cursors have it. */
  place({ order, schema }: Node, alias: Sql): { readonly columns: readonly Sql[]; readonly joins: readonly Sql[] } {
    const terms = this.orders.terms(order, alias, schema);
    const values = terms.map(({ expression }, index) => {
      const type = columnTypeOf(byAttribute(order[index]).attribute);
      return sql.ask((dialect, text) => dialect.sortValue(text, type), expression);
    });
    return { columns: [this.id(alias), ...values], joins: terms.map(({ join }) => join).filter((join) => join !== undefined) };
  }

  /** Returns the values that a list is sorted by, named, and the order by these names. */
  sortValues(node: Node, alias: Sql): SortValues {
    const terms = this.orders.terms(node.order, alias, node.schema);
    return {
      values: sql.join(
        terms.map(({ expression }, index) => sql`, ${expression} AS ${sortValue(index)}`),
        '',
      ),
      joins: terms.map(({ join }) => join).filter((join) => join !== undefined),
      order: (sorted) =>
        sql.join([...terms.map(({ ordering }, index) => sql`${sorted}.${sortValue(index)}${ordering}`), sql`${sorted}.id`]),
    };
  }
}

/** Cursors are refused for another order. */
function byAttribute(order: Order | undefined): AttributeOrder {
  if (order?.kind !== 'attribute') throw new Error('a cursor has an order by attributes');
  return order;
}

/** Returns the attributes whose columns a statement selects after the row id. */
export const selectedColumns = ({ columns }: Node): ScalarAttribute[] => columns.filter(({ name }) => name !== 'id');

/** The name of a value that a page is sorted by. */
const sortValue = (index: number): Sql => sql`k${sql.integer(index)}`;
