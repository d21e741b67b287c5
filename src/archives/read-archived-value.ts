/** Reads values of archives. */
import { storedTypeOf } from '../dialects/column-type.ts';
import type { SqlValue } from '../dialects/dialect.ts';
import { parseInstant } from '../model/attributes/instant.ts';
import { isLosslessNumber, writeLossless } from '../model/attributes/lossless.ts';
import type { ScalarType } from '../model/content-model.ts';

export type ReadValue = { readonly ok: true; readonly value: SqlValue } | { readonly ok: false; readonly expected: string };

const value = (read: SqlValue): ReadValue => ({ ok: true, value: read });
const expected = (what: string): ReadValue => ({ ok: false, expected: what });

/** Allows costs up to 15, although schemas allow more: each step doubles the work of a sign-in.
 *  With 30, two sign-ins of one user would delay everybody's for hours. */
const isHash = /^\$2[aby]\$(?:0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/;

/** The value to store, not checked against the schema: the archive has what was stored. */
export function readArchivedValue(raw: unknown, type: ScalarType, { storesNul }: { readonly storesNul: boolean }): ReadValue {
  if (raw === null || raw === undefined) return value(null);
  const archived = isLosslessNumber(raw) ? (type === 'biginteger' ? raw.value : Number(raw.value)) : raw;
  if (type === 'password') {
    // Anything else would be stored unhashed.
    const isRight = typeof archived === 'string' && isHash.test(archived);
    return isRight ? value(archived) : expected('a hash of bcrypt with a cost from 4 to 15');
  }
  switch (storedTypeOf(type)) {
    case 'json': {
      const text = writeLossless(raw);
      return !storesNul && /(?<!\\)(?:\\\\)*\\u0000/.test(text) ? expected('JSON without the character NUL') : value(text);
    }
    case 'integer':
      return Number.isSafeInteger(archived) ? value(archived as number) : expected('an integer');
    case 'float':
      return typeof archived === 'number' ? value(archived) : expected('a number');
    case 'decimal': {
      const number = typeof archived === 'string' && archived.trim() !== '' ? Number(archived) : archived;
      return typeof number === 'number' && Number.isFinite(number) ? value(number) : expected('a number');
    }
    case 'biginteger': {
      const text = String(archived);
      if ((typeof archived !== 'number' && typeof archived !== 'string') || !/^-?\d{1,19}$/.test(text)) return expected('an integer');
      return BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? value(BigInt(text)) : largest(Number(text));
    }
    case 'boolean':
      return typeof archived === 'boolean' ? value(archived) : expected('true or false');
    case 'datetime': {
      const instant = typeof archived === 'number' ? archived : typeof archived === 'string' ? parseInstant(archived) : undefined;
      return instant !== undefined && Math.abs(instant) <= 8.64e15
        ? value(Math.trunc(instant))
        : expected('a time such as 2026-11-22T08:00:00.000Z');
    }
    case 'date':
      return typeof archived === 'string' && /^\d{4,6}-\d\d-\d\d/.test(archived)
        ? value(archived.slice(0, archived.lastIndexOf('-') + 3))
        : expected('a date such as 2026-11-22');
    case 'time':
      return typeof archived === 'string' && /^\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?$/.test(archived)
        ? value(archived)
        : expected('a time such as 08:00:00.000');
    default:
      if (typeof archived !== 'string') return expected('a text');
      return !storesNul && archived.includes('\0') ? expected('a text without the character NUL') : value(archived);
  }
}

/** Strapi rounds integers to JavaScript's precision; the largest ones then exceed 64 bits. */
function largest(rounded: number): ReadValue {
  if (rounded === 2 ** 63) return value(2n ** 63n - 1n);
  return rounded === -(2 ** 63) ? value(-(2n ** 63n)) : expected('an integer of 64 bits');
}
