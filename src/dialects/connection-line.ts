/** Who may use a connection: a bounded number at a time, the others wait in line, the longest first. Whoever waits is refused as soon as no
 *  connection has become free for some time; a line that moves may take longer. */

export interface LineOptions {
  readonly connections: number;
  /** Milliseconds without progress after which whoever waits is refused. */
  readonly patience: number;
  /** Milliseconds that anybody waits, however fast the line moves. */
  readonly longest: number;
}

interface Waiter {
  readonly since: number;
  readonly admit: (deadline: number) => void;
  timer: NodeJS.Timeout | undefined;
}

export class ConnectionLine {
  readonly #options: LineOptions;
  readonly #waiting = new Set<Waiter>();
  #free: number;
  #progressed = Number.NEGATIVE_INFINITY;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#free = options.connections;
  }

  /** Resolves when it is the caller's turn, with the time (of `performance.now()`) by which a connection must have answered. */
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

  /** `progress`: the connection was used until the end of its work. One that broke off is none: the next one may break off as well. */
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
