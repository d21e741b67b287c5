/** Converts text to milliseconds as Strapi does: by date-fns' `parseISO`; if that fails, an integer
 *  counts as milliseconds. Unlike date-fns, refuses an offset that it cannot read, and does not
 *  take it for UTC. Source: date-fns 2.30, `parseISO`. */

/** The range of a JavaScript date, about 271,821 years either way. */
export const maxMilliseconds = 8.64e15;

// A century, or a year with an optional day of the year, month (and day) or week (and day).
const date =
  /(?<century>\d{2}|[+-]\d{4})|(?<year>\d{4}|[+-]\d{6})-?(?:(?<yearDay>\d{3})|(?<month>\d{2})(?:-?(?<day>\d{2}))?|W(?<week>\d{2})(?:-?(?<weekDay>\d))?)?/;
// Each unit may have a fraction.
const unit = (name: string) => `(?<${name}>\\d{2}(?:[.,]\\d*)?)`;
const time = `${unit('hour')}(?::?${unit('minute')})?(?::?${unit('second')})?`;
const zone = '(?<zone>Z|[+-]\\d{2}(?::?\\d{2})?)';
const pattern = new RegExp(`^(?:${date.source})(?:[T ](?:${time})?${zone}?|(?<utc>Z))?$`);

/** A text's instant; undefined if it has none. Without an offset, the server's time zone counts. */
export function parseInstant(text: string): number | undefined {
  const parts = pattern.exec(text)?.groups;
  const instant = parts === undefined ? undefined : instantOf(parts);
  if (instant !== undefined) return instant;
  const milliseconds = /^-?\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(milliseconds) <= maxMilliseconds ? milliseconds : undefined;
}

type Parts = Readonly<Record<string, string | undefined>>;

const minuteMilliseconds = 60_000;
const hourMilliseconds = 3_600_000;
const dayMilliseconds = 86_400_000;

function instantOf(parts: Parts): number | undefined {
  const day = dayOf(parts);
  const sinceMidnight = millisecondsOf(parts);
  if (day === undefined || sinceMidnight === undefined) return undefined;
  const instant = Math.trunc(day + sinceMidnight);
  if (parts.utc !== undefined) return instant;
  if (parts.zone === undefined) return inServerZone(new Date(instant));
  const offset = offsetOf(parts.zone);
  return offset === undefined ? undefined : instant - offset;
}

/** The first millisecond of the day, in UTC. */
function dayOf({ century, year, yearDay, month, day, week, weekDay }: Parts): number | undefined {
  const number = century === undefined ? Number(year) : Number(century) * 100;
  if (week !== undefined) return dayOfWeek(number, Number(week), Number(weekDay ?? 1));
  if (yearDay !== undefined) {
    const daysOfYear = (utcDay(number + 1, 0, 1) - utcDay(number, 0, 1)) / dayMilliseconds;
    return Number(yearDay) >= 1 && Number(yearDay) <= daysOfYear ? utcDay(number, 0, Number(yearDay)) : undefined;
  }
  const monthIndex = Number(month ?? 1) - 1;
  const result = new Date(utcDay(number, monthIndex, Number(day ?? 1)));
  // A day that the month does not have would have become a day of the next month.
  return result.getUTCMonth() === monthIndex && Number(day ?? 1) >= 1 ? result.getTime() : undefined;
}

/** `Date.UTC` cannot be used: it takes the years 0 to 99 for years of the twentieth century. */
const utcDay = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day);

/** Week 1 is the week of 4 January. Weeks begin on Monday. */
function dayOfWeek(year: number, week: number, weekDay: number): number | undefined {
  if (week < 1 || week > 53 || weekDay < 1 || weekDay > 7) return undefined;
  const fourth = new Date(utcDay(year, 0, 4)).getUTCDay() || 7;
  return utcDay(year, 0, 4 + (week - 1) * 7 + weekDay - fourth);
}

function millisecondsOf({ hour, minute, second }: Parts): number | undefined {
  const [hours, minutes, seconds] = [hour, minute, second].map((part) => Number((part ?? '0').replace(',', '.'))) as [
    number,
    number,
    number,
  ];
  const isMidnight = hours === 24 && minutes === 0 && seconds === 0;
  if (!isMidnight && (hours === 24 || hours >= 25 || minutes >= 60 || seconds >= 60)) return undefined;
  return hours * hourMilliseconds + minutes * minuteMilliseconds + seconds * 1000;
}

function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  const offset = hours * hourMilliseconds + minutes * minuteMilliseconds;
  return minutes > 59 ? undefined : zone.startsWith('-') ? -offset : offset;
}

/** The instant at which local clocks show the time that UTC clocks show at `utc`. */
function inServerZone(utc: Date): number {
  const result = new Date(0);
  result.setFullYear(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate());
  return result.setHours(utc.getUTCHours(), utc.getUTCMinutes(), utc.getUTCSeconds(), utc.getUTCMilliseconds());
}
