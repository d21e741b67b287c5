/** Session ids that name their login, so that no chain of refreshes has to be followed. */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** 32 hexadecimal digits, as in Strapi: for the login, for the refresh, and a checksum of ours. */
const loginDigits = 16;
const refreshDigits = 8;

const hex = (digits: number) => randomBytes(digits / 2).toString('hex');
const sumOf = (digits: string) => createHash('sha256').update(`session ${digits}`).digest('hex').slice(0, 8);
const withSum = (digits: string) => digits + sumOf(digits);

export const newSessionId = (): string => withSum(hex(loginDigits + refreshDigits));

/** The id after a refresh, of the same login where it is known. Of a login it is always the same, so
 *  that a refresh can be recognised when it is repeated; only the holder of the secret knows it. */
export function nextSessionId(sessionId: string, secret: string): string {
  if (loginOf(sessionId) === undefined) return newSessionId();
  const digits = createHmac('sha256', secret).update(`refresh ${sessionId}`).digest('hex').slice(0, refreshDigits);
  return withSum(sessionId.slice(0, loginDigits) + digits);
}

/** The `document_id` of a login's row, which has an index; undefined for a session of Strapi's. */
export function loginOf(sessionId: string): string | undefined {
  const digits = sessionId.slice(0, loginDigits + refreshDigits);
  if (!/^[0-9a-f]{32}$/.test(sessionId) || withSum(digits) !== sessionId) return undefined;
  const digest = createHash('sha256')
    .update(`login ${sessionId.slice(0, loginDigits)}`)
    .digest('hex');
  return `s${BigInt(`0x${digest}`).toString(36).padStart(23, '0').slice(0, 23)}`;
}
