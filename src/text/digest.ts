import { createHash, hash } from 'node:crypto';
import { nextTurn } from '../turns.ts';

/** The digits of a digest that are used: 132 bits. */
const digits = 22;
/** Bytes that are hashed in one turn. */
const piece = 1024 * 1024;

/** A digest of a response's bytes. Measured: 1 µs for 1.5 KB, the same as SHA-1; current processors
 *  have instructions for both. */
export const digestOf = (body: string | Uint8Array): string => hash('sha256', body, 'base64url').slice(0, digits);

/** The same of bytes that may be many, in turns. */
export async function digestInTurns(body: Uint8Array): Promise<string> {
  if (body.length <= piece) return digestOf(body);
  const sum = createHash('sha256');
  for (let from = 0; from < body.length; from += piece) {
    sum.update(body.subarray(from, from + piece));
    await nextTurn();
  }
  return sum.digest('base64url').slice(0, digits);
}
