/** bcrypt runs in Node's pool of four threads, which files and DNS look-ups use too. So few
 *  passwords are hashed at once, new ones separately, and callers alternate. */
import { ApiError } from '../errors/api-error.ts';

interface QueueOptions {
  readonly atOnce: number;
  /** How many may wait: of one caller, and of all callers. */
  readonly maxOfCaller: number;
  readonly max: number;
}

class PasswordQueue {
  readonly #options: QueueOptions;
  /** Callers, in the order in which they are served. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #running = 0;

  constructor(options: QueueOptions) {
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
    const { maxOfCaller, max } = this.#options;
    const own = this.#waiting.get(caller) ?? [];
    if (own.length >= maxOfCaller || this.#count >= max) throw ApiError.of('password.busy');
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

/** New passwords: hashing one takes fifty milliseconds, or longer with more rounds. */
export const hashingQueue = new PasswordQueue({ atOnce: 1, maxOfCaller: 20, max: 200 });
/** Passwords of sign-ins, which are also limited by IP address. */
export const comparingQueue = new PasswordQueue({ atOnce: 2, maxOfCaller: 200, max: 200 });
