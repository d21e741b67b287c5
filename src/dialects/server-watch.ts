/** Finds out whether a database server still responds, from the statements that wait for it. */
import { timedOut, withTimeout } from './time-out.ts';

/** Milliseconds between two checks of the running statements. */
const tick = 250;
/** The server is asked whether it responds after this time without a response. Milliseconds. */
const quiet = 1000;
/** The same for a statement that begins a transaction, which has nothing to do. Milliseconds. */
const quietBeginning = 500;
/** The server must respond to the question within this time. Milliseconds. */
export const probeTime = 700;
/** The server ends a statement that takes too long. If it does not within this additional time,
 *  the connection is given up. Milliseconds. */
export const stopTime = 1000;

export interface WatchedPool {
  /** Ends what takes too long. Returns when the statement was sent that has waited longest. */
  look(now: number): number;
  /** Asks the server on a connection that nobody else uses, and waits some seconds at most.
   *  Returns whether it responds: a server that refuses the connection still does. */
  responds(): Promise<boolean>;
  /** The server does not respond: all waiting callers have to fail together. Otherwise each
   *  connection would be tried and waited for, one after another. */
  fallSilent(error: Error): void;
}

export class ServerWatch {
  readonly #pool: WatchedPool;
  readonly #timer: NodeJS.Timeout;
  #lastResponse = 0;
  #lastLook = performance.now();
  #isAsking = false;
  #isStopped = false;

  constructor(pool: WatchedPool) {
    this.#pool = pool;
    this.#timer = setInterval(() => this.#look(), tick).unref();
  }

  /** Must be called for each response of the server, on any connection. */
  noteResponse(): void {
    this.#lastResponse = performance.now();
  }

  /** Asks the server at once whether it still responds: a wait had no response in time. */
  suspect(): void {
    if (!this.#isAsking && !this.#isStopped) void this.#ask(performance.now());
  }

  /** Settles like `work`, which begins a transaction, or rejects at `deadline`. */
  beginning<T>(deadline: number, work: Promise<T>): Promise<T> {
    const began = performance.now();
    const timer = setTimeout(() => this.#lastResponse < began && this.suspect(), quietBeginning);
    return withTimeout(deadline, work).finally(() => clearTimeout(timer));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#isStopped = true;
  }

  #look(): void {
    const now = performance.now();
    const wasBlocked = now - this.#lastLook > 2 * tick;
    this.#lastLook = now;
    // This thread was busy: responses may have arrived that have not been read yet.
    if (wasBlocked) return;
    const first = this.#pool.look(now);
    if (now - Math.max(first, this.#lastResponse) > quiet) this.suspect();
  }

  /** Meanwhile, a response on any other connection shows that the server is there. */
  async #ask(began: number): Promise<void> {
    this.#isAsking = true;
    const isThere = await this.#pool.responds();
    this.#isAsking = false;
    if (isThere) this.noteResponse();
    else if (this.#lastResponse < began) this.#pool.fallSilent(timedOut());
  }
}
