import type { FastifyInstance } from 'fastify';
import type { ServeUploadsParts, UploadsHandler, UpstreamOfFiles } from './serve-uploads.ts';

export const uploadsPath = '/uploads/*';

/** The first request for a file loads the code that serves files, a tenth of the server's. */
export function serveUploads(app: FastifyInstance, parts: ServeUploadsParts, upstream: UpstreamOfFiles | undefined): void {
  const load = async () => (await import('./serve-uploads.ts')).createServeUploads(parts, upstream);
  let loaded: Promise<UploadsHandler> | undefined;
  // No caller is identified here: these files are public or have a signed URL.
  app.route({
    method: ['GET', 'HEAD'],
    url: uploadsPath,
    async handler(request, reply) {
      loaded ??= load();
      return (await loaded)(request, reply);
    },
  });
}
