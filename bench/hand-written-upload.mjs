/** `node hand-written-upload.mjs FOLDER`: what a good engineer would write by hand to take a file: Fastify, and a pipeline to the disk. No rights, no
 *  types, no rows, no waiting for the disk. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';

const [folder] = process.argv.slice(2);
const app = Fastify({ bodyLimit: Number.MAX_SAFE_INTEGER });
await app.register(multipart, { limits: { fileSize: Number.MAX_SAFE_INTEGER } });

app.post('/api/upload', async (request, reply) => {
  const files = [];
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue;
    const id = randomBytes(8).toString('hex');
    const stream = createWriteStream(join(folder, id));
    await pipeline(part.file, stream);
    files.push({ id, name: part.filename, bytes: stream.bytesWritten });
  }
  return reply.code(201).send(files);
});
app.delete('/api/upload/files/:id', async (request) => {
  await rm(join(folder, request.params.id.replaceAll(/\W/g, '')));
  return {};
});

console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
