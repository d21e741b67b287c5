/** Numbers as people write them. Pure. */

export type NumberType = 'integer' | 'biginteger' | 'float' | 'decimal';

/** `problem`: the word that says what is wrong. */
export type ReadNumber =
  | { readonly ok: true; readonly value: number | string | null }
  | {
      readonly ok: false;
      readonly problem: 'fields.notNumber' | 'fields.notInteger' | 'fields.tooLarge' | 'fields.tooPrecise' | 'fields.grouped';
    };

const minimum = -(2n ** 63n);
const maximum = 2n ** 63n - 1n;

/** `separator`: of decimals, in the language of the reader. A point is always one, unless it could
 *  stand between thousands: `1.000` in German. */
export function readNumber(written: string, type: NumberType, separator: string): ReadNumber {
  const text = written.trim().replace(/^[−–]/, '-');
  if (text === '') return { ok: true, value: null };
  if (type === 'integer' || type === 'biginteger') return readInteger(text, type);
  if (isGrouped(text, separator)) return { ok: false, problem: 'fields.grouped' };
  const plain = separator === '.' ? text : text.replace(separator, '.');
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(plain)) return { ok: false, problem: 'fields.notNumber' };
  const value = Number(plain);
  if (!Number.isFinite(value)) return { ok: false, problem: 'fields.tooLarge' };
  return digitsOf(plain) === digitsOf(String(value)) ? { ok: true, value } : { ok: false, problem: 'fields.tooPrecise' };
}

function readInteger(text: string, type: NumberType): ReadNumber {
  if (!/^[+-]?\d+$/.test(text)) return { ok: false, problem: /\d[.,' ]\d/.test(text) ? 'fields.grouped' : 'fields.notInteger' };
  const digits = text.replace(/^([+-]?)0+(?=\d)/, '$1').replace('+', '');
  if (type === 'integer') {
    const value = Number(digits);
    return Number.isSafeInteger(value) ? { ok: true, value } : { ok: false, problem: 'fields.tooLarge' };
  }
  // Longer ones need not be converted to be known as too large.
  const integer = digits.length > 20 ? undefined : BigInt(digits);
  const fits = integer !== undefined && integer >= minimum && integer <= maximum;
  return fits ? { ok: true, value: String(integer) } : { ok: false, problem: 'fields.tooLarge' };
}

function isGrouped(text: string, separator: string): boolean {
  if (/\d[' \u00a0\u202f’]\d/.test(text)) return true;
  if (separator === ',') return /^[+-]?\d{1,3}(?:\.\d{3})+$/.test(text) || (text.includes('.') && text.includes(','));
  return text.includes(',');
}

/** The digits that count and where the point is: equal for texts of the same number. */
function digitsOf(text: string): string {
  const match = /^[+-]?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  const [, integer = '', fraction = '', exponent = '0'] = match ?? [];
  const leading = (integer + fraction).replace(/^0+/, '');
  const digits = leading.replace(/0+$/, '');
  const point = digits === '' ? 0 : leading.length - fraction.length + Number(exponent);
  return `${digits}e${point}`;
}

/** The value as its reader writes numbers, with all of its digits. What is no number stays. */
export function numberText(value: unknown, separator: string): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'number' && separator !== '.' ? String(value).replace('.', separator) : String(value);
}

/** `,` in German. */
export const separatorOf = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
