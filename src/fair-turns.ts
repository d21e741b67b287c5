/** Work of which only a few pieces may run at once; callers alternate. */

export interface FairTurnsOptions {
  readonly atOnce: number;
  /** How many may wait: of one caller, and of all callers. */
  readonly maxOfCaller: number;
  readonly max: number;
  /** The error for more than that. */
  readonly busy: () => Error;
}

export class FairTurns {
  readonly #options: FairTurnsOptions;
  /** Callers, in the order in which they are served. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #running = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.atOnce) await this.#waitInQueue(caller);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #waitInQueue(caller: string): Promise<void> {
    const { maxOfCaller, max, busy } = this.#options;
    const own = this.#waiting.get(caller) ?? [];
    if (own.length >= maxOfCaller || this.#count >= max) throw busy();
    this.#count++;
    this.#waiting.set(caller, own);
    return new Promise((resolve) => own.push(resolve));
  }

  /** Starts the work of the next caller when other work has ended. */
  #next(): void {
    const first = this.#waiting.entries().next();
    if (first.done) {
      this.#running--;
      return;
    }
    const [caller, own] = first.value;
    this.#waiting.delete(caller);
    const resolve = own.shift();
    if (own.length > 0) this.#waiting.set(caller, own);
    this.#count--;
    resolve?.();
  }
}
