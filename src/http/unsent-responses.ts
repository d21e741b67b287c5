/** Bounds the memory that large responses hold while their clients have not received them. A response is whole in memory until its last byte
 *  is passed to the operating system, however slowly the client reads. */
import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { EndpointResponse } from './send-response.ts';

/** Shorter responses are not counted: the operating system takes most of them at once. Bytes. */
const large = 64 * 1024;
/** For this long no other response takes the memory of one that is being received. Milliseconds. */
const grace = 5000;

interface Unsent {
  readonly reply: FastifyReply;
  readonly bytes: number;
  readonly since: number;
}

export class UnsentResponses {
  readonly #most: number;
  /** In the order in which they began. */
  readonly #open = new Set<Unsent>();
  #bytes = 0;

  /** `most`: the bytes of all of them. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a response that is about to be sent. Where there is no memory for it, connections end that have received theirs for longest; where they
   *  are all recent, a read is refused. The response of a write is sent in any case: it is done. */
  admit(reply: FastifyReply, { body }: EndpointResponse): void {
    if (body === null || body.length < large) return;
    const bytes = Buffer.byteLength(body);
    this.#makeRoomFor(bytes);
    const { method } = reply.request;
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && !this.#hasRoomFor(bytes)) throw ApiError.of('response.busy', undefined);
    const unsent = { reply, bytes, since: performance.now() };
    this.#open.add(unsent);
    this.#bytes += bytes;
    reply.raw.once('close', () => this.#forget(unsent));
  }

  /** One response is always taken, whatever its length. */
  #hasRoomFor(bytes: number): boolean {
    return this.#open.size === 0 || this.#bytes + bytes <= this.#most;
  }

  #makeRoomFor(bytes: number): void {
    const old = performance.now() - grace;
    for (const unsent of this.#open) {
      if (unsent.since > old || this.#hasRoomFor(bytes)) break;
      unsent.reply.raw.destroy();
      this.#forget(unsent);
    }
  }

  #forget(unsent: Unsent): void {
    if (this.#open.delete(unsent)) this.#bytes -= unsent.bytes;
  }
}
