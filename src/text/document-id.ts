/** Ids of documents: 24 lower-case letters and digits, a letter first, like Strapi's cuid2; 123
 *  random bits from the system's generator take a hundredth of the time of cuid2's hashes. */
import { randomFillSync } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const alphabet = `${letters}0123456789`;
const length = 24;

/** Random bytes from these values on are skipped, so that each character is equally likely. */
const fair = { letter: 256 - (256 % letters.length), any: 256 - (256 % alphabet.length) };

/** Random bytes for several ids: most of the cost is the system call, not the bytes. */
const bytes = new Uint8Array(1024);
let used = bytes.length;

function nextByte(): number {
  if (used === bytes.length) {
    randomFillSync(bytes);
    used = 0;
  }
  const byte = bytes[used] ?? 0;
  bytes[used] = 0;
  used++;
  return byte;
}

export function newDocumentId(): string {
  let id = '';
  while (id.length < length) {
    const first = id === '';
    const byte = nextByte();
    if (byte < (first ? fair.letter : fair.any))
      id += first ? letters.charAt(byte % letters.length) : alphabet.charAt(byte % alphabet.length);
  }
  return id;
}
