/** Document ids that are the same in every run, so that the URLs that the demo prints stay valid. */
import { createHash } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const alphabet = `${letters}0123456789`;

/** 24 lower-case letters and digits, a letter first: the form of the cuid2 that Strapi makes, from a hash of type and key. */
export function documentIdOf(type: string, key: string): string {
  const digest = createHash('sha256').update(`${type}\n${key}`).digest();
  let id = letters.charAt(digest.readUInt8(0) % letters.length);
  for (let position = 1; position < 24; position++) id += alphabet.charAt(digest.readUInt8(position) % alphabet.length);
  return id;
}
