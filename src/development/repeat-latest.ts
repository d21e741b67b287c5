/** Runs one piece of work at a time. A request during a run aborts it, and starts another one. */
export class RepeatLatest {
  readonly #work: (cancelled: AbortSignal) => Promise<void>;
  #running: Promise<void> | undefined;
  #abort = new AbortController();
  #isRequested = false;

  /** `work` must not reject. */
  constructor(work: (cancelled: AbortSignal) => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when no run is left. */
  request(): Promise<void> {
    this.#isRequested = true;
    if (this.#running === undefined) this.#running = this.#run();
    else this.#abort.abort();
    return this.#running;
  }

  /** Cancels the present run and starts no other. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isRequested = false;
    this.#abort.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false;
      this.#abort = new AbortController();
      await this.#work(this.#abort.signal);
    }
    this.#running = undefined;
  }
}
