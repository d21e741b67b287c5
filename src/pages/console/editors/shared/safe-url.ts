/** URLs that may be put into the page. */

/** Stands for the page's own origin: only the protocol of a relative URL is of interest. */
const base = 'https://site.invalid/';

const protocolOf = (url: string): string => (URL.canParse(url, base) ? new URL(url, base).protocol : '');

/** Of a link: also a relative one, or one to a heading. */
export const isSafeUrl = (url: unknown): url is string =>
  typeof url === 'string' && ['http:', 'https:', 'mailto:', 'tel:'].includes(protocolOf(url));

export const isPictureUrl = (url: unknown): url is string => typeof url === 'string' && ['http:', 'https:'].includes(protocolOf(url));

/** Whether a picture comes from the page's own origin, or from where the project stores its files.
 *  Others would tell a third party who reads a document. */
export function isOwnPicture(url: string, page: string, origins: readonly string[]): boolean {
  if (!isPictureUrl(url) || !URL.canParse(url, page)) return false;
  const { origin } = new URL(url, page);
  return origin === new URL(page).origin || origins.includes(origin);
}
