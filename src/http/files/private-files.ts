/** Redirects signed URLs of private files to the bucket. */
import type { FastifyReply } from 'fastify';
import { isStorageKey, type Storage } from '../../media/storage/storage.ts';

/** `name` was signed until `expires` (Unix seconds). */
export async function sendToBucket(
  reply: FastifyReply,
  name: string,
  expires: number,
  storage: Pick<Storage, 'temporaryUrl'>,
): Promise<unknown> {
  const method = reply.request.method === 'HEAD' ? 'HEAD' : 'GET';
  const redirect = isStorageKey(name) ? await storage.temporaryUrl(name, method) : undefined;
  if (redirect === undefined) return reply.callNotFound();
  // The browser may cache the redirect while both URLs are valid: pages show the same file more than once.
  const left = Math.min(redirect.reusableFor, expires - Math.ceil(Date.now() / 1000));
  return reply.header('cache-control', `private, max-age=${Math.max(0, left)}`).redirect(redirect.url, 302);
}
