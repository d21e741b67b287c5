/** Query → parameters → URL. */
import type { DescribedModel, DescribedRoot } from '../../http/site/explore/described-model.ts';
import { valuesOf } from './operators.ts';
import { type Condition, type Group, isList, type Node, type Query, rootOf } from './query.ts';

export type Value = string | true | readonly Value[] | Parameters;
export interface Parameters {
  readonly [name: string]: Value;
}
type Building = Record<string, Value>;

/** Without a prototype: names of attributes are keys. */
const record = (): Building => Object.create(null);

/** The parameters as an object, as `qs` and the client libraries take them. */
export function parametersOf(query: Query, model: DescribedModel): Parameters {
  const root = rootOf(model, query.uid);
  const list = root !== undefined && isList(root, query);
  const parameters = record();
  if (query.search !== '' && list) parameters._q = query.search;
  Object.assign(parameters, nodeParameters(list ? query.node : { ...query.node, filters: { ...query.node.filters, items: [] }, sort: [] }));
  const pagination = record();
  if (query.page !== '') pagination.page = query.page;
  if (query.pageSize !== '') pagination.pageSize = query.pageSize;
  if (list && Object.keys(pagination).length > 0) parameters.pagination = pagination;
  if (query.status !== '') parameters.status = query.status;
  if (query.locale !== '') parameters.locale = query.locale;
  if (query.fallback !== '') parameters.fallback = query.fallback;
  return parameters;
}

function nodeParameters(node: Node): Parameters {
  const parameters = record();
  if (node.fields.length > 0) parameters.fields = node.fields;
  const populate = populateOf(node);
  if (populate !== undefined) parameters.populate = populate;
  if (node.on.length > 0) {
    const on = record();
    for (const { name, node: inner } of node.on) on[name] = populatedValue(inner);
    parameters.on = on;
  }
  const filters = groupFilters(node.filters);
  if (filters !== undefined) parameters.filters = filters;
  const sort = node.sort.filter(({ path }) => path.length > 0).map(({ path, direction }) => `${path.join('.')}:${direction}`);
  if (sort.length > 0) parameters.sort = sort;
  return parameters;
}

function populateOf({ populateAll, populate }: Node): Value | undefined {
  if (populateAll) return '*';
  if (populate.length === 0) return undefined;
  const values = record();
  for (const { name, node } of populate) values[name] = populatedValue(node);
  return values;
}

function populatedValue(node: Node): Value {
  const parameters = nodeParameters(node);
  return Object.keys(parameters).length === 0 ? true : parameters;
}

/** Undefined for a group without a complete condition. */
function groupFilters({ join, items }: Group): Parameters | undefined {
  const filters = items.flatMap((item): Parameters[] => {
    const filter = item.kind === 'group' ? groupFilters(item) : conditionFilter(item);
    return filter === undefined ? [] : [filter];
  });
  const [first] = filters;
  if (first === undefined) return undefined;
  if (filters.length === 1) return first;
  const merged = join === '$and' ? filters.reduce<Parameters | undefined>((all, one) => all && merge(all, one), record()) : undefined;
  if (merged !== undefined) return merged;
  const joined = record();
  joined[join] = filters;
  return joined;
}

/** `a[b][$eq]=1` and `a[c][$eq]=2` are one object; undefined where both name the same key. */
function merge(a: Parameters, b: Parameters): Parameters | undefined {
  const merged = Object.assign(record(), a);
  for (const [key, value] of Object.entries(b)) {
    const other = merged[key];
    if (other === undefined) {
      merged[key] = value;
      continue;
    }
    // The conditions of two relations' entries could be met by different entries.
    const both = isParameters(other) && isParameters(value) && isLeaf(other) && isLeaf(value) ? merge(other, value) : undefined;
    if (both === undefined) return undefined;
    merged[key] = both;
  }
  return merged;
}

const isLeaf = (filter: Parameters) => Object.keys(filter).every((key) => key.startsWith('$') && key !== '$and' && key !== '$or');

function conditionFilter({ path, operator, value }: Condition): Parameters | undefined {
  const operand = operandOf(operator, value);
  if (path.length === 0 || operand === undefined) return undefined;
  let filter: Parameters = Object.assign(record(), { [operator]: operand });
  for (const name of [...path].reverse()) filter = Object.assign(record(), { [name]: filter });
  return filter;
}

function operandOf(operator: string, value: string): Value | undefined {
  switch (valuesOf(operator)) {
    case 'none':
      return true;
    case 'one':
      return value === '' ? undefined : value;
    default: {
      const values = splitValues(value);
      return values.length === 0 ? undefined : values;
    }
  }
}

const splitValues = (value: string): string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

const isParameters = (value: Value): value is Parameters => typeof value === 'object' && !Array.isArray(value);

function pathOf(root: DescribedRoot, query: Query): string {
  return root.isSingle || query.documentId === '' ? root.path : `${root.path}/${encodeURIComponent(query.documentId)}`;
}

/** `/api/articles?filters[title][$contains]=a b`: for people; `encodedUrl` makes it valid. Empty
 *  while no type is chosen, since there may be none. */
export function readableUrl(query: Query, model: DescribedModel): string {
  const root = rootOf(model, query.uid);
  if (root === undefined) return '';
  const pairs = pairsOf(parametersOf(query, model)).map(([key, value]) => `${key}=${readableValue(value)}`);
  return pathOf(root, query) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}

/** Everything but the characters that would end the value or be read as others. */
const readableValue = (value: string): string =>
  value.replaceAll(/[%&+#=\r\n\t"<>\\]|^ | $/g, (character) => encodeURIComponent(character));

/** `[['fields', 'title,slug'], ['filters[title][$eq]', 'a']]` */
function pairsOf(parameters: Parameters): [key: string, value: string][] {
  const pairs: [string, string][] = [];
  const add = (key: string, value: Value): void => {
    if (typeof value === 'string') pairs.push([key, value]);
    else if (value === true) pairs.push([key, 'true']);
    else if (isParameters(value)) {
      const names = Object.keys(value);
      const isNames = (key === 'populate' || key.endsWith('[populate]')) && names.length > 0 && names.every((name) => value[name] === true);
      if (isNames) pairs.push([key, names.join(',')]);
      else for (const name of names) add(`${key}[${name}]`, value[name] ?? true);
    } else if (/(?:^|\[)(?:fields|sort)\]?$/.test(key)) pairs.push([key, value.join(',')]);
    else for (const [index, each] of value.entries()) add(`${key}[${index}]`, each);
  };
  for (const [name, value] of Object.entries(parameters)) add(name, value);
  return pairs;
}

/** The whole URL with everything encoded that has to be. */
export function encodedUrl(readable: string, origin: string): string {
  const url = new URL(readable, origin);
  const encode = (text: string) => text.replaceAll('[', '%5B').replaceAll(']', '%5D').replaceAll('$', '%24').replaceAll('|', '%7C');
  return url.origin + url.pathname + encode(url.search);
}
