import { setImmediate } from 'node:timers/promises';

/** Bodies that are handled one at a time. All that comes between a body and the first `await` of its write runs on the event loop that serves all
 *  callers, so large bodies that arrive together would hold up whatever arrives after them. */
export class BodyTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves in an iteration of the event loop of its own, after what has arrived meanwhile. */
  next(): Promise<unknown> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
