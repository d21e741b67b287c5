/** Values on their way between engines. */
import { hash } from 'node:crypto';
import { storedTypeOf } from '../dialects/column-type.ts';
import type { CopiedColumn, CopiedValue, TransferEngine } from '../dialects/transfer/types.ts';

export interface Problem {
  readonly problem: string;
}

export const isProblem = (value: CopiedValue | Problem): value is Problem => typeof value === 'object' && value !== null;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** Turns a value of the source into the one that is copied. SQLite stores any value in any column:
 *  one of another type is a problem. */
export function copiedValueOf(value: unknown, { type }: CopiedColumn, source: TransferEngine): CopiedValue | Problem {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return { problem: 'is binary' };
  switch (storedTypeOf(type)) {
    case 'id':
    case 'reference':
    case 'integer':
      return Number.isSafeInteger(Number(value)) && value !== '' ? Number(value) : { problem: `${shown(value)} is not an integer` };
    case 'biginteger':
      return /^-?\d{1,19}$/.test(String(value)) ? String(value) : { problem: `${shown(value)} is not an integer` };
    case 'order':
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? value : { problem: `${shown(value)} is not a number` };
    case 'decimal':
      return decimalOf(value);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return value === 0 || value === 1 ? value === 1 : { problem: `${shown(value)} is neither 0 nor 1` };
    case 'datetime':
      return instantOf(value);
    case 'date':
      return /^\d{4,6}-\d\d-\d\d$/.test(String(value)) ? String(value) : { problem: `${shown(value)} is not a date` };
    case 'time':
      return /^\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(String(value)) ? String(value) : { problem: `${shown(value)} is not a time` };
    case 'json':
      return source.jsonOf(String(value));
    default:
      return String(value);
  }
}

function decimalOf(value: unknown): CopiedValue | Problem {
  const text = typeof value === 'number' && Number.isFinite(value) ? plainDecimal(value) : String(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : { problem: `${shown(value)} is not a decimal` };
}

/** A number without an exponent. */
const plainDecimal = (value: number): string =>
  /e/.test(String(value)) ? (Math.abs(value) < 1 ? value.toFixed(30).replace(/0+$/, '') : BigInt(value).toString()) : String(value);

function instantOf(value: unknown): CopiedValue | Problem {
  if (typeof value !== 'string') return Number(value);
  const instant = /^-?\d+$/.test(value) ? Number(value) : Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(instant) ? { problem: `${shown(value)} is not a date` } : instant;
}

/** Whether Strapi's column, of ten digits with two after the point, would round the value. */
export function isWideDecimal(value: CopiedValue): boolean {
  const [, integer = '', fraction = ''] = /^-?0*(\d*)\.?(\d*?)0*$/.exec(String(value)) ?? [];
  return integer.length > 8 || fraction.length > 2;
}

/** A checksum of rows, independent of their order, and equal for equal values of any engine. */
export class RowSum {
  #sum = 0n;
  rows = 0;

  add(values: readonly CopiedValue[], columns: readonly CopiedColumn[]): void {
    const text = JSON.stringify(values.map((value, at) => comparable(value, columns[at]?.type)));
    this.#sum = BigInt.asUintN(64, this.#sum + hash('sha256', text, 'buffer').readBigUInt64LE());
    this.rows++;
  }

  get text(): string {
    return `${this.rows} ${this.#sum.toString(16)}`;
  }
}

function comparable(value: CopiedValue, type: CopiedColumn['type'] | undefined): unknown {
  if (value === null) return null;
  switch (type && storedTypeOf(type)) {
    case 'decimal':
      return Number(value);
    case 'time':
      return String(value)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');
    case 'json':
      return sorted(parsed(String(value)));
    default:
      return value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** PostgreSQL sorts the keys of objects. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member)]);
}
