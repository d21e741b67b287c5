/** Opens connections, and spares a server that is away: while attempts fail, there is one at a
 *  time, with pauses between, and all callers get its outcome. */

/** After the first failure, doubled by each further one. Milliseconds. */
const firstRest = 100;
const maxRest = 1000;
/** The next attempt starts after this time even if the last one has no outcome yet.
 *  Milliseconds. */
const maxTrial = 500;

interface Trial {
  readonly began: number;
  readonly outcome: Promise<unknown>;
}

export class ConnectionAttempts {
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  #rest = 0;
  #trial: Trial | undefined;

  /** `deadline` (of `performance.now()`): a later caller gets the last failure, without an
   *  attempt. */
  async run<T>(connect: () => Promise<T>, deadline = Number.POSITIVE_INFINITY): Promise<T> {
    for (;;) {
      const failure = this.#failure;
      if (failure === undefined) return this.#attempt(connect);
      const now = performance.now();
      if (now < failure.at + this.#rest || now >= deadline) throw failure.error;
      const trial = this.#trial;
      if (trial === undefined || now > trial.began + maxTrial) {
        const outcome = this.#attempt(connect);
        const current = { began: now, outcome };
        this.#trial = current;
        try {
          return await outcome;
        } finally {
          if (this.#trial === current) this.#trial = undefined;
        }
      }
      // If it succeeds, this caller opens a connection as well; if not, this caller fails too.
      await trial.outcome;
    }
  }

  /** Notes that open connections get no response: the next attempt waits as after a failed one. */
  fail(error: unknown): void {
    this.#note(error, performance.now());
  }

  async #attempt<T>(connect: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      const connection = await connect();
      this.#failure = undefined;
      this.#rest = 0;
      return connection;
    } catch (error) {
      this.#note(error, began);
      throw error;
    }
  }

  #note(error: unknown, began: number): void {
    // Attempts that were under way together fail together: they count as one.
    const isLater = this.#failure === undefined || began >= this.#failure.at;
    if (isLater) this.#rest = Math.min(Math.max(firstRest, 2 * this.#rest), maxRest);
    this.#failure = { error, at: performance.now() };
  }
}
