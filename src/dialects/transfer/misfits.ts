/** Limits that several engines share. */
import type { CopiedColumn, CopiedValue } from './types.ts';

export const misfitOf = (...checks: readonly ((value: CopiedValue, column: CopiedColumn) => string | undefined)[]) => {
  return (value: CopiedValue, column: CopiedColumn): string | undefined => {
    if (value === null) return undefined;
    for (const check of checks) {
      const misfit = check(value, column);
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  };
};

export function tooLong(value: CopiedValue, { type, length }: CopiedColumn): string | undefined {
  if (type !== 'string' || typeof value !== 'string') return undefined;
  const limit = length ?? 255;
  // A text has at least as many units as characters.
  if (value.length <= limit) return undefined;
  const characters = [...value].length;
  return characters > limit ? `has ${characters} characters, ${limit} are possible` : undefined;
}

export function beyond32Bits(value: CopiedValue, { type }: CopiedColumn): string | undefined {
  if (type !== 'integer' && type !== 'id' && type !== 'reference') return undefined;
  return Number(value) > 2 ** 31 - 1 || Number(value) < -(2 ** 31) ? `${String(value)} is not an integer of 32 bits` : undefined;
}

export function beyond64Bits(value: CopiedValue, { type }: CopiedColumn): string | undefined {
  if (type !== 'biginteger') return undefined;
  return BigInt.asIntN(64, BigInt(String(value))) === BigInt(String(value)) ? undefined : `${String(value)} is not an integer of 64 bits`;
}

export function withNul(value: CopiedValue, { type }: CopiedColumn): string | undefined {
  if (typeof value !== 'string') return undefined;
  const found = type === 'json' || type === 'blocks' ? /(?<!\\)(?:\\\\)*\\u0000/.test(value) : value.includes('\0');
  return found ? 'contains a NUL character' : undefined;
}
