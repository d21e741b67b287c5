import type { Attribute, ScalarType } from './content-model.ts';

/** What an attribute is for groups of documents: a relation to one document, a number, a date, which
 *  may have a step, a time, or any other value, which can only be a key. */
export type GroupKind = 'document' | 'number' | 'date' | 'time' | 'value';

const kinds: Readonly<Partial<Record<ScalarType, GroupKind>>> = {
  integer: 'number',
  biginteger: 'number',
  float: 'number',
  decimal: 'number',
  date: 'date',
  datetime: 'date',
  timestamp: 'date',
  time: 'time',
};

/** Long texts and nested values make no groups. */
const ungrouped: readonly ScalarType[] = ['json', 'blocks', 'richtext', 'password'];

/** Undefined for an attribute that groups cannot name. */
export function groupKind(attribute: Attribute): GroupKind | undefined {
  if (attribute.kind === 'relation') return attribute.cardinality === 'one' && attribute.target !== undefined ? 'document' : undefined;
  if (attribute.kind !== 'scalar' || ungrouped.includes(attribute.type)) return undefined;
  return kinds[attribute.type] ?? 'value';
}
