/** bcrypt works in Node's pool of threads, which has four, and which files and look-ups of names use too. So few passwords are at work at once,
 *  new ones apart from those of sign-ins, and callers take turns. */
import { ApiError } from '../errors/api-error.ts';

interface LaneOptions {
  readonly atOnce: number;
  /** Waiting, of one caller and of all. */
  readonly mostOfCaller: number;
  readonly most: number;
}

class Lane {
  readonly #options: LaneOptions;
  /** In the order in which callers have their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #running = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.atOnce) await this.#turn(caller);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(caller: string): Promise<void> {
    const { mostOfCaller, most } = this.#options;
    const own = this.#waiting.get(caller) ?? [];
    if (own.length >= mostOfCaller || this.#count >= most) throw ApiError.of('password.busy', undefined);
    this.#count++;
    this.#waiting.set(caller, own);
    return new Promise((resolve) => own.push(resolve));
  }

  /** Gives the place of work that has ended to the caller whose turn it is. */
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

/** New passwords: one takes some fifty milliseconds, or what its attribute asks for. */
export const hashingLane = new Lane({ atOnce: 1, mostOfCaller: 20, most: 200 });
/** Passwords of sign-ins, which are limited by address besides. */
export const comparingLane = new Lane({ atOnce: 2, mostOfCaller: 200, most: 200 });
