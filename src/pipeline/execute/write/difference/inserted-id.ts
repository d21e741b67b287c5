import type { Entry } from '../../../entry/entry.ts';

/** Returns the id of an entry whose row has been inserted; throws if it has not. */
export function insertedId({ id, schema }: Entry): number {
  if (id === undefined) throw new Error(`a row of ${schema.table} is named before it is inserted`);
  return id;
}
