/** Ids of documents: 24 lower-case letters and digits, a letter first. The form is that of the cuid2 which Strapi makes; 123 random bits, from
 *  the system's generator, take a hundredth of the time that the hashes of cuid2 take. */
import { randomFillSync } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const alphabet = `${letters}0123456789`;
const length = 24;

/** The largest multiples below 256, so that each character is equally likely. */
const fair = { letter: 256 - (256 % letters.length), any: 256 - (256 % alphabet.length) };

/** Random bytes for some ids at once: asking the system for each costs more than the bytes do. */
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
