import { me } from '../server/me.ts';
import type { Values } from './values.ts';

/** The document in the first of its other locales; undefined if it is in none. `read`: in a locale. */
export async function inAnotherLocale(
  locale: string | undefined,
  read: (locale: string) => Promise<Values | undefined>,
): Promise<Values | undefined> {
  const others = (me.value?.locales ?? []).filter(({ code }) => code !== locale);
  const found = await Promise.all(others.map(({ code }) => read(code)));
  return found.find((each) => each !== undefined);
}
