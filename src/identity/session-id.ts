/** Session ids that name their login, so that no chain of refreshes has to be followed. */
import { createHash, randomBytes } from 'node:crypto';

/** 32 hexadecimal digits, as in Strapi: for the login, for the refresh, and a checksum of ours. */
const loginDigits = 16;
const refreshDigits = 8;

const hex = (digits: number) => randomBytes(digits / 2).toString('hex');
const sumOf = (digits: string) => createHash('sha256').update(`session ${digits}`).digest('hex').slice(0, 8);
const withSum = (digits: string) => digits + sumOf(digits);

export const newSessionId = (): string => withSum(hex(loginDigits + refreshDigits));

/** The id after a refresh, of the same login where it is known. */
export const nextSessionId = (sessionId: string): string =>
  loginOf(sessionId) === undefined ? newSessionId() : withSum(sessionId.slice(0, loginDigits) + hex(refreshDigits));

/** The `document_id` of a login's row, which has an index; undefined for a session of Strapi's. */
export function loginOf(sessionId: string): string | undefined {
  const digits = sessionId.slice(0, loginDigits + refreshDigits);
  if (!/^[0-9a-f]{32}$/.test(sessionId) || withSum(digits) !== sessionId) return undefined;
  const digest = createHash('sha256')
    .update(`login ${sessionId.slice(0, loginDigits)}`)
    .digest('hex');
  return `s${BigInt(`0x${digest}`).toString(36).padStart(23, '0').slice(0, 23)}`;
}
