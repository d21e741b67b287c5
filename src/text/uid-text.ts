/** Values of uids that are made from other texts: by the server, and in forms. */
import slugify from '@sindresorhus/slugify';

/** Maximum of characters of a generated value without a `maxLength`; the column has 255. */
const maxCharacters = 255;
/** A longer text is read up to this length. Characters. */
const maxRead = 2000;

/** `Fog over Skerra` → `fog-over-skerra`; empty for a text without a letter that has a Latin form. */
export const slugOf = (text: string): string => slugify(text.slice(0, maxRead));

/** Shortens the value to fit with the suffix. A suffix without space for a value is used alone. */
export function withSuffix(value: string, suffix: string, maxLength: unknown): string {
  const max = typeof maxLength === 'number' && maxLength > 0 ? Math.min(maxLength, maxCharacters) : maxCharacters;
  if (suffix.length >= max) return suffix.slice(1, max + 1);
  return value.slice(0, max - suffix.length).replace(/-+$/, '') + suffix;
}
