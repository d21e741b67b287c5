/** What PostgreSQL and MariaDB have in common: a column has one type, and accepts nothing else. */
import type { ColumnType } from './column-type.ts';

const shortText = ['string', 'text'] as const;
const integers = ['integer', 'biginteger'] as const;
/** The types of columns that store, return and compare values of a type correctly. */
export const heldBy: Record<ColumnType, readonly ColumnType[]> = {
  id: integers,
  reference: integers,
  order: [...integers, 'float', 'decimal'],
  string: shortText,
  email: shortText,
  password: shortText,
  uid: shortText,
  enumeration: shortText,
  text: ['text'],
  richtext: ['text'],
  blocks: ['json'],
  json: ['json'],
  integer: integers,
  biginteger: ['biginteger'],
  float: ['float'],
  decimal: ['decimal'],
  boolean: ['boolean'],
  date: ['date'],
  time: ['time'],
  datetime: ['datetime'],
  timestamp: ['datetime'],
};

export const isText = (type: ColumnType) =>
  type === 'string' ||
  type === 'email' ||
  type === 'password' ||
  type === 'uid' ||
  type === 'enumeration' ||
  type === 'text' ||
  type === 'richtext';
