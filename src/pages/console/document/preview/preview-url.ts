import type { OpenDocument } from '../open-document.ts';

/** `https://site/preview?slug={slug}&status={status}` with the values of the document. */
export function previewUrl(
  template: string,
  { documentId, locale, isDraft, stored }: Pick<OpenDocument, 'documentId' | 'locale' | 'isDraft' | 'stored'>,
): string {
  const own: Readonly<Record<string, unknown>> = { documentId: documentId.value, locale, status: isDraft ? 'draft' : 'published' };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => part(own[name] ?? stored.value[name]));
}

/** `.` and `..` would lead to another page of the site, with whatever secret the URL has. */
function part(value: unknown): string {
  const text = String(value ?? '');
  return /^\.{1,2}$/.test(text) ? '' : encodeURIComponent(text);
}
