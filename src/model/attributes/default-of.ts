import type { ScalarAttribute } from '../content-model.ts';
import type { StoredValue } from './attribute-type.ts';
import { attributeTypes } from './attribute-types.ts';

/** The schema's `default`, read as a draft's value; undefined if there is none or it is invalid. */
export function defaultOf(attribute: ScalarAttribute): StoredValue | undefined {
  const written = attribute.options.default;
  if (written === undefined || written === null) return undefined;
  const read = attributeTypes[attribute.type].readBody(written, attribute, { strict: false, exact: false });
  return read.ok ? read.value : undefined;
}
