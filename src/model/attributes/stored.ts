/** Converts columns of the database to the form that `readBody` returns, so that both can be compared. */
import type { ScalarAttribute } from '../content-model.ts';
import type { StoredValue } from './attribute-type.ts';
import { attributeTypes } from './attribute-types.ts';

/** `selected` is a column as `Dialect.select` returns it. */
export function fromSelected(selected: unknown, attribute: ScalarAttribute): StoredValue {
  return selected === null || selected === undefined ? null : attributeTypes[attribute.type].fromSelected(selected);
}

/** Whether two values of one attribute are the same. Equal JSON in a different notation is not the same (databases may rewrite JSON). */
export const sameStored = (a: StoredValue, b: StoredValue): boolean => a === b;
