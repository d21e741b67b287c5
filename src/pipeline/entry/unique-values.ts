/** The values of an entry that must be unique among documents. */
import type { StoredValue } from '../../model/attributes/attribute-type.ts';
import type { ScalarAttribute, ScalarType, Schema } from '../../model/content-model.ts';
import { type Entry, isComponentsAttribute } from './entry.ts';

export interface UniqueValue {
  readonly attribute: ScalarAttribute;
  readonly value: Exclude<StoredValue, null>;
  readonly path: readonly string[];
  /** The schemas above the attribute's, from the document down, each with the field to the next. */
  readonly steps: readonly { readonly schema: Schema; readonly field: string }[];
  readonly schema: Schema;
}

/** Never unique, as in Strapi: PostgreSQL cannot compare JSON with text, and hashes differ. */
const neverUnique: ReadonlySet<ScalarType> = new Set<ScalarType>(['json', 'blocks', 'password']);

/** Yields the unique values of the entry and of its components at any depth.
 *
 *  a writer with the e-mail `a@example.com` →
 *  `{ attribute: email, value: 'a@example.com', path: ['email'], steps: [] }` */
export function* uniqueValues(entry: Entry, path: readonly string[] = [], steps: UniqueValue['steps'] = []): Generator<UniqueValue> {
  for (const attribute of entry.schema.attributes.values()) {
    const attributePath = [...path, attribute.name];
    if (attribute.kind === 'scalar') {
      const value = entry.values.get(attribute.name);
      const isUnique = (attribute.unique || attribute.type === 'uid') && !attribute.system && !neverUnique.has(attribute.type);
      if (isUnique && value !== undefined && value !== null && value !== '')
        yield { attribute, value, path: attributePath, steps, schema: entry.schema };
    } else if (isComponentsAttribute(attribute)) {
      const isOne = attribute.kind === 'component' && attribute.cardinality === 'one';
      const further = [...steps, { schema: entry.schema, field: attribute.name }];
      for (const [index, component] of (entry.components.get(attribute.name) ?? []).entries()) {
        yield* uniqueValues(component.entry, isOne ? attributePath : [...attributePath, String(index)], further);
      }
    }
  }
}
