/** Reads `populate` into a tree of unresolved names: `*`, names, dotted paths, lists, objects. */
import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, withMeant } from '../../errors/invalid-key.ts';
import { type Schema, targetOf } from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import { isNoScalar, join, namesIn, type ParseContext, visibleAttribute } from './context.ts';
import { parseFields } from './fields.ts';
import { parseFilters } from './filters.ts';
import { isQueryObject, type QueryObject, type QueryValue } from './query-string.ts';
import { parseSort } from './sort.ts';

export type PopulateTree = Map<string, WantedOptions>;
export interface WantedOptions {
  readonly options: QueryObject;
  readonly nested: PopulateTree;
  /** True if paths continue from this attribute and no path ends at it. */
  readonly onTheWay: boolean;
  /** True for `populate[name]=*`. */
  readonly star: boolean;
  /** True if the name is one of several in a text (`a,b`); see `Population.scoped`. */
  readonly inCommaText: boolean;
  /** Options of selections that name the attribute, too; see `withSelections`. */
  readonly further: readonly QueryObject[];
}

const withoutOptions: WantedOptions = { options: {}, nested: new Map(), onTheWay: false, star: false, inCommaText: false, further: [] };
export const wantedBy = (options: QueryObject): WantedOptions => ({ ...withoutOptions, options });

export const meansTrue = (value: QueryValue | undefined) => value === 'true' || value === '1' || value === 't';
export const meansFalse = (value: QueryValue | undefined) => value === 'false' || value === '0' || value === 'f';

export function isPopulatable(schema: Schema, name: string): boolean {
  const attribute = schema.attributes.get(name);
  return attribute !== undefined && attribute.kind !== 'scalar' && isVisible(attribute);
}

export function populateEverything(schema: Schema): PopulateTree {
  return new Map([...schema.attributes.keys()].filter((name) => isPopulatable(schema, name)).map((name) => [name, withoutOptions]));
}

export function merge(into: PopulateTree, name: string, entry: WantedOptions): void {
  const present = into.get(name);
  into.set(name, present === undefined ? entry : { ...present, nested: merged(present.nested, entry.nested), onTheWay: false });
}

function merged(one: PopulateTree, other: PopulateTree): PopulateTree {
  const both: PopulateTree = new Map(one);
  for (const [name, each] of other) merge(both, name, each);
  return both;
}

export function checkPopulateDepth(depth: number, { config }: ParseContext): void {
  const limit = config.limits.populateDepth;
  if (depth > limit) throw ApiError.of('limit.budget', { budget: 'populateDepth', parameter: 'populate', limit });
}

/** Reads a value of `populate`. `path`: the populated attribute's for messages, or empty. */
function readPopulateTree(value: QueryValue | undefined, schema: Schema, path: string, context: ParseContext): PopulateTree {
  return new WantedReader(context).read(value, schema, path);
}

/** Reads the values of `populate` of layers of options (`withSelections`). An earlier one decides
 *  about the options of an attribute, and leaves an attribute out with `false`. */
export function readPopulateTrees(
  values: readonly (QueryValue | undefined)[],
  schema: Schema,
  path: string,
  context: ParseContext,
): PopulateTree {
  const [first, ...others] = values;
  const wanted = readPopulateTree(first, schema, path, context);
  const leftOut = new Set(namesLeftOut(first));
  for (const value of others) {
    for (const [name, entry] of readPopulateTree(value, schema, path, context)) {
      const present = wanted.get(name);
      if (!leftOut.has(name)) wanted.set(name, present === undefined ? entry : together(present, entry));
    }
    for (const name of namesLeftOut(value)) if (!wanted.has(name)) leftOut.add(name);
  }
  return wanted;
}

const namesLeftOut = (value: QueryValue | undefined): string[] =>
  isQueryObject(value) ? Object.keys(value).filter((name) => meansFalse(value[name])) : [];

function together(one: WantedOptions, other: WantedOptions): WantedOptions {
  const both = { ...other.options, ...one.options };
  const on = isQueryObject(one.options.on) && isQueryObject(other.options.on) ? { on: { ...other.options.on, ...one.options.on } } : {};
  return {
    ...one,
    options: { ...both, ...on },
    nested: merged(one.nested, other.nested),
    onTheWay: one.onTheWay && other.onTheWay,
    further: [...one.further, other.options, ...other.further],
  };
}

class WantedReader {
  readonly #context: ParseContext;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  read(value: QueryValue | undefined, schema: Schema, path: string): PopulateTree {
    if (value === undefined || value === null) return new Map();
    if (value === '' && path !== '') throw invalidKey('', path, 'populate');
    if (value === '*') return populateEverything(schema);
    if (typeof value === 'string') return value === '' ? new Map() : this.#texts([value], schema, path);
    if (isQueryObject(value)) return this.#object(value, schema);
    const texts = value.filter((item) => typeof item === 'string');
    if (texts.length < value.length) throw ApiError.of('populate.shape');
    return this.#texts(texts, schema, path);
  }

  #texts(texts: readonly string[], schema: Schema, path: string): PopulateTree {
    const wanted: PopulateTree = new Map();
    const alone: string[][] = [];
    for (const text of texts) {
      // Below the top level, Strapi reads a comma as part of the name.
      const several = text.includes(',') && (path === '' || !this.#context.asStrapi);
      for (const item of several ? text.split(',') : [text]) {
        const names = this.#names(item, path);
        if (names.length === 0) continue;
        this.#checkPath(names, schema, several, path);
        if (several || !this.#context.asStrapi) merge(wanted, names[0] ?? '', pathEntry(names.slice(1), several));
        else alone.push(names);
      }
    }
    const all = merged(this.#inList(alone, schema), wanted);
    return this.#context.asStrapi && !alone.some((names) => this.#meetsAnyType(names, schema)) ? inOrderOfStrapi(all, false) : all;
  }

  /** Splits a dotted path. With `queriesAsStrapi`, empty names at the top level are ignored. */
  #names(path: string, above: string): string[] {
    const names = path.trim().split('.');
    if (!this.#context.asStrapi) return names;
    const trimmed = names.map((name) => name.trim()).filter((name) => name !== '');
    const other = above === '' ? undefined : path.split('.').find((name, index) => name !== trimmed[index]);
    if (other !== undefined) throw invalidKey(other, above, 'populate');
    return trimmed;
  }

  /** Reads a list of paths. A later, shorter path replaces the longer ones that begin with it. If a
   *  path leads through a relation to any type, its attributes are populated as well. */
  #inList(paths: readonly string[][], schema: Schema): PopulateTree {
    const wanted: PopulateTree = new Map();
    const onTheWay = !paths.some((names) => this.#meetsAnyType(names, schema));
    for (const names of paths) {
      let level = wanted;
      let passed = schema;
      let below = onTheWay;
      for (const [index, name] of names.entries()) {
        if (index === names.length - 1) {
          level.set(name, withoutOptions);
          break;
        }
        // Below a dynamic zone, Strapi replaces no paths.
        if (passed.attributes.get(name)?.kind === 'dynamiczone') below = false;
        const present = level.get(name);
        const entry: WantedOptions =
          present === undefined || present.nested.size === 0 ? { ...withoutOptions, nested: new Map(), onTheWay: below } : present;
        level.set(name, entry);
        level = entry.nested;
        passed = this.#targets(passed, name)[0] ?? passed;
      }
    }
    return wanted;
  }

  #meetsAnyType(names: readonly string[], schema: Schema): boolean {
    let schemas: readonly Schema[] = [schema];
    for (const name of names) {
      if (schemas.some(({ attributes }) => isAnyType(attributes.get(name)))) return true;
      schemas = schemas.flatMap((each) => this.#targets(each, name));
    }
    return false;
  }

  /** Checks the names of a path. If the text has `several` paths, Strapi does not refuse private
   *  attributes, but removes them from the response. */
  #checkPath(names: readonly string[], schema: Schema, several: boolean, above: string): void {
    checkPopulateDepth(names.length, this.#context);
    const { asStrapi } = this.#context;
    const lenient = several && asStrapi;
    let schemas: readonly Schema[] = [schema];
    let walked = '';
    for (const [index, name] of names.entries()) {
      const holders = schemas.filter((each) => isPopulatable(each, name) || (lenient && isLink(each, name)));
      if (holders.length === 0)
        throw withMeant(invalidKey(name, join(walked, name), 'populate'), name, namesIn(schemas, this.#context.known, isNoScalar));
      walked = join(walked, name);
      const attribute = holders[0]?.attributes.get(name);
      const last = index === names.length - 1;
      if (!last && (attribute?.kind === 'media' || isAnyType(attribute))) throw invalidKey(name, walked, 'populate');
      // As in the object form, where `populate` of a dynamic zone may only be `*`.
      if (!last && attribute?.kind === 'dynamiczone' && above !== '' && asStrapi)
        throw invalidKey('populate', join(above, walked), 'populate');
      // Without duplicates: two schemas that lead to the same one would double each name's work.
      schemas = [...new Set(holders.flatMap((each) => this.#targets(each, name)))];
    }
  }

  /** Returns every schema that the attribute can lead to. */
  #targets(schema: Schema, name: string): Schema[] {
    const attribute = schema.attributes.get(name);
    if (attribute === undefined) return [];
    const { model } = this.#context;
    const targets =
      attribute.kind === 'dynamiczone' ? attribute.components.map((uid) => model.components.get(uid)) : [targetOf(attribute, model)];
    return targets.filter((each) => each !== undefined);
  }

  #object(value: QueryObject, schema: Schema): PopulateTree {
    const wanted: PopulateTree = new Map();
    for (const [name, options] of Object.entries(value)) {
      if (this.#context.asStrapi && !schema.attributes.has(name) && this.#passesOver(name, options, schema)) continue;
      const attribute = visibleAttribute(schema, name, '', 'populate', this.#context, isNoScalar);
      if (attribute.kind === 'scalar') throw invalidKey(name, name, 'populate');
      const entry = isQueryObject(options) ? wantedBy(options) : this.#word(options, name, isAnyType(attribute));
      if (entry !== undefined) wanted.set(name, entry);
    }
    return wanted;
  }

  /** Reads `populate[name]=true` and the other words with that meaning. */
  #word(word: QueryValue, name: string, anyType: boolean): WantedOptions | undefined {
    if (typeof word !== 'string') throw invalidKey(word === null ? '' : '0', name, 'populate');
    const { asStrapi } = this.#context;
    // In a relation to any type, Strapi ignores any other value.
    if (anyType && asStrapi) return word === 'true' ? withoutOptions : undefined;
    if (meansTrue(word)) return withoutOptions;
    if (meansFalse(word)) return undefined;
    if (word === '*' && asStrapi) return { ...withoutOptions, star: true };
    throw invalidKey(word, name, 'populate');
  }

  /** Returns true for names that are not attributes and that Strapi checks, but then ignores. */
  #passesOver(name: string, value: QueryValue, schema: Schema): boolean {
    switch (name) {
      case 'sort':
        parseSort(value, schema, this.#context, 'populate');
        return true;
      case 'filters':
        parseFilters(value, schema, this.#context, 'populate');
        return true;
      case 'fields':
        parseFields(value, schema, this.#context, 'populate');
        return true;
      default:
        return meansTrue(name) || meansFalse(name);
    }
  }
}

const isLink = ({ attributes }: Schema, name: string): boolean => (attributes.get(name)?.kind ?? 'scalar') !== 'scalar';

/** Whether the attribute is a relation with a type for each row. */
const isAnyType = (attribute: ReturnType<Schema['attributes']['get']>): boolean =>
  attribute?.kind === 'relation' && attribute.target === undefined;

/** Returns the tree in Strapi's order, which the response shows. On every level, Strapi puts the
 *  attributes of a later path before those of earlier ones, so each level reverses the order. */
function inOrderOfStrapi(wanted: PopulateTree, isReversed: boolean): PopulateTree {
  const entries = [...wanted].map(([name, entry]) => [name, { ...entry, nested: inOrderOfStrapi(entry.nested, !isReversed) }] as const);
  return new Map(isReversed ? entries.reverse() : entries);
}

function pathEntry([name, ...rest]: readonly string[], inCommaText: boolean): WantedOptions {
  const nested: PopulateTree = new Map(name === undefined ? [] : [[name, pathEntry(rest, inCommaText)]]);
  return { ...withoutOptions, nested, inCommaText };
}
