import type { IncomingHttpHeaders } from 'node:http';

export const isMultipart = ({ headers }: { readonly headers: IncomingHttpHeaders }): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '');

export const hasBody = ({ headers }: { readonly headers: IncomingHttpHeaders }): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const isForm = ({ headers }: { readonly headers: IncomingHttpHeaders }): boolean =>
  /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? '');

const readTypes = /^\s*application\/(?:json|vnd\.api\+json|x-www-form-urlencoded)\s*(?:;|$)/i;
/** Longer media types are cut in messages. */
const maxShown = 100;

/** Why the body of a write was not read, and what to send; undefined without a reason. */
export function unreadBody({ headers }: { readonly headers: IncomingHttpHeaders }, prefix: string): string | undefined {
  const type = headers['content-type'];
  if (!hasBody({ headers }) || (type !== undefined && readTypes.test(type))) return undefined;
  const sent = type === undefined ? 'without a media type' : `as ${(type.split(';', 1)[0] ?? '').trim().slice(0, maxShown)}`;
  const files = isMultipart({ headers }) ? `; files are sent to POST ${prefix}/upload` : '';
  return `The body was sent ${sent}: send JSON with the header Content-Type: application/json${files}`;
}
