/** Times as people say them, with the exact one to point at. */
import { region, say } from '../words/say.ts';

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export function Ago({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString(region.value, { dateStyle: 'full', timeStyle: 'long' })}>
      {ago(date)}
    </time>
  );
}

function ago(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1000;
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  if (step === undefined) return say('time.now');
  const [unit, length] = step;
  return new Intl.RelativeTimeFormat(region.value, { numeric: 'auto' }).format(Math.round(seconds / length), unit);
}
