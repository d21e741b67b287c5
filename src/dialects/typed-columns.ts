/** What PostgreSQL and MariaDB have in common: a column has one type, and accepts nothing else. */
import type { StoredType } from './column-type.ts';

const integers = ['integer', 'biginteger'] as const;

/** The types of columns that store, return and compare values of a type correctly. */
export const compatibleTypes: Record<StoredType, readonly StoredType[]> = {
  id: integers,
  reference: integers,
  order: [...integers, 'float', 'decimal'],
  string: ['string', 'text'],
  text: ['text'],
  json: ['json'],
  integer: integers,
  biginteger: ['biginteger'],
  float: ['float'],
  decimal: ['decimal'],
  boolean: ['boolean'],
  date: ['date'],
  time: ['time'],
  datetime: ['datetime'],
};
