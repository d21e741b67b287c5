import { setImmediate } from 'node:timers/promises';

/** Lets long writes yield to other requests: if the driver does not block, writes run on the event loop that serves all callers. */
const longest = 10;

/** One write after another goes on, each in an iteration of the event loop of its own: else many long writes together would hold up all requests. */
let turns: Promise<unknown> = Promise.resolve();

export class Pauses {
  #since = performance.now();

  /** Yields to other requests if the last pause was too long ago. Called between two steps of a write. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < longest) return;
    turns = turns.then(() => setImmediate());
    await turns;
    this.#since = performance.now();
  }
}
