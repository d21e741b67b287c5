/** Former content of a document, as `pipeline/entry/content-of.ts` writes it, and the links in it. */
import { type Attribute, type ContentModel, type Schema, schemaOf } from '../../../model/content-model.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';

/** A target of a link, as it was. */
export interface FormerTarget {
  readonly uid: string;
  readonly id: number;
  readonly documentId: string | null;
  readonly locale: string | undefined;
}

export interface ContentVisitor {
  /** Whether the attribute is taken. */
  takes(attribute: Attribute, schema: Schema, path: readonly string[]): boolean;
  /** What becomes of the targets of a relation or media attribute. */
  links(targets: readonly FormerTarget[], attribute: Attribute, path: readonly string[]): unknown;
  /** What the model no longer has: an attribute, or a component. */
  lacks?(path: readonly string[]): void;
}

/** Former content through the present model. Parts that the model no longer has are left out. */
export function visitContent(content: JsonObject, schema: Schema, model: ContentModel, visitor: ContentVisitor): JsonObject {
  return new Visit(model, visitor).object(content, schema, []);
}

class Visit {
  readonly #model: ContentModel;
  readonly #visitor: ContentVisitor;

  constructor(model: ContentModel, visitor: ContentVisitor) {
    this.#model = model;
    this.#visitor = visitor;
  }

  object(content: JsonObject, schema: Schema, path: readonly string[]): JsonObject {
    const taken: [string, unknown][] = [];
    for (const [name, value] of Object.entries(content)) {
      if (name === '__component') continue;
      const attribute = schema.attributes.get(name);
      const at = [...path, name];
      if (attribute === undefined) this.#visitor.lacks?.(at);
      else if (this.#visitor.takes(attribute, schema, at)) {
        const found = this.#value(value, attribute, at);
        if (found !== undefined) taken.push([name, found]);
      }
    }
    return Object.fromEntries(taken);
  }

  /** Undefined if the attribute has another kind now. */
  #value(value: unknown, attribute: Attribute, path: readonly string[]): unknown {
    switch (attribute.kind) {
      case 'scalar':
        if (typeof value === 'object' && value !== null && attribute.type !== 'json' && attribute.type !== 'blocks') break;
        return value;
      case 'relation':
      case 'media':
        if (!isLinks(value)) break;
        return this.#visitor.links(value, attribute, path);
      case 'component': {
        const component = this.#model.components.get(attribute.component);
        if (component === undefined) break;
        if (attribute.cardinality === 'many')
          return Array.isArray(value) ? value.filter(isObject).map((each, at) => this.object(each, component, [...path, String(at)])) : [];
        const one = Array.isArray(value) ? value[0] : value;
        return isObject(one) ? this.object(one, component, path) : null;
      }
      case 'dynamiczone':
        return Array.isArray(value) ? value.filter(isObject).flatMap((each, at) => this.#ofZone(each, [...path, String(at)])) : [];
    }
    this.#visitor.lacks?.(path);
    return undefined;
  }

  #ofZone(content: JsonObject, path: readonly string[]): JsonObject[] {
    const component = schemaOf(this.#model, String(content.__component));
    if (component?.kind === 'component') return [{ __component: component.uid, ...this.object(content, component, path) }];
    this.#visitor.lacks?.(path);
    return [];
  }
}

const isLinks = (value: unknown): value is readonly FormerTarget[] =>
  Array.isArray(value) &&
  value.every((each) => isObject(each) && typeof each.uid === 'string' && typeof each.id === 'number' && 'documentId' in each);
