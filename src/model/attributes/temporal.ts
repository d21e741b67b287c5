/** date, time, datetime and timestamp. Dates and times are stored as text, the others as instants in milliseconds. */
import { type AttributeType, accepted, type BodyValue, invalid, refused, type StoredValue, valid } from './attribute-type.ts';
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

const storedDate = (stored: unknown): string => (typeof stored === 'number' ? isoInstant(stored).slice(0, 10) : String(stored));

export const dateAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: parseDate,
  writeJson: (stored) => JSON.stringify(storedDate(stored)),
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
  writeJson: (stored) => JSON.stringify(String(stored)),
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
  writeJson(stored) {
    const instant = storedInstant(stored);
    return Math.abs(instant) <= maxMilliseconds ? `"${isoInstant(instant)}"` : 'null';
  },
  readBody: readInstant,
  fromSelected: instantFromSelected,
};

/** timestamp. In responses it is a text of milliseconds since 1970. */
export const timestampAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: parseInstantFilter,
  writeJson(stored) {
    const instant = storedInstant(stored);
    return Number.isNaN(instant) ? 'null' : `"${instant}"`;
  },
  readBody: readInstant,
  fromSelected: instantFromSelected,
};

const dayMilliseconds = 86_400_000;
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
/** A cache of formatted days: the dates in one response are close together, and looking one up is cheaper than formatting it. */
const days = new Map<number, string>();
const mostDays = 2000;

/** `Date.prototype.toISOString`, several times as fast for days in the cache. */
function isoInstant(milliseconds: number): string {
  const day = Math.floor(milliseconds / dayMilliseconds);
  let date = days.get(day);
  if (date === undefined) {
    date = new Date(day * dayMilliseconds).toISOString().slice(0, -13);
    if (days.size >= mostDays) days.clear();
    days.set(day, date);
  }
  const rest = Math.floor(milliseconds - day * dayMilliseconds);
  const ms = rest % 1000;
  const seconds = (rest - ms) / 1000;
  return `${date}${two[Math.floor(seconds / 3600)]}:${two[Math.floor(seconds / 60) % 60]}:${two[seconds % 60]}.${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}
