/** Codes in mails about forgotten passwords. Strapi's table has no column for their expiry, so it
 *  is part of the code. Nobody can change it: the table has the entire code. */
import { randomBytes } from 'node:crypto';

const randomPart = 64;
/** Milliseconds. */
const goodFor = 60 * 60 * 1000;

/** Without `expires` the code is like Strapi's, which never expire. */
export function newResetCode(expires: boolean): string {
  const code = randomBytes(randomPart).toString('hex');
  return expires ? `${code}.${(Date.now() + goodFor).toString(36)}` : code;
}

/** A code without an expiry is one of Strapi's, of any age. */
export function isExpired(code: string): boolean {
  const end = /\.([0-9a-z]{1,10})$/.exec(code)?.[1];
  return end === undefined || Number.parseInt(end, 36) <= Date.now();
}
