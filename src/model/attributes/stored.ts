/** Values on their way out of the database and back in: what a column held, in the form that `readBody` makes of a body's value. */
import type { ScalarAttribute } from '../content-model.ts';
import type { StoredValue } from './attribute-type.ts';
import { attributeTypes } from './attribute-types.ts';

/** `selected` is a column as `Dialect.select` gives it. */
export function fromSelected(selected: unknown, attribute: ScalarAttribute): StoredValue {
  return selected === null || selected === undefined ? null : attributeTypes[attribute.type].fromSelected(selected);
}

/** Whether two values of one attribute are the same. Equal JSON that is written differently (engines may write it anew) is not. */
export const sameStored = (a: StoredValue, b: StoredValue): boolean => a === b;
