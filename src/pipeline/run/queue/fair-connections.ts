/** Shares the connections of a database whose driver does not block among callers. Some connections
 *  stay free for small statements that must not wait: look-ups of tokens, sessions and users. */
import type { Limits } from '../../../config/config.ts';
import type { Stoppable } from '../../../dialects/database.ts';
import type { QueueFigures } from '../../../observe/figures.ts';
import type { Caller } from './caller.ts';
import { FairQueue, type QueueWorker, type TimedJob } from './fair-queue.ts';
import type { Timed } from './work-times.ts';

interface ConnectionJob extends TimedJob {
  readonly since: number;
  readonly work: (stoppable: Stoppable) => Promise<void>;
}

export class FairConnections {
  readonly #queue: FairQueue<ConnectionJob>;

  constructor(limits: Limits, connections: number) {
    const spared = Math.min(connections - 1, Math.max(1, Math.floor(connections / 5)));
    const max = connections - spared;
    // The number of processors of the database server is unknown; its operator chooses the pool's
    // size by them.
    const share = Math.max(1, Math.floor(connections / 4));
    this.#queue = new FairQueue(limits, { max, share, open: () => undefined });
    for (let count = 0; count < max; count++) this.#queue.free(new ConnectionWorker(this.#queue));
  }

  figures(): QueueFigures {
    return this.#queue.figures();
  }

  /** Runs `work` when the caller's queue is served. Work that takes too long has its statements
   *  cancelled. The time in the queue counts as time that the work waits for its connection:
   *  otherwise each of many jobs would wait anew for a server that is away. */
  run<T>(caller: Caller, timed: Timed, work: (stoppable: Stoppable) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.add({ ...timed, caller, since: performance.now(), reject, work: (stoppable) => work(stoppable).then(resolve, reject) });
    });
  }
}

class ConnectionWorker implements QueueWorker<ConnectionJob> {
  readonly #queue: FairQueue<ConnectionJob>;
  #stoppable: Stoppable = { stop: undefined };

  constructor(queue: FairQueue<ConnectionJob>) {
    this.#queue = queue;
  }

  begin(job: ConnectionJob): void {
    this.#stoppable = { stop: undefined, since: job.since, isCurrent: job.caller.isCurrent };
    void job.work(this.#stoppable).then(() => this.#queue.free(this));
  }

  stop(): void {
    this.#stoppable.isStopped = true;
    this.#stoppable.stop?.();
  }
}
