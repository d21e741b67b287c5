import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, type QueryParameter, withMeant } from '../../errors/invalid-key.ts';
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import { castBoolean } from '../../model/attributes/boolean.ts';
import {
  type Attribute,
  type ComponentAttribute,
  type DynamicZoneAttribute,
  type ScalarAttribute,
  type Schema,
  targetOf,
  type Uid,
} from '../../model/content-model.ts';
import { comparableAttribute, join, type ParseContext, visibleAttribute } from './context.ts';
import { isQueryObject, type QueryValue } from './query-string.ts';
import type { ComparableValue, Comparand, Comparison, Filter, Hop, HopAttribute, Quantifier } from './types.ts';

/** Reads `filters` of any depth: attributes, operators, relations, groups. Errors name `parameter`.
 *
 *  `filters[category][name][$ne]=News` gives `{kind: 'hop', hop: category, filter: {kind:
 *  'comparison', attribute: name, comparison: {operator: '<>', value: 'News'}}}`;
 *  `filters[title][$about]=a` throws `query.invalid-key`. */
export function parseFilters(
  value: QueryValue | undefined,
  schema: Schema,
  context: ParseContext,
  parameter: QueryParameter,
): Filter | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isQueryObject(value)) throw Array.isArray(value) ? ApiError.of('filter.list', { path: parameter }) : ApiError.of('filter.shape');
  const filter = new FilterParser(context, parameter).group(context.marked(value), schema, { path: '', at: parameter });
  return filter.kind === 'and' && filter.operands.length === 0 ? undefined : filter;
}

const groupOperators = { $and: 'and', $or: 'or' } as const;
const isGroupOperator = (key: string): key is keyof typeof groupOperators => key === '$and' || key === '$or';

const quantifiers: ReadonlyMap<string, Quantifier> = new Map([
  ['$some', 'some'],
  ['$none', 'none'],
  ['$every', 'every'],
]);
const isQuantifier = (key: string): boolean => quantifiers.has(key);

/** The components of one kind in a zone, as a list of them. */
const componentsOf = ({ kind: _, components: __, ...zone }: DynamicZoneAttribute, component: Uid): ComponentAttribute => ({
  ...zone,
  kind: 'component',
  cardinality: 'many',
  component,
});

const leadsToMany = (attribute: HopAttribute): boolean => attribute.cardinality === 'many';

type FilterContext = Pick<ParseContext, 'model' | 'spend' | 'pattern' | 'text' | 'parameterize' | 'asStrapi' | 'known'>;

/** Reads a restriction's condition, which the project's developers write: it may name private
 *  attributes, but no passwords. Refuses an impossible row id: `$ne` would match every row. */
export function parseCondition(value: QueryValue, schema: Schema, context: FilterContext): Filter {
  return new FilterParser(context, 'filters', true).group(value, schema, { path: '', at: 'where' });
}

/** The position of a value in the query string. */
interface Position {
  /** Strapi's dotted form of the key: `category.name`. */
  readonly path: string;
  /** The bracketed key in the query string, for messages: `filters[category][name]`. */
  readonly at: string;
}

const within = ({ path, at }: Position, key: string | number): Position => ({ path, at: `${at}[${key}]` });

class FilterParser {
  readonly #context: FilterContext;
  readonly #parameter: QueryParameter;
  readonly #isCondition: boolean;

  constructor(context: FilterContext, parameter: QueryParameter, isCondition = false) {
    this.#context = context;
    this.#parameter = parameter;
    this.#isCondition = isCondition;
  }

  /** Reads an object: all of its conditions must hold. */
  group(value: QueryValue, schema: Schema, position: Position): Filter {
    // An item of `$and` or `$or` that is a list is one condition: all of its items must hold.
    if (Array.isArray(value)) return and(value.map((item, index) => this.group(item, schema, within(position, index))));
    if (!isQueryObject(value)) throw ApiError.of('filter.object', { path: position.at });
    return and(Object.entries(value).map(([key, item]) => this.#member(key, item, schema, within(position, key))));
  }

  #member(key: string, value: QueryValue, schema: Schema, position: Position): Filter {
    const { path, at } = position;
    if (isGroupOperator(key))
      return this.#groupOperator(key, value, position, (item, itsPosition) => this.group(item, schema, itsPosition));
    if (key === '$not') return { kind: 'not', operand: this.group(value, schema, position) };
    if (operators.has(key)) throw ApiError.of('filter.operator-place', { path: at, operator: key });
    const attribute = this.#attribute(key, schema, position);
    const here = join(path, key);
    switch (attribute.kind) {
      case 'scalar':
        return this.#conditions(value, attribute, { path: here, at });
      case 'dynamiczone':
        return this.#zone(value, attribute, { path: here, at });
      case 'relation':
      case 'media':
      case 'component': {
        const target = targetOf(attribute, this.#context.model);
        if (target === undefined) throw invalidKey(key, here, this.#parameter);
        return this.#hops(value, { attribute, target, path: here }, { path: here, at });
      }
    }
  }

  /** Reads the conditions on components of a zone, by their uid in `on`, as `populate` names them. */
  #zone(value: QueryValue, zone: DynamicZoneAttribute, position: Position): Filter {
    const on = isQueryObject(value) && Object.keys(value).join() === 'on' ? value.on : undefined;
    if (!isQueryObject(on) || Object.keys(on).length === 0) throw invalidKey(zone.name, position.path, this.#parameter);
    return and(
      Object.entries(on).map(([uid, conditions]) => {
        const target = zone.components.includes(uid) ? this.#context.model.components.get(uid) : undefined;
        if (target === undefined) throw invalidKey(uid, position.path, this.#parameter);
        const hop = { attribute: componentsOf(zone, uid), target, path: position.path };
        return this.#hops(conditions, hop, within(within(position, 'on'), uid));
      }),
    );
  }

  /** Reads the conditions on a relation: those of `$some`, `$none` and `$every`, and all others together. */
  #hops(value: QueryValue, hop: Hop, position: Position): Filter {
    const entries = isQueryObject(value) ? Object.entries(value) : [];
    const quantified = entries.filter(([key]) => isQuantifier(key));
    const hopOf = (conditions: QueryValue): Filter => {
      this.#context.spend('hops', position.at);
      return { kind: 'hop', hop, filter: this.#related(conditions, hop.target, position) };
    };
    if (quantified.length === 0) return hopOf(value);
    const others = entries.filter(([key]) => !isQuantifier(key));
    return and([
      ...quantified.map(([key, item]) => this.#quantified(key, item, hop, within(position, key))),
      ...(others.length === 0 ? [] : [hopOf(Object.fromEntries(others))]),
    ]);
  }

  #quantified(key: string, value: QueryValue, hop: Hop, { path, at }: Position): Filter {
    const quantifier = quantifiers.get(key);
    if (quantifier === undefined || !leadsToMany(hop.attribute)) throw ApiError.of('filter.operator-place', { path: at, operator: key });
    this.#context.spend('hops', at);
    // A condition on ids, as on a relation without a quantifier, would be easy to misread.
    if (!isQueryObject(value)) throw ApiError.of('filter.object', { path: at });
    return { kind: 'quantified', quantifier, hop, filter: this.#related(value, hop.target, { path, at }) };
  }

  #attribute(key: string, schema: Schema, { path, at }: Position): Attribute {
    try {
      return this.#isCondition
        ? comparableAttribute(schema, key, path, this.#parameter)
        : visibleAttribute(schema, key, path, this.#parameter, this.#context);
    } catch (error) {
      throw error instanceof ApiError ? withOperator(key, at, error) : error;
    }
  }

  #groupOperator(
    key: '$and' | '$or',
    value: QueryValue,
    position: Position,
    each: (item: QueryValue, position: Position) => Filter,
  ): Filter {
    if (!Array.isArray(value)) throw ApiError.of('filter.group', { path: position.at });
    return { kind: groupOperators[key], operands: value.map((item, index) => each(item, within(position, index))) };
  }

  /** Reads conditions on a relation, component or media. A plain value is compared with the id. */
  #related(value: QueryValue, target: Schema, position: Position): Filter {
    const id = target.attributes.get('id');
    if (id?.kind !== 'scalar') throw invalidKey('id', position.path, this.#parameter);
    if (!isQueryObject(value)) return this.#conditions(value, id, position);
    const each = (item: QueryValue, itsPosition: Position) => this.#related(item, target, itsPosition);
    return and(
      Object.entries(value).map(([key, item]) => {
        const inner = within(position, key);
        if (isGroupOperator(key)) return this.#groupOperator(key, item, inner, each);
        if (key === '$not') return { kind: 'not' as const, operand: each(item, inner) };
        if (operators.has(key)) return this.#conditions({ [key]: item }, id, position);
        return this.#member(key, item, target, inner);
      }),
    );
  }

  /** Reads conditions on a scalar: a value, a list (any matches) or operators (all match). */
  #conditions(value: QueryValue, attribute: ScalarAttribute, position: Position): Filter {
    if (!isQueryObject(value)) return this.#operator(Array.isArray(value) ? '$in' : '$eq', value, attribute, position);
    return and(
      Object.entries(value).map(([key, item]) => {
        const inner = within(position, key);
        if (isGroupOperator(key)) throw ApiError.of('filter.operator-place', { path: inner.at, operator: key });
        return this.#operator(key, item, attribute, inner);
      }),
    );
  }

  /** Reads `$not`. Strapi negates each item of a list, and any of them may match. */
  #not(value: QueryValue, attribute: ScalarAttribute, position: Position): Filter {
    const not = (item: QueryValue): Filter => ({ kind: 'not', operand: this.#conditions(item, attribute, position) });
    return Array.isArray(value) && this.#context.asStrapi ? { kind: 'or', operands: value.map(not) } : not(value);
  }

  /** Reads a boolean. Strapi reads a list or an object as true. */
  #isTrue(value: QueryValue, at: string): boolean {
    if (value === null || typeof value === 'string') return castBoolean(value === null ? null : this.#context.text(value));
    if (!this.#context.asStrapi) throw ApiError.of('filter.value', { path: at });
    return true;
  }

  /** Returns a comparison with null. In text operators, Strapi reads null as the text `null`. */
  #ofNothing(operator: Operator, comparison: (made: Comparison) => Filter): Filter {
    if (operator.kind !== 'text' || !this.#context.asStrapi) return comparison({ operator: 'unknown' });
    const { position, ignoreCase, negated } = operator;
    return comparison({ operator: 'text', position, ignoreCase, negated, value: 'null' });
  }

  /** Returns undefined for a row id that cannot exist, which matches no row, as in Strapi. */
  #comparand(marked: QueryValue, attribute: ScalarAttribute, at: string): Comparand | undefined {
    if (typeof marked !== 'string') throw ApiError.of('filter.value', { path: at });
    const read = readerOf(attribute);
    const result = read(this.#context.text(marked));
    if (!result.ok) throw ApiError.of('filter.format', { path: at, expected: result.expected });
    if (result.value === undefined) {
      if (this.#isCondition) throw ApiError.of('filter.format', { path: at, expected: 'a row id' });
      return undefined;
    }
    return this.#context.parameterize(marked, result.value, { read: (text) => readValue(read(text)) });
  }

  #operator(key: string, value: QueryValue, attribute: ScalarAttribute, position: Position): Filter {
    if (key === '$not') return this.#not(value, attribute, position);
    const { path, at } = position;
    const operator = operators.get(key);
    if (operator === undefined) throw withOperator(key, at, invalidKey(key, path, this.#parameter));
    this.#context.spend('conditions', at);
    const comparison = (made: Comparison): Filter => ({ kind: 'comparison', attribute, comparison: made });
    const parse = (item: QueryValue) => this.#comparand(item, attribute, at);

    switch (operator.kind) {
      case 'null':
        return comparison({ operator: this.#isTrue(value, at) === operator.whenTrue ? 'null' : 'not null' });
      case 'list': {
        if (isQueryObject(value)) throw ApiError.of('filter.list', { path: at });
        const items = (Array.isArray(value) ? value : [value]).filter((item) => item !== null);
        // `filters[title]=a&filters[title][$eq]=b` is a list of a text and an object. As recorded
        // from Strapi, no row matches the object.
        for (const item of items) if (isQueryObject(item)) this.#conditions(item, attribute, position);
        const known = items.flatMap((item) => (isQueryObject(item) ? [] : (parse(item) ?? [])));
        const amongKnown = comparison({ operator: operator.negated ? 'not in' : 'in', values: known });
        // In SQL, a list with null makes the condition unknown for a value that is not in the list.
        if (items.length === (Array.isArray(value) ? value.length : 1)) return amongKnown;
        return { kind: operator.negated ? 'and' : 'or', operands: [amongKnown, comparison({ operator: 'unknown' })] };
      }
      case 'between': {
        if (!Array.isArray(value) || value.length !== 2) throw ApiError.of('filter.between', { path: at });
        const [low, high] = value.map(parse);
        return comparison(low === undefined || high === undefined ? { operator: 'never' } : { operator: 'between', low, high });
      }
      case 'compare':
      case 'text': {
        if (isQueryObject(value)) throw ApiError.of('filter.value', { path: at });
        const each = (item: QueryValue): Filter => {
          if (item === null && operator.onNull !== undefined) return comparison({ operator: operator.onNull });
          if (item === null) return this.#ofNothing(operator, comparison);
          if (typeof item !== 'string') throw ApiError.of('filter.value', { path: at });
          if (operator.kind === 'text') {
            const { position, ignoreCase, negated } = operator;
            return comparison({ operator: 'text', position, ignoreCase, negated, value: this.#context.pattern(item, at) });
          }
          const parsed = parse(item);
          if (parsed === undefined) return comparison(operator.operator === '<>' ? { operator: 'not null' } : { operator: 'never' });
          return comparison({ operator: operator.operator, value: parsed });
        };
        // Several values of one operator are alternatives, as in Strapi.
        if (!Array.isArray(value)) return each(value);
        for (let more = 1; more < value.length; more++) this.#context.spend('conditions', at);
        return { kind: 'or', operands: value.map(each) };
      }
    }
  }
}

type Readable = { readonly ok: true; readonly value: ComparableValue | undefined } | { readonly ok: false; readonly expected: string };

function readerOf({ name, type }: ScalarAttribute): (text: string) => Readable {
  return name === 'id' ? readRowId : attributeTypes[type].parseFilter;
}

function readRowId(text: string): Readable {
  const id = text.trim() === '' ? Number.NaN : Number(text);
  return { ok: true, value: Number.isFinite(id) ? id : undefined };
}

const readValue = (result: Readable): ComparableValue | undefined => (result.ok ? result.value : undefined);

const and = (operands: readonly Filter[]): Filter =>
  operands.length === 1 && operands[0] !== undefined ? operands[0] : { kind: 'and', operands };

type Operator =
  | { readonly kind: 'compare'; readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>='; readonly onNull: 'null' | 'not null' | undefined }
  | {
      readonly kind: 'text';
      readonly position: 'anywhere' | 'start' | 'end' | 'whole';
      readonly ignoreCase: boolean;
      readonly negated: boolean;
      readonly onNull: 'null' | 'not null' | undefined;
    }
  | { readonly kind: 'list'; readonly negated: boolean }
  | { readonly kind: 'between' }
  | { readonly kind: 'null'; readonly whenTrue: boolean };

const text = (position: 'anywhere' | 'start' | 'end' | 'whole', ignoreCase: boolean, negated = false): Operator => ({
  kind: 'text',
  position,
  ignoreCase,
  negated,
  onNull: position === 'whole' ? (negated ? 'not null' : 'null') : undefined,
});

/** Operators on values; groups are above. Source: Strapi 5 REST reference, "Filters". */
const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$eq', { kind: 'compare', operator: '=', onNull: 'null' }],
  ['$ne', { kind: 'compare', operator: '<>', onNull: 'not null' }],
  ['$lt', { kind: 'compare', operator: '<', onNull: undefined }],
  ['$lte', { kind: 'compare', operator: '<=', onNull: undefined }],
  ['$gt', { kind: 'compare', operator: '>', onNull: undefined }],
  ['$gte', { kind: 'compare', operator: '>=', onNull: undefined }],
  ['$in', { kind: 'list', negated: false }],
  ['$notIn', { kind: 'list', negated: true }],
  ['$between', { kind: 'between' }],
  ['$null', { kind: 'null', whenTrue: true }],
  ['$notNull', { kind: 'null', whenTrue: false }],
  ['$eqi', text('whole', true)],
  ['$nei', text('whole', true, true)],
  ['$contains', text('anywhere', false)],
  ['$notContains', text('anywhere', false, true)],
  ['$containsi', text('anywhere', true)],
  ['$notContainsi', text('anywhere', true, true)],
  ['$startsWith', text('start', false)],
  ['$startsWithi', text('start', true)],
  ['$endsWith', text('end', false)],
  ['$endsWithi', text('end', true)],
]);

/** The names of operators on values, for descriptions of the API. */
export const valueOperators: readonly string[] = [...operators.keys()];

const everyOperator: readonly string[] = [...valueOperators, ...Object.keys(groupOperators), '$not'];

/** Adds the operator to an error about a name that needs a `$` to be one, whether or not it is that
 *  of a hidden attribute. */
const withOperator = (key: string, at: string, error: ApiError): ApiError =>
  operators.has(`$${key}`)
    ? error.helpedBy(`Invalid key ${key} (${at}): operators begin with $; did you mean $${key}?`)
    : key.startsWith('$')
      ? withMeant(error, key, everyOperator)
      : error;
