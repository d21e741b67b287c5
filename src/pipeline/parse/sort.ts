import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, type QueryParameter } from '../../errors/invalid-key.ts';
import { type Schema, targetOf } from '../../model/content-model.ts';
import { join, type ParseContext, visibleAttribute } from './context.ts';
import { isQueryObject, type QueryValue } from './query-string.ts';
import type { Hop, SortTerm } from './types.ts';

/** Reads texts, lists and the object form of `sort` into terms, leftmost first; by default `asc`.
 *
 *  `sort=category.name:desc,title` gives `[{hops: [category], attribute: name, direction: 'desc'},
 *  {hops: [], attribute: title, direction: 'asc'}]`; `sort=title:up` throws `sort.order`. */
export function parseSort(
  value: QueryValue | undefined,
  schema: Schema,
  context: ParseContext,
  parameter: QueryParameter,
  ranks: Ranks = 'unknown',
): readonly SortTerm[] {
  const terms = new SortParser(context, parameter, schema, ranks).read(value);
  const limit = context.config.limits.sortTerms;
  if (terms.length > limit) throw ApiError.of('limit.budget', { budget: 'sortTerms', parameter, limit });
  return terms;
}

/** Whether entries have a rank: only together with a full-text search, which not every type has. */
export type Ranks = 'known' | 'without a search' | 'unknown';

const rank = '$rank';

class SortParser {
  readonly #context: ParseContext;
  readonly #parameter: QueryParameter;
  readonly #schema: Schema;
  readonly #ranks: Ranks;

  constructor(context: ParseContext, parameter: QueryParameter, schema: Schema, ranks: Ranks) {
    this.#ranks = ranks;
    this.#context = context;
    this.#parameter = parameter;
    this.#schema = schema;
  }

  read(value: QueryValue | undefined): SortTerm[] {
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return this.#text(value);
    if (isQueryObject(value)) return this.#object(value, []);
    if (value.every((item) => typeof item === 'string')) return value.flatMap((item) => this.#text(item));
    // If a list has both texts and objects, Strapi reads it as an object with the keys 0, 1, …
    if (!value.every(isQueryObject)) throw invalidKey('0', null, this.#parameter);
    return value.flatMap((item) => this.#object(item, []));
  }

  #text(list: string): SortTerm[] {
    return list.split(',').flatMap((item) => {
      const [name = '', order] = item.split(':');
      const field = name.trim();
      if (field === '') return [];
      return this.#term(field.split('.'), order);
    });
  }

  #object(value: QueryValue, path: readonly string[]): SortTerm[] {
    if (!isQueryObject(value)) throw ApiError.of('sort.shape');
    return Object.entries(value).flatMap(([key, item]) => {
      const here = [...path, key];
      if (isQueryObject(item)) return this.#object(item, here);
      if (typeof item !== 'string') throw ApiError.of('sort.shape');
      // A key without an order is checked, but nothing is sorted by it.
      const terms = this.#term(here, item.trim() === '' ? undefined : item);
      return item.trim() === '' ? [] : terms;
    });
  }

  #term(names: readonly string[], order: string | undefined): SortTerm[] {
    if (names.length === 1 && names[0] === rank && this.#ranks !== 'unknown') {
      if (this.#ranks === 'without a search') throw ApiError.of('sort.rank');
      return [{ kind: 'rank', direction: order === undefined ? 'desc' : direction(order) }];
    }
    const hops: Hop[] = [];
    let schema = this.#schema;
    let path = '';
    for (const [index, name] of names.entries()) {
      const last = index === names.length - 1;
      // All rows of a response have one status: this key sorts nothing. Strapi needs an order here.
      if (
        last &&
        index === 0 &&
        name === 'status' &&
        order !== undefined &&
        schema.kind !== 'component' &&
        schema.draftAndPublish &&
        !schema.attributes.has(name)
      ) {
        direction(order);
        return [];
      }
      const attribute = visibleAttribute(schema, name, path, this.#parameter, this.#context);
      path = join(path, name);
      if (attribute.kind === 'scalar') {
        if (!last) throw invalidKey(names[index + 1] ?? '', path, this.#parameter);
        return [{ kind: 'attribute', hops, attribute, direction: direction(order) }];
      }
      const target = targetOf(attribute, this.#context.model);
      if (last || target === undefined || attribute.kind === 'dynamiczone') throw invalidKey(name, path, this.#parameter);
      this.#context.spend('hops', `${this.#parameter}: ${path}`);
      hops.push({ attribute, target, path });
      schema = target;
    }
    return [];
  }
}

function direction(order: string | undefined): 'asc' | 'desc' {
  const word = order?.trim().toLowerCase() ?? 'asc';
  if (word !== 'asc' && word !== 'desc') throw ApiError.of('sort.order');
  return word;
}
