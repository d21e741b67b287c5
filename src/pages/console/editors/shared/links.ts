/** URLs of links in blocks: those that the server takes. */

const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Whether the editor may make this link. Stored values may have other ones, which are kept. */
export function isLinkUrl(url: string): boolean {
  const absolute = url.startsWith('/') ? `https://site.invalid${url}` : url;
  return URL.canParse(absolute) && protocols.has(new URL(absolute).protocol);
}

/** What somebody typed, as a URL: `example.com` → `https://example.com`. Undefined if it can be none. */
export function typedUrl(typed: string): string | undefined {
  const url = typed.trim();
  if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(url)) return `mailto:${url}`;
  if (isLinkUrl(url)) return url;
  const withProtocol = `https://${url}`;
  return /^[^\s/:?#]+\.[^\s/:?#.]{2,}(?::\d+)?(?:[/?#]\S*)?$/.test(url) && isLinkUrl(withProtocol) ? withProtocol : undefined;
}

/** The same for Markdown, where a URL may also be relative: `../about`, `#top`. */
export const typedReference = (typed: string): string | undefined =>
  typedUrl(typed) ?? (/^(?:#|\.{0,2}\/)/.test(typed.trim()) && !/\s/.test(typed.trim()) ? typed.trim() : undefined);
