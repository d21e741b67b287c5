import type { OpenDocument } from './open-document.ts';

/** `https://site/preview?slug={slug}&status={status}` with the values of the document. */
export function previewUrl(
  template: string,
  { documentId, locale, isDraft, stored }: Pick<OpenDocument, 'documentId' | 'locale' | 'isDraft' | 'stored'>,
): string {
  const own: Readonly<Record<string, unknown>> = { documentId: documentId.value, locale, status: isDraft ? 'draft' : 'published' };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(own[name] ?? stored.value[name] ?? '')));
}
