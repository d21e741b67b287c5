/** The files below `uploads/` of the public folder. */
import { existsSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { isStorageKey, type Storage } from '../media/storage.ts';
import { parameter, rawQuery } from './answered.ts';
import { sendToBucket } from './private-files.ts';

/** Types that can run scripts when opened by themselves. Editors upload them; in a sandbox they are only shown. */
const scriptable = /\.(?:svgz?|x?html?|xht|xml|xslt?|mht|mhtml|shtml|hta)$/i;
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

export async function serveUploads(
  app: FastifyInstance,
  { config: { publicDir, secrets }, storage }: { readonly config: Config; readonly storage: Storage },
): Promise<void> {
  const { temporaryAddress } = storage;
  const { uploadKey: secret } = secrets;
  const root = join(publicDir, 'uploads');
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      // As recorded: callers ask again, and get a 304 by the ETag.
      reply.header('cache-control', 'max-age=0');
      if (scriptable.test(parameter(request, '*'))) reply.header('content-security-policy', sandbox);
      done();
    });
    if (storage.isPrivate && temporaryAddress !== undefined && secret !== undefined) {
      scope.addHook('onRequest', async (request, reply) => {
        const key = parameter(request, '*');
        const query = new URLSearchParams(rawQuery(request.raw.url ?? ''));
        // What lay on the disk before there was a bucket is as public as it was.
        if (isStorageKey(key) && (query.has('signature') || !existsSync(join(root, key))))
          return sendToBucket(reply, key, query, { temporaryAddress, secret });
      });
    }
    await scope.register(fastifyStatic, {
      root,
      prefix: '/uploads/',
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      decorateReply: false,
      // A link inside the folder must not lead out of it; the folder itself may be a link, to a volume for instance.
      allowedPath(path) {
        const folder = realPath(root);
        return folder !== undefined && realPath(join(root, path))?.startsWith(folder + sep) === true;
      },
    });
  });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
