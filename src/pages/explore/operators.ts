/** The operators that fit each kind of attribute. */
import type { DescribedAttribute } from '../../http/site/explore/described-model.ts';

const labels: Readonly<Record<string, string>> = {
  $eq: 'is',
  $eqi: 'is (any letter case)',
  $ne: 'is not',
  $nei: 'is not (any letter case)',
  $lt: 'is less than',
  $lte: 'is at most',
  $gt: 'is greater than',
  $gte: 'is at least',
  $in: 'is one of',
  $notIn: 'is none of',
  $contains: 'contains',
  $containsi: 'contains (any letter case)',
  $notContains: 'does not contain',
  $notContainsi: 'does not contain (any letter case)',
  $startsWith: 'starts with',
  $startsWithi: 'starts with (any letter case)',
  $endsWith: 'ends with',
  $endsWithi: 'ends with (any letter case)',
  $between: 'is between',
  $null: 'is empty',
  $notNull: 'is not empty',
};

const presence = ['$null', '$notNull'];
const equality = ['$eq', '$ne', '$in', '$notIn'];
const order = ['$lt', '$lte', '$gt', '$gte', '$between'];
const parts = [
  '$contains',
  '$containsi',
  '$notContains',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
  '$eqi',
  '$nei',
];

const ordered = [...equality, ...order, ...presence];
const texts = ['$eq', '$containsi', ...equality.slice(1), ...parts.filter((operator) => operator !== '$containsi'), ...order, ...presence];

const byType: Readonly<Record<string, readonly string[]>> = {
  integer: ordered,
  biginteger: ordered,
  float: ordered,
  decimal: ordered,
  date: ordered,
  time: ordered,
  datetime: ordered,
  timestamp: ordered,
  boolean: ['$eq', '$ne', ...presence],
  enumeration: [...equality, ...presence],
  json: presence,
  blocks: presence,
};

/** The first one is chosen for a new condition. */
export const operatorsOf = (attribute: DescribedAttribute | undefined): readonly string[] =>
  attribute?.kind === 'scalar' ? (byType[attribute.type] ?? texts) : presence;

export const isOperator = (name: string): boolean => Object.hasOwn(labels, name);
export const labelOf = (operator: string): string => labels[operator] ?? operator;

/** How many values an operator takes. */
export const valuesOf = (operator: string): 'none' | 'one' | 'two' | 'many' => {
  if (presence.includes(operator)) return 'none';
  if (operator === '$between') return 'two';
  return operator === '$in' || operator === '$notIn' ? 'many' : 'one';
};
