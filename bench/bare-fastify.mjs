/** `node bare-fastify.mjs FOLDER PATHS`: the least that a Fastify server does for a response. At `/INDEX` and a path of PATHS (JSON) it sends the file
 *  INDEX of FOLDER from memory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';

const [folder, paths] = process.argv.slice(2);
const app = Fastify({ logger: false });
for (const [index, path] of JSON.parse(paths).entries()) {
  const bytes = readFileSync(join(folder, String(index)));
  app.get(`/${index}${path}`, (_request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
  });
}
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`http://127.0.0.1:${app.server.address().port}\n`);
process.on('SIGTERM', () => process.exit(0));
