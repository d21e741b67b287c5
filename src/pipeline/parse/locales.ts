/** `locale` and `fallback`: the locales of a read. */
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Locales } from '../../locales/locales.ts';
import type { ContentType } from '../../model/content-model.ts';
import { isLocaleTag } from '../../text/locale-tag.ts';
import type { ReadCall } from '../call.ts';
import type { ParseContext } from './context.ts';
import { isQueryObject, type QueryObject, type QueryValue, saysNothing } from './query-string.ts';
import type { LocaleChain, LocaleScope } from './types.ts';

export interface LocaleParts {
  readonly config: Config;
  readonly locales: Locales;
}

/** Strapi checks neither unless its `documents.strictParams` is true. */
export const takesAnyStatusAndLocale = ({ api, policies }: Config): boolean => policies.queriesAsStrapi && !api.strictDocumentParams;

export function parseLocale(query: QueryObject, type: ContentType, target: ReadCall['target']['kind'], parts: LocaleParts): LocaleScope {
  const { locales } = parts;
  const locale = query.locale;
  if (takesAnyStatusAndLocale(parts.config) && !saysNothing(locale)) return uncheckedLocale(locale ?? null, type, target);
  const listed = locale === undefined || locale === null || locale === '' ? [] : Array.isArray(locale) ? locale : [locale];
  const asStrapi = parts.config.policies.queriesAsStrapi;
  const codes = asStrapi ? listed.filter((code) => !saysNothing(code)) : listed;
  for (const code of codes) if (code !== '*') checkLocale(code, parts);
  if (!type.localized) return { kind: 'not localized' };
  // As recorded from Strapi, one document in every locale is not found: there would be several.
  if (asStrapi ? locale === '*' : codes.includes('*')) return target === 'list' ? { kind: 'any' } : { kind: 'codes', codes: [] };
  if (codes.length > 0) return { kind: 'codes', codes: codes.filter((code) => typeof code === 'string') };
  // A filter on the locale replaces the default locale.
  if (isQueryObject(query.filters) && Object.hasOwn(query.filters, 'locale')) return { kind: 'any' };
  return { kind: 'codes', codes: [locales.byDefault] };
}

/** Any text is compared with the locales of rows, and what is no text matches none. Operators,
 *  which Strapi applies as a filter, are refused: they would be a condition without effect. */
function uncheckedLocale(locale: QueryValue, { localized }: ContentType, target: ReadCall['target']['kind']): LocaleScope {
  if (!localized) return { kind: 'not localized' };
  if (isQueryObject(locale) && Object.keys(locale).some((key) => key.startsWith('$')))
    throw ApiError.of('locale.format', { parameter: 'locale' });
  if (locale === '*' && target === 'list') return { kind: 'any' };
  const listed = locale === '*' ? [] : Array.isArray(locale) ? locale : [locale];
  // No row has a NUL in its locale, and PostgreSQL does not accept one in a parameter.
  return { kind: 'codes', codes: listed.filter((code): code is string => typeof code === 'string' && !code.includes('\0')) };
}

/** Throws for a malformed locale code and, by policy, for a locale that does not exist. */
export function checkLocale(code: unknown, parts: LocaleParts, parameter: 'locale' | 'fallback' = 'locale'): asserts code is string {
  const { locales, config } = parts;
  if (typeof code !== 'string' || !isLocaleTag(code)) throw ApiError.of('locale.format', { parameter });
  if (config.policies.refuseUndefinedLocale && !locales.codes.includes(code)) {
    throw ApiError.of('locale.undefined', { parameter, received: code, defined: locales.codes });
  }
}

/** Returns the requested locale and those after it: `locale=de&fallback=fr,en` gives `['de', 'fr',
 *  'en']`. `fallback=true` takes the latter from the configuration, where a locale needs none. */
export function parseFallback(query: QueryObject, parts: LocaleParts, context: ParseContext): LocaleChain | undefined {
  const { fallback } = query;
  if (saysNothing(fallback) || fallback === 'false') return undefined;
  const first = oneLocale(query, parts);
  const chain = [...new Set([first, ...(fallback === 'true' ? configured(first, parts) : named(fallback, parts))])];
  // Each row is compared with each of them.
  context.spend('conditions', 'fallback', chain.length);
  return chain;
}

function oneLocale({ locale, filters }: QueryObject, parts: LocaleParts): string {
  const listed = (Array.isArray(locale) ? locale : [locale]).filter((code) => !saysNothing(code));
  const [code, ...others] = listed;
  // A filter on the locale replaces the default locale.
  const isAny = code === '*' || (code === undefined && isQueryObject(filters) && Object.hasOwn(filters, 'locale'));
  if (isAny || others.length > 0) throw ApiError.of('fallback.one');
  if (code === undefined) return parts.locales.byDefault;
  checkLocale(code, parts);
  return code;
}

function configured(code: string, { config }: LocaleParts): readonly string[] {
  const chains = config.locales.fallback;
  if (Object.keys(chains).length === 0) throw ApiError.of('fallback.unset');
  return Object.hasOwn(chains, code) ? (chains[code] ?? []) : [];
}

function named(fallback: QueryValue | undefined, parts: LocaleParts): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(fallback) ? fallback : [fallback];
  return listed
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : [text]))
    .map((code) => {
      checkLocale(code, parts, 'fallback');
      return code;
    });
}
