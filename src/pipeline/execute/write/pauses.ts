/** Long work yields to other requests at intervals: where the driver does not block, writes run on the event loop that serves all callers. */
const longest = 10;

export class Pauses {
  #since = performance.now();

  /** Between two steps of a write. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < longest) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
