/** Converts values of SQLite to values that PostgreSQL accepts. */
import type { CopiedColumn } from './tables.ts';

export type SourceValue = string | number | bigint | null | Uint8Array;
export type TargetValue = string | number | boolean | null;

/** SQLite stores any value in any column. A value that the target cannot store unchanged is reported, and not modified. */
export function toPostgresValue(value: SourceValue, column: CopiedColumn): TargetValue | { readonly problem: string } {
  if (value === null) return null;
  if (value instanceof Uint8Array) return { problem: 'is binary' };
  switch (column.type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 31 - 1 + (value < 0 ? 1 : 0)
        ? value
        : { problem: `${JSON.stringify(value)} is not an integer of 32 bits` };
    case 'biginteger':
      return /^-?\d{1,19}$/.test(String(value)) ? String(value) : { problem: `${JSON.stringify(value)} is not an integer` };
    case 'float':
      return typeof value === 'number' ? value : { problem: `${JSON.stringify(value)} is not a number` };
    case 'decimal':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : { problem: `${JSON.stringify(value)} is not a decimal` };
    case 'boolean':
      return value === 0 || value === 1 ? value === 1 : { problem: `${JSON.stringify(value)} is neither 0 nor 1` };
    case 'datetime':
      return convertInstant(value);
    case 'json':
      return convertJson(String(value));
    case 'string': {
      const limit = Number(/\d+/.exec(column.definition)?.[0] ?? Number.POSITIVE_INFINITY);
      const length = [...String(value)].length;
      return length > limit ? { problem: `has ${length} characters, ${limit} are possible` } : convertText(String(value));
    }
    default:
      return convertText(String(value));
  }
}

const convertText = (text: string) => (text.includes('\0') ? { problem: 'contains a NUL character' } : text);

function convertInstant(value: string | number | bigint): number | { readonly problem: string } {
  if (typeof value !== 'string') return Number(value);
  const instant = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(instant) ? { problem: `${JSON.stringify(value)} is not a date` } : instant;
}

/** The JSON text with the value that Strapi would read. In SQLite Strapi stores texts and numbers without quotes; it reads text that is not JSON as a
 *  string, and a JSON string that contains JSON as that JSON. */
function convertJson(text: string): string | { readonly problem: string } {
  const once = parsed(text);
  const json =
    once === undefined
      ? JSON.stringify(text)
      : typeof once === 'string'
        ? parsed(once) === undefined
          ? JSON.stringify(text)
          : once
        : text;
  return /(?<!\\)(?:\\\\)*\\u0000/.test(json) ? { problem: 'contains a NUL character' } : json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
