/** Sends local files: ranges, conditions, entity tags. */
import { once } from 'node:events';
import { ReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import fileSender from '@fastify/send';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';

export interface FileHeaders {
  /** Responses without content get only the policy. */
  readonly content: Readonly<Record<string, string>>;
  readonly caching: Readonly<Record<string, string>>;
}

/** Sends the file, and returns false when it no longer exists. A promise of a reply would resolve
 *  only when the reply has ended. Throws 'file.range' and 'file.changed'. */
export async function sendFile(reply: FastifyReply, path: string, { content, caching }: FileHeaders): Promise<boolean> {
  const found = await fileSender(reply.request.raw, `/${encodeURIComponent(basename(path))}`, {
    root: dirname(path),
    dotfiles: 'allow',
    index: false,
    cacheControl: false,
    contentType: false,
  });
  if (found.type !== 'file') {
    if (found.statusCode === 412) throw ApiError.of('file.changed');
    if (found.statusCode !== 416) return false;
    // The length of the file.
    reply.header('content-range', found.headers['Content-Range']);
    throw ApiError.of('file.range');
  }
  if (!(await isOpen(found.stream))) return false;
  const { 'content-security-policy': policy } = content;
  reply.code(found.statusCode).headers(found.headers).headers(caching);
  if (found.statusCode !== 304) reply.headers(content);
  // A browser applies the headers of a 304 to its cached file (RFC 9111, 3.2), so a 304 must not
  // have the policy of responses without a file.
  else if (policy !== undefined) reply.header('content-security-policy', policy);
  reply.send(found.stream);
  return true;
}

/** Opened before any header is sent: the file may have been removed since it was found. */
async function isOpen(stream: NodeJS.ReadableStream): Promise<boolean> {
  if (!(stream instanceof ReadStream) || !stream.pending) return true;
  try {
    await once(stream, 'open');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')) return false;
    throw error;
  }
}
