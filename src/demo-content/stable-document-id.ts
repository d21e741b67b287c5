/** Document ids that are equal in every run, so that URLs that the demo prints stay valid. */
import { createHash } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const alphabet = `${letters}0123456789`;

/** A hash of type and key like Strapi's cuid2: 24 lower-case letters and digits, a letter first. */
export function documentIdOf(type: string, key: string): string {
  const digest = createHash('sha256').update(`${type}\n${key}`).digest();
  let id = letters.charAt(digest.readUInt8(0) % letters.length);
  for (let position = 1; position < 24; position++) id += alphabet.charAt(digest.readUInt8(position) % alphabet.length);
  return id;
}
