/** A queue for connections, of which a bounded number are used at a time. The caller that has waited longest comes first. A waiting caller is refused
 *  when no connection has become free for some time; while connections do become free, it waits longer. */

export interface ConnectionQueueOptions {
  readonly connections: number;
  /** Milliseconds without progress after which waiting callers are refused. */
  readonly patience: number;
  /** A caller waits at most this long, however fast the queue moves. Milliseconds. */
  readonly longest: number;
}

interface Waiter {
  readonly since: number;
  readonly admit: (deadline: number) => void;
  timer: NodeJS.Timeout | undefined;
}

export class ConnectionQueue {
  readonly #options: ConnectionQueueOptions;
  readonly #waiting = new Set<Waiter>();
  #free: number;
  #progressed = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionQueueOptions) {
    this.#options = options;
    this.#free = options.connections;
  }

  /** The callers that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when the caller may use a connection, with the time (of `performance.now()`) by which its transaction must have begun. */
  enter(): Promise<number> {
    const now = performance.now();
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(now + this.#options.patience);
    }
    return new Promise((admit, refuse) => {
      const waiter: Waiter = { since: now, admit, timer: undefined };
      this.#waiting.add(waiter);
      this.#watch(waiter, refuse);
    });
  }

  /** Admits the next caller. `progress` is true if the connection did not break during its work; after a broken one, the next may break as well. */
  leave(progress: boolean): void {
    if (progress) this.#progressed = performance.now();
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.admit(this.#deadline(next));
  }

  #deadline({ since }: Waiter): number {
    const { patience, longest } = this.#options;
    return Math.min(Math.max(since, this.#progressed) + patience, since + longest);
  }

  #watch(waiter: Waiter, refuse: (error: Error) => void): void {
    const look = () => {
      if (performance.now() < this.#deadline(waiter)) {
        this.#watch(waiter, refuse);
        return;
      }
      this.#waiting.delete(waiter);
      refuse(new Error('no connection to the database became free'));
    };
    waiter.timer = setTimeout(look, Math.max(1, this.#deadline(waiter) - performance.now()));
  }
}
