/** The attributes whose names an error may suggest to a caller. An unreadable type, a private
 *  attribute and one outside of a restriction must not become known by requests that misspell it. */
import type { Config } from '../config/config.ts';
import { fileUid } from '../model/built-in-types.ts';
import type { Attribute, ContentModel, ContentType, Schema } from '../model/content-model.ts';
import { isServed, isVisible } from '../model/visibility.ts';
import type { Rights } from './rights.ts';
import { Visible } from './visible.ts';

export interface KnownNamesParts {
  readonly model: ContentModel;
  readonly config: Pick<Config, 'policies'>;
  readonly rights: Rights;
  /** The type of the request, to which the caller has a right. */
  readonly type: ContentType;
}

export class KnownNames {
  readonly #parts: KnownNamesParts;
  readonly #visible: Visible;

  constructor(parts: KnownNamesParts) {
    this.#parts = parts;
    this.#visible = new Visible(parts.model, parts.config, parts.rights);
  }

  /** The attributes that parameters may name. */
  readable(schema: Schema): readonly Attribute[] {
    return this.#isKnown(schema, (type) => this.#visible.attributes(type)) ? this.#visible.attributes(schema) : [];
  }

  /** The attributes that a body may have. `fields`: those of the right to write, undefined for all. */
  writable(schema: Schema, fields: ReadonlySet<string> | undefined): readonly Attribute[] {
    const writable = (each: Schema): Attribute[] =>
      this.#visible
        .writable(each, undefined)
        .filter((attribute) => isVisible(attribute) && (each !== this.#parts.type || fields?.has(attribute.name) !== false));
    return this.#isKnown(schema, writable) ? writable(schema) : [];
  }

  /** A type is known to callers who may find it; a component, as an attribute of a known schema. */
  #isKnown(schema: Schema, attributesOf: (schema: Schema) => readonly Attribute[]): boolean {
    const { model, rights, type } = this.#parts;
    const mayFind = (each: ContentType) => each.uid === fileUid || (isServed(each) && rights.allows(`${each.uid}.find`));
    if (schema.kind !== 'component') return schema.uid === type.uid || mayFind(schema);
    const reached = new Set<Schema>([type, ...[...model.contentTypes.values()].filter(mayFind)]);
    // A set also yields what is added meanwhile.
    for (const each of reached) {
      if (each === schema) return true;
      const attributes = each === type || each.kind === 'component' ? attributesOf(each) : this.#visible.attributes(each);
      for (const component of attributes.flatMap(componentsOf)) {
        const found = model.components.get(component);
        if (found !== undefined) reached.add(found);
      }
    }
    return false;
  }
}

const componentsOf = (attribute: Attribute) =>
  attribute.kind === 'component' ? [attribute.component] : attribute.kind === 'dynamiczone' ? attribute.components : [];
