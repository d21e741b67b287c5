/** The attributes whose names an error may suggest to a caller. An unreadable type, a private
 *  attribute and one outside of a restriction must not become known by requests that misspell
 *  it. */
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
  /** These are made when a name is wrong. */
  #made: Visible | undefined;
  #readable: ReadonlySet<Schema> | undefined;

  constructor(parts: KnownNamesParts) {
    this.#parts = parts;
  }

  get #visible(): Visible {
    const { model, config, rights } = this.#parts;
    this.#made ??= new Visible(model, config, rights);
    return this.#made;
  }

  /** The attributes that parameters may name. */
  readable(schema: Schema): readonly Attribute[] {
    this.#readable ??= this.#componentsOf((each) => this.#visible.attributes(each));
    const isKnown = schema.kind === 'component' ? this.#readable.has(schema) : this.#mayKnow(schema);
    return isKnown ? this.#visible.attributes(schema) : [];
  }

  /** The attributes that a body may have. `fields`: those of the right to write, undefined for
   *  all. */
  writable(schema: Schema, fields: ReadonlySet<string> | undefined): readonly Attribute[] {
    const writable = (each: Schema): Attribute[] =>
      this.#visible
        .writable(each, undefined)
        .filter((attribute) => isVisible(attribute) && (each !== this.#parts.type || fields?.has(attribute.name) !== false));
    const isKnown = schema.kind === 'component' ? this.#componentsOf(writable).has(schema) : this.#mayKnow(schema);
    return isKnown ? writable(schema) : [];
  }

  #mayKnow(each: ContentType): boolean {
    const { rights, type } = this.#parts;
    return each.uid === type.uid || each.uid === fileUid || (isServed(each) && rights.allows(`${each.uid}.find`));
  }

  /** The components in attributes of known schemas, at any depth, and these types. */
  #componentsOf(attributesOf: (schema: Schema) => readonly Attribute[]): ReadonlySet<Schema> {
    const { model, type } = this.#parts;
    const known = new Set<Schema>([...model.contentTypes.values()].filter((each) => this.#mayKnow(each)));
    // A set also yields what is added meanwhile.
    for (const each of known) {
      const attributes = each === type || each.kind === 'component' ? attributesOf(each) : this.#visible.attributes(each);
      for (const component of attributes.flatMap(componentsOf)) {
        const found = model.components.get(component);
        if (found !== undefined) known.add(found);
      }
    }
    return known;
  }
}

const componentsOf = (attribute: Attribute) =>
  attribute.kind === 'component' ? [attribute.component] : attribute.kind === 'dynamiczone' ? attribute.components : [];
