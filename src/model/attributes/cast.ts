/** Casts values of another type as yup does, with yup's messages where a cast fails. Source: yup
 *  0.32, which Strapi validates with: `string`, `number`, `boolean`, `mixed.notType`. */
import type { ValueProblem } from './attribute-type.ts';
import { isLosslessNumber, nestsTooDeeply, rounded } from './lossless.ts';
import { printValue } from './print-value.ts';

/** The value as a number; NaN if it is none. A list counts as its first item, because yup reads a
 *  number from the start of its text. */
export function toNumber(value: unknown): number {
  if (typeof value === 'string') {
    const text = value.replace(/\s/g, '');
    return text === '' ? Number.NaN : Number(text);
  }
  let first = value;
  while (Array.isArray(first)) first = first[0];
  if (typeof first === 'number') return first;
  if (isLosslessNumber(first)) return Number(first.value);
  return typeof first === 'string' ? Number.parseFloat(first) : Number.NaN;
}

/** The value as a boolean; undefined if it is not one. */
export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = textOf(value) ?? '';
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
}

/** Numbers and booleans become text; other values are returned unchanged. */
export function toText(value: unknown): unknown {
  return Array.isArray(value) ? value : (textOf(value) ?? value);
}

/** Replaces half of a surrogate pair by U+FFFD, as encoders do: it is no character, and databases'
 *  drivers treat it differently. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** `String(value)` for a scalar or a list of one; undefined for others, whose text is useless. */
export function textOf(value: unknown): string | undefined {
  let only = value;
  while (Array.isArray(only) && only.length === 1) only = only[0];
  if (isLosslessNumber(only)) return String(Number(only.value));
  return typeof only === 'string' || typeof only === 'number' || typeof only === 'boolean' ? String(only) : undefined;
}

/** A problem with `value` as JSON can show it; without the key if there is no value, or it is
 *  nested too deeply. */
export function problem(message: string, value?: unknown): ValueProblem {
  if (value === undefined || nestsTooDeeply(value)) return { path: [], message };
  if (typeof value === 'number' && !Number.isFinite(value)) return { path: [], message, value: null };
  return { path: [], message, value: rounded(value) };
}

export function wrongType(type: string, final: unknown, original: unknown): ValueProblem {
  const isCast = original !== undefined && original !== null && original !== final;
  const cast = isCast ? ` (cast from the value \`${printValue(original)}\`).` : '.';
  return problem(`{path} must be a \`${type}\` type, but the final value was: \`${printValue(final)}\`${cast}`, final);
}
