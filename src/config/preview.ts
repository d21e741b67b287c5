/** `console.preview`: the pages of the site that show a document, by content type or one for all. */
import { isObject } from '../text/json.ts';
import type { JsonShape } from './setting.ts';

/** A URL with placeholders, or one for each uid. */
export type Preview = string | Readonly<Record<string, string>>;

const placeholder = /\{(\w+)\}/g;

/** `https://example.org/{slug}?status={status}` → `['slug', 'status']` */
export const placeholdersOf = (template: string): readonly string[] => [...template.matchAll(placeholder)].map(([, name = '']) => name);

/** What a placeholder can be besides an attribute. */
export const ownPlaceholders: ReadonlySet<string> = new Set(['documentId', 'locale', 'status']);

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The pages may be shown in a frame, whose origin the policy of the console names: a placeholder
 *  in it could be any site. */
function isTemplate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https?:\/\/[^/?#{}\\@\s]+(?:[/?#]|$)/.test(value)) return false;
  const filled = value.replaceAll(placeholder, 'x');
  if (/[{}\s]/.test(filled) || !URL.canParse(filled)) return false;
  const { protocol, hostname } = new URL(filled);
  return protocol === 'https:' || loopback.has(hostname);
}

const isByType = (value: unknown): value is Readonly<Record<string, string>> => isObject(value) && Object.values(value).every(isTemplate);

export const preview: JsonShape<Preview | undefined> = {
  shape:
    'an https URL (http only for localhost) such as "https://www.example.org/preview?slug={slug}&status={status}", with placeholders only after the host, or an object of such URLs by uid of a content type (JSON in a variable)',
  fallback: undefined,
  read: (value) => (isTemplate(value) || isByType(value) ? value : undefined),
};

const templatesOf = (value: Preview | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : Object.values(value);

export const originsOf = (value: Preview | undefined): readonly string[] => [
  ...new Set(templatesOf(value).map((template) => new URL(template.replaceAll(placeholder, 'x')).origin)),
];
