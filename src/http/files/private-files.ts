/** Files of a private bucket: whoever has an address that this server has signed is sent on to the bucket. */
import type { FastifyReply } from 'fastify';
import { isStorageKey, type Storage } from '../../media/storage/storage.ts';

/** `name` was signed, until `expires` (Unix seconds). */
export async function sendToBucket(
  reply: FastifyReply,
  name: string,
  expires: number,
  storage: Pick<Storage, 'temporaryUrl'>,
): Promise<unknown> {
  const method = reply.request.method === 'HEAD' ? 'HEAD' : 'GET';
  const address = isStorageKey(name) ? await storage.temporaryUrl(name, method) : undefined;
  if (address === undefined) return reply.callNotFound();
  // Kept by the browser that asked, as long as both addresses are good: pages show the same file more than once.
  const left = Math.min(address.reusableFor, expires - Math.ceil(Date.now() / 1000));
  return reply.header('cache-control', `private, max-age=${Math.max(0, left)}`).redirect(address.url, 302);
}
