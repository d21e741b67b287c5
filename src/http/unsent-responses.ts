/** Bounds the memory that large responses take while their clients have not received them. A
 *  response is entirely in memory until its last byte is passed to the operating system,
 *  however slowly the client reads. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';
import { whenClosed } from './when-closed.ts';

/** Bytes. Smaller responses are not counted: the operating system takes most of them at once. */
const large = 64 * 1024;
/** Milliseconds. The memory of a response that is being received is not
 *  reclaimed before this time. */
const grace = 5000;

interface Unsent {
  readonly socket: Socket;
  readonly bytes: number;
  readonly since: number;
}

export class UnsentResponses {
  readonly #max: number;
  /** In the order in which they began. */
  readonly #open = new Set<Unsent>();
  #bytes = 0;

  /** `max`: the bytes of all of them. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a response that is about to be sent. When there is not enough memory, connections that
   *  have been receiving theirs for longest are closed; when all are recent, a read is refused. The
   *  response of a write is sent in any case, as the write is done. */
  admit(response: ServerResponse, body: string | Uint8Array | null): void {
    const { method, socket } = response.req;
    // A connection that is closed already would never be reported as closed.
    if (body === null || body.length < large || socket.destroyed) return;
    const bytes = Buffer.byteLength(body);
    this.#closeOldest(bytes);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && !this.#hasRoom(bytes)) throw ApiError.of('response.busy', undefined);
    const unsent = { socket, bytes, since: performance.now() };
    this.#open.add(unsent);
    this.#bytes += bytes;
    whenClosed(response, () => this.#forget(unsent));
  }

  /** A single response is always accepted, whatever its length. */
  #hasRoom(bytes: number): boolean {
    return this.#open.size === 0 || this.#bytes + bytes <= this.#max;
  }

  #closeOldest(bytes: number): void {
    const old = performance.now() - grace;
    for (const unsent of this.#open) {
      if (unsent.since > old || this.#hasRoom(bytes)) break;
      unsent.socket.destroy();
      this.#forget(unsent);
    }
  }

  #forget(unsent: Unsent): void {
    if (!this.#open.delete(unsent)) return;
    this.#bytes -= unsent.bytes;
  }
}
