/** Codes of mails about forgotten passwords. Strapi's table has no column for their end, so the code itself says it; nobody can put it off, as only
 *  the whole code is what the table holds. */
import { randomBytes } from 'node:crypto';

const randomPart = 64;
/** Milliseconds. */
const goodFor = 60 * 60 * 1000;

/** `expires`: otherwise the code is one of Strapi's, which has no end. */
export function newResetCode(expires: boolean): string {
  const code = randomBytes(randomPart).toString('hex');
  return expires ? `${code}.${(Date.now() + goodFor).toString(36)}` : code;
}

/** A code that says no end is one of Strapi's, of whatever age. */
export function isExpired(code: string): boolean {
  const end = /\.([0-9a-z]{1,10})$/.exec(code)?.[1];
  return end === undefined || Number.parseInt(end, 36) <= Date.now();
}
