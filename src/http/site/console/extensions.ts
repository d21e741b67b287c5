/** The modules of `lectern/console/`, which browsers load into the console (docs/console.md). They
 *  are sent to every visitor, as all that a page loads: no secret belongs in them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { codeIn } from '../../../own-code/code-files.ts';
import { digestOf } from '../../../text/digest.ts';
import { matchesTag } from '../../etag.ts';

const folder = 'lectern/console';
const base = '/console/extensions';

/** `dir`: of the project. */
export function serveExtensions(app: FastifyInstance, dir: string): void {
  const files = codeIn(join(dir, folder), { recursive: true });
  // Files in folders below are helpers to import.
  const entries = files.filter((file) => !file.includes('/')).map(urlOf);
  app.get(base, async (_, reply) => reply.headers({ 'cache-control': 'no-cache' }).send({ data: entries }));
  // A route for each file: a request cannot name any other.
  for (const file of files) {
    app.get(urlOf(file), async (request, reply) => {
      const script = await scriptOf(join(dir, folder, file));
      const tag = `"${digestOf(script)}"`;
      reply.headers({ etag: tag, 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'same-origin' });
      if (matchesTag(request.headers['if-none-match'] ?? '', tag)) return reply.code(304).send();
      return reply.header('content-type', 'text/javascript; charset=utf-8').send(script);
    });
  }
}

const urlOf = (file: string): string => `${base}/${file.split('/').map(encodeURIComponent).join('/')}`;

/** Without its types. Read anew each time: browsers ask rarely, and developers change it. */
async function scriptOf(path: string): Promise<string> {
  const source = await readFile(path, 'utf8');
  if (!/\.m?ts$/.test(path)) return source;
  const { transform } = await import('sucrase');
  return transform(source, { transforms: ['typescript'], disableESTransforms: true, filePath: path }).code;
}
