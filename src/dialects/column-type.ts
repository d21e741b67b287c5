import type { ScalarAttribute } from '../model/content-model.ts';
import type { ColumnType } from './dialect.ts';

/** Returns the type by which an attribute's column is stored and compared. The row id has a separate type. */
export const columnTypeOf = (attribute: ScalarAttribute): ColumnType => (attribute.name === 'id' ? 'id' : attribute.type);
