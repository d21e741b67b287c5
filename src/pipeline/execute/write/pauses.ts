/** Lets long writes yield to other requests: if the driver does not block, writes run on the event loop that serves all callers. */
const longest = 10;

export class Pauses {
  #since = performance.now();

  /** Yields to other requests if the last pause was too long ago. Called between two steps of a write. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < longest) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
