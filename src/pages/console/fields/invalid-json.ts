/** A text that is no JSON yet, in the place of its value: it is kept, and never sent. No value that a
 *  server sends has this key, as databases refuse the character. */
const key = '\u0000text';

export const invalidJson = (text: string): Readonly<Record<string, string>> => ({ [key]: text });

export function invalidTextOf(value: unknown): string | undefined {
  const text = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}
