/** A first-come, first-served queue for a limited number of connections. A caller is refused when
 *  no connection has become free for some time; when the server falls silent, all are. */

import type { Stoppable } from './database.ts';

export interface ConnectionQueueOptions {
  readonly connections: number;
  /** Milliseconds without progress after which waiting callers are refused. */
  readonly patience: number;
  /** A caller waits at most this long, however fast the queue moves. Milliseconds. */
  readonly maxWait: number;
}

interface Waiter {
  readonly since: number;
  readonly admit: (deadline: number) => void;
  readonly refuse: (error: Error) => void;
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

  /** Resolves when the caller may use a connection, with the time (of `performance.now()`) by which
   *  its transaction must begin. `since`: when the caller began to wait in an earlier queue. */
  enter(since = performance.now()): Promise<number> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(this.#deadline(since));
    }
    return new Promise((admit, refuse) => {
      const waiter: Waiter = { since, admit, refuse, timer: undefined };
      this.#waiting.add(waiter);
      this.#watch(waiter);
    });
  }

  /** Refuses all waiting callers. */
  refuseAll(error: Error): void {
    for (const waiter of this.#waiting) this.#refuse(waiter, error);
  }

  /** Admits the next caller. `progress`: the connection did not break during its work; after a
   *  broken one, the next may break as well. */
  leave(progress: boolean): void {
    if (progress) this.#progressed = performance.now();
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.admit(this.#deadline(next.since));
  }

  #deadline(since: number): number {
    const { patience, maxWait } = this.#options;
    return Math.min(Math.max(since, this.#progressed) + patience, since + maxWait);
  }

  #watch(waiter: Waiter): void {
    const look = () => {
      if (performance.now() < this.#deadline(waiter.since)) this.#watch(waiter);
      else this.#refuse(waiter, new Error('no connection to the database became free'));
    };
    waiter.timer = setTimeout(look, Math.max(1, this.#deadline(waiter.since) - performance.now()));
  }

  #refuse(waiter: Waiter, error: Error): void {
    this.#waiting.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.refuse(error);
  }
}

/** Returns since when the work has waited, for its first transaction alone. */
export function takeSince(stoppable: Stoppable | undefined): number | undefined {
  const since = stoppable?.since;
  if (stoppable !== undefined) stoppable.since = undefined;
  return since;
}

/** Lets `stoppable` end a connection's work by `cancel`, until the returned function is called. */
export function cancellable(stoppable: Stoppable | undefined, cancel: () => Promise<void>): () => Promise<void> {
  let cancelling: Promise<unknown> | undefined;
  const stop = () => {
    cancelling = Promise.all([cancelling, cancel()]);
  };
  if (stoppable !== undefined) stoppable.stop = stop;
  return async () => {
    if (stoppable !== undefined) stoppable.stop = undefined;
    // Otherwise it could cancel a statement of the connection's next user.
    await cancelling;
  };
}
