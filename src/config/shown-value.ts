/** A wrong value, as messages show it. */

/** A URL may have a password also where none belongs. */
const hasPassword = (value: unknown): boolean => typeof value === 'string' && /\/\/[^/\s]*@/.test(value);

export const shownValue = (value: unknown, { sensitive }: { readonly sensitive: boolean }): string =>
  sensitive || hasPassword(value) ? 'set to something else' : JSON.stringify(value);
