/** Operators on values that are known. Each returns undefined where the result is not. */
import type { Value } from './value.ts';

type Plain = string | number | boolean | null | undefined;
/** Maximum of characters of a computed text: names defined by other names could multiply it. */
export const maxTextLength = 100_000;

type Result = { readonly value: Plain } | undefined;

const numeric: Readonly<Record<string, (left: number, right: number) => Plain>> = {
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
};

export function binary(operator: unknown, left: Value, right: Value): Result {
  if (left.kind !== 'plain' || right.kind !== 'plain' || typeof operator !== 'string') return undefined;
  const [a, b] = [left.value, right.value];
  if (operator === '===') return { value: a === b };
  if (operator === '!==') return { value: a !== b };
  // Other types would be converted first.
  if (operator === '==' || operator === '!=') {
    if (typeof a !== typeof b) return undefined;
    return { value: (a === b) === (operator === '==') };
  }
  if (operator === '+') {
    if (typeof a === 'number' && typeof b === 'number') return { value: a + b };
    if (typeof a !== 'string' && typeof b !== 'string') return undefined;
    const text = `${a}${b}`;
    return text.length > maxTextLength ? undefined : { value: text };
  }
  if (typeof a !== 'number' || typeof b !== 'number' || !Object.hasOwn(numeric, operator)) return undefined;
  return { value: numeric[operator]?.(a, b) };
}

/** Whether a value counts as true; undefined where that is not known. */
export function isTruthy(value: Value): boolean | undefined {
  if (value.kind === 'plain') return Boolean(value.value);
  return value.kind === 'list' || value.kind === 'object' || value.kind === 'function' ? true : undefined;
}

/** Whether `left && right`, `left || right` or `left ?? right` is the right value, if known. */
export function takesRight(operator: unknown, left: Value): boolean | undefined {
  const truthy = isTruthy(left);
  if (truthy === undefined) return undefined;
  if (operator === '&&') return truthy;
  if (operator === '||') return !truthy;
  return operator === '??' ? left.kind === 'plain' && (left.value === null || left.value === undefined) : undefined;
}
