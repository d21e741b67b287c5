/** Removes old rows while the server runs, in small steps, so that no writer waits long. */

/** Rows that are removed in one transaction. */
export const pruningStep = 500;
/** Between two steps, and between two looks. Milliseconds. */
const pause = 100;
const lookEvery = 10 * 60_000;
export const day = 24 * 60 * 60 * 1000;

export class Pruning {
  readonly #prune: () => Promise<number>;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  /** `prune` removes at most a step, and resolves with the number of rows. `failed` gets its error;
   *  the next look tries again. */
  constructor(prune: () => Promise<number>, failed: (error: unknown) => void) {
    this.#prune = prune;
    this.#failed = failed;
    this.#wait(lookEvery);
  }

  /** Waits for a step that has begun. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** Several processes look at different moments. */
  #wait(milliseconds: number): void {
    const look = () => {
      this.#looking = this.#look();
    };
    this.#timer = setTimeout(look, milliseconds * (0.5 + Math.random())).unref();
  }

  async #look(): Promise<void> {
    let hasMore = false;
    try {
      hasMore = (await this.#prune()) === pruningStep;
    } catch (error) {
      this.#failed(error);
    }
    if (this.#timer !== undefined) this.#wait(hasMore ? pause : lookEvery);
  }
}
