/** Reads in threads of this process, for databases whose driver blocks its thread. A
 *  statement that may read many rows looks at a flag every few rows, by which the main thread
 *  stops it (`Dialect.stopPoint`). */
import type { Config } from '../../../config/config.ts';
import { fileIdentity } from '../../../dialects/sqlite-file.ts';
import { urlSigning } from '../../../media/storage/url-signer.ts';
import type { Figures } from '../../../observe/figures.ts';
import type { Bindings } from '../../compile/types.ts';
import type { Caller } from '../queue/caller.ts';
import { FairQueue } from '../queue/fair-queue.ts';
import { stopNurseryGrowth } from '../threads/small-heaps.ts';
import type { ReadJob } from './read-job.ts';
import type { ReadSetup } from './read-protocol.ts';
import { ReadThread } from './read-thread-handle.ts';
import { ReadTimes } from './read-times.ts';
import type { CachedPlan, Reader, ReadResult } from './run-read.ts';

/** Closing waits for threads for at most this long. No client waits for
 *  results then. Milliseconds. */
const lastWait = 1000;

export interface OpenedReader {
  readonly reader: Reader;
  /** Resolves when the reader can read; rejects if it cannot. */
  readonly ready: Promise<void>;
}

/** Opens a pool and starts its first thread, while the caller goes on. Further threads are
 *  started when requests wait. */
export function openReadPool(config: Config, figures: Figures): OpenedReader {
  // Where the main thread reads, a small nursery costs processor time.
  stopNurseryGrowth();
  const pool = new ReadPool(config, figures);
  const ready = pool.start();
  // The caller may fail before it waits for the thread.
  ready.catch(() => undefined);
  return { reader: pool, ready };
}

class ReadPool implements Reader {
  /** Made once, while the file of the database is surely the one that the server has open. */
  readonly #setup: ReadSetup;
  readonly #max: number;
  readonly #threads = new Set<ReadThread>();
  readonly #queue: FairQueue<ReadJob>;
  readonly #times = new ReadTimes();
  #isStarting = false;
  #isClosed = false;

  constructor(config: Config, figures: Figures) {
    const { database, limits } = config;
    this.#setup = { database, file: fileIdentity(database.filename), limits, signing: urlSigning(config) };
    this.#max = database.readers;
    this.#queue = new FairQueue(limits, { max: this.#max, open: () => this.#grow() });
    figures.queues.set('database', () => this.#queue.figures());
  }

  start(): Promise<void> {
    return this.#startThread();
  }

  read(plan: CachedPlan, bindings: Bindings, caller: Caller): Promise<ReadResult> {
    return new Promise((resolve, reject) => {
      this.#queue.add({ plan, bindings, timedBy: this.#times.of(plan, bindings), caller, resolve, reject });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.close();
    const ended = Promise.all([...this.#threads].map((thread) => thread.end()));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, lastWait).unref())]);
  }

  /** Starts a thread unless one is starting already, which may be enough. */
  #grow(): void {
    if (this.#isStarting || this.#threads.size >= this.#max || this.#isClosed) return;
    // If no thread can start, the queue tries again and fails requests that have waited too long.
    this.#startThread().catch(() => undefined);
  }

  #startThread(): Promise<void> {
    this.#isStarting = true;
    return new Promise((resolve, reject) => {
      const thread = new ReadThread(this.#setup, {
        ready: () => {
          this.#isStarting = false;
          resolve();
          this.#queue.free(thread);
        },
        done: (settle) => {
          // The thread gets its next job before this result is processed.
          this.#queue.free(thread);
          settle();
        },
        ended: (wasReady) => {
          this.#threads.delete(thread);
          if (!wasReady) this.#isStarting = false;
          reject(new Error('a reading thread ended before it was ready'));
          this.#queue.remove(thread);
          if (wasReady && this.#threads.size === 0) this.#grow();
        },
      });
      this.#threads.add(thread);
    });
  }
}
