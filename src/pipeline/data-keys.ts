/** Numbers that name data, so that a response can say what it depends on, and a write what it changed. Equal data have equal keys; different data
 *  have equal keys so rarely that it costs nothing but a read that would not have been needed. */

/** A key is less than this: each has a place in a table (`ResponseCache`). */
export const keySpace = 2 ** 19;

const mask = keySpace - 1;

/** FNV-1a of UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** The hashes of names of tables, which are few. */
const tableHashes = new Map<string, number>();
function hashOfTable(table: string): number {
  let hash = tableHashes.get(table);
  if (hash === undefined) {
    hash = hashOf(table);
    tableHashes.set(table, hash);
  }
  return hash;
}

/** Spreads what the bits of a hash have in common. */
const mixed = (hash: number): number => {
  const product = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (product ^ (product >>> 15)) & mask;
};

/** The key of one row. */
export const rowKey = (table: string, id: number): number => mixed(hashOfTable(table) ^ Math.imul(id + 1, 0x9e3779b1));

/** The key of all rows of a table together: any change of any of them changes it. */
export const tableKey = (table: string): number => mixed(hashOfTable(table));

/** The key that changes when rows of a table were changed and nobody knows which. Whatever shows rows of the table depends on it. */
export const unknownRowsKey = (table: string): number => mixed(hashOf(`${table} *`));

/** The key of the rows with this value in a column: it changes when any row gets the value, has it and is changed, or loses it. */
export const valueKey = (table: string, column: string, value: unknown): number => mixed(hashOf(`${table} ${column} ${String(value)}`));
