import { type ColumnType, columnTypeOf } from '../../dialects/column-type.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { InverseMorphColumns, ScalarAttribute, Schema } from '../../model/content-model.ts';
import { tellsRowsApart } from '../../model/names-rows.ts';
import { orderedJoin } from '../../sql/rows.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import type { Status } from '../parse/types.ts';
import type { Condition, PlannedRelated, PlannedSearch } from '../plan/types.ts';
import { isCostly } from './costly.ts';
import { pathParameter } from './path-parameter.ts';
import { type JoinTable, stepOf } from './steps.ts';

type Exists = Extract<Condition, { kind: 'exists' }>;

const operators = { '=': sql`=`, '<>': sql`<>`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const;
const never = sql`1 = 0`;
const always = sql`1 = 1`;

/** Compiles conditions to SQL. Each table gets its own alias, so that no subquery refers to
 *  an outer column by accident. */
export class ConditionCompiler {
  readonly dialect: Dialect;
  #aliases = 0;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  alias(): Sql {
    this.#aliases++;
    return sql.raw(`t${this.#aliases}`);
  }

  column(alias: Sql, name: string): Sql {
    return sql`${alias}.${sql.id(name)}`;
  }

  /** Returns `Dialect.stopPoint` for statements that may read many rows of the table. It comes
   *  first among the conditions, so that it is evaluated for each row. */
  stopPoints(alias: Sql): Sql[] {
    if (this.dialect.stopPoint === undefined) return [];
    return [sql.ask(({ stopPoint }, id) => stopPoint?.(id) ?? '', this.column(alias, 'id'))];
  }

  /** Returns SQL that is true of matching rows of the table `alias`;
   *  undefined when every row matches. */
  where(condition: Condition, alias: Sql, schema: Schema): Sql | undefined {
    switch (condition.kind) {
      case 'and': {
        const isNarrow = condition.operands.some((operand) => namesRows(operand) || operand.kind === 'fullText');
        const parts = cheapFirst(condition.operands)
          .map((operand) =>
            // An engine without statistics would choose an index on the locale, which fits nearly
            // every row.
            isNarrow && operand.kind === 'locales'
              ? this.#locales(operand, unindexed(this.column(alias, 'locale')))
              : this.where(operand, alias, schema),
          )
          .filter((part) => part !== undefined);
        return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : sql`(${sql.join(parts, ' AND ')})`;
      }
      case 'or': {
        if (condition.operands.length === 0) return undefined;
        const parts = cheapFirst(condition.operands).map((operand) => this.where(operand, alias, schema));
        const present = parts.filter((part) => part !== undefined);
        return present.length < parts.length ? undefined : sql`(${sql.join(present, ' OR ')})`;
      }
      case 'compare':
        return this.#compare(condition, alias);
      case 'exists':
        return this.#exists(condition, alias, schema);
      case 'status':
        return this.#status(alias, condition.status);
      case 'locales':
        return this.#locales(condition, this.column(alias, 'locale'));
      case 'fallback':
        return this.#fallback(condition, alias, schema);
      case 'publication':
        return this.#publication(condition, alias);
      case 'search': {
        const matches = condition.attributes.map((attribute) =>
          sql.matches(this.asText(alias, attribute), condition.text, 'anywhere', condition.letterCase),
        );
        return sql`(${sql.join(matches, ' OR ')})`;
      }
      case 'related': {
        const sharing = this.alias();
        return sql`(NOT ${ofPath(this.column(alias, 'document_id'))} AND ${this.column(alias, 'id')} IN (SELECT ${sharing}.id FROM (${this.sharing(condition)}) ${sharing}))`;
      }
      case 'fullText':
        return sql`${sql.madeOf(condition.index.tables)}${this.#searched(condition, alias, 'matches')}`;
    }
  }

  /** Selects, for each row that has links to the same targets as the document of the path, its id
   *  and how many of these targets there are (`n`). Begins with the few rows of the document. */
  sharing({ type, source, via }: PlannedRelated): Sql {
    const all = via.map(({ attribute, target, scope }) => {
      const step = stepOf(attribute, type);
      if (step.kind !== 'joinTable') throw new Error(`${attribute.name} has no table of links`);
      const [own, link, row, seen, other, counted] = [this.alias(), this.alias(), this.alias(), this.alias(), this.alias(), this.alias()];
      const conditions = [
        ofPath(this.column(own, 'document_id')),
        ...[this.where(source, own, type), scope && this.where(scope, row, target)].filter((part) => part !== undefined),
      ];
      const [owners, targets] = [(of: Sql) => this.column(of, step.ownerColumn), (of: Sql) => this.column(of, step.targetColumn)];
      const targetsSeen = sql`SELECT DISTINCT ${this.column(row, 'id')} AS id FROM ${sql.table(type.table)} ${own} ${orderedJoin} ${sql.table(step.table)} ${link} ON ${owners(link)} = ${this.column(own, 'id')} ${orderedJoin} ${sql.table(target.table)} ${row} ON ${this.column(row, 'id')} = ${targets(link)}${whereClause(conditions)}`;
      const links = sql`SELECT ${owners(other)} AS id, ${targets(other)} AS t FROM (${targetsSeen}) ${seen} ${orderedJoin} ${sql.table(step.table)} ${other} ON ${targets(other)} = ${seen}.id${whereClause(this.stopPoints(other))} LIMIT ${sql.integer(linksOfRelation)}`;
      return sql`SELECT ${counted}.id AS id, count(DISTINCT ${counted}.t) AS n FROM (${links}) ${counted} GROUP BY ${counted}.id`;
    });
    const sum = this.alias();
    return sql`SELECT ${sum}.id AS id, sum(${sum}.n) AS n FROM (${sql.join(all, ' UNION ALL ')}) ${sum} GROUP BY ${sum}.id`;
  }

  /** The rank of a row in a search that it matches. */
  rank(search: PlannedSearch, alias: Sql): Sql {
    return this.#searched(search, alias, 'rank');
  }

  #searched({ index, columns, terms }: PlannedSearch, alias: Sql, what: 'matches' | 'rank'): Sql {
    const all = index.columns.map(({ name }) => name);
    const searched = { table: index.definition.table, columns, all, terms };
    return sql.written(({ search }, id) => search[what](searched, id), this.column(alias, 'id'));
  }

  #locales({ codes }: Extract<Condition, { kind: 'locales' }>, column: Sql): Sql {
    if (codes.length === 0) return never;
    return sql.isIn(
      column,
      codes.map((code) => sql.value(code, 'string')),
      'string',
      'names',
    );
  }

  #status(alias: Sql, status: Status): Sql {
    const column = this.column(alias, 'published_at');
    return status === 'published' ? sql`${column} IS NOT NULL` : sql`${column} IS NULL`;
  }

  #compare(condition: Extract<Condition, { kind: 'compare' }>, alias: Sql): Sql {
    const { attribute, comparison } = condition;
    const type = columnTypeOf(attribute);
    const column = this.#comparable(alias, attribute);
    const of = condition.isExact || attribute.name === 'documentId' || attribute.name === 'locale' ? 'names' : 'values';
    const negate = (part: Sql) => (condition.negated ? sql`NOT (${part})` : part);
    switch (comparison.operator) {
      case 'null':
      case 'not null':
        return (comparison.operator === 'null') === condition.negated ? sql`${column} IS NOT NULL` : sql`${column} IS NULL`;
      case 'never':
        // The condition is unknown for null and false for any other value; negated, it is true for
        // any other value.
        return condition.negated ? sql`${column} IS NOT NULL` : never;
      case 'unknown':
        return never;
      case 'in':
      case 'not in': {
        const within = comparison.operator === 'in';
        if (comparison.values.length === 0) return within === condition.negated ? always : never;
        const values = comparison.values.map((value) => sql.value(value, type));
        if (values.length === 1 && values[0] !== undefined && within) return negate(sql.equals(column, values[0], type, of));
        return negate(within ? sql.isIn(column, values, type, of) : sql`${exactly(column, type, of)} NOT IN (${sql.join(values)})`);
      }
      case 'between':
        return negate(sql`${ranged(column, type)} BETWEEN ${sql.value(comparison.low, type)} AND ${sql.value(comparison.high, type)}`);
      case 'text': {
        const match = sql.matches(this.asText(alias, attribute), comparison.value, comparison.position, comparison.letterCase);
        return comparison.negated === condition.negated ? match : sql`NOT (${match})`;
      }
      default: {
        const value = sql.value(comparison.value, type);
        if (comparison.operator === '=') return negate(sql.equals(column, value, type, of));
        const compared = comparison.operator === '<>' ? exactly(column, type, of) : ranged(column, type);
        return negate(sql`${compared} ${operators[comparison.operator]} ${value}`);
      }
    }
  }

  /** Returns the column as it is compared: json columns are compared as text. */
  #comparable(alias: Sql, attribute: ScalarAttribute): Sql {
    const isJson = attribute.type === 'json' || attribute.type === 'blocks';
    return isJson ? this.asText(alias, attribute) : this.column(alias, attribute.column);
  }

  /** Returns the column as text, for text operators and `_q`. */
  asText(alias: Sql, attribute: ScalarAttribute): Sql {
    const type = columnTypeOf(attribute);
    return sql.ask((dialect, column) => dialect.asText(column, type), this.column(alias, attribute.column));
  }

  /** Compares the id with a set of related ids, which is computed once for the
   *  statement: `id IN (SELECT …)`. A correlated EXISTS would be evaluated again for
   *  each row, and a join would repeat rows. */
  #exists(condition: Exists, alias: Sql, owner: Schema): Sql {
    const some = this.#someRelated(condition, alias, owner);
    // IN is unknown, not false, if the column is null.
    if (condition.negated) return sql`(${some}) IS NOT TRUE`;
    if (!condition.orNone) return some;
    return sql`(${some} OR NOT ${this.#anyRelated(condition, alias, owner)})`;
  }

  /** Returns a query for the matching rows of the target: `SELECT <select> FROM target …`. */
  #targets(
    target: Schema,
    [scope, condition]: readonly [scope: Condition | undefined, condition?: Condition],
    select: (alias: Sql) => Sql,
    { join, also, isComplement = false }: TargetsOptions,
  ): Sql {
    const alias = this.alias();
    const conditions = [...this.stopPoints(alias), ...(also?.(alias) ?? [])];
    for (const where of [scope, condition]) {
      const text = where === undefined ? undefined : this.where(where, alias, target);
      if (where === condition && isComplement) conditions.push(text === undefined ? never : sql`(${text}) IS NOT TRUE`);
      else if (text !== undefined) conditions.push(text);
    }
    const filtered = conditions.length === 0 ? sql.empty : sql` WHERE ${sql.join(conditions, ' AND ')}`;
    return sql`SELECT ${select(alias)} FROM ${sql.table(target.table)} ${alias}${join?.(alias) ?? sql.empty}${filtered}`;
  }

  #someRelated({ attribute, target, where, scope, isComplement = false }: Exists, outer: Sql, owner: Schema): Sql {
    const id = this.column(outer, 'id');
    const link = this.alias();
    const step = stepOf(attribute, owner);
    const matching = (column: string, also?: (alias: Sql) => readonly Sql[]) =>
      this.#targets(target, [scope, where], (alias) => this.column(alias, column), { also, isComplement });
    switch (step.kind) {
      case 'joinTable': {
        const owners = this.column(link, step.ownerColumn);
        const targets = this.column(link, step.targetColumn);
        const conditions = [...this.stopPoints(link), ...this.fixed(step, link)];
        // No index leads from a component to its owners, so their table is read once.
        if (attribute.kind === 'component')
          return sql`${id} IN (SELECT ${owners} FROM ${sql.table(step.table)} ${link} WHERE ${sql.join(conditions, ' AND ')} AND ${targets} IN (${matching('id')}))`;
        // Begins with the matching targets, whatever the engine knows of the sizes of both tables.
        const join = (row: Sql) => sql` ${orderedJoin} ${sql.table(step.table)} ${link} ON ${targets} = ${this.column(row, 'id')}`;
        return sql`${id} IN (${this.#targets(target, [scope, where], () => owners, { join, also: () => conditions, isComplement })})`;
      }
      case 'ownColumn':
        return sql`${this.column(outer, step.column)} IN (${matching('id')})`;
      case 'inverseMorphColumns':
        return sql`${id} IN (${matching(step.idColumn, (alias) => [this.hasType(step, alias)])})`;
      case 'sameDocument':
        return sql`${this.column(outer, 'document_id')} IN (${matching('document_id')})`;
      case 'nowhere':
        return never;
    }
  }

  /** Returns SQL that is true if there is any related row. It is evaluated row by row, with
   *  the index on the owner's id. */
  #anyRelated({ attribute, target, scope }: Exists, outer: Sql, owner: Schema): Sql {
    const id = this.column(outer, 'id');
    const link = this.alias();
    const step = stepOf(attribute, owner);
    const any = (column: string, also?: (alias: Sql) => readonly Sql[]) =>
      this.#targets(target, [scope], (alias) => this.column(alias, column), { also });
    const inScope = (column: Sql) => (scope === undefined ? sql.empty : sql` AND ${column} IN (${any('id')})`);
    switch (step.kind) {
      case 'joinTable': {
        const conditions = [sql`${this.column(link, step.ownerColumn)} = ${id}`, ...this.fixed(step, link)];
        return sql`EXISTS (SELECT 1 FROM ${sql.table(step.table)} ${link} WHERE ${sql.join(conditions, ' AND ')}${inScope(this.column(link, step.targetColumn))})`;
      }
      case 'ownColumn': {
        const column = this.column(outer, step.column);
        // Without IS NOT NULL, a null would make the condition unknown instead of false.
        return sql`(${column} IS NOT NULL${inScope(column)})`;
      }
      case 'inverseMorphColumns': {
        // No index begins with the id: one set is computed, instead of a scan for each row.
        const also = (alias: Sql) => [sql`${this.column(alias, step.idColumn)} IS NOT NULL`, this.hasType(step, alias)];
        return sql`${id} IN (${any(step.idColumn, also)})`;
      }
      case 'sameDocument':
        return scope === undefined ? always : sql`${this.column(outer, 'document_id')} IN (${any('document_id')})`;
      case 'nowhere':
        return never;
    }
  }

  /** The conditions on type and field must not use an index: they match many of the rows. */
  fixed({ fixed }: JoinTable, link: Sql): Sql[] {
    return fixed.map(([column, value]) => sql`${unindexed(this.column(link, column))} = ${sql.value(value, 'string')}`);
  }

  hasType({ typeColumn, typeValue }: InverseMorphColumns, row: Sql): Sql {
    return sql`${this.column(row, typeColumn)} = ${sql.value(typeValue, 'string')}`;
  }

  /** There is no row of the document in an earlier locale. Its few rows are found by the document:
   *  an index on the locale would fit nearly every row. */
  #fallback({ chain, sameStatus, scope }: Extract<Condition, { kind: 'fallback' }>, alias: Sql, schema: Schema): Sql {
    const other = this.alias();
    const rank = (row: Sql) => {
      const isIn = (code: string) => sql.equals(this.column(row, 'locale'), sql.value(code, 'string'), 'string', 'names');
      const cases = chain.map((code, index) => sql` WHEN ${isIn(code)} THEN ${sql.integer(index)}`);
      return sql`CASE${sql.join(cases, '')} END`;
    };
    const conditions = [
      sql`${this.column(other, 'document_id')} = ${this.column(alias, 'document_id')}`,
      sql`${rank(other)} < ${rank(alias)}`,
      ...(sameStatus ? [this.sameStatus(other, alias)] : []),
      ...[scope === undefined ? undefined : this.where(scope, other, schema)].filter((part) => part !== undefined),
    ];
    return sql`NOT EXISTS (SELECT 1 FROM ${sql.table(schema.table)} ${other} WHERE ${sql.join(conditions, ' AND ')})`;
  }

  sameStatus(one: Sql, other: Sql): Sql {
    return sql`(${this.column(one, 'published_at')} IS NULL) = (${this.column(other, 'published_at')} IS NULL)`;
  }

  /** Compares the versions of a document, in one locale or in any. Source: the names and conditions
   *  of Strapi's `publicationFilter`. */
  #publication({ filter, status, type, scope }: Extract<Condition, { kind: 'publication' }>, alias: Sql): Sql {
    const { table, localized } = type;
    const other = this.alias();
    const inScope = scope === undefined ? undefined : this.where(scope, other, type);
    const further = inScope === undefined ? sql.empty : sql` AND ${inScope}`;
    const perDocument = filter.endsWith('-document');
    const version = (of: Status, more = sql.empty) => {
      const sameLocale =
        perDocument || !localized ? sql.empty : sql` AND ${this.column(other, 'locale')} = ${this.column(alias, 'locale')}`;
      return sql`EXISTS (SELECT 1 FROM ${sql.table(table)} ${other} WHERE ${this.column(other, 'document_id')} = ${this.column(alias, 'document_id')}${sameLocale} AND ${this.#status(other, of)}${more}${further})`;
    };
    const counterpart: Status = status === 'draft' ? 'published' : 'draft';
    const [draft, published] = status === 'draft' ? [alias, other] : [other, alias];
    const updated = (operator: Sql) => sql` AND ${this.column(draft, 'updated_at')} ${operator} ${this.column(published, 'updated_at')}`;
    switch (filter) {
      case 'never-published':
      case 'never-published-document':
        return status === 'published' ? never : sql`NOT ${version('published')}`;
      case 'has-published-version':
      case 'has-published-version-document':
        return version(counterpart);
      case 'modified':
        return version(counterpart, updated(operators['>']));
      case 'unmodified':
        return version(counterpart, updated(operators['<=']));
      case 'published-without-draft':
        return status === 'draft' ? never : sql`NOT ${version('draft')}`;
      case 'published-with-draft':
        return status === 'draft' ? never : version('draft');
    }
  }
}

/** The most links of a relation that are looked at: a tag may be that of every document. */
const linksOfRelation = 20_000;

const ofPath = (documentId: Sql): Sql => sql.equals(documentId, pathParameter('string', ''), 'string', 'names');

interface TargetsOptions {
  readonly join?: (alias: Sql) => Sql;
  readonly also?: ((alias: Sql) => readonly Sql[]) | undefined;
  /** Selects the rows of which the condition is not true. */
  readonly isComplement?: boolean;
}

/** Whether a condition matches only a few rows that an index finds: those of named documents, or
 *  with certain values of an attribute that tells rows apart. */
export function namesRows(condition: Condition): boolean {
  if (condition.kind === 'and') return condition.operands.some(namesRows);
  if (condition.kind !== 'compare' || condition.negated) return false;
  const { attribute, comparison } = condition;
  if (comparison.operator !== '=' && comparison.operator !== 'in') return false;
  return attribute.column === 'document_id' || tellsRowsApart(attribute);
}

/** Engines evaluate conditions of about the same cost in the order in which they are written. */
const cheapFirst = (conditions: readonly Condition[]): Condition[] => [
  ...conditions.filter((each) => !isCostly(each)),
  ...conditions.filter(isCostly),
];

/** Prevents the engine from using an index on the column. */
export const unindexed = (column: Sql): Sql => sql.ask((dialect, text) => dialect.unindexed(text), column);

/** The column as `<>` and NOT IN compare it. */
const exactly = (column: Sql, type: ColumnType, of: 'names' | 'values'): Sql =>
  sql.ask((dialect, text) => dialect.exactly(text, type, of) ?? text, column);

const ranged = (column: Sql, type: ColumnType): Sql => sql.ask((dialect, text) => dialect.ranged(text, type), column);

export const whereClause = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql.empty : sql` WHERE ${sql.join(conditions, ' AND ')}`;
