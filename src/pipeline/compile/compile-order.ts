/** Writes ORDER BY: columns of the row, and values behind relations and components. */
import { columnTypeOf } from '../../dialects/column-type.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { Schema } from '../../model/content-model.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import type { HopAttribute } from '../parse/types.ts';
import type { AttributeOrder, Condition, Order } from '../plan/types.ts';
import { type ConditionCompiler, whereClause } from './compile-conditions.ts';
import { stepOf } from './steps.ts';

const orderingOf = ({ direction, attribute }: Pick<AttributeOrder, 'direction' | 'attribute'>): Sql =>
  sql.ask((dialect) => dialect.ordering(direction, columnTypeOf(attribute)));

export interface OrderTerm {
  readonly expression: Sql;
  readonly ordering: Sql;
  readonly join: Sql | undefined;
}
const joinsOf = (terms: readonly OrderTerm[]): Sql[] => terms.map(({ join }) => join).filter((join) => join !== undefined);

export class OrderCompiler {
  readonly #dialect: Dialect;
  readonly #conditions: ConditionCompiler;

  constructor(dialect: Dialect, conditions: ConditionCompiler) {
    this.#dialect = dialect;
    this.#conditions = conditions;
  }

  /** Returns the terms of ORDER BY, and the joins that they need after the table `alias`. */
  compile(order: readonly Order[], alias: Sql, schema: Schema, last: readonly Sql[]): { terms: Sql; joins: readonly Sql[] } {
    const terms = this.terms(order, alias, schema);
    const written = terms.map(({ expression, ordering }) => sql`${expression}${ordering}`);
    return { terms: sql.join([...written, ...last]), joins: joinsOf(terms) };
  }

  /** Returns what a list is sorted by, before its direction is written. */
  terms(order: readonly Order[], alias: Sql, schema: Schema): OrderTerm[] {
    return order.map((term) => {
      if (term.kind === 'rank') {
        const ordering = sql.ask((dialect) => dialect.ordering(term.direction, 'integer'));
        return { expression: this.#conditions.rank(term.search, alias), ordering, join: undefined };
      }
      if (term.kind === 'shared') {
        const sharing = this.#conditions.alias();
        const join = sql` LEFT JOIN (${this.#conditions.sharing(term.related)}) ${sharing} ON ${sharing}.id = ${this.#conditions.column(alias, 'id')}`;
        return { expression: sql`${sharing}.n`, ordering: sql.ask((dialect) => dialect.ordering('desc', 'integer')), join };
      }
      const ordering = orderingOf(term);
      if (term.path.length === 0) return { expression: this.#conditions.column(alias, term.attribute.column), ordering, join: undefined };
      // If only the first hop leads to many rows, one look-up for each row is cheap. Another such
      // hop would cost a look-up for each of these rows, so then all values are computed at once.
      if (term.path.slice(1).every(({ attribute }) => attribute.cardinality === 'one')) {
        return { expression: sql`(${this.#firstRelated(term, alias, schema)})`, ordering, join: undefined };
      }
      const values = this.#conditions.alias();
      const join = sql` LEFT JOIN (${this.#firstValues(term, 0, schema)}) ${values} ON ${values}.id = ${this.#conditions.column(alias, 'id')}`;
      return { expression: sql`${values}.v`, ordering, join };
    });
  }

  /** Selects, for each row of `schema`, the value that comes first among its related rows. It is
   *  found hop by hop: there are never more rows than links. */
  #firstValues(term: AttributeOrder, position: number, schema: Schema): Sql {
    const dialect = this.#dialect;
    const step = term.path[position];
    if (step === undefined) throw new Error('a sort path has ended early');
    const owner = this.#conditions.alias();
    const hop = this.#hop(step.attribute, schema, owner, step.target);
    const target = this.#conditions.column(hop.target, 'id');
    const last = position === term.path.length - 1;
    const next = this.#conditions.alias();
    const value = last
      ? sql.ask(
          (engine, column) => engine.extremum(column, columnTypeOf(term.attribute)),
          this.#conditions.column(hop.target, term.attribute.column),
        )
      : sql`${next}.v`;
    const further = last
      ? sql.empty
      : sql` LEFT JOIN (${this.#firstValues(term, position + 1, step.target)}) ${next} ON ${next}.id = ${target}`;
    const on = [...hop.on, ...this.#scope(step.scope, hop.target, step.target)];
    const [extremum, nullsComeFirst] =
      term.direction === 'desc' ? [sql`max(${value})`, dialect.nulls === 'largest'] : [sql`min(${value})`, dialect.nulls === 'smallest'];
    // `min` and `max` ignore nulls.
    const first = nullsComeFirst ? sql`CASE WHEN count(${value}) < count(*) THEN NULL ELSE ${extremum} END` : extremum;
    return sql`SELECT ${this.#conditions.column(owner, 'id')} AS id, ${first} AS v FROM ${sql.table(schema.table)} ${owner} JOIN ${hop.from} ON ${sql.join([...this.#conditions.stopPoints(hop.target), ...on], ' AND ')}${further} GROUP BY ${this.#conditions.column(owner, 'id')}`;
  }

  /** Selects the value of the related row that comes first. The entry is sorted by it and appears
   *  once, however many related rows there are. */
  #firstRelated(term: AttributeOrder, outer: Sql, schema: Schema): Sql {
    let owner = schema;
    let ownerAlias = outer;
    let from: Sql | undefined;
    const conditions: Sql[] = [];
    for (const { attribute, target, scope } of term.path) {
      const hop = this.#hop(attribute, owner, ownerAlias, target);
      // Rows out of scope count as missing, so the condition is part of the join: in WHERE it would
      // remove the rows before them as well.
      const on = [...hop.on, ...this.#scope(scope, hop.target, target)];
      if (from === undefined) conditions.push(...this.#conditions.stopPoints(hop.target));
      from = from === undefined ? hop.from : sql`${from} LEFT JOIN ${hop.from} ON ${sql.join(on, ' AND ')}`;
      if (from === hop.from) conditions.push(...on);
      owner = target;
      ownerAlias = hop.target;
    }
    const column = this.#conditions.column(ownerAlias, term.attribute.column);
    return sql`SELECT ${column} FROM ${from ?? sql.empty}${whereClause(conditions)} ORDER BY ${column}${orderingOf(term)} LIMIT 1`;
  }

  #scope(scope: Condition | undefined, alias: Sql, schema: Schema): Sql[] {
    return scope === undefined ? [] : [this.#conditions.where(scope, alias, schema)].filter((part) => part !== undefined);
  }

  /** Returns one hop as a join: the link table with the target, joined to the owner by `on`. */
  #hop(attribute: HopAttribute, owner: Schema, ownerAlias: Sql, target: Schema): { from: Sql; on: Sql[]; target: Sql } {
    const conditions = this.#conditions;
    const link = conditions.alias();
    const row = conditions.alias();
    const from = sql`${sql.table(target.table)} ${row}`;
    const same = (column: string, ownerColumn: string) =>
      sql`${conditions.column(row, column)} = ${conditions.column(ownerAlias, ownerColumn)}`;
    const step = stepOf(attribute, owner);
    switch (step.kind) {
      case 'joinTable': {
        const joined = sql`${conditions.column(row, 'id')} = ${conditions.column(link, step.targetColumn)}`;
        return {
          from: sql`(${sql.table(step.table)} ${link} JOIN ${from} ON ${joined})`,
          on: [sql`${conditions.column(link, step.ownerColumn)} = ${conditions.column(ownerAlias, 'id')}`, ...conditions.fixed(step, link)],
          target: row,
        };
      }
      case 'ownColumn':
        return { from, on: [same('id', step.column)], target: row };
      case 'inverseMorphColumns':
        return { from, on: [same(step.idColumn, 'id'), conditions.hasType(step, row)], target: row };
      case 'sameDocument':
        return { from, on: [same('document_id', 'document_id')], target: row };
      case 'nowhere':
        return { from, on: [sql`1 = 0`], target: row };
    }
  }
}
