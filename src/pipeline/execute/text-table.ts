/** Finds the rows with a text among texts that stand one after another in one long text: a hash table without a text of its own for each row. */

/** Bytes for each row: a place in a chain, and on average two and a half first places. */
export const tableBytesOfRow = 14;

const none = -1;

export class TextTable {
  readonly #all: string;
  readonly #starts: Int32Array;
  /** The first row of each chain. */
  readonly #first: Int32Array;
  /** The next row of the chain. Each chain is in the order of the rows. */
  readonly #next: Int32Array;

  /** `starts`: where the text of each row begins, and where the last one ends. A character stands behind each text. Rows without a text are left out. */
  constructor(all: string, starts: Int32Array, isNull: Uint8Array) {
    this.#all = all;
    this.#starts = starts;
    const rows = isNull.length;
    this.#first = new Int32Array(2 ** Math.ceil(Math.log2(2 * rows + 1))).fill(none);
    this.#next = new Int32Array(rows);
    for (let row = rows - 1; row >= 0; row--) {
      if (isNull[row] === 1) continue;
      const chain = this.#chainOf(all, starts[row] ?? 0, this.#endOf(row));
      this.#next[row] = this.#first[chain] ?? none;
      this.#first[chain] = row;
    }
  }

  /** Returns the rows in order. */
  rowsOf(text: string): number[] {
    const rows: number[] = [];
    let row = this.#first[this.#chainOf(text, 0, text.length)] ?? none;
    while (row !== none) {
      const start = this.#starts[row] ?? 0;
      if (this.#endOf(row) - start === text.length && this.#all.startsWith(text, start)) rows.push(row);
      row = this.#next[row] ?? none;
    }
    return rows;
  }

  #endOf(row: number): number {
    return (this.#starts[row + 1] ?? 0) - 1;
  }

  /** FNV-1a of UTF-16 units. */
  #chainOf(text: string, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return (hash ^ (hash >>> 15)) & (this.#first.length - 1);
  }
}
