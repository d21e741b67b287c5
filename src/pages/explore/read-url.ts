/** URL → query, as far as the controls of the page can show it. */
import qs from 'qs';
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import { decoded } from '../../text/url-parts.ts';
import { isOperator, valuesOf } from './operators.ts';
import {
  attributeAt,
  attributesOf,
  type Condition,
  emptyGroup,
  emptyNode,
  emptyQuery,
  type Group,
  type Node,
  newId,
  type Populated,
  type Query,
  type SortTerm,
  targetOf,
} from './query.ts';

export interface ReadUrl {
  /** Undefined if the path belongs to no type that the caller may read. */
  readonly query: Query | undefined;
  /** The parts that the controls cannot show: `filters[$not]`. */
  readonly unshown: readonly string[];
}

type Parsed = string | readonly unknown[] | Record<string, unknown> | undefined | null;

export const parseQuery = (text: string): Record<string, unknown> =>
  qs.parse(text, { depth: 20, arrayLimit: 100, parameterLimit: 1000, plainObjects: true });

/** `text` is a path with a query, or a URL of this server. */
export function readUrl(text: string, model: DescribedModel, origin: string): ReadUrl {
  const url = new URL(text, origin);
  const path = url.pathname.replace(/\/$/, '');
  const root = model.roots.find((each) => path === each.path || (!each.isSingle && path.startsWith(`${each.path}/`)));
  if (root === undefined) return { query: undefined, unshown: [`the path ${path}`] };
  const rest = path.slice(root.path.length + 1);
  // Groups are no document.
  if (rest.includes('/') || rest === '_aggregate') return { query: undefined, unshown: [`the path ${path}`] };
  const reader = new Reader(model);
  const { _q, pagination, status, locale, fallback, ...others } = parseQuery(url.search.slice(1)) as Record<string, Parsed>;
  const query = {
    ...emptyQuery(root.uid),
    documentId: decoded(rest) ?? rest,
    search: reader.text(_q, '_q'),
    status: reader.text(status, 'status'),
    locale: reader.text(locale, 'locale'),
    fallback: reader.text(fallback, 'fallback'),
    ...reader.pagination(pagination),
    node: reader.node(others, root.uid, ''),
  };
  const isList = !root.isSingle && query.documentId === '';
  const { filters, sort } = query.node;
  if (!isList && (filters.items.length > 0 || sort.length > 0)) reader.unshown.push('filters and sort of one document');
  return { query, unshown: reader.unshown };
}

class Reader {
  readonly unshown: string[] = [];
  readonly #model: DescribedModel;

  constructor(model: DescribedModel) {
    this.#model = model;
  }

  text(value: Parsed, key: string): string {
    if (value === undefined) return '';
    if (typeof value === 'string') return value;
    this.unshown.push(key);
    return '';
  }

  pagination(value: Parsed): { page: string; pageSize: string } {
    if (value === undefined) return { page: '', pageSize: '' };
    const { page, pageSize, ...others } = entriesOf(value);
    for (const key of Object.keys(others)) this.unshown.push(`pagination[${key}]`);
    return { page: this.text(page as Parsed, 'pagination[page]'), pageSize: this.text(pageSize as Parsed, 'pagination[pageSize]') };
  }

  /** `key`: the parameter that holds the node; empty for the root. */
  node(parameters: Record<string, unknown>, uid: string | undefined, key: string): Node {
    const { fields, populate, filters, sort, on, ...others } = parameters as Record<string, Parsed>;
    const at = (name: string) => (key === '' ? name : `${key}[${name}]`);
    for (const name of Object.keys(others)) this.unshown.push(at(name));
    const names = this.#names(fields, at('fields')).filter((name) => this.#isKnown(name !== '*', [name], uid, at('fields')));
    return {
      ...emptyNode(),
      fields: names,
      ...this.#populate(populate, uid, at('populate')),
      on: on === undefined ? [] : this.#on(on, at('on')),
      filters: filters === undefined ? emptyGroup() : this.#filters(filters, uid, [], at('filters')),
      sort: this.#names(sort, at('sort')).flatMap((term) => this.#sortTerm(term, uid, at('sort'))),
    };
  }

  #isKnown(isName: boolean, path: readonly string[], uid: string | undefined, key: string): boolean {
    if (isName && attributeAt(this.#model, uid, path) !== undefined) return true;
    this.unshown.push(`${key}=${path.join('.')}`);
    return false;
  }

  /** A text with commas, or a list of texts. */
  #names(value: Parsed, key: string): string[] {
    if (value === undefined) return [];
    const texts = typeof value === 'string' ? [value] : Object.values(value ?? {});
    return texts.flatMap((text) => {
      if (typeof text === 'string') return text.split(',').map((name) => name.trim());
      this.unshown.push(key);
      return [];
    });
  }

  #sortTerm(term: string, uid: string | undefined, key: string): SortTerm[] {
    const [name = '', direction = 'asc'] = term.split(':');
    const path = name.split('.');
    if (!this.#isKnown(true, path, uid, key)) return [];
    return [{ id: newId(), path, direction: direction.toLowerCase() === 'desc' ? 'desc' : 'asc' }];
  }

  #populate(value: Parsed, uid: string | undefined, key: string): Pick<Node, 'populate' | 'populateAll'> {
    if (value === undefined) return { populate: [], populateAll: false };
    if (value === '*' || value === 'true') return { populate: [], populateAll: true };
    const isNamed = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNamed) {
      return {
        populateAll: false,
        populate: Object.entries(value).flatMap(([name, inner]) => this.#populated(name, inner as Parsed, uid, `${key}[${name}]`)),
      };
    }
    const populate: Populated[] = [];
    for (const path of this.#names(value, key)) {
      if (path.includes('.')) this.unshown.push(`${key}=${path}`);
      else if (this.#isPopulated(path, uid, key)) populate.push({ name: path, node: emptyNode() });
    }
    return { populateAll: false, populate };
  }

  #isPopulated(name: string, uid: string | undefined, key: string): boolean {
    const attribute = attributesOf(this.#model, uid).find((each) => each.name === name);
    if (attribute !== undefined && attribute.kind !== 'scalar') return true;
    this.unshown.push(`${key}: ${name}`);
    return false;
  }

  #populated(name: string, value: Parsed, uid: string | undefined, key: string): Populated[] {
    if (!this.#isPopulated(name, uid, key)) return [];
    if (value === 'true' || value === '*') return [{ name, node: emptyNode() }];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.unshown.push(key);
      return [];
    }
    const target = targetOf(attributesOf(this.#model, uid).find((each) => each.name === name));
    return [{ name, node: this.node(value as Record<string, unknown>, target, key) }];
  }

  #on(value: Parsed, key: string): Populated[] {
    return Object.entries(entriesOf(value)).flatMap(([name, inner]) => {
      if (inner === 'true') return [{ name, node: emptyNode() }];
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
        return [{ name, node: this.node(inner as Record<string, unknown>, name, `${key}[${name}]`) }];
      this.unshown.push(`${key}[${name}]`);
      return [];
    });
  }

  #filters(value: Parsed, uid: string | undefined, path: readonly string[], key: string): Group {
    const items: (Group | Condition)[] = [];
    for (const [name, inner] of Object.entries(entriesOf(value))) {
      const at = `${key}[${name}]`;
      if (name === '$and' || name === '$or') {
        if (path.length > 0) this.unshown.push(at);
        else
          items.push({
            ...emptyGroup(name),
            items: Object.entries(entriesOf(inner as Parsed)).map(([index, each]) =>
              single(this.#filters(each as Parsed, uid, [], `${at}[${index}]`)),
            ),
          });
      } else if (name.startsWith('$')) items.push(...this.#condition(path, name, inner as Parsed, at));
      else if (this.#isKnown(true, [...path, name], uid, key)) {
        if (typeof inner === 'string') items.push(...this.#condition([...path, name], '$eq', inner, at));
        else items.push(...this.#filters(inner as Parsed, uid, [...path, name], at).items);
      }
    }
    const [first] = items;
    return items.length === 1 && first?.kind === 'group' ? first : { ...emptyGroup(), items };
  }

  #condition(path: readonly string[], operator: string, value: Parsed, key: string): Condition[] {
    const texts = typeof value === 'string' ? [value] : Object.values(value ?? {});
    const takes = isOperator(operator) ? valuesOf(operator) : undefined;
    const isShown =
      path.length > 0 &&
      texts.length > 0 &&
      texts.every((text) => typeof text === 'string' && text !== '') &&
      (takes === 'one'
        ? typeof value === 'string'
        : takes === 'none'
          ? value === 'true'
          : takes !== undefined && texts.every((text) => !String(text).includes(',') && String(text).trim() === text));
    if (isShown) return [{ kind: 'condition', id: newId(), path, operator, value: takes === 'none' ? '' : texts.join(', ') }];
    this.unshown.push(key);
    return [];
  }
}

/** A group of one is that one. */
function single(group: Group): Group | Condition {
  const [first] = group.items;
  return group.items.length === 1 && first !== undefined ? first : group;
}

const entriesOf = (value: Parsed): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...(value as Record<string, unknown>) } : {};
