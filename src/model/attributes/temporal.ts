/** date, time, datetime and timestamp. Dates and times are text in the database, the others instants in milliseconds. */
import { type AttributeType, invalid, valid } from './attribute-type.ts';

const datePattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function isCalendarDate(date: string): boolean {
  const instant = new Date(`${date}T00:00:00.000Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date);
}

export const dateAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter(text) {
    // A whole datetime is accepted for its date.
    const date = text.slice(0, 10);
    if (!datePattern.test(date)) return invalid('Invalid format, expected yyyy-MM-dd');
    return isCalendarDate(date) ? valid(date) : invalid('Invalid date');
  },
  writeJson: (stored) => JSON.stringify(typeof stored === 'number' ? isoInstant(stored).slice(0, 10) : String(stored)),
};

const timePattern = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/;

export const timeAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter(text) {
    const match = timePattern.exec(text);
    if (match === null) return invalid('Invalid time format, expected HH:mm:ss.SSS');
    return valid(`${match[1]}:${match[2]}:${match[3]}.${(match[4] ?? '').padEnd(3, '0')}`);
  },
  writeJson: (stored) => JSON.stringify(String(stored)),
};

// Calendar date, then optionally a time after `T` or a space, then optionally a zone; the basic and the extended form.
const instantPattern =
  /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;
/** The range of a JavaScript date, about 271,821 years either way. */
const maxMilliseconds = 8.64e15;

function parseInstant(text: string): number | undefined {
  const match = instantPattern.exec(text);
  if (match === null) {
    if (!/^-?\d{1,17}$/.test(text)) return undefined;
    const milliseconds = Number(text);
    return Math.abs(milliseconds) <= maxMilliseconds ? milliseconds : undefined;
  }
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = '0', zone] = match;
  const date = `${year}-${month}-${day}`;
  if (!datePattern.test(date) || !isCalendarDate(date)) return undefined;
  const digits = fraction.padEnd(3, '0').slice(0, 3);
  const offset =
    zone === undefined || zone === 'Z'
      ? (zone ?? '')
      : /^[+-]\d{2}$/.test(zone)
        ? `${zone}:00`
        : zone.replace(/^(.\d{2})(\d{2})$/, '$1:$2');
  const instant = new Date(`${date}T${hour}:${minute}:${second}.${digits}${offset}`).getTime();
  return Number.isNaN(instant) ? undefined : instant;
}

function parseInstantFilter(text: string) {
  const instant = parseInstant(text);
  return instant === undefined ? invalid('Invalid format, expected a timestamp or an ISO date') : valid(instant);
}

const storedInstant = (stored: unknown): number =>
  typeof stored === 'number' ? stored : typeof stored === 'bigint' ? Number(stored) : (parseInstant(String(stored)) ?? Number.NaN);

export const datetimeAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: parseInstantFilter,
  writeJson(stored) {
    const instant = storedInstant(stored);
    return Math.abs(instant) <= maxMilliseconds ? `"${isoInstant(instant)}"` : 'null';
  },
};

/** Answered as text of epoch milliseconds. */
export const timestampAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: parseInstantFilter,
  writeJson(stored) {
    const instant = storedInstant(stored);
    return Number.isNaN(instant) ? 'null' : `"${instant}"`;
  },
};

const dayMilliseconds = 86_400_000;
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
/** The last days written: the rows of an answer lie close together, and a date costs more to format than to look up. */
const days = new Map<number, string>();
const keptDays = 2000;

/** `Date.prototype.toISOString`, several times as fast for instants of days seen before. */
function isoInstant(milliseconds: number): string {
  const day = Math.floor(milliseconds / dayMilliseconds);
  let date = days.get(day);
  if (date === undefined) {
    date = new Date(day * dayMilliseconds).toISOString().slice(0, -13);
    if (days.size >= keptDays) days.clear();
    days.set(day, date);
  }
  const rest = Math.floor(milliseconds - day * dayMilliseconds);
  const ms = rest % 1000;
  const seconds = (rest - ms) / 1000;
  return `${date}${two[Math.floor(seconds / 3600)]}:${two[Math.floor(seconds / 60) % 60]}:${two[seconds % 60]}.${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}
