import type { ApiError } from '../../../errors/api-error.ts';
import type { Locales } from '../../../locales/locales.ts';
import type { ContentType } from '../../../model/content-model.ts';

/** A time beyond this is a mistake. Milliseconds. */
const furthest = 10 * 365 * 24 * 60 * 60 * 1000;

/** `'2027-01-31T09:00:00Z'` → milliseconds. Throws what `shape` makes of a message. */
export function scheduledTime(name: string, value: unknown, shape: (message: string) => ApiError): number {
  // With its time zone: a time without one is another one on each machine.
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw shape(`${name} must be a time with its zone, such as 2027-01-31T09:00:00Z`);
  if (time <= Date.now()) throw shape(`${name} is in the past`);
  if (time > Date.now() + furthest) throw shape(`${name} is more than ten years away`);
  return time;
}

/** The locale that is scheduled: null for types without locales, otherwise the default one if none
 *  is named. */
export function scheduledLocale(
  locale: string | undefined,
  type: ContentType,
  locales: Locales,
  shape: (message: string) => ApiError,
): string | null {
  if (!type.localized) return null;
  if (locale === undefined || locale === '') return locales.byDefault;
  if (!locales.codes.includes(locale)) throw shape(`There is no locale ${JSON.stringify(locale.slice(0, 100))}`);
  return locale;
}
