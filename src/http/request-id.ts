import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sane = /^[\w.:/+=-]{1,128}$/;
const prefix = randomBytes(6).toString('base64url');
let counter = 0;

/** The caller's `x-request-id` if it is short and plain, otherwise a new id. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && sane.test(sent) ? sent : `${prefix}-${(++counter).toString(36)}`;
}
