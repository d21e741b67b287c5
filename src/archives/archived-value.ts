/** Values of columns as they stand in archives: as Strapi's Content API writes them, so that biginteger is a text. */
import { attributeTypes } from '../model/attributes/attribute-types.ts';
import type { ScalarType } from '../model/content-model.ts';

/** The JSON text of a column as `Dialect.select` returns it. */
export const archivedValue = (selected: unknown, type: ScalarType): string =>
  selected === null || selected === undefined ? 'null' : attributeTypes[type].writeJson(selected);
