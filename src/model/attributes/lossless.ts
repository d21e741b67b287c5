/** Numbers that a JavaScript number would round. The parser of bodies hands them over as objects of the library lossless-json, which
 *  hold the digits as they were written. */

interface LosslessNumber {
  readonly isLosslessNumber: true;
  /** A number as JSON writes it: `12345678901234567890`, `-1.5e300`. */
  readonly value: string;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Never true of an object that a client wrote with these keys: that one has no class, and could smuggle in text that is written raw. */
export function isLosslessNumber(value: unknown): value is LosslessNumber {
  if (typeof value !== 'object' || value === null || !('isLosslessNumber' in value && 'value' in value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return false;
  return value.isLosslessNumber === true && typeof value.value === 'string' && jsonNumber.test(value.value);
}

/** The value with JavaScript numbers in it, at any depth: what Strapi would have read. */
export function rounded(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]));
}

/** `JSON.stringify`, with every digit of every number. Recursive: for values that `nestsTooDeeply` has let through. */
export function writeLossless(value: unknown): string {
  if (isLosslessNumber(value)) return value.value;
  if (Array.isArray(value)) return `[${value.map(writeLossless).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${writeLossless(item)}`).join(',')}}`;
}

/** Levels of lists and objects. `JSON.stringify` runs out of stack somewhere below 5,000, and so would other readers of the value. */
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
