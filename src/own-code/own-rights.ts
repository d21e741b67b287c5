/** The rights that endpoints name. Commands need them without running the code, so they are read
 *  from the text of the files: `right: 'orders.refund'`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeFilesOf } from './code-files.ts';

const ownRight = /^[a-z][\w-]*\.[a-z][\w-]*$/i;
const written = /\bright\s*:\s*(['"`])([a-z][\w-]*\.[a-z][\w-]*)\1/gi;

/** `orders.refund` → `endpoint::orders.refund`. Other actions stay as they are. */
export const actionOfRight = (right: string): string => (ownRight.test(right) ? `endpoint::${right}` : right);

/** By owner: `endpoint::orders` → `refund`. */
export function ownActionsOf(dir: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { kind, path } of codeFilesOf(dir)) {
    if (kind !== 'endpoints') continue;
    for (const [, , right = ''] of readFileSync(join(dir, path), 'utf8').matchAll(written)) {
      const [owner = '', name = ''] = right.split('.');
      found.set(`endpoint::${owner}`, (found.get(`endpoint::${owner}`) ?? new Set()).add(name));
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([owner, names]) => [owner, [...names].sort()]));
}
