/** The files below `uploads/` of the public folder. */
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { parameter } from './answered.ts';

/** Types that can run scripts when opened by themselves. Editors upload them; in a sandbox they are only shown. */
const scriptable = /\.(?:svgz?|x?html?|xht|xml|xslt?|mht|mhtml|shtml|hta)$/i;
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

export async function serveUploads(app: FastifyInstance, publicDir: string): Promise<void> {
  const root = join(publicDir, 'uploads');
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      // As recorded: callers ask again, and get a 304 by the ETag.
      reply.header('cache-control', 'max-age=0');
      if (scriptable.test(parameter(request, '*'))) reply.header('content-security-policy', sandbox);
      done();
    });
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
