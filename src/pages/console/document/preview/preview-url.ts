import type { OpenDocument } from '../open-document.ts';

/** `https://site/preview?slug={slug}&status={status}` with the values of the document. */
export function previewUrl(
  template: string,
  { documentId, locale, isDraft, stored }: Pick<OpenDocument, 'documentId' | 'locale' | 'isDraft' | 'stored'>,
): string {
  const own: Readonly<Record<string, unknown>> = { documentId: documentId.value, locale, status: isDraft ? 'draft' : 'published' };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => part(own[name] ?? stored.value[name]));
}

/** The page for visitors. Undefined if it is not known: a draft may have other values than what is
 *  published, and so another URL. */
export function siteUrl(
  template: string,
  opened: Pick<OpenDocument, 'documentId' | 'locale' | 'stored'>,
  { isModified }: { readonly isModified: boolean },
): string | undefined {
  const isSameForBoth = !/\{(?!documentId\}|locale\}|status\})\w+\}/.test(template);
  const { documentId, locale, stored } = opened;
  return isModified && !isSameForBoth ? undefined : previewUrl(template, { documentId, locale, stored, isDraft: false });
}

/** `.` and `..` would lead to another page of the site, with whatever secret the URL has. */
function part(value: unknown): string {
  const text = String(value ?? '');
  return /^\.{1,2}$/.test(text) ? '' : encodeURIComponent(text);
}
