/** Files from this machine's disk: ranges, conditions, entity tags. */
import { once } from 'node:events';
import { ReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import fileSender from '@fastify/send';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';

export interface FileHeaders {
  /** Of an answer without content, only the policy is told. */
  readonly content: Readonly<Record<string, string>>;
  readonly caching: Readonly<Record<string, string>>;
}

/** Answers, or tells that the file is not there any more. Says so by a boolean: a promise of a reply waits until the reply is over. Throws
 *  'file.range' and 'file.changed'. */
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
    // How long the file is.
    reply.header('content-range', found.headers['Content-Range']);
    throw ApiError.of('file.range');
  }
  if (!(await isOpen(found.stream))) return false;
  const { 'content-security-policy': policy } = content;
  reply.code(found.statusCode).headers(found.headers).headers(caching);
  if (found.statusCode !== 304) reply.headers(content);
  // Browsers take over what a 304 says of what they keep (RFC 9111, section 3.2): not the policy of answers without a file.
  else if (policy !== undefined) reply.header('content-security-policy', policy);
  reply.send(found.stream);
  return true;
}

/** Before anything is said about a file: it may have been removed since it was looked at. */
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
