import { isLosslessNumber } from './lossless.ts';

/** Longer texts are cut. Strapi prints all: a deeply nested body of 1 MB would make gigabytes. */
const maxLength = 10_000;

/** A value as yup's messages show it: text in quotes; lists and objects as indented JSON in which
 *  every scalar is text (`"a": "1"`). Source: yup 0.32, `util/printValue`. */
export function printValue(value: unknown): string {
  const scalar = printScalar(value);
  if (scalar !== undefined) return scalar.length > maxLength ? `${scalar.slice(0, maxLength)}…` : scalar;
  let text = '';
  for (const piece of pieces(value as object, '')) {
    text += piece;
    if (text.length > maxLength) return `${text.slice(0, maxLength)}…`;
  }
  return text;
}

function* pieces(value: object, indent: string): Generator<string> {
  const isList = Array.isArray(value);
  const members: readonly [string, unknown][] = Object.entries(value);
  yield isList ? '[' : '{';
  let separator = '';
  for (const [key, member] of members) {
    yield `${separator}\n${indent}  ${isList ? '' : `${JSON.stringify(key)}: `}`;
    const scalar = printScalar(member);
    if (scalar === undefined) yield* pieces(member as object, `${indent}  `);
    else yield JSON.stringify(scalar);
    separator = ',';
  }
  if (members.length > 0) yield `\n${indent}`;
  yield isList ? ']' : '}';
}

/** The text of a scalar; undefined for lists and objects. */
function printScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return `"${value}"`;
  if (isLosslessNumber(value)) return String(Number(value.value));
  if (typeof value === 'object' && value !== null) return undefined;
  return Object.is(value, -0) ? '-0' : String(value);
}
