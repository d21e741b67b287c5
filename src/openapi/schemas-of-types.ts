/** The schemas of types and components: as responses show them, and as bodies name them. */
import type { Config } from '../config/config.ts';
import type {
  Attribute,
  ComponentAttribute,
  ContentModel,
  ContentType,
  DynamicZoneAttribute,
  RelationAttribute,
  Schema,
  Uid,
} from '../model/content-model.ts';
import type { Visible } from '../rights/visible.ts';
import type { Components } from './components.ts';
import type { JsonSchema, Reference } from './document-parts.ts';
import { linkSchemas } from './link-schemas.ts';
import { nullable, sentValue, shownValue } from './value-schemas.ts';

/** What a body does to attributes that it leaves out: in a new document, in a change, or in all. */
export type BodyKind = 'Create' | 'Update' | 'Replace';

/** A body's type, the right that it needs, and whether bodies may name a locale. */
export interface SentBody {
  readonly type: ContentType;
  readonly action: string;
  readonly kind: BodyKind;
  readonly withLocale: boolean;
}

export class TypeSchemas {
  readonly #model: ContentModel;
  readonly #policies: Config['policies'];
  readonly #components: Components;
  readonly #visible: Visible;

  constructor(model: ContentModel, policies: Config['policies'], components: Components, visible: Visible) {
    this.#policies = policies;
    this.#model = model;
    this.#components = components;
    this.#visible = visible;
  }

  /** An entry of a response. Only ids are required: `fields` and `populate` select the rest. */
  shown(schema: Schema): Reference {
    return this.#components.schemaOf(schema, '', () => this.#shownObject(schema));
  }

  #shownObject(schema: Schema): JsonSchema {
    const properties = this.#visible.attributes(schema).map((attribute) => [attribute.name, this.#shownProperty(attribute)] as const);
    return {
      type: 'object',
      description: schema.kind === 'component' ? `Component ${schema.uid}.` : `Entry of ${schema.displayName}.`,
      properties: Object.fromEntries(properties),
      required: schema.kind === 'component' ? ['id'] : ['id', 'documentId'],
    };
  }

  #shownProperty(attribute: Attribute): JsonSchema {
    switch (attribute.kind) {
      case 'scalar':
        return shownValue(attribute);
      case 'media':
        return this.#shownTargets(attribute.cardinality, this.#shownUid(attribute.target));
      case 'relation':
        return this.#shownTargets(
          attribute.cardinality,
          attribute.target === undefined ? this.#typedEntry(attribute) : this.#shownUid(attribute.target),
        );
      case 'component':
        return this.#shownTargets(attribute.cardinality, this.#shownUid(attribute.component));
      case 'dynamiczone':
        return { type: 'array', description: populated, items: this.#zoneItem(attribute, (component) => this.#namedComponent(component)) };
    }
  }

  #shownTargets(cardinality: 'one' | 'many', target: JsonSchema): JsonSchema {
    return cardinality === 'many'
      ? { type: 'array', description: populated, items: target }
      : { description: populated, anyOf: [target, { type: 'null' }] };
  }

  #shownUid(uid: Uid): JsonSchema {
    const schema = this.#model.contentTypes.get(uid) ?? this.#model.components.get(uid);
    return schema === undefined ? { type: 'object' } : this.shown(schema);
  }

  /** An entry of a relation to several types, which names its type. */
  #typedEntry(attribute: RelationAttribute): JsonSchema {
    const types = this.#visible.targets(attribute);
    return oneOfNamed(
      '__type',
      types.map((type) => [type.uid, this.#components.schemaOf(type, 'WithType', () => withName(this.shown(type), '__type', type.uid))]),
    );
  }

  #namedComponent(component: Schema): Reference {
    return this.#components.schemaOf(component, 'InZone', () => withName(this.shown(component), '__component', component.uid));
  }

  #zoneItem({ components }: DynamicZoneAttribute, make: (component: Schema) => Reference): JsonSchema {
    const known = components.flatMap((uid) => this.#model.components.get(uid) ?? []);
    return oneOfNamed(
      '__component',
      known.map((component) => [component.uid, make(component)]),
    );
  }

  /** The `data` of a body. */
  sent({ type, action, kind, withLocale }: SentBody): Reference {
    return this.#components.schemaOf(type, kind, () => this.#sentDocument({ type, action, kind, withLocale }));
  }

  #sentDocument({ type, action, kind, withLocale }: SentBody): JsonSchema {
    if (kind === 'Replace') {
      const every = this.#visible.writable(type, action).filter((attribute) => attribute.kind === 'scalar' && !attribute.private);
      const update = this.sent({ type, action, kind: 'Update', withLocale });
      const note = `A whole entry of ${type.displayName}: every value is named, and null clears one.`;
      return { description: note, allOf: [update, { type: 'object', required: every.map(({ name }) => name) }] };
    }
    const strict = !type.draftAndPublish;
    const attributes = this.#visible.writable(type, action);
    const properties: (readonly [string, JsonSchema])[] = attributes.map((attribute) => [
      attribute.name,
      this.sentProperty(attribute, strict),
    ]);
    const canBeNew = kind === 'Create' || type.kind === 'singleType';
    if (canBeNew && withLocale && type.localized && !type.attributes.get('locale')?.private)
      properties.push(['locale', { type: ['string', 'null'], description: 'The locale of the new document, unless the query names one.' }]);
    const required = kind === 'Create' && strict ? attributes.filter(isNeeded).map(({ name }) => name) : [];
    return {
      type: 'object',
      description: kind === 'Create' ? `A new entry of ${type.displayName}.` : `Changes of an entry of ${type.displayName}.`,
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }

  sentProperty(attribute: Attribute, strict: boolean): JsonSchema {
    const links = linkSchemas(this.#components, this.#visible);
    switch (attribute.kind) {
      case 'scalar':
        return sentValue(attribute, strict, !this.#policies.enforceSchemaRules);
      case 'media': {
        const { allowedTypes = [] } = attribute;
        const note = allowedTypes.length === 0 ? {} : { description: `Allowed: ${allowedTypes.join(', ')}.` };
        const value = attribute.cardinality === 'one' ? links.file() : links.files();
        return { ...note, anyOf: [value, { type: 'null' }] };
      }
      case 'relation':
        if (attribute.target === undefined) return nullable(links.typedTargets());
        return nullable(attribute.cardinality === 'one' ? links.target() : links.targets());
      case 'component':
        return this.#sentComponents(attribute);
      case 'dynamiczone': {
        const items = this.#zoneItem(attribute, (component) =>
          this.#components.schemaOf(component, 'InputInZone', () => withName(this.#sentComponent(component), '__component', component.uid)),
        );
        return { type: ['array', 'null'], items, ...countsOf(attribute, strict) };
      }
    }
  }

  #sentComponents(attribute: ComponentAttribute): JsonSchema {
    const component = this.#model.components.get(attribute.component);
    const item = component === undefined ? { type: 'object' } : this.#sentComponent(component);
    return attribute.cardinality === 'one' ? nullable(item) : { type: ['array', 'null'], items: item };
  }

  #sentComponent(component: Schema): Reference {
    return this.#components.schemaOf(component, 'Input', () => ({
      type: 'object',
      description: `Component ${component.uid}. With the id of a stored one it changes that one; without, it is new.`,
      properties: {
        id: { type: ['integer', 'string'] },
        ...Object.fromEntries(
          this.#visible.writable(component, undefined).map((attribute) => [attribute.name, this.sentProperty(attribute, false)]),
        ),
      },
    }));
  }
}

const populated = 'Only where populated.';

/** Whether a new entry of a type without drafts is refused without the attribute. */
function isNeeded(attribute: Attribute): boolean {
  if (!attribute.required) return false;
  if (attribute.kind === 'scalar') return attribute.options.default === undefined && typeof attribute.options.targetField !== 'string';
  return attribute.kind === 'component' && attribute.cardinality === 'one';
}

function countsOf({ min, max }: DynamicZoneAttribute, strict: boolean): JsonSchema {
  return { ...(min === undefined || !strict ? {} : { minItems: min }), ...(max === undefined ? {} : { maxItems: max }) };
}

const withName = (entry: JsonSchema, key: string, name: string): JsonSchema => ({
  allOf: [entry, { type: 'object', properties: { [key]: { const: name } }, required: [key] }],
});

/** Without a single branch nothing matches, and a `oneOf` must not be empty. */
function oneOfNamed(key: string, branches: readonly (readonly [name: string, schema: Reference])[]): JsonSchema {
  if (branches.length === 0) return { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] };
  return {
    oneOf: branches.map(([, schema]) => schema),
    discriminator: { propertyName: key, mapping: Object.fromEntries(branches.map(([name, { $ref }]) => [name, $ref])) },
  };
}
