/** Parses a body `{ data: … }`: checks keys against the model and reads values. Wrong values are
 *  reported later, when it is known what they change. */

import type { Limits, Policies } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { maxProblems } from '../../../errors/error-body.ts';
import { invalidBodyKey, withMeant } from '../../../errors/invalid-key.ts';
import { type BodyRules, refused } from '../../../model/attributes/attribute-type.ts';
import { attributeTypes } from '../../../model/attributes/attribute-types.ts';
import { problem } from '../../../model/attributes/cast.ts';
import type {
  ComponentAttribute,
  ContentModel,
  ContentType,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
  ScalarType,
  Schema,
  Uid,
} from '../../../model/content-model.ts';
import type { KnownNames } from '../../../rights/known-names.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { join } from '../context.ts';
import { relationChange } from './relation-change.ts';
import { invalidTypedKey, relationProblem } from './relation-shape.ts';
import type { BodyComponents, BodyData, BodyEntry, BodyItem, BodyScalar, RelationChange } from './types.ts';

export interface BodyParts {
  readonly model: ContentModel;
  readonly limits: Pick<Limits, 'components' | 'links'>;
  readonly policies: Pick<Policies, 'enforceSchemaRules'>;
  /** What errors may suggest. */
  readonly known?: KnownNames;
  /** The attributes that the caller may write; undefined for all. */
  readonly writable?: ReadonlySet<string> | undefined;
}

/** Throws for a body without `data`, the first unknown or unwritable key, and exceeded limits. */
export function parseBody(body: unknown, type: ContentType, parts: BodyParts): BodyData {
  const data = isObject(body) && Object.hasOwn(body, 'data') ? body.data : undefined;
  if (typeof data !== 'object' || data === null) throw ApiError.of('body.no-data', undefined);
  // Drafts have fewer rules; a document is checked by the stricter ones when published.
  const reader = new BodyReader(parts, { strict: !type.draftAndPublish, exact: parts.policies.enforceSchemaRules });
  if (Array.isArray(data)) {
    const value: readonly unknown[] = data;
    for (const each of value) if (isObject(each)) reader.document(each, type);
    return { kind: 'list', value };
  }
  return { kind: 'entry', entry: reader.document(data as JsonObject, type) };
}

/** The keys that an object may have besides attributes. */
const noKeys: ReadonlySet<string> = new Set();
/** Strapi ignores a second `data` within the first. */
const wrapperKeys: ReadonlySet<string> = new Set(['data']);
const componentKeys: ReadonlySet<string> = new Set(['id', 'documentId']);
const zoneKeys: ReadonlySet<string> = new Set(['id', 'documentId', '__component']);
/** Keys of an object that names a relation's target; the target's own attributes have no effect. */
const targetKeys: ReadonlySet<string> = new Set(['id', 'documentId', 'connect', 'disconnect', 'set', 'options']);

/** The types of attributes whose value may be a list. */
const listTypes: ReadonlySet<ScalarType> = new Set<ScalarType>(['json', 'blocks']);

/** Shared, so that thousands of components take little memory, also in messages to the thread. */
const unread: BodyScalar = { ok: 'unread' };
const none: ReadonlyMap<string, never> = new Map<string, never>();

class BodyReader {
  readonly #model: ContentModel;
  readonly #limits: BodyParts['limits'];
  readonly #rules: BodyRules;
  readonly #namesIn: (schema: Schema) => string[];
  /** The number of problems so far. */
  #problems = 0;
  #componentCount = 0;
  #linkCount = 0;

  constructor({ model, limits, known, writable }: BodyParts, rules: BodyRules) {
    this.#namesIn = (schema) => known?.writable(schema, writable).map(({ name }) => name) ?? [];
    this.#model = model;
    this.#limits = limits;
    this.#rules = rules;
  }

  document(object: JsonObject, type: ContentType): BodyEntry {
    for (const key of ['id', 'documentId']) if (Object.hasOwn(object, key)) throw invalidBodyKey(key, undefined);
    return this.#entry(object, type, '', this.#rules.exact || type.attributes.has('data') ? noKeys : wrapperKeys);
  }

  #entry(object: JsonObject, schema: Schema, path: string, besides: ReadonlySet<string>): BodyEntry {
    const scalars = new Map<string, BodyScalar>();
    const relations = new Map<string, RelationChange>();
    const components = new Map<string, BodyComponents>();
    for (const [key, value] of Object.entries(object)) {
      if (besides.has(key)) continue;
      const attribute = schema.attributes.get(key);
      if (attribute === undefined) throw withMeant(invalidBodyKey(key, path === '' ? null : path), key, this.#namesIn(schema));
      const itsPath = join(path, key);
      if (!attribute.writable) throw withMeant(invalidBodyKey(key, itsPath), key, this.#namesIn(schema));
      switch (attribute.kind) {
        case 'scalar':
          // A body may contain `publishedAt` and `locale`, but they have no effect here.
          if (!attribute.system) scalars.set(key, this.#scalar(value, attribute));
          break;
        case 'relation':
          relations.set(key, this.#relation(value, attribute, itsPath));
          break;
        case 'media':
          relations.set(key, this.#relation(value, attribute, itsPath));
          break;
        case 'component':
        case 'dynamiczone':
          components.set(key, this.#components(value, attribute, itsPath));
      }
    }
    return {
      uid: schema.uid,
      id: object.id ?? undefined,
      scalars,
      relations: relations.size === 0 ? none : relations,
      components: components.size === 0 ? none : components,
    };
  }

  #scalar(value: unknown, attribute: ScalarAttribute): BodyScalar {
    if (value === null) return { ok: 'null' };
    if (this.#problems >= maxProblems) return unread;
    const { type } = attribute;
    const read = attributeTypes[type].readBody(value, attribute, this.#rules);
    // Strapi converts a list to text and reads a value from its beginning.
    if (read.ok && this.#rules.exact && Array.isArray(value) && !listTypes.has(type)) {
      this.#problems += 1;
      return refused(problem('{path} takes one value, not a list', value));
    }
    if (!read.ok) this.#problems += read.problems.length;
    return read;
  }

  #relation(value: unknown, attribute: RelationAttribute | MediaAttribute, path: string): RelationChange {
    const change = this.#relationChange(value, attribute, path);
    this.#linkCount += change.kind === 'set' ? change.targets.length : change.connect.length + change.disconnect.length;
    const limit = this.#limits.links;
    if (this.#linkCount > limit) throw ApiError.of('limit.links', { limit });
    return change;
  }

  #relationChange(value: unknown, attribute: RelationAttribute | MediaAttribute, path: string): RelationChange {
    const { target } = attribute;
    const schema = target === undefined ? undefined : this.#model.contentTypes.get(target);
    for (const each of target === undefined ? [] : ((Array.isArray(value) ? value : [value]) as readonly unknown[])) {
      if (!isObject(each)) continue;
      const unknown = Object.keys(each).find((key) => !targetKeys.has(key) && !schema?.attributes.has(key));
      if (unknown !== undefined) throw withMeant(invalidBodyKey(unknown, path), unknown, targetKeys);
    }
    const typeOf = target === undefined ? (each: unknown) => this.#namedType(each) : () => target;
    if (target === undefined && !this.#rules.exact && attribute.cardinality === 'many') {
      const invalid = invalidTypedKey(attribute.name, value, (each) => typeOf(each) !== undefined);
      if (invalid !== undefined) throw invalidBodyKey(invalid, path);
    }
    const isTyped = target === undefined ? (each: unknown) => typeOf(each) !== undefined : undefined;
    const wrong = this.#rules.exact ? relationProblem(value, isTyped) : undefined;
    return wrong === undefined ? relationChange(value, typeOf) : { kind: 'set', targets: [], problem: wrong };
  }

  /** The `__type` of a polymorphic relation's target; undefined if there is no such type. */
  #namedType(target: unknown): Uid | undefined {
    return isObject(target) && typeof target.__type === 'string' && this.#model.contentTypes.has(target.__type) ? target.__type : undefined;
  }

  #components(value: unknown, attribute: ComponentAttribute | DynamicZoneAttribute, path: string): BodyComponents {
    const listed: readonly unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
    this.#componentCount += listed.length;
    const limit = this.#limits.components;
    if (this.#componentCount > limit) throw ApiError.of('limit.components', { what: 'The body has', limit });
    return { value, items: listed.map((each) => this.#component(each, attribute, path)) };
  }

  #component(value: unknown, attribute: ComponentAttribute | DynamicZoneAttribute, path: string): BodyItem {
    if (!isObject(value)) return this.#malformed(value);
    const uid = attribute.kind === 'component' ? attribute.component : value.__component;
    const schema = typeof uid === 'string' ? this.#model.components.get(uid) : undefined;
    if (schema === undefined) return this.#malformed(value);
    return { kind: 'entry', entry: this.#entry(value, schema, path, attribute.kind === 'component' ? componentKeys : zoneKeys) };
  }

  #malformed(value: unknown): BodyItem {
    this.#problems++;
    return { kind: 'malformed', value };
  }
}
