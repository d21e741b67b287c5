import type { IncomingHttpHeaders } from 'node:http';

export const isMultipart = ({ headers }: { readonly headers: IncomingHttpHeaders }): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '');
