/** The values of a list's rows in memory, and tests of all rows at once. Each test gives what the engine's own comparison gives: values that a test may read in
 *  another way are not held. */
import type { Row } from '../../dialects/dialect.ts';
import type { Bindings, RowTest } from '../compile/types.ts';
import { boundValue } from './bound-values.ts';
import { TextPairs } from './text-pairs.ts';
import { TextTable, tableBytesOfRow } from './text-table.ts';

/** A test with the values of a request. */
export type BoundTest =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly BoundTest[] }
  | { readonly kind: 'text'; readonly index: number; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'equal text'; readonly index: number; readonly text: string }
  | {
      readonly kind: 'number';
      readonly index: number;
      readonly operator: Extract<RowTest, { kind: 'number' }>['operator'];
      readonly number: number;
    };

/** What the driver returns in place of bytes that are no UTF-8, and halves of pairs of surrogates, which no engine stores. Around such bytes, other characters
 *  are found at the same places as in the bytes: each byte that begins a character of UTF-8 begins one in any surroundings. */
const ambiguous = /[\ufffd\p{Cs}]/u;

/** Texts whose lower case is the same in every locale of an engine: that of I is another letter in Turkish. */
const foldsAnywhere = /^[ -HJ-~]*$/;

/** Undefined if only the database can compare with these values. */
export function boundTest(test: RowTest, bindings: Bindings): BoundTest | undefined {
  switch (test.kind) {
    case 'and':
    case 'or': {
      const operands: BoundTest[] = [];
      for (const each of test.operands) {
        const operand = boundTest(each, bindings);
        if (operand === undefined) return undefined;
        operands.push(operand);
      }
      return { kind: test.kind, operands };
    }
    case 'text': {
      const { index, negated, folds } = test;
      const value = boundValue(test.value, bindings, {});
      if (typeof value !== 'string' || ambiguous.test(value) || (folds && !foldsAnywhere.test(value))) return undefined;
      return { kind: 'text', index, text: folds ? value.toLowerCase() : value, negated };
    }
    case 'equal text': {
      const text = boundValue(test.value, bindings, {});
      return typeof text === 'string' && !ambiguous.test(text) ? { kind: 'equal text', index: test.index, text } : undefined;
    }
    case 'number': {
      const { index, operator } = test;
      const number = boundValue(test.value, bindings, {});
      return typeof number === 'number' ? { kind: 'number', index, operator, number } : undefined;
    }
  }
}

interface Texts {
  readonly kind: 'texts';
  /** All texts, one after another, each with a NUL behind it. A search through one long text is many times faster than through thousands of short
   *  ones. */
  readonly all: string;
  /** Where the text of each row begins, and where the last one ends. */
  readonly starts: Int32Array;
  readonly isNull: Uint8Array;
  /** Undefined for long texts, and for columns that are compared only for equality. */
  readonly pairs: TextPairs | undefined;
  /** Undefined for columns that are not compared for equality. */
  readonly table: TextTable | undefined;
}

interface Numbers {
  readonly kind: 'numbers';
  /** NaN in place of null: comparisons with it are false. */
  readonly values: Float64Array;
}

const bytesOfCharacter = 2;
/** Characters. In the worst case, V8 finds texts of this length in about the time in which it finds a single pair of characters. */
const shortText = 100;
/** Choosing a row takes about as long as looking through so many characters. */
const costOfRow = 10;
const bytesOfNumber = 8;

export class HeldValues {
  readonly bytes: number;
  readonly #ids: Float64Array;
  readonly #columns: readonly (Texts | Numbers)[];
  readonly #all: Rows;

  constructor(ids: Float64Array, columns: readonly (Texts | Numbers)[], bytes: number) {
    this.#ids = ids;
    this.#columns = columns;
    this.#all = Array.from(ids, (_, row) => row);
    this.bytes = bytes;
  }

  /** Returns what the test costs, as the number of characters that take as long to look through. The characters that a long text is searched for count several
   *  times: the search may begin at many places and fail late. */
  costOf(test: BoundTest): number {
    if ('operands' in test) return test.operands.reduce((sum, operand) => sum + this.costOf(operand), 0);
    if (test.kind === 'equal text') return this.#ids.length * costOfRow;
    const column = this.#columns[test.index];
    const characters = column?.kind === 'texts' && test.kind === 'text' ? column.all.length * Math.max(1, test.text.length / shortText) : 0;
    return characters + this.#ids.length * costOfRow;
  }

  /** Returns the ids of the rows that pass the test, in their order. */
  idsOf(test: BoundTest): Float64Array {
    const rows = this.#rowsOf(test, this.#all);
    // `Float64Array.from` takes many times as long.
    const ids = new Float64Array(rows.length);
    for (const [index, row] of rows.entries()) ids[index] = this.#ids[row] ?? 0;
    return ids;
  }

  /** Returns those of the rows that pass the test. */
  #rowsOf(test: BoundTest, among: Rows): Rows {
    switch (test.kind) {
      case 'and': {
        // The tests that take the least time for each row go first.
        const operands = [...test.operands].sort((one, other) => rankOf(one) - rankOf(other));
        return operands.reduce((rows, operand) => this.#rowsOf(operand, rows), among);
      }
      case 'or': {
        const passes = new Uint8Array(this.#ids.length);
        for (const operand of test.operands) for (const row of this.#rowsOf(operand, among)) passes[row] = 1;
        return among.filter((row) => passes[row] === 1);
      }
      case 'text': {
        const column = this.#columns[test.index];
        if (column?.kind !== 'texts') throw new Error('a text is compared with numbers');
        return rowsWithText(column, test, among);
      }
      case 'equal text': {
        const column = this.#columns[test.index];
        if (column?.kind !== 'texts') throw new Error('a text is compared with numbers');
        const rows = column.table?.rowsOf(test.text) ?? [];
        return among.length === this.#ids.length ? rows : common(rows, among);
      }
      case 'number': {
        const column = this.#columns[test.index];
        if (column?.kind !== 'numbers') throw new Error('a number is compared with texts');
        return rowsWithNumber(column.values, test, among);
      }
    }
  }
}

/** Positions of rows, in their order. */
type Rows = readonly number[];

const rankOf = ({ kind }: BoundTest): number => (kind === 'equal text' ? 0 : kind === 'number' ? 1 : 2);

/** Returns the rows that are in both; each is in order. */
function common(rows: Rows, among: Rows): Rows {
  let index = 0;
  return rows.filter((each) => {
    while (index < among.length && (among[index] ?? 0) < each) index++;
    return among[index] === each;
  });
}

function rowsWithText(texts: Texts, { text, negated }: Extract<BoundTest, { kind: 'text' }>, among: Rows): Rows {
  const { all, starts, isNull, pairs } = texts;
  if (text === '') return negated ? [] : among.filter((row) => isNull[row] === 0);
  if (!negated && pairs !== undefined && text.length >= shortestOfPairs)
    return pairs.candidates(text, among).filter((row) => all.slice(starts[row], (starts[row + 1] ?? 0) - 1).includes(text));
  const found = rowsThroughAll(texts, text);
  if (!negated && among.length === isNull.length) return found;
  // Both are in order.
  let index = 0;
  return among.filter((each) => {
    while (index < found.length && (found[index] ?? 0) < each) index++;
    const isFound = found[index] === each;
    return negated ? !isFound && isNull[each] === 0 : isFound;
  });
}

/** Nearly all texts have the pairs of a shorter one. */
const shortestOfPairs = 3;

/** Returns all rows with the text, by a search through one long text. */
function rowsThroughAll({ all, starts }: Texts, text: string): number[] {
  const found: number[] = [];
  let row = 0;
  let at = all.indexOf(text);
  while (at >= 0) {
    row = rowAt(starts, row, at);
    const next = starts[row + 1] ?? all.length;
    // Otherwise the place reaches into the next text.
    const isInside = at + text.length < next;
    if (isInside) found.push(row);
    at = all.indexOf(text, isInside ? next : at + 1);
  }
  return found;
}

/** Returns the row whose text is at that position; it is not before `from`. */
function rowAt(starts: Int32Array, from: number, position: number): number {
  let [low, high] = [from, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low;
}

function rowsWithNumber(values: Float64Array, { operator, number }: Extract<BoundTest, { kind: 'number' }>, among: Rows): Rows {
  const at = (row: number): number => values[row] ?? Number.NaN;
  switch (operator) {
    case '=':
      return among.filter((row) => at(row) === number);
    case '<':
      return among.filter((row) => at(row) < number);
    case '<=':
      return among.filter((row) => at(row) <= number);
    case '>':
      return among.filter((row) => at(row) > number);
    case '>=':
      return among.filter((row) => at(row) >= number);
  }
}

/** Returns the bytes of the values of so many rows. `characters`: of all texts, with one more for each text. */
export function heldBytes(test: RowTest, rows: number, characters: number): number {
  const bytesOfRow = (2 * kindsOf(test).length + 2) * bytesOfNumber + indexesOf(test, 'equal text').size * tableBytesOfRow;
  return characters * bytesOfCharacter + rows * bytesOfRow;
}

/** Returns what a test costs (`HeldValues.costOf`) if no searched text is long. */
export const expectedCost = (test: RowTest, rows: number, characters: number): number => characters + testsIn(test) * rows * costOfRow;

const testsIn = (test: RowTest): number => ('operands' in test ? test.operands.reduce((sum, each) => sum + testsIn(each), 0) : 1);

/** Makes values of the rows [id, …values] of a list. Undefined if one of them is compared by other rules. */
export function heldValues(rows: readonly Row[], test: RowTest): HeldValues | undefined {
  const columns: (Texts | Numbers)[] = [];
  const uses = { searched: indexesOf(test, 'text'), equalled: indexesOf(test, 'equal text') };
  let characters = 0;
  for (const [index, kind] of kindsOf(test).entries()) {
    const column = kind === 'texts' ? textsOf(rows, index, uses) : numbersOf(rows, index + 1);
    if (column === undefined) return undefined;
    if (column.kind === 'texts') characters += column.all.length;
    columns.push(column);
  }
  const ids = Float64Array.from(rows, ([id]) => Number(id));
  return new HeldValues(ids, columns, heldBytes(test, rows.length, characters));
}

interface Uses {
  /** The indexes of values in which a text is searched for. */
  readonly searched: ReadonlySet<number>;
  /** Those of texts that are compared for equality. */
  readonly equalled: ReadonlySet<number>;
}

function textsOf(rows: readonly Row[], index: number, { searched, equalled }: Uses): Texts | undefined {
  const starts = new Int32Array(rows.length + 1);
  const isNull = new Uint8Array(rows.length);
  const texts: string[] = [];
  let length = 0;
  for (const [row, values] of rows.entries()) {
    const value = values[index + 1];
    if (value === null) isNull[row] = 1;
    else if (typeof value !== 'string') return undefined;
    const text = value ?? '';
    texts.push(text);
    length += text.length + 1;
    starts[row + 1] = length;
  }
  const all = `${texts.join('\0')}\0`;
  const pairs = searched.has(index) && TextPairs.fit(length, rows.length) ? new TextPairs(all, starts) : undefined;
  const table = equalled.has(index) ? new TextTable(all, starts, isNull) : undefined;
  return { kind: 'texts', all, starts, isNull, pairs, table };
}

function numbersOf(rows: readonly Row[], index: number): Numbers | undefined {
  const numbers = new Float64Array(rows.length);
  for (const [row, values] of rows.entries()) {
    const value = values[index];
    if (value === null) numbers[row] = Number.NaN;
    else if (typeof value === 'number' && isExact(value)) numbers[row] = value;
    else return undefined;
  }
  return { kind: 'numbers', values: numbers };
}

/** The driver returns integers beyond 2^53 without their last digits. PostgreSQL sorts NaN behind all numbers. */
const isExact = (value: number): boolean => !Number.isNaN(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** Returns the indexes of the values that tests of this kind compare. */
function indexesOf(test: RowTest, kind: 'text' | 'equal text'): ReadonlySet<number> {
  if ('operands' in test) return new Set(test.operands.flatMap((operand) => [...indexesOf(operand, kind)]));
  return new Set(test.kind === kind ? [test.index] : []);
}

/** What each value is compared as, by its index. */
function kindsOf(test: RowTest): (Texts | Numbers)['kind'][] {
  const kinds: (Texts | Numbers)['kind'][] = [];
  const note = (each: RowTest): void => {
    if ('operands' in each) each.operands.forEach(note);
    else kinds[each.index] = each.kind === 'number' ? 'numbers' : 'texts';
  };
  note(test);
  return kinds;
}
