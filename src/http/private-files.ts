/** Files of a private bucket: whoever has an address that this server has signed is sent on to the bucket. */
import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { isSigned } from '../media/signed-address.ts';
import type { Storage, StorageKey } from '../media/storage.ts';

/** Answers 302. Throws 'variant.signature' for what was not signed, is signed for another file or has expired: before anything is asked of the
 *  bucket, so that nobody learns which files are there. */
export async function sendToBucket(
  reply: FastifyReply,
  key: StorageKey,
  query: URLSearchParams,
  { temporaryAddress, secret }: { readonly temporaryAddress: NonNullable<Storage['temporaryAddress']>; readonly secret: string },
): Promise<FastifyReply> {
  const [expires = '', ...others] = query.getAll('expires');
  const [signature = '', ...further] = query.getAll('signature');
  const left = /^\d{1,12}$/.test(expires) ? Number(expires) - Date.now() / 1000 : 0;
  if (left <= 0 || others.length + further.length > 0 || !isSigned(secret, key, { expires }, signature))
    throw ApiError.of('variant.signature', undefined);
  const { url, kept } = await temporaryAddress(key, reply.request.method === 'HEAD' ? 'HEAD' : 'GET');
  // Kept by the browser that asked, as long as both addresses are good: pages show the same file more than once.
  return reply.header('cache-control', `private, max-age=${Math.floor(Math.min(kept, left))}`).redirect(url, 302);
}
