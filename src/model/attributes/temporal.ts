/** date, time, datetime, timestamp. Dates and times are texts, others instants in milliseconds. */
import {
  type AttributeType,
  accepted,
  type BodyValue,
  invalid,
  refused,
  type StoredValue,
  type ValueOutput,
  valid,
} from './attribute-type.ts';
import { textOf } from './cast.ts';
import { maxMilliseconds, parseInstant } from './instant.ts';
import { isLosslessNumber } from './lossless.ts';

/** A mistake that Strapi finds only when it writes to the database. */
const unreadable = (message: string): BodyValue => refused({ path: [], message, unlocated: true });

const datePattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function isCalendarDate(date: string): boolean {
  const instant = new Date(`${date}T00:00:00.000Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date);
}

function parseDate(text: string) {
  // A complete datetime is accepted; its date is used.
  const date = text.slice(0, 10);
  if (!datePattern.test(date)) return invalid('Invalid format, expected yyyy-MM-dd');
  return isCalendarDate(date) ? valid(date) : invalid('Invalid date');
}

const storedDate = (stored: unknown): string => (typeof stored === 'number' ? new Date(stored).toISOString().slice(0, 10) : String(stored));

export const dateAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: parseDate,
  write: (stored, output) => output.text(storedDate(stored)),
  readBody(value) {
    const date = parseDate(typeof value === 'string' ? value : '');
    return date.ok ? accepted(date.value) : unreadable(date.expected);
  },
  fromSelected: storedDate,
};

const timePattern = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/;

function parseTime(text: string) {
  const match = timePattern.exec(text);
  if (match === null) return invalid('Invalid time format, expected HH:mm:ss.SSS');
  return valid(`${match[1]}:${match[2]}:${match[3]}.${(match[4] ?? '').padEnd(3, '0')}`);
}

export const timeAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: parseTime,
  write: (stored, output) => output.text(String(stored)),
  readBody(value) {
    if (typeof value !== 'string') return unreadable(`Expected a string, got a ${isLosslessNumber(value) ? 'number' : typeof value}`);
    const time = parseTime(value);
    return time.ok ? accepted(time.value) : unreadable(time.expected);
  },
  fromSelected: String,
};

function parseInstantFilter(text: string) {
  const instant = parseInstant(text);
  return instant === undefined ? invalid('Invalid format, expected a timestamp or an ISO date') : valid(instant);
}

/** Numbers are read as text, as Strapi does: 1675382400000 is milliseconds, and 2023 is a year. */
function readInstant(value: unknown): BodyValue {
  const instant = parseInstantFilter(textOf(value) ?? '');
  return instant.ok ? accepted(instant.value) : unreadable(instant.expected);
}

const storedInstant = (stored: unknown): number =>
  typeof stored === 'number' ? stored : typeof stored === 'bigint' ? Number(stored) : (parseInstant(String(stored)) ?? Number.NaN);

function instantFromSelected(selected: unknown): StoredValue {
  const instant = Math.trunc(storedInstant(selected));
  return Math.abs(instant) <= maxMilliseconds ? instant : null;
}

export const datetimeAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: parseInstantFilter,
  write(stored, output) {
    const instant = storedInstant(stored);
    if (Math.abs(instant) <= maxMilliseconds) writeInstant(instant, output);
    else output.json('null');
  },
  readBody: readInstant,
  fromSelected: instantFromSelected,
};

/** timestamp. In responses it is a text of milliseconds since 1970. */
export const timestampAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: parseInstantFilter,
  write(stored, output) {
    const instant = storedInstant(stored);
    output.json(Number.isNaN(instant) ? 'null' : `"${instant}"`);
  },
  readBody: readInstant,
  fromSelected: instantFromSelected,
};

const dayMilliseconds = 86_400_000;
const two = (number: number) => String(number).padStart(2, '0');
const minutes = Array.from({ length: 24 * 60 }, (_, n) => `${two(Math.floor(n / 60))}:${two(n % 60)}:`);
const seconds = Array.from({ length: 60 }, (_, n) => `${two(n)}.`);
const ends = Array.from({ length: 1000 }, (_, n) => `${String(n).padStart(3, '0')}Z"`);
/** A cache of formatted days: a response's dates are close together, and a look-up costs less. */
const days = new Map<number, string>();
const maxDays = 2000;

/** Writes the JSON text of `Date.prototype.toISOString`, several times as fast for cached days. */
function writeInstant(milliseconds: number, output: ValueOutput): void {
  const day = Math.floor(milliseconds / dayMilliseconds);
  let date = days.get(day);
  if (date === undefined) {
    date = `"${new Date(day * dayMilliseconds).toISOString().slice(0, -13)}`;
    if (days.size >= maxDays) days.clear();
    days.set(day, date);
  }
  const rest = Math.floor(milliseconds - day * dayMilliseconds);
  output.json(date);
  output.json(minutes[Math.floor(rest / 60_000)] ?? '');
  output.json(seconds[Math.floor(rest / 1000) % 60] ?? '');
  output.json(ends[rest % 1000] ?? '');
}
