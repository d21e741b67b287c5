/** Numbers that a JavaScript number would round. The parser of bodies represents them by objects of
 *  the library lossless-json, which keep the digits. */

interface LosslessNumber {
  readonly isLosslessNumber: true;
  /** A number as JSON writes it: `12345678901234567890`, `-1.5e300`. */
  readonly value: string;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** False for a client's object with these keys, which would be written into JSON unchecked. */
export function isLosslessNumber(value: unknown): value is LosslessNumber {
  if (typeof value !== 'object' || value === null || !('isLosslessNumber' in value && 'value' in value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return false;
  return value.isLosslessNumber === true && typeof value.value === 'string' && jsonNumber.test(value.value);
}

/** The value with JavaScript numbers at any depth, as Strapi would have parsed it. */
export function rounded(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]));
}

/** `JSON.stringify` with all digits of numbers. Recursive: first check with `nestsTooDeeply`. */
export function writeLossless(value: unknown): string {
  if (isLosslessNumber(value)) return value.value;
  if (Array.isArray(value)) return `[${value.map(writeLossless).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${writeLossless(item)}`).join(',')}}`;
}

/** Maximum of levels of lists and objects: `JSON.stringify` and other readers of a value run out of
 *  stack somewhere below 5,000. */
export const maxDepth = 1000;

export function nestsTooDeeply(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((container): unknown[] => Object.values(container)).filter(isContainer);
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null && !isLosslessNumber(value);
