/** Dates and times, between the API and the browser's controls. Pure, but for the time zone. */

/** What stands for a date or time that is only half written: no value that the API takes. */
export const incomplete = '…';

const two = (number: number, length = 2): string => String(number).padStart(length, '0');

/** `2024-05-01T10:30:00.000Z` → `2024-05-01T12:30` in Berlin; seconds only where there are some.
 *  Undefined for what the control cannot show. */
export function localText(value: unknown): string | undefined {
  const date = instantOf(value);
  if (date === undefined) return undefined;
  const year = date.getFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) return undefined;
  const day = `${two(year, 4)}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  // As browsers write it: another text of the same time would be put into the control anew.
  return `${day}T${shortTime(`${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${two(date.getMilliseconds(), 3)}`).replace(/(\.\d*?[1-9])0+$/, '$1')}`;
}

function instantOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const date = new Date(/^-?\d{5,}$/.test(value) ? Number(value) : value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The text of the control as the API takes it; null for an empty one. */
export function instantText(local: string, type: 'datetime' | 'timestamp'): string | null {
  const date = new Date(local);
  if (local === '' || Number.isNaN(date.getTime())) return null;
  return type === 'datetime' ? date.toISOString() : String(date.getTime());
}

/** `12:30:00.000` → `12:30`; seconds and their parts stay where they are not zero. */
export const shortTime = (time: string): string =>
  time.replace(/^(\d\d:\d\d)(:\d\d)?(\.\d+)?$/, (_, minutes: string, seconds = '', parts = '') => {
    const fraction = Number(`0${parts || '.0'}`) === 0 ? '' : parts;
    return minutes + (fraction === '' && Number(seconds.slice(1) || '0') === 0 ? '' : (seconds || ':00') + fraction);
  });

/** `12:30` → `12:30:00.000`, as the API writes times. */
export function fullTime(time: string): string {
  const [, minutes = '', seconds = ':00', parts = ''] = /^(\d\d:\d\d)(:\d\d)?(?:\.(\d{1,3}))?$/.exec(time) ?? [];
  return minutes === '' ? time : `${minutes}${seconds}.${parts.padEnd(3, '0')}`;
}

/** The step of a control whose text this is: finer ones are kept. */
export function stepOf(text: string): number {
  if (/\.\d*[1-9]/.test(text)) return 0.001;
  return /:\d\d:\d\d/.test(text) ? 1 : 60;
}

/** `Europe/Berlin, UTC+1`: the zone of the reader, as it is at that time. */
export function zoneText(at: Date, language: string): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'shortOffset' }).formatToParts(at);
  const offset = (parts.find(({ type }) => type === 'timeZoneName')?.value ?? '').replace('GMT', 'UTC').replace('−', '-');
  return timeZone === 'UTC' ? timeZone : `${timeZone}, ${offset}`;
}
