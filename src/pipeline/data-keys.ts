/** Keys are numbers that name data: a response has those that it depends on, a write
 *  those that it changes. Different data rarely have the same key, and then a
 *  valid cached response is read from the database again. */

/** Keys are less than this. `ResponseCache` has a table with a place for each. */
export const keySpace = 2 ** 19;

const mask = keySpace - 1;

/** FNV-1a of UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** The hashes of table names, which are few. */
const tableHashes = new Map<string, number>();
function hashOfTable(table: string): number {
  let hash = tableHashes.get(table);
  if (hash === undefined) {
    hash = hashOf(table);
    tableHashes.set(table, hash);
  }
  return hash;
}

/** Similar hashes become keys that are far apart. */
const mixed = (hash: number): number => {
  const product = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (product ^ (product >>> 15)) & mask;
};

/** The key of one row. */
export const rowKey = (table: string, id: number): number => mixed(hashOfTable(table) ^ Math.imul(id + 1, 0x9e3779b1));

/** The key of all rows of a table together: a write to any row changes it. */
export const tableKey = (table: string): number => mixed(hashOfTable(table));

/** The key of which rows a table has: a new or deleted row changes it. */
export const rowsKey = (table: string): number => mixed(hashOf(`${table} +`));

/** The key of a column: a row that gets another value in it changes it. */
export const columnKey = (table: string, column: string): number => mixed(hashOf(`${table} ${column}`));

/** The key of rows that a statement has changed without saying which. Each response that reads the
 *  table depends on it. */
export const unknownRowsKey = (table: string): number => mixed(hashOf(`${table} *`));

/** The key of the rows that have a value in a column. A write to a row that gets, has or loses the
 *  value changes it. */
export const valueKey = (table: string, column: string, value: unknown): number => mixed(hashOf(`${table} ${column} ${String(value)}`));
