/** What yup makes of a value that is not of the type asked for, and what it says when that fails. Source: yup 0.32, which Strapi validates
 *  with: `string`, `number`, `boolean`, `mixed.notType`. */
import type { ValueProblem } from './attribute-type.ts';
import { isLosslessNumber, nestsTooDeeply, rounded } from './lossless.ts';
import { printValue } from './print-value.ts';

/** NaN for what is no number. Lists count as their first item, since yup reads numbers from the start of their text. */
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

/** Undefined for what is no boolean. */
export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = textOf(value) ?? '';
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
}

/** Numbers and booleans as text, everything else as it is. */
export function toText(value: unknown): unknown {
  return Array.isArray(value) ? value : (textOf(value) ?? value);
}

/** Half of a surrogate pair is no character and has no UTF-8: U+FFFD takes its place, as in every encoder, whatever the database's driver does. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** `String(value)` for scalars and for lists of one of them; undefined for the rest, whose text is never what anybody means. */
export function textOf(value: unknown): string | undefined {
  let only = value;
  while (Array.isArray(only) && only.length === 1) only = only[0];
  if (isLosslessNumber(only)) return String(Number(only.value));
  return typeof only === 'string' || typeof only === 'number' || typeof only === 'boolean' ? String(only) : undefined;
}

/** Made with `value` as JSON can show it; the key is left out when there is none, and when it nests too deeply to be written. */
export function problem(message: string, value?: unknown): ValueProblem {
  if (value === undefined || nestsTooDeeply(value)) return { path: [], message };
  if (typeof value === 'number' && !Number.isFinite(value)) return { path: [], message, value: null };
  return { path: [], message, value: rounded(value) };
}

export function wrongType(type: string, final: unknown, given: unknown): ValueProblem {
  const isCast = given !== undefined && given !== null && given !== final;
  const cast = isCast ? ` (cast from the value \`${printValue(given)}\`).` : '.';
  return problem(`{path} must be a \`${type}\` type, but the final value was: \`${printValue(final)}\`${cast}`, final);
}
