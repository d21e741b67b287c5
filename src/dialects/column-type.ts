import type { ScalarAttribute } from '../model/content-model.ts';
import type { ColumnType } from './dialect.ts';

/** How the column of an attribute is stored and compared. The row id is an integer of its own kind. */
export const columnTypeOf = (attribute: ScalarAttribute): ColumnType => (attribute.name === 'id' ? 'id' : attribute.type);
