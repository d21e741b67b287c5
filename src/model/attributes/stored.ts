import type { ScalarAttribute } from '../content-model.ts';
import type { StoredValue } from './attribute-type.ts';
import { attributeTypes } from './attribute-types.ts';

/** Converts a column as `Dialect.select` returns it to the form that `readBody` returns, so that
 *  both can be compared by `===`. Equal JSON in a different notation is not the same. */
export const fromSelected = (selected: unknown, { type }: ScalarAttribute): StoredValue =>
  selected === null || selected === undefined ? null : attributeTypes[type].fromSelected(selected);
