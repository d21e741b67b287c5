import { ApiError } from '../../errors/api-error.ts';
import { invalidKey } from '../../errors/invalid-key.ts';
import type { Component, ContentType, DynamicZoneAttribute, RelationAttribute, Schema, Uid } from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import { join, ParseContext, visibleAttribute } from './context.ts';
import { parseFields } from './fields.ts';
import { parseFilters } from './filters.ts';
import { isObject, type QueryObject, type QueryValue } from './query-string.ts';
import { parseSort } from './sort.ts';
import type { Population, Selection } from './types.ts';

/** Reads `populate` in each of its forms: `*` (one level), names, dotted paths, lists, objects with options. */
export function parsePopulate(value: QueryValue | undefined, schema: Schema, context: ParseContext): readonly Population[] {
  const parser = new PopulateParser(context);
  return parser.resolve(parser.read(value, schema, true), schema, 1);
}

/** The tree of names that was asked for, before it is resolved: texts with dots and objects come together here. */
type Wanted = Map<string, WantedOptions>;
interface WantedOptions {
  readonly options: QueryObject;
  readonly nested: Wanted;
}

class PopulateParser {
  readonly #context: ParseContext;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  read(value: QueryValue | undefined, schema: Schema, root: boolean): Wanted {
    const wanted: Wanted = new Map();
    if (value === undefined || value === null || value === '') return wanted;
    if (value === '*') return everything(schema);
    if (typeof value === 'string') {
      for (const item of root ? value.split(',') : [value]) this.#addPath(wanted, item.trim(), schema);
    } else if (isObject(value)) {
      for (const [name, options] of Object.entries(value)) this.#addObject(wanted, name, options, schema);
    } else {
      for (const item of value) {
        if (typeof item !== 'string') throw ApiError.of('populate.shape', undefined);
        for (const path of item.split(',')) this.#addPath(wanted, path.trim(), schema);
      }
    }
    return wanted;
  }

  #addPath(wanted: Wanted, path: string, schema: Schema): void {
    const names = path.split('.');
    this.#checkDepth(names.length);
    let level = wanted;
    let schemas: readonly Schema[] = [schema];
    let walked = '';
    for (const [index, name] of names.entries()) {
      const holders = schemas.filter((each) => isPopulatable(each, name));
      if (holders.length === 0) throw invalidKey(name, join(walked, name), 'populate');
      walked = join(walked, name);
      const attribute = holders[0]?.attributes.get(name);
      if (attribute?.kind === 'media' && index < names.length - 1) throw invalidKey(walked, walked, 'populate');
      let entry = level.get(name);
      if (entry === undefined) {
        entry = { options: {}, nested: new Map() };
        level.set(name, entry);
      }
      level = entry.nested;
      // Each schema once: two that lead to the same one would double the work at every name.
      schemas = [...new Set(holders.flatMap((each) => this.#targets(each, name)))];
    }
  }

  /** Every schema that the attribute can lead to. */
  #targets(schema: Schema, name: string): Schema[] {
    const attribute = schema.attributes.get(name);
    if (attribute === undefined || attribute.kind === 'scalar') return [];
    const uids =
      attribute.kind === 'dynamiczone' ? attribute.components : [attribute.kind === 'component' ? attribute.component : attribute.target];
    return uids.map((uid) => this.#context.schema(uid ?? '')).filter((each) => each !== undefined);
  }

  #addObject(wanted: Wanted, name: string, options: QueryValue, schema: Schema): void {
    const attribute = visibleAttribute(schema, name, '', 'populate');
    if (attribute.kind === 'scalar') throw invalidKey(name, name, 'populate');
    if (typeof options === 'string') {
      if (options === 'true' || options === '1' || options === 't') wanted.set(name, { options: {}, nested: new Map() });
      else if (options !== 'false' && options !== '0' && options !== 'f') throw invalidKey(options, name, 'populate');
      return;
    }
    if (!isObject(options)) throw invalidKey(options === null ? '' : '0', name, 'populate');
    wanted.set(name, { options, nested: new Map() });
  }

  #checkDepth(depth: number): void {
    const limit = this.#context.config.limits.populateDepth;
    if (depth > limit) throw ApiError.of('limit.budget', { budget: 'populateDepth', parameter: 'populate', limit });
  }

  resolve(wanted: Wanted, schema: Schema, depth: number): readonly Population[] {
    if (wanted.size > 0) this.#checkDepth(depth);
    return [...wanted].flatMap(([name, entry]) => this.#population(name, entry, schema, depth) ?? []);
  }

  #population(name: string, entry: WantedOptions, schema: Schema, depth: number): Population | undefined {
    const attribute = schema.attributes.get(name);
    if (attribute === undefined || attribute.kind === 'scalar') return undefined;
    this.#context.spend('populatedPaths', 'populate');
    if (attribute.kind === 'dynamiczone' || (attribute.kind === 'relation' && attribute.target === undefined)) {
      return this.#polymorphic(attribute, entry, schema, depth);
    }
    for (const key of Object.keys(entry.options)) if (!optionNames.has(key)) throw invalidKey(key, name, 'populate');
    if (entry.options.on !== undefined) throw invalidKey('on', `${name}.on`, 'populate');
    const count = isTrue(entry.options.count);
    const target = this.#context.schema((attribute.kind === 'component' ? attribute.component : attribute.target) ?? '');
    if (target === undefined) return undefined;
    const selection = this.#selection(entry, target, depth);
    if (attribute.kind === 'component')
      return target.kind === 'component' ? { kind: 'component', attribute, target, selection, count } : undefined;
    return target.kind === 'component' ? undefined : { kind: 'related', attribute, target, selection, count };
  }

  #selection(entry: WantedOptions, schema: Schema, depth: number): Selection {
    const { options } = entry;
    const nested = this.read(options.populate, schema, false);
    for (const [name, each] of entry.nested) merge(nested, name, each);
    return {
      schema,
      fields: parseFields(options.fields, schema, 'populate'),
      filter: parseFilters(options.filters, schema, this.#context, 'populate'),
      sort: parseSort(options.sort, schema, this.#context, 'populate'),
      populate: this.resolve(nested, schema, depth + 1),
    };
  }

  #polymorphic(
    attribute: DynamicZoneAttribute | RelationAttribute,
    entry: WantedOptions,
    schema: Schema,
    depth: number,
  ): Population | undefined {
    const { name } = attribute;
    const { options } = entry;
    const zone = attribute.kind === 'dynamiczone';
    for (const key of Object.keys(options)) {
      if (!optionNames.has(key)) throw invalidKey(key, name, 'populate');
      if (key === 'on' || key === 'count') continue;
      // A target that is named row by row has no one set of fields. Strapi leaves such a relation out, as recorded.
      if (!zone) return undefined;
      if (key !== 'populate') throw ApiError.of('populate.zone', { attribute: name, schema: schema.uid });
      if (options.populate !== '*') throw invalidKey('populate', name, 'populate');
    }
    const branches = new Map<Uid, Selection>();
    if (options.on !== undefined) {
      if (!isObject(options.on)) throw invalidKey('on', `${name}.on`, 'populate');
      for (const [uid, value] of Object.entries(options.on)) {
        const target = zone ? this.#context.model.components.get(uid) : this.#context.model.contentTypes.get(uid);
        if (target === undefined) throw invalidKey(uid, `${name}.on.${uid}`, 'populate');
        if (zone && !attribute.components.includes(uid)) continue;
        this.#context.spend('populatedPaths', 'populate');
        if (typeof value === 'string') {
          if (value === 'false' || value === '0' || value === 'f') continue;
          branches.set(uid, plain(target));
          continue;
        }
        if (!isObject(value)) throw invalidKey('', `${name}.on.${uid}`, 'populate');
        for (const key of Object.keys(value)) if (!optionNames.has(key) || key === 'on') throw invalidKey(key, name, 'populate');
        branches.set(uid, this.#selection({ options: value, nested: new Map() }, target, depth));
      }
    } else {
      for (const target of this.#branchTargets(attribute)) {
        if (zone) this.#context.spend('populatedPaths', 'populate');
        branches.set(target.uid, this.#branch(target, entry, depth));
      }
    }
    const open = zone && options.on === undefined && !this.#context.config.policies.enforceSchemaRules;
    const named = open ? `${schema.uid}.${name}` : undefined;
    if (named !== undefined) {
      // Of the request's budget they take nothing: what is found in the database must not refuse a query that was answered before.
      const parser = new PopulateParser(new ParseContext(this.#context));
      for (const target of this.#context.unlisted.in(named)) branches.set(target.uid, parser.#branch(target, entry, depth));
    }
    return { kind: 'polymorphic', attribute, branches, zone: named, count: isTrue(options.count) };
  }

  /** What is asked of one type where no `on` tells types apart. */
  #branch(target: Component | ContentType, { options, nested }: WantedOptions, depth: number): Selection {
    const wanted: Wanted = options.populate === '*' ? everything(target) : new Map();
    for (const [key, each] of nested) if (isPopulatable(target, key)) merge(wanted, key, each);
    return { ...plain(target), populate: this.resolve(wanted, target, depth + 1) };
  }

  #branchTargets(attribute: DynamicZoneAttribute | RelationAttribute): readonly (Component | ContentType)[] {
    if (attribute.kind === 'relation') return [...this.#context.model.contentTypes.values()];
    return attribute.components.map((uid) => this.#context.model.components.get(uid)).filter((each) => each !== undefined);
  }
}

const optionNames = new Set(['fields', 'filters', 'sort', 'populate', 'on', 'count']);
const isTrue = (value: QueryValue | undefined) => value === 'true' || value === '1' || value === 't';

const plain = (schema: Schema): Selection => ({ schema, fields: undefined, populate: [], filter: undefined, sort: [] });

function isPopulatable(schema: Schema, name: string): boolean {
  const attribute = schema.attributes.get(name);
  return attribute !== undefined && attribute.kind !== 'scalar' && isVisible(attribute);
}

function everything(schema: Schema): Wanted {
  const names = [...schema.attributes.keys()].filter((name) => isPopulatable(schema, name));
  return new Map(names.map((name) => [name, { options: {}, nested: new Map() }]));
}

function merge(into: Wanted, name: string, entry: WantedOptions): void {
  const present = into.get(name);
  if (present === undefined) into.set(name, entry);
  else for (const [key, each] of entry.nested) merge(present.nested, key, each);
}
