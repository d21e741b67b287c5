import { type AttributeType, accepted, invalid, refused, valid } from './attribute-type.ts';
import { problem } from './cast.ts';
import { isLosslessNumber } from './lossless.ts';

const minimum = -(2n ** 63n);
const maximum = 2n ** 63n - 1n;

export const bigintegerAttribute: AttributeType = {
  search: 'number',
  textual: false,
  parseFilter: (text) =>
    /^[+-]?\d{1,1000}$/.test(text) ? valid(BigInt(text.replace('+', ''))) : invalid('Invalid format, expected an integer'),
  write(stored, output) {
    const text = String(stored);
    // A value written as a JavaScript number is stored as a real number: `9.22337203685478e+18`.
    output.text(/^-?\d+$/.test(text) || !Number.isFinite(Number(text)) ? text : String(BigInt(Math.round(Number(text)))));
  },
  /** Strapi checks neither min nor max here. */
  readBody(value) {
    const digits = digitsOf(value);
    if (digits === undefined) return refused(problem('{path} must be a valid integer', value));
    // A number of more than 20 digits never fits into 64 bits, so it is not converted.
    const integer = digits.length > 20 ? undefined : BigInt(digits);
    if (integer !== undefined && integer >= minimum && integer <= maximum) return accepted(integer);
    return refused(problem(`{path} must be between ${minimum} and ${maximum}`, digits));
  },
  fromSelected(selected) {
    const text = String(selected).trim();
    if (/^-?\d+$/.test(text)) return BigInt(text);
    const real = text === '' ? Number.NaN : Number(text);
    return Number.isFinite(real) ? BigInt(Math.round(real)) : null;
  },
};

/** An integer's digits without a plus or leading zeros: `-42`. Undefined for other values. */
function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(BigInt(value)) : undefined;
  if (typeof value === 'string') return integerDigits(value.trim());
  return isLosslessNumber(value) ? scaledDigits(value.value) : undefined;
}

function integerDigits(text: string): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const digits = text.replace(/^[+-]?0*/, '') || '0';
  return text.startsWith('-') && digits !== '0' ? `-${digits}` : digits;
}

/** The exact digits of a JSON number, perhaps with a fraction or an exponent (`1.50e1`). */
function scaledDigits(text: string): string | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = match;
  const digits = integer + fraction;
  const shift = Number(exponent) - fraction.length;
  if (shift >= 0) return integerDigits(`${sign}${digits}${'0'.repeat(Math.min(shift, 20))}`);
  const point = Math.max(0, digits.length + shift);
  return /[1-9]/.test(digits.slice(point)) ? undefined : integerDigits(`${sign}${digits.slice(0, point) || '0'}`);
}
