/** Limits of columns that several engines share. Each function says why a value does not fit. */
import type { ColumnType } from './column-type.ts';

export type FittedValue = string | number | boolean | null;

export interface FittedColumn {
  readonly type: ColumnType;
  /** Characters of a `varchar`; 255 if undefined, as Strapi makes them. */
  readonly length?: number | undefined;
}

export const misfitOf = (...checks: readonly ((value: FittedValue, column: FittedColumn) => string | undefined)[]) => {
  return (value: FittedValue, column: FittedColumn): string | undefined => {
    if (value === null) return undefined;
    for (const check of checks) {
      const misfit = check(value, column);
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  };
};

export function tooLong(value: FittedValue, { type, length }: FittedColumn): string | undefined {
  if (type !== 'string' || typeof value !== 'string') return undefined;
  const limit = length ?? 255;
  // A text has at least as many units as characters.
  if (value.length <= limit) return undefined;
  const characters = [...value].length;
  return characters > limit ? `has ${characters} characters, ${limit} are possible` : undefined;
}

export function beyond32Bits(value: FittedValue, { type }: FittedColumn): string | undefined {
  if (type !== 'integer' && type !== 'id' && type !== 'reference') return undefined;
  return Number(value) > 2 ** 31 - 1 || Number(value) < -(2 ** 31) ? `${String(value)} is not an integer of 32 bits` : undefined;
}

export function beyond64Bits(value: FittedValue, { type }: FittedColumn): string | undefined {
  if (type !== 'biginteger') return undefined;
  return BigInt.asIntN(64, BigInt(String(value))) === BigInt(String(value)) ? undefined : `${String(value)} is not an integer of 64 bits`;
}

/** A `decimal(10,2)`, which rounds what it stores. */
export function beyondTenDigits(value: FittedValue, { type }: FittedColumn): string | undefined {
  return type === 'decimal' && Math.abs(Number(value)) >= 99_999_999.995 ? `${value} has more than 8 digits before the point` : undefined;
}

export function withNul(value: FittedValue, { type }: FittedColumn): string | undefined {
  if (typeof value !== 'string') return undefined;
  const found = type === 'json' || type === 'blocks' ? /(?<!\\)(?:\\\\)*\\u0000/.test(value) : value.includes('\0');
  return found ? 'contains a NUL character' : undefined;
}
