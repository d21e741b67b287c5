/** Entity tags: `"<version>.<digest>"` of one document, `"<digest>"` of a list. The version is the state of the document's row, which `If-Match` compares. The digest makes the tag a
 *  strong tag of the response, with its fields and the other documents in it. Source: RFC 9110, sections 8.8.3 and 13. */
import { digestOf } from '../text/digest.ts';

export const entityTag = (version: string | undefined, body: string | Uint8Array, digest = digestOf(body)): string =>
  version === undefined ? `"${digest}"` : `"${version}.${digest}"`;

const tag = /(W\/)?"([^"]*)"/g;

/** Whether `If-None-Match` names the current response. Weak tags count: proxies make tags weak when they compress. */
export function matchesTag(ifNoneMatch: string, current: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  for (const [, , opaque] of ifNoneMatch.matchAll(tag)) if (`"${opaque}"` === current) return true;
  return false;
}

/** The versions in `If-Match`. Weak tags never match there (RFC 9110, section 13.1.1), so they are left out. */
export function versionsOf(ifMatch: string): '*' | string[] {
  if (ifMatch.trim() === '*') return '*';
  return [...ifMatch.matchAll(tag)].flatMap(([, weak, opaque = '']) => (weak === undefined ? [opaque.split('.', 1)[0] ?? ''] : []));
}
