/** `locales.fallback`: the locales that stand in for another one, for reads with `fallback=true`. */
import { isObject } from '../text/json.ts';
import { isLocaleTag } from '../text/locale-tag.ts';
import { listOfTexts } from './object-rules.ts';
import type { JsonShape } from './setting.ts';

/** By locale, the locales that are tried after it, in order. */
export type LocaleChains = Readonly<Record<string, readonly string[]>>;

const chain = listOfTexts(isLocaleTag);

const isChains = (value: unknown): value is LocaleChains =>
  isObject(value) && Object.entries(value).every(([code, codes]) => isLocaleTag(code) && chain(codes) !== undefined);

export const localeChains: JsonShape<LocaleChains> = {
  shape:
    'an object (JSON in a variable) of codes of locales, each with a list of at least one code, such as {"de": ["en"], "pt-BR": ["pt", "en"]}',
  fallback: {},
  read: (value) => (isChains(value) ? value : undefined),
};
