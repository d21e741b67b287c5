/** Codes by which users set a password, in mails about forgotten ones and in links. Strapi's table has no column for their expiry, so it
 *  is part of the code. Nobody can change it: the table has the entire code. */
import { randomBytes } from 'node:crypto';

const randomPart = 64;
/** Milliseconds. */
const goodFor = 60 * 60 * 1000;

/** Without `expires` the code is like Strapi's, which never expire. */
export const newResetCode = (expires: boolean): string => (expires ? expiringCode(goodFor) : randomCode());

const randomCode = () => randomBytes(randomPart).toString('hex');

/** `lifetime`: milliseconds. */
export const expiringCode = (lifetime: number): string => `${randomCode()}.${(Date.now() + lifetime).toString(36)}`;

/** A code without an expiry is one of Strapi's, of any age; `everyCodeExpires` refuses it. */
export function isExpired(code: string, everyCodeExpires: boolean): boolean {
  const end = /\.([0-9a-z]{1,10})$/.exec(code)?.[1];
  return end === undefined ? everyCodeExpires : Number.parseInt(end, 36) <= Date.now();
}
