/** The path and query to replay. Nothing else of a line is used, so none leads to another host. */
import { readable } from './hide-secrets.ts';

/** Begins with one slash and consists of printable ASCII characters. */
export type Target = string & { readonly [checked]: 'Target' };
declare const checked: unique symbol;

export type LeftOut = 'outside' | 'account' | 'cut';
export type TargetResult = { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly reason: LeftOut };

const maxLength = 16_384;

/** `https://example.org/api/articles?sort=title#top` → `/api/articles?sort=title`. Leaves out paths
 *  that sign in or change accounts, unless `accounts` is set. */
export function targetOf(url: string, prefix: string, accounts?: 'accounts too'): TargetResult {
  const text = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  if (text.length > maxLength) return { ok: false, reason: 'cut' };
  if (!text.startsWith('/')) return { ok: false, reason: 'outside' };
  const path = plainPath(text.replace(/\?.*$/s, ''));
  if (path === undefined) return { ok: false, reason: 'outside' };
  if (!isBelow(path, prefix) && !isBelow(path, '/uploads')) return { ok: false, reason: 'outside' };
  if (accounts === undefined && changesAccounts.some((each) => isBelow(path, prefix + each))) return { ok: false, reason: 'account' };
  if (isBelow(path, `${prefix}/_manage`)) return { ok: false, reason: 'outside' };
  return { ok: true, target: asTarget(text) };
}

/** A target of our own making. */
export const asTarget = (text: string): Target => escaped(text) as Target;

/** GET requests that change something: to confirm an e-mail address, or a provider's callback. */
const changesAccounts = ['/auth', '/connect'] as const;

/** As a router may read it, in lower case; undefined for a path that leads upwards. */
function plainPath(path: string): string | undefined {
  // Where the escapes are wrong, both servers refuse the path, and compare shows in which way.
  const plain = readable(path)
    .replaceAll('\\', '/')
    .replaceAll(/\/{2,}/g, '/')
    .toLowerCase();
  return plain.split('/').some((segment) => segment === '.' || segment === '..') ? undefined : plain;
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** Node refuses to send other characters. */
const escaped = (text: string) => text.replaceAll(/\p{Cs}/gu, '\ufffd').replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
