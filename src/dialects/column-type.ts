import type { ScalarAttribute, ScalarType } from '../model/content-model.ts';

/** How the values of one attribute type are stored and compared. `id` is the row id, `order`
 *  the position in a join table. */
export type ColumnType = ScalarType | 'id' | 'reference' | 'order';

/** Returns the type by which an attribute's column is stored and compared. The row id has a separate type. */
export const columnTypeOf = (attribute: ScalarAttribute): ColumnType => (attribute.name === 'id' ? 'id' : attribute.type);
