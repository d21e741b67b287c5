/** Converts values between types without loss, from `Dialect.select` to `Dialect.bind`. */
import { type ColumnType, type StoredType, storedTypeOf } from '../../dialects/column-type.ts';
import type { SqlValue } from '../../dialects/dialect.ts';

/** The converted value; undefined if it cannot be converted without loss. */
export function convertValue(value: unknown, from: ColumnType, to: ColumnType): SqlValue | undefined {
  const text = plainText(value, storedTypeOf(from));
  if (text === undefined) return undefined;
  if (to === 'json' && isWrittenAsJson[storedTypeOf(from)]) return text;
  return to === 'blocks' ? blocks(text) : readers[storedTypeOf(to)](text);
}

/** A number stays a number as JSON, while the text "5" becomes the string "5". */
const isWrittenAsJson: Partial<Record<StoredType, true>> = {
  integer: true,
  biginteger: true,
  float: true,
  decimal: true,
  boolean: true,
};

/** Every type has one text form, which the readers parse. */
function plainText(value: unknown, from: StoredType): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (from) {
    case 'boolean':
      return value === true || value === 1 ? 'true' : value === false || value === 0 ? 'false' : undefined;
    case 'datetime': {
      const time = new Date(Number(value));
      return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
    }
    case 'decimal':
      // PostgreSQL pads decimals with zeros: 12.50.
      return String(value)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');
    case 'json':
      return unquoted(String(value));
    default:
      return String(value);
  }
}

/** Engines that store JSON as text return a JSON string with its quotes, others without. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

type Reader = (text: string) => SqlValue | undefined;

const shortTextLength = 255;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const integerText = /^-?(?:0|[1-9]\d*)$/;
const int32 = 2 ** 31;
/** Digits that a double always holds. */
const exactDigits = 15;

const anyText: Reader = (text) => text;
// PostgreSQL counts characters, not UTF-16 units.
const shortText: Reader = (text) => ([...text].length <= shortTextLength ? text : undefined);

// A leading zero is part of a postcode and not of a number, so "007" stays text.
const integer: Reader = (text) => {
  const value = Number(text);
  return integerText.test(text) && text !== '-0' && value >= -int32 && value < int32 ? value : undefined;
};

const bigInteger: Reader = (text) => {
  if (!integerText.test(text) || text === '-0' || text.length > 20) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
};

const float: Reader = (text) => {
  const value = Number(text);
  if (!number.test(text) || !Number.isFinite(value)) return undefined;
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= exactDigits || String(value) === text ? value : undefined;
};

/** Two decimal places and ten digits, like the column; a double holds these exactly. */
const decimal: Reader = (text) => (/^-?(?:0|[1-9]\d{0,7})(?:\.\d{1,2}0*)?$/.test(text) ? Number(text) : undefined);

const boolean: Reader = (text) => (text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined);

const day = '\\d{4}-\\d{2}-\\d{2}';
const clock = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?';
const isDay = (text: string) => new RegExp(`^${day}$`).test(text) && datePart(Date.parse(text)) === text;
const datePart = (time: number) => (Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10));

const date: Reader = (text) => {
  const only = text.replace(/T00:00:00(\.0+)?Z$/, '');
  return isDay(only) ? only : undefined;
};

const time: Reader = (text) => {
  if (!new RegExp(`^${clock}$`).test(text)) return undefined;
  const [minutes = '', seconds = '00'] = [text.slice(0, 5), text.slice(6, 8) || undefined];
  return `${minutes}:${seconds}.${(text.split('.')[1] ?? '').padEnd(3, '0')}`;
};

/** A date becomes midnight UTC. A time without a zone is ambiguous and is not converted. */
const dateTime: Reader = (text) => {
  const isDateTime = new RegExp(`^${day}T${clock}(Z|[+-]\\d{2}:\\d{2})$`).test(text) && isDay(text.slice(0, 10));
  return isDateTime || isDay(text) ? Date.parse(text) : undefined;
};

/** JSON text of an object or a list becomes that value; any other text becomes a JSON string. */
const json: Reader = (text) => (isJson(text, (value) => typeof value === 'object' && value !== null) ? text : JSON.stringify(text));
const blocks: Reader = (text) => (isJson(text, Array.isArray) ? text : undefined);

function isJson(text: string, is: (value: unknown) => boolean): boolean {
  try {
    return is(JSON.parse(text));
  } catch {
    return false;
  }
}

const readers: Record<StoredType, Reader> = {
  id: bigInteger,
  reference: bigInteger,
  order: float,
  string: shortText,
  text: anyText,
  json,
  integer,
  biginteger: bigInteger,
  float,
  decimal,
  boolean,
  date,
  time,
  datetime: dateTime,
};
