/** `node hand-written-upload.mjs FOLDER`: a minimal upload server as a good engineer would write it by hand: Fastify, and a pipeline to the
 *  disk. No rights, no media types, no rows, no fsync. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import Fastify from 'fastify';

const [folder] = process.argv.slice(2);
const app = Fastify();
app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));

app.post('/api/upload', async (request, reply) => {
  const parser = new Busboy({ headers: request.headers });
  const stored = [];
  parser.on('file', (_field, part, name) => {
    const id = randomBytes(8).toString('hex');
    const target = createWriteStream(join(folder, id));
    stored.push(pipeline(part, target).then(() => ({ id, name, bytes: target.bytesWritten })));
  });
  await pipeline(request.raw, parser);
  return reply.code(201).send(await Promise.all(stored));
});
app.delete('/api/upload/files/:id', async (request) => {
  await rm(join(folder, request.params.id.replaceAll(/\W/g, '')));
  return {};
});

console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
