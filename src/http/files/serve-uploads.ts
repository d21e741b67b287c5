/** Serves the files below `uploads/` of the public folder, those of a bucket, and variants. */
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Images, Transformation } from '../../media/images/images.ts';
import { findLocalOriginal } from '../../media/storage/local-original.ts';
import { isStorageKey, type Storage } from '../../media/storage/storage.ts';
import { mediaTypeOfName, servedAs } from '../../media/types/served-as.ts';
import { checkAllowed, checkSignature, readFileRequest } from '../../media/variants/variant-parameters.ts';
import { createVariants, type Original } from '../../media/variants/variants.ts';
import { queryOf } from '../../text/url-parts.ts';
import { matchesTag } from '../etag.ts';
import { parameter } from '../send-response.ts';
import { cachingHeaders, typeHeaders } from './file-headers.ts';
import { type FileHeaders, sendFile } from './send-file.ts';

export interface ServeUploadsParts {
  readonly config: Config;
  readonly storage: Storage;
  readonly images: Images;
}

/** Gets the requests for files that are not here: Strapi may keep them in a folder of its own. */
export interface UpstreamOfFiles {
  forward(request: FastifyRequest, reply: FastifyReply): void;
}

export type UploadsHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function createServeUploads({ config, storage, images }: ServeUploadsParts, upstream?: UpstreamOfFiles): UploadsHandler {
  const { upload, policies, secrets } = config;
  const folder = join(config.publicDir, 'uploads');
  const findOriginal = (name: string) => findLocalOriginal(folder, name);
  const variants = createVariants(upload, images);

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const name = parameter(request, '*');
    const fileRequest = readFileRequest(queryOf(request.raw.url ?? ''));
    const { transformation } = fileRequest;
    const now = Date.now();
    const needsSignature = transformation !== undefined || storage.isPrivate;
    const isSigned = needsSignature && checkSignature(name, fileRequest, secrets.uploadKey, now);
    if (transformation !== undefined && !isSigned) checkAllowed(transformation, upload);

    // Files on the disk are older than the bucket, and still public.
    const local = await findOriginal(name);
    if (local === undefined && storage.isPrivate) {
      // Checked before the file is looked up: a caller without a signature must not learn whether
      // it exists. A URL that never expires would stay usable for ever.
      if (!isSigned || fileRequest.expires === undefined) throw ApiError.of('variant.signature');
      if (transformation === undefined) return sendToBucket(reply, name, fileRequest.expires, storage);
    }
    const original = local ?? (transformation === undefined ? undefined : await findStored(name));
    if (original === undefined) return transformation === undefined ? sendMissing(request, reply) : reply.callNotFound();
    const caching = cachingHeaders(name, policies.keepHashedFiles, isSigned ? fileRequest.expires : undefined, now);
    const sent =
      transformation === undefined
        ? original.path !== undefined && (await sendFile(reply, original.path, { content: typeHeaders(name), caching }))
        : await sendVariant(reply, original, transformation, caching);
    return sent ? reply : reply.callNotFound();
  }

  function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (upstream === undefined) reply.callNotFound();
    else upstream.forward(request, reply);
    return reply;
  }

  /** A file in a bucket. Originals are opened at the bucket's own URL. */
  async function findStored(name: string): Promise<Original | undefined> {
    if (storage.provider === 'local' || !isStorageKey(name)) return undefined;
    // By the name: downloading a film to find that it is no image would cost its whole size.
    const mediaType = mediaTypeOfName(name);
    if (!mediaType.startsWith('image/') || servedAs(mediaType) !== 'inline') throw ApiError.of('image.not-an-image');
    const stored = await storage.open(name);
    return stored === undefined ? undefined : { ...stored, name, path: undefined };
  }

  async function sendVariant(
    reply: FastifyReply,
    original: Original,
    transformation: Transformation,
    caching: FileHeaders['caching'],
  ): Promise<boolean> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const variant = await variants.get(original, transformation).catch(async (error: unknown) => {
        // The file was deleted after it was found, so the image process could not open it.
        const isGone = !(error instanceof ApiError) && original.path !== undefined && (await findOriginal(original.name)) === undefined;
        if (isGone) return undefined;
        throw error;
      });
      if (variant === undefined) return false;
      const content = { 'content-type': variant.mediaType };
      if ('data' in variant) {
        sendData(reply, variant.data, variant.tag, { content, caching });
        return true;
      }
      if (await sendFile(reply, variant.path, { content, caching })) return true;
    }
    throw ApiError.of('image.busy');
  }

  return serve;
}

/** Redirects a private file to the bucket. `expires`: of its signature, in Unix seconds. */
async function sendToBucket(reply: FastifyReply, name: string, expires: number, storage: Storage): Promise<unknown> {
  const method = reply.request.method === 'HEAD' ? 'HEAD' : 'GET';
  const redirect = isStorageKey(name) ? await storage.temporaryUrl(name, method) : undefined;
  if (redirect === undefined) return reply.callNotFound();
  // The browser may cache the redirect while both URLs are valid: pages show a file more than once.
  const left = Math.min(redirect.reusableFor, expires - Math.ceil(Date.now() / 1000));
  return reply.header('cache-control', `private, max-age=${Math.max(0, left)}`).redirect(redirect.url, 302);
}

/** A small cache may remove a variant before it is opened; more failures have another cause. */
const attempts = 3;

/** Without ranges: such a variant is made anew for each request, and few are this large. */
function sendData(reply: FastifyReply, data: Uint8Array, tag: string, { content, caching }: FileHeaders): void {
  const entityTag = `"${tag}"`;
  reply.headers(caching).header('etag', `W/${entityTag}`);
  const known = reply.request.headers['if-none-match'];
  if (known !== undefined && matchesTag(known, entityTag)) reply.code(304).send();
  else reply.headers(content).send(data);
}
