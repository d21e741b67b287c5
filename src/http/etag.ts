/** Entity tags: `"<version>.<digest>"` of one document, `"<digest>"` of a list. `If-Match` compares
 *  the version, the state of the row (RFC 9110, sections 8.8.3 and 13). */
import { digestOf } from '../text/digest.ts';

export const entityTag = (version: string | undefined, body: string | Uint8Array, digest = digestOf(body)): string =>
  version === undefined ? `"${digest}"` : `"${version}.${digest}"`;

const tag = /(W\/)?"([^"]*)"/g;

/** Whether `If-None-Match` names the response. Weak tags count: compressing proxies make them. */
export function matchesTag(ifNoneMatch: string, current: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  for (const [, , opaque] of ifNoneMatch.matchAll(tag)) if (`"${opaque}"` === current) return true;
  return false;
}

/** The versions in `If-Match`. Weak tags never match there (RFC 9110, section 13.1.1). */
export function versionsOf(ifMatch: string): '*' | string[] {
  if (ifMatch.trim() === '*') return '*';
  return [...ifMatch.matchAll(tag)].flatMap(([, weak, opaque = '']) => (weak === undefined ? [opaque.split('.', 1)[0] ?? ''] : []));
}
