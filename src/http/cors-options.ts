/** What pages of other origins may send and read (CORS). */
import type { Config } from '../config/config.ts';
import { positionHeader } from './write-position.ts';

const corsHeaders = [
  'Content-Type',
  'Authorization',
  'Origin',
  'Accept',
  'Strapi-Response-Format',
  'Strapi-Encode-Source-Maps',
  'X-Strapi-Refresh-Cookie',
  'X-Lectern-Keep-Session',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'X-Request-Id',
];
const exposedHeaders = [
  'ETag',
  'Idempotent-Replayed',
  'X-Error-Code',
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** `hasPositions`: whether responses to writes carry the position of the write. */
export function corsOptions({ cors: { origins, credentials, headers, exposeHeaders } }: Pick<Config, 'cors'>, hasPositions: boolean) {
  const position = hasPositions ? [positionHeader] : [];
  const anyOrigin = origins.length === 0 || origins.includes('*');
  return {
    origin: anyOrigin ? '*' : [...origins],
    // Never both: with credentials, every site could read what its visitors may read.
    credentials: credentials && !anyOrigin,
    methods: 'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS',
    // Without a list, what the browser asks for is allowed.
    ...(headers.includes('*') ? {} : { allowedHeaders: [...corsHeaders, ...position, ...headers].join(',') }),
    exposedHeaders: [...exposedHeaders, ...position, ...exposeHeaders].join(','),
    maxAge: 31_536_000,
    strictPreflight: false,
  };
}
