/** Stand-in until the receiving part arrives. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { IncomingFile } from '../media/incoming-file.ts';

export interface ReceivedUpload {
  readonly files: readonly IncomingFile[];
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

export async function readMultipart(app: FastifyInstance): Promise<void> {
  await app.register(multipart);
}

export async function receiveUpload(
  request: FastifyRequest,
  config: Pick<Config, 'upload' | 'limits'>,
  folder: string,
): Promise<ReceivedUpload> {
  const files: IncomingFile[] = [];
  const fields = new Map<string, string[]>();
  for await (const part of request.parts({ preservePath: true, limits: { fileSize: config.upload.requestLimit } } as never)) {
    if (part.type === 'field') fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), String(part.value)]);
    else if (part.fieldname !== 'files') part.file.resume();
    else {
      const path = join(folder, `file-${files.length}`);
      const to = createWriteStream(path);
      await pipeline(part.file, to);
      files.push({ path, name: part.filename, declaredType: part.mimetype, size: to.bytesWritten });
    }
  }
  return { files, fields };
}
