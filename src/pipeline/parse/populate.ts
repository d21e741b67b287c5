import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, withMeant } from '../../errors/invalid-key.ts';
import {
  type Component,
  type ContentType,
  type DynamicZoneAttribute,
  type RelationAttribute,
  type Schema,
  schemaOf,
  targetOf,
  type Uid,
} from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import { ParseContext } from './context.ts';
import { fieldsOf } from './fields.ts';
import { parseFilters } from './filters.ts';
import {
  checkPopulateDepth,
  isPopulatable,
  meansFalse,
  meansTrue,
  merge,
  type PopulateTree,
  populateEverything,
  readPopulateTrees,
  type WantedOptions,
  wantedBy,
} from './populate-tree.ts';
import { isQueryObject, type QueryObject, type QueryValue } from './query-string.ts';
import { withSelections } from './selection-layers.ts';
import { parseSort } from './sort.ts';
import type { Population, Selection } from './types.ts';

/** Reads `populate` in each of its forms. `values`: of the request, and of selections that it names.
 *
 *  `populate[tags][fields]=name` gives `[{kind: 'related', attribute: tags, selection: {fields:
 *  [name], …}, count: false, onTheWay: false}]`; a scalar attribute throws `query.invalid-key`. */
export function parsePopulate(values: readonly (QueryValue | undefined)[], schema: Schema, context: ParseContext): readonly Population[] {
  return new PopulateParser(context).resolve(readPopulateTrees(values, schema, '', context), schema, 1);
}

class PopulateParser {
  readonly #context: ParseContext;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  resolve(wanted: PopulateTree, schema: Schema, depth: number): readonly Population[] {
    if (wanted.size > 0) checkPopulateDepth(depth, this.#context);
    return [...wanted].flatMap(([name, entry]) => this.#population(name, entry, schema, depth) ?? []);
  }

  #population(name: string, entry: WantedOptions, schema: Schema, depth: number): Population | undefined {
    const attribute = schema.attributes.get(name);
    if (attribute === undefined || attribute.kind === 'scalar' || !isVisible(attribute)) return undefined;
    this.#context.spend('populatedPaths', 'populate');
    if (attribute.kind === 'dynamiczone') return this.#zone(attribute, entry, schema, depth);
    if (attribute.kind === 'relation' && attribute.target === undefined) return this.#anyType(attribute, entry, depth);
    this.#checkOptions(entry.options, name);
    if (entry.options.on !== undefined) throw invalidKey('on', `${name}.on`, 'populate');
    const target = targetOf(attribute, this.#context.model);
    if (target === undefined) return undefined;
    const count = meansTrue(entry.options.count);
    const selection = this.#selection(entry, target, name, depth);
    return { kind: 'related', attribute, target, selection, count, onTheWay: entry.onTheWay };
  }

  #checkOptions(options: QueryObject, name: string): void {
    for (const key of Object.keys(options)) {
      if (!optionNames.has(key) && !(this.#context.asStrapi && (meansTrue(key) || meansFalse(key))))
        throw withMeant(invalidKey(key, name, 'populate'), key, optionNames);
    }
    const { count } = options;
    if (count !== undefined && !meansTrue(count) && !meansFalse(count)) throw invalidKey('count', name, 'populate');
  }

  #selection({ options, nested, star, further }: WantedOptions, schema: Schema, name: string, depth: number): Selection {
    const endsHere = star && !this.#context.bare;
    const layers = withSelections([options, ...further], schema, name, this.#context);
    const wanted = star
      ? endsHere
        ? populateEverything(schema)
        : new Map()
      : readPopulateTrees(
          layers.map(({ populate }) => populate),
          schema,
          name,
          this.#context,
        );
    for (const [key, each] of nested) merge(wanted, key, each);
    return {
      schema,
      fields: fieldsOf(layers, schema, this.#context, 'populate'),
      filter:
        options.filters === '' && this.#context.asStrapi ? undefined : parseFilters(options.filters, schema, this.#context, 'populate'),
      sort: parseSort(options.sort, schema, this.#context, 'populate'),
      populate: this.resolve(wanted, schema, depth + 1),
      endsHere,
    };
  }

  #zone(attribute: DynamicZoneAttribute, entry: WantedOptions, schema: Schema, depth: number): Population | undefined {
    const { name } = attribute;
    const { options } = entry;
    // Strapi reads this word as an object with unknown options.
    if (entry.star) throw invalidKey('*', name, 'populate');
    for (const key of Object.keys(options)) {
      if (!optionNames.has(key)) throw withMeant(invalidKey(key, name, 'populate'), key, optionNames);
      if (key !== 'on' && key !== 'count' && key !== 'populate')
        throw ApiError.of('populate.zone', { attribute: name, schema: schema.uid });
    }
    this.#checkNested(options.populate, name);
    const count = meansTrue(options.count);
    if (options.on !== undefined)
      return { kind: 'polymorphic', attribute, ...this.#fragments(attribute, options.on, depth), zone: undefined, count };
    const branches = new Map<Uid, Selection>();
    for (const uid of attribute.components) {
      const target = this.#context.model.components.get(uid);
      if (target === undefined) continue;
      this.#context.spend('populatedPaths', 'populate');
      branches.set(uid, this.#branch(target, entry, depth));
    }
    const zone = this.#context.config.policies.enforceSchemaRules ? undefined : `${schema.uid}.${name}`;
    if (zone !== undefined) {
      // These components do not count towards the request's limits: new rows must not make a query
      // fail that succeeded before.
      const parser = new PopulateParser(new ParseContext(this.#context));
      for (const target of this.#context.unlisted.in(zone)) branches.set(target.uid, parser.#branch(target, entry, depth));
    }
    return { kind: 'polymorphic', attribute, branches, scoped: new Set(), zone, count };
  }

  /** Resolves a relation with a type for each row. It has no single set of fields, so Strapi leaves
   *  it out if it has options other than `on` and `count`. */
  #anyType(attribute: RelationAttribute, { options, inCommaText }: WantedOptions, depth: number): Population | undefined {
    const { name } = attribute;
    this.#checkNested(options.populate, name);
    const count = meansTrue(options.count);
    const withFragments = isQueryObject(options.on);
    for (const key of Object.keys(options)) {
      if (key === 'on' || key === 'count') continue;
      if (!this.#context.asStrapi && !optionNames.has(key)) throw invalidKey(key, name, 'populate');
      if (!withFragments) return undefined;
      if (key !== 'populate') throw invalidKey(key, name, 'populate');
    }
    if (options.on !== undefined)
      return { kind: 'polymorphic', attribute, ...this.#fragments(attribute, options.on, depth), zone: undefined, count };
    if (this.#context.asStrapi && options.count !== undefined && options.count !== 'true') return undefined;
    const targets = [...this.#context.model.contentTypes.values()];
    const branches = new Map(targets.map((target) => [target.uid, plain(target)]));
    return {
      kind: 'polymorphic',
      attribute,
      branches,
      scoped: new Set(inCommaText && !this.#context.bare ? branches.keys() : []),
      zone: undefined,
      count,
    };
  }

  /** Throws unless `populate` of an attribute with several types is `*`. */
  #checkNested(value: QueryValue | undefined, name: string): void {
    if (value === undefined || value === '*' || (value === null && this.#context.asStrapi)) return;
    throw invalidKey('populate', name, 'populate');
  }

  /** Reads `on`, which has a selection for each type. */
  #fragments(attribute: DynamicZoneAttribute | RelationAttribute, on: QueryValue, depth: number) {
    const { name } = attribute;
    const { asStrapi, model } = this.#context;
    if (!isQueryObject(on)) throw invalidKey('on', `${name}.on`, 'populate');
    const branches = new Map<Uid, Selection>();
    // Strapi applies the status only to types that have options.
    const scoped = new Set<Uid>();
    for (const [uid, value] of Object.entries(on)) {
      const fits = attribute.kind === 'dynamiczone' ? model.components.has(uid) : model.contentTypes.has(uid);
      const target = fits || asStrapi ? schemaOf(model, uid) : undefined;
      if (target === undefined) throw invalidKey(uid, `${name}.on.${uid}`, 'populate');
      this.#context.spend('populatedPaths', 'populate');
      const selection = this.#fragment(value, target, name, depth);
      if (selection === undefined || !fits || (attribute.kind === 'dynamiczone' && !attribute.components.includes(uid))) continue;
      branches.set(uid, selection);
      if (isQueryObject(value) && !this.#context.bare) scoped.add(uid);
    }
    return { branches, scoped };
  }

  #fragment(value: QueryValue, target: Schema, name: string, depth: number): Selection | undefined {
    if (isQueryObject(value)) {
      this.#checkOptions(value, name);
      if (value.on !== undefined) throw invalidKey('on', name, 'populate');
      return this.#selection(wantedBy(value), target, name, depth);
    }
    if (!this.#context.asStrapi)
      return meansFalse(value) ? undefined : meansTrue(value) || value === '*' ? plain(target) : this.#refuse(value, name);
    if (value === '*') return this.#selection({ ...wantedBy({}), star: true }, target, name, depth);
    // In Strapi, each of these words selects the type without options.
    return meansTrue(value) || meansFalse(value) ? plain(target) : this.#refuse(value, name);
  }

  #refuse(value: QueryValue, name: string): never {
    throw invalidKey(typeof value === 'string' ? value : '', name, 'populate');
  }

  /** Returns the selection of one component of a dynamic zone without `on`. */
  #branch(target: Component | ContentType, { options, nested }: WantedOptions, depth: number): Selection {
    const wanted: PopulateTree = options.populate === '*' ? populateEverything(target) : new Map();
    for (const [key, each] of nested) if (isPopulatable(target, key)) merge(wanted, key, each);
    return { ...plain(target), populate: this.resolve(wanted, target, depth + 1) };
  }
}

const optionNames = new Set(['fields', 'filters', 'sort', 'populate', 'on', 'count', 'selection']);

const plain = (schema: Schema): Selection => ({ schema, fields: undefined, populate: [], filter: undefined, sort: [], endsHere: false });
