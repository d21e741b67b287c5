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
/** Strapi does not check these either. */
const neverUniqueInStrapi: ReadonlySet<ScalarType> = new Set<ScalarType>([...neverUnique, 'enumeration', 'boolean']);

/** Yields the unique values of the entry and of its components at any depth; without
 *  `enforceSchema` those that Strapi checks.
 *
 *  a writer with the e-mail `a@example.com` →
 *  `{ attribute: email, value: 'a@example.com', path: ['email'], steps: [] }` */
export const uniqueValues = (entry: Entry, enforceSchema: boolean): Generator<UniqueValue> => valuesBelow(entry, enforceSchema, [], []);

function* valuesBelow(
  entry: Entry,
  enforceSchema: boolean,
  path: UniqueValue['path'],
  steps: UniqueValue['steps'],
): Generator<UniqueValue> {
  const never = enforceSchema ? neverUnique : neverUniqueInStrapi;
  for (const attribute of entry.schema.attributes.values()) {
    const attributePath = [...path, attribute.name];
    if (attribute.kind === 'scalar') {
      const value = entry.values.get(attribute.name);
      const isUnique = (attribute.unique || attribute.type === 'uid') && !attribute.system && !never.has(attribute.type);
      if (isUnique && value !== undefined && value !== null && value !== '')
        yield { attribute, value, path: attributePath, steps, schema: entry.schema };
    } else if (isComponentsAttribute(attribute)) {
      // Strapi looks for these values among the rows of the zone, where they are not.
      if (!enforceSchema && isZone(steps[0])) continue;
      const isOne = attribute.kind === 'component' && attribute.cardinality === 'one';
      const further = [...steps, { schema: entry.schema, field: attribute.name }];
      for (const [index, component] of (entry.components.get(attribute.name) ?? []).entries()) {
        yield* valuesBelow(component.entry, enforceSchema, isOne ? attributePath : [...attributePath, String(index)], further);
      }
    }
  }
}

const isZone = (step: UniqueValue['steps'][number] | undefined): boolean => step?.schema.attributes.get(step.field)?.kind === 'dynamiczone';

/** Whether Strapi would find the value twice in one document: it walks only single components
 *  below the document's own attribute. */
export const findsRepeats = ({ steps }: UniqueValue): boolean =>
  steps.slice(1).every(({ schema, field }) => {
    const attribute = schema.attributes.get(field);
    return attribute?.kind === 'component' && attribute.cardinality === 'one';
  });
