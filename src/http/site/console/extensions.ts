/** The modules of `lectern/console/`, which browsers load into the console (docs/console.md). They
 *  are sent to every visitor, as all that a page loads: no secret belongs in them. */
import { readFile, stat } from 'node:fs/promises';
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
    const current = currentScript(join(dir, folder, file));
    app.get(urlOf(file), async (request, reply) => {
      const { script, tag } = await current();
      reply.headers({ etag: tag, 'cache-control': 'no-cache', 'cross-origin-resource-policy': 'same-origin' });
      if (matchesTag(request.headers['if-none-match'] ?? '', tag)) return reply.code(304).send();
      return reply.header('content-type', 'text/javascript; charset=utf-8').send(script);
    });
  }
}

const urlOf = (file: string): string => `${base}/${file.split('/').map(encodeURIComponent).join('/')}`;

interface Script {
  readonly script: string;
  readonly tag: string;
}

/** Made anew only when the file has changed: anybody may ask, as often as they like. */
function currentScript(path: string): () => Promise<Script> {
  let last: { readonly version: string; readonly made: Promise<Script> } | undefined;
  return async () => {
    const { mtimeMs, size } = await stat(path);
    const version = `${mtimeMs} ${size}`;
    if (last?.version !== version) last = { version, made: makeScript(path) };
    const { made } = last;
    // A file that could not be read is tried again.
    return made.catch((error: unknown) => {
      if (last?.made === made) last = undefined;
      throw error;
    });
  };
}

async function makeScript(path: string): Promise<Script> {
  const script = await scriptOf(path);
  return { script, tag: `"${digestOf(script)}"` };
}

/** Without its types. */
async function scriptOf(path: string): Promise<string> {
  const source = await readFile(path, 'utf8');
  if (!/\.m?ts$/.test(path)) return source;
  const { transform } = await import('sucrase');
  return transform(source, { transforms: ['typescript'], disableESTransforms: true, filePath: path }).code;
}
