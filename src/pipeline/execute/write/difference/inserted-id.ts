import type { Entry } from '../../../entry/entry.ts';

/** The id of an entry whose row is stored by now. */
export function insertedId({ id, schema }: Entry): number {
  if (id === undefined) throw new Error(`a row of ${schema.table} is named before it is inserted`);
  return id;
}
