import { columnTypeOf } from '../../dialects/column-type.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { componentsColumns, type ScalarAttribute, type Schema, type Uid } from '../../model/content-model.ts';
import { bound, joined, type Sql, sql, template } from '../../sql/sql.ts';
import type { Status } from '../parse/types.ts';
import type { Condition } from '../plan/types.ts';

type Exists = Extract<Condition, { kind: 'exists' }>;

const operatorSql = { '=': '=', '<>': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;

/** Writes conditions. Each table gets an alias of its own, so that no subquery can mean an outer column by accident. */
export class ConditionCompiler {
  readonly dialect: Dialect;
  readonly #model: { readonly schema: (uid: Uid) => Schema | undefined };
  #aliases = 0;

  constructor(dialect: Dialect, model: { readonly schema: (uid: Uid) => Schema | undefined }) {
    this.dialect = dialect;
    this.#model = model;
  }

  alias(): string {
    this.#aliases++;
    return `t${this.#aliases}`;
  }

  column(alias: string, name: string): string {
    return `${alias}.${this.dialect.quote(name)}`;
  }

  schema(uid: Uid): Schema | undefined {
    return this.#model.schema(uid);
  }

  /** Undefined when the condition holds of every row. */
  where(condition: Condition, alias: string, schema: Schema): Sql | undefined {
    switch (condition.kind) {
      case 'and': {
        const parts = condition.operands.map((operand) => this.where(operand, alias, schema)).filter((part) => part !== undefined);
        return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : sql`(${joined(parts, ' AND ')})`;
      }
      case 'or': {
        if (condition.operands.length === 0) return undefined;
        const parts = condition.operands.map((operand) => this.where(operand, alias, schema));
        const present = parts.filter((part) => part !== undefined);
        return present.length < parts.length ? undefined : sql`(${joined(present, ' OR ')})`;
      }
      case 'compare':
        return this.#compare(condition, alias);
      case 'exists':
        return this.#exists(condition, alias, schema);
      case 'status':
        return sql`${this.#statusText(alias, condition.status)}`;
      case 'locales': {
        const column = this.column(alias, 'locale');
        if (condition.codes.length === 0) return sql`1 = 0`;
        return sql`${column} IN (${joined(
          condition.codes.map((code) => bound(this.dialect, code, 'string')),
          ', ',
        )})`;
      }
      case 'publication':
        return this.#publication(condition, alias);
      case 'search': {
        const { dialect } = this;
        const matches = condition.attributes.map((attribute) => {
          const text = dialect.asText(this.column(alias, attribute.column), columnTypeOf(attribute));
          return template(dialect.matchesText(text, condition.text, 'anywhere', condition.letterCase));
        });
        return sql`(${joined(matches, ' OR ')})`;
      }
    }
  }

  #statusText(alias: string, status: Status): string {
    return `${this.column(alias, 'published_at')} IS ${status === 'published' ? 'NOT NULL' : 'NULL'}`;
  }

  #compare(condition: Extract<Condition, { kind: 'compare' }>, alias: string): Sql {
    const { dialect } = this;
    const { attribute, comparison } = condition;
    const type = columnTypeOf(attribute);
    const column = this.#comparable(alias, attribute);
    const negate = (part: Sql) => (condition.negated ? sql`NOT (${part})` : part);
    switch (comparison.operator) {
      case 'null':
      case 'not null':
        return sql`${column} IS ${(comparison.operator === 'null') === condition.negated ? 'NOT NULL' : 'NULL'}`;
      case 'never':
        // Unknown for null, false for the rest; negated, true for the rest.
        return condition.negated ? sql`${column} IS NOT NULL` : sql`1 = 0`;
      case 'unknown':
        return sql`1 = 0`;
      case 'in':
      case 'not in': {
        const within = comparison.operator === 'in';
        if (comparison.values.length === 0) return within === condition.negated ? sql`1 = 1` : sql`1 = 0`;
        const values = comparison.values.map((value) => bound(dialect, value, type));
        if (values.length === 1 && values[0] !== undefined && within) return negate(sql`${column} = ${values[0]}`);
        return negate(sql`${column} ${within ? 'IN' : 'NOT IN'} (${joined(values, ', ')})`);
      }
      case 'between':
        return negate(
          sql`${dialect.ranged(column, type)} BETWEEN ${bound(dialect, comparison.low, type)} AND ${bound(dialect, comparison.high, type)}`,
        );
      case 'text': {
        const text = dialect.asText(this.column(alias, attribute.column), type);
        const match = template(dialect.matchesText(text, comparison.value, comparison.place, comparison.letterCase));
        return comparison.negated === condition.negated ? match : sql`NOT (${match})`;
      }
      default:
        return negate(
          sql`${comparison.operator === '=' || comparison.operator === '<>' ? column : dialect.ranged(column, type)} ${operatorSql[comparison.operator]} ${bound(dialect, comparison.value, type)}`,
        );
    }
  }

  /** json compares by its text. */
  #comparable(alias: string, attribute: ScalarAttribute): string {
    const column = this.column(alias, attribute.column);
    return attribute.type === 'json' || attribute.type === 'blocks' ? this.dialect.asText(column, attribute.type) : column;
  }

  /** Related rows are a set of ids made from the inside out, once for the statement: `id IN (SELECT …)`. A correlated EXISTS would be
   *  asked again for each row, and a join would repeat rows. */
  #exists(condition: Exists, alias: string, owner: Schema): Sql {
    const some = this.#someRelated(condition, alias, owner);
    if (!condition.orNone) return some;
    return sql`(${some} OR NOT ${this.#anyRelated(condition, alias, owner)})`;
  }

  /** The rows of the target that fit, as `SELECT <select> FROM target …`. */
  #targets(
    target: Schema,
    wheres: readonly (Condition | undefined)[],
    select: (alias: string) => string,
    also: (alias: string) => Sql[] = () => [],
  ): Sql {
    const alias = this.alias();
    const conditions = [...also(alias)];
    for (const where of wheres) {
      const text = where === undefined ? undefined : this.where(where, alias, target);
      if (text !== undefined) conditions.push(text);
    }
    const filtered = conditions.length === 0 ? sql`` : sql` WHERE ${joined(conditions, ' AND ')}`;
    return sql`SELECT ${select(alias)} FROM ${this.dialect.quote(target.table)} ${alias}${filtered}`;
  }

  #someRelated(condition: Exists, outer: string, owner: Schema): Sql {
    const { dialect } = this;
    const { attribute, target, where, scope } = condition;
    const id = this.column(outer, 'id');
    const targetIds = () => this.#targets(target, [scope, where], (alias) => this.column(alias, 'id'));
    const link = this.alias();
    const from = (table: string) => `${dialect.quote(table)} ${link}`;
    if (attribute.kind === 'component') {
      const own = componentsColumns;
      return sql`${id} IN (SELECT ${this.column(link, own.owner)} FROM ${from(componentsTableOf(owner))} WHERE ${this.#ofComponent(link, attribute.name, attribute.component)} AND ${this.column(link, own.component)} IN (${targetIds()}))`;
    }
    const { storage } = attribute;
    switch (storage.kind) {
      case 'linkTable':
        return sql`${id} IN (SELECT ${this.column(link, storage.sourceColumn)} FROM ${from(storage.table)} WHERE ${this.column(link, storage.targetColumn)} IN (${targetIds()}))`;
      case 'ownColumn':
        return sql`${this.column(outer, storage.column)} IN (${targetIds()})`;
      case 'inverseMorphLink':
        return sql`${id} IN (SELECT ${this.column(link, storage.idColumn)} FROM ${from(storage.table)} WHERE ${this.#ofMorph(link, storage)} AND ${this.column(link, storage.targetColumn)} IN (${targetIds()}))`;
      case 'inverseMorphColumns':
        return sql`${id} IN (${this.#targets(
          target,
          [scope, where],
          (alias) => this.column(alias, storage.idColumn),
          (alias) => [sql`${this.column(alias, storage.typeColumn)} = ${bound(dialect, storage.typeValue, 'string')}`],
        )})`;
      case 'sameDocument':
        return sql`${this.column(outer, 'document_id')} IN (${this.#targets(target, [scope, where], (alias) => this.column(alias, 'document_id'))})`;
      case 'nowhere':
        return sql`1 = 0`;
      case 'morphColumns':
      case 'morphLink':
        throw new Error(`${attribute.name} has no one target to filter by`);
    }
  }

  /** Whether there is a related row at all: asked row by row, by the index on the owner's id. */
  #anyRelated(condition: Exists, outer: string, owner: Schema): Sql {
    const { dialect } = this;
    const { attribute, target, scope } = condition;
    const id = this.column(outer, 'id');
    const link = this.alias();
    const from = (table: string) => `${dialect.quote(table)} ${link}`;
    const ids = () => this.#targets(target, [scope], (alias) => this.column(alias, 'id'));
    const inScope = (column: string) => (scope === undefined ? sql`` : sql` AND ${column} IN (${ids()})`);
    if (attribute.kind === 'component') {
      const table = componentsTableOf(owner);
      return sql`EXISTS (SELECT 1 FROM ${from(table)} WHERE ${this.column(link, componentsColumns.owner)} = ${id} AND ${this.#ofComponent(link, attribute.name, attribute.component)})`;
    }
    const { storage } = attribute;
    switch (storage.kind) {
      case 'linkTable':
        return sql`EXISTS (SELECT 1 FROM ${from(storage.table)} WHERE ${this.column(link, storage.sourceColumn)} = ${id}${inScope(this.column(link, storage.targetColumn))})`;
      case 'ownColumn': {
        const column = this.column(outer, storage.column);
        // Null is in no list, and that is unknown instead of false.
        return sql`(${column} IS NOT NULL${inScope(column)})`;
      }
      case 'inverseMorphLink':
        return sql`EXISTS (SELECT 1 FROM ${from(storage.table)} WHERE ${this.column(link, storage.idColumn)} = ${id} AND ${this.#ofMorph(link, storage)}${inScope(this.column(link, storage.targetColumn))})`;
      case 'inverseMorphColumns':
        // No index on the id: a set is asked, not the table once for each row.
        return sql`${id} IN (${this.#targets(
          target,
          [scope],
          (alias) => this.column(alias, storage.idColumn),
          (alias) => [
            sql`${this.column(alias, storage.idColumn)} IS NOT NULL`,
            sql`${this.column(alias, storage.typeColumn)} = ${bound(dialect, storage.typeValue, 'string')}`,
          ],
        )})`;
      case 'sameDocument':
        if (scope === undefined) return sql`1 = 1`;
        return sql`${this.column(outer, 'document_id')} IN (${this.#targets(target, [scope], (alias) => this.column(alias, 'document_id'))})`;
      case 'nowhere':
        return sql`1 = 0`;
      case 'morphColumns':
      case 'morphLink':
        throw new Error(`${attribute.name} has no one target to filter by`);
    }
  }

  /** Conditions on type and field must not drive the statement: they fit a large part of the table. */
  #ofComponent(link: string, field: string, component: Uid): Sql {
    const { dialect } = this;
    const column = (name: string) => dialect.unindexed(this.column(link, name));
    return sql`${column(componentsColumns.field)} = ${bound(dialect, field, 'string')} AND ${column(componentsColumns.type)} = ${bound(dialect, component, 'string')}`;
  }

  #ofMorph(link: string, storage: { typeColumn: string; typeValue: Uid; fieldColumn: string; fieldValue: string }): Sql {
    const { dialect } = this;
    const column = (name: string) => dialect.unindexed(this.column(link, name));
    return sql`${column(storage.typeColumn)} = ${bound(dialect, storage.typeValue, 'string')} AND ${column(storage.fieldColumn)} = ${bound(dialect, storage.fieldValue, 'string')}`;
  }

  /** Source: the names and conditions of Strapi's `publicationFilter`, which compares the versions of a document in one locale, or in any. */
  #publication({ filter, status, type, scope }: Extract<Condition, { kind: 'publication' }>, alias: string): Sql {
    const { dialect } = this;
    const { table, localized } = type;
    const other = this.alias();
    const inScope = scope === undefined ? undefined : this.where(scope, other, type);
    const further = inScope === undefined ? sql`` : sql` AND ${inScope}`;
    const perDocument = filter.endsWith('-document');
    const version = (of: Status, more = '') => {
      const sameLocale = perDocument || !localized ? '' : ` AND ${this.column(other, 'locale')} = ${this.column(alias, 'locale')}`;
      return sql`EXISTS (SELECT 1 FROM ${dialect.quote(table)} ${other} WHERE ${this.column(other, 'document_id')} = ${this.column(alias, 'document_id')}${sameLocale} AND ${this.#statusText(other, of)}${more}${further})`;
    };
    const counterpart: Status = status === 'draft' ? 'published' : 'draft';
    const [draft, published] = status === 'draft' ? [alias, other] : [other, alias];
    const updated = (operator: string) => ` AND ${this.column(draft, 'updated_at')} ${operator} ${this.column(published, 'updated_at')}`;
    switch (filter) {
      case 'never-published':
      case 'never-published-document':
        return status === 'published' ? sql`1 = 0` : sql`NOT ${version('published')}`;
      case 'has-published-version':
      case 'has-published-version-document':
        return sql`${version(counterpart)}`;
      case 'modified':
        return sql`${version(counterpart, updated('>'))}`;
      case 'unmodified':
        return sql`${version(counterpart, updated('<='))}`;
      case 'published-without-draft':
        return status === 'draft' ? sql`1 = 0` : sql`NOT ${version('draft')}`;
      case 'published-with-draft':
        return status === 'draft' ? sql`1 = 0` : sql`${version('draft')}`;
    }
  }
}

/** The table that joins a schema's rows with their components. */
export function componentsTableOf(schema: Schema): string {
  if (schema.componentsTable === undefined) throw new Error(`${schema.uid} has no components`);
  return schema.componentsTable.table;
}
