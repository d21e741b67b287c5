import { createHash, hash } from 'node:crypto';

/** The digits of a digest that are used: 132 bits. */
const digits = 22;
const pieceBytes = 1024 * 1024;

/** A digest of a response's bytes. Measured: 1 µs for 1.5 KB, the same as SHA-1; current processors
 *  have instructions for both. */
export const digestOf = (body: string | Uint8Array): string => hash('sha256', body, 'base64url').slice(0, digits);

/** The same, with a pause after each mebibyte of a long body. */
export async function digestInPieces(body: Uint8Array, pause: () => Promise<unknown>): Promise<string> {
  if (body.length <= pieceBytes) return digestOf(body);
  const sum = createHash('sha256');
  for (let from = 0; from < body.length; from += pieceBytes) {
    sum.update(body.subarray(from, from + pieceBytes));
    await pause();
  }
  return sum.digest('base64url').slice(0, digits);
}
