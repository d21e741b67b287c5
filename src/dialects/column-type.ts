import type { ScalarAttribute, ScalarType } from '../model/content-model.ts';

/** The type by which values are stored and compared. `order` is a position in a join table. */
export type ColumnType = ScalarType | 'id' | 'reference' | 'order';

/** Types that have the same columns as another type. */
const sameColumn = {
  email: 'string',
  password: 'string',
  uid: 'string',
  enumeration: 'string',
  richtext: 'text',
  blocks: 'json',
  timestamp: 'datetime',
} as const satisfies Partial<Record<ColumnType, ColumnType>>;

export type StoredType = Exclude<ColumnType, keyof typeof sameColumn>;

/** Returns the type that stands for all types with the same column: `string` for an email. */
export const storedTypeOf = (type: ColumnType): StoredType =>
  type in sameColumn ? sameColumn[type as keyof typeof sameColumn] : (type as StoredType);

export const isText = (type: ColumnType): boolean => ['string', 'text'].includes(storedTypeOf(type));

/** Returns the type by which an attribute's column is stored and compared. */
export const columnTypeOf = (attribute: ScalarAttribute): ColumnType => (attribute.name === 'id' ? 'id' : attribute.type);
