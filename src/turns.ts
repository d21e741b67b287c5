/** Long work on the event loop that serves all callers takes turns: parsing a large body, a write
 *  of many steps, rendering a long response. */
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work between two turns. */
const maxSlice = 10;

let last: Promise<unknown> = Promise.resolve();

/** Resolves in an iteration of the event loop of its own, after what has arrived meanwhile. */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}

/** The turns of one work. */
export class Turns {
  #since = performance.now();

  /** Whether the work has to let others go on. */
  isOver(): boolean {
    return performance.now() - this.#since > maxSlice;
  }

  /** Called between two steps: waits for the next turn if this one is over. */
  async next(): Promise<void> {
    if (!this.isOver()) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
