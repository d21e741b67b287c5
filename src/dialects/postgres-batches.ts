/** Lets quick reads that begin in the same turn of the event loop share a connection: their statements are sent in one packet, and the server runs one after
 *  the other. Sending a packet takes a large part of the processor time of a small read, here and at the server, which has to be woken up. */
import type pg from 'pg';
import { takeSince } from './connection-queue.ts';
import type { Connection, Stoppable } from './dialect.ts';
import { holdBack, sendHeldBack } from './postgres-client.ts';

/** The most reads of one connection. */
const mostReads = 8;
/** When no response has come for this long, all reads without a result leave: the one that is running is not quick. Milliseconds. */
const patience = 25;
/** After a read has turned out not to be quick, no reads share a connection for this long. Milliseconds. */
const pause = 500;

export interface BatchParts {
  /** Takes a connection of the pool. `since`: when the read began to wait for it. */
  readonly take: (since: number) => Promise<pg.PoolClient>;
  readonly prepare: (client: pg.PoolClient) => Promise<void>;
  readonly connectionOf: (client: pg.PoolClient) => Connection;
  /** Whether the read may have a result on another connection. */
  readonly isRepeatable: (error: unknown) => boolean;
  /** Returns the connection to the pool. */
  readonly end: (client: pg.PoolClient) => void;
  /** The same for one whose statements nobody waits for: none of them runs on. */
  readonly abandon: (client: pg.PoolClient) => Promise<void>;
  /** The error of a read that was stopped. */
  readonly stopped: () => Error;
}

type Work<T> = (connection: Connection) => T | Promise<T>;

export class PostgresBatches {
  readonly #parts: BatchParts;
  /** That of this turn of the event loop. */
  #current: Batch | undefined;
  /** Of `performance.now()`. */
  #pausedUntil = 0;

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /** Runs `work` beside others on one connection, and `alone` if the connection breaks or another read is slow. The first call of `work` may then still be
   *  running. */
  run<T>(work: Work<T>, alone: () => Promise<T>, stoppable: Stoppable): Promise<T> {
    const now = performance.now();
    if (now < this.#pausedUntil) return alone();
    const since = takeSince(stoppable) ?? now;
    let batch = this.#current;
    // A read that has waited longer would get its connection too late.
    if (batch === undefined || batch.isFull || since < batch.since) {
      const opened = new Batch(this.#parts, since, () => {
        this.#pausedUntil = performance.now() + pause;
      });
      batch = opened;
      this.#current = opened;
      setImmediate(() => {
        if (this.#current === opened) this.#current = undefined;
        opened.close();
      });
    }
    return batch.add(work, alone, stoppable);
  }
}

/** A read without a result. */
interface Waiting {
  /** Runs it alone, or ends it if it was stopped. */
  readonly leave: () => void;
}

class Batch {
  readonly since: number;
  readonly #parts: BatchParts;
  readonly #slow: () => void;
  readonly #client: Promise<pg.PoolClient>;
  #taken: pg.PoolClient | undefined;
  readonly #waiting = new Set<Waiting>();
  #reads = 0;
  /** Reads whose work has not ended, those that have left included. */
  #running = 0;
  #isClosed = false;
  #isBrokenUp = false;
  /** The connection is being returned, or was. */
  #isEnding = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the statements were sent, or the last response arrived. */
  #progressed = 0;

  /** `slow`: called when a read turns out not to be quick. */
  constructor(parts: BatchParts, since: number, slow: () => void) {
    this.#parts = parts;
    this.#slow = slow;
    this.since = since;
    this.#client = this.#take();
  }

  get isFull(): boolean {
    return this.#reads >= mostReads || this.#isBrokenUp;
  }

  add<T>(work: Work<T>, alone: () => Promise<T>, stoppable: Stoppable): Promise<T> {
    this.#reads++;
    this.#running++;
    return new Promise((resolve, reject) => {
      /** Whatever comes after the first result changes nothing. */
      const settle = (take: () => void) => {
        if (!this.#waiting.delete(waiting)) return;
        if (stoppable.stop === stop) stoppable.stop = undefined;
        take();
      };
      const waiting = { leave: () => settle(() => (stoppable.isStopped ? reject(this.#parts.stopped()) : resolve(alone()))) };
      // Without a connection, there is nothing to end.
      const stop = () => (this.#taken === undefined ? waiting.leave() : this.#breakUp());
      stoppable.stop = stop;
      this.#waiting.add(waiting);
      this.#run(waiting, work).then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => (this.#isRepeatable(error) ? waiting.leave() : settle(() => reject(error))),
      );
    });
  }

  /** No read joins any more. */
  close(): void {
    this.#isClosed = true;
    this.#endIfDone();
  }

  async #take(): Promise<pg.PoolClient> {
    const client = await this.#parts.take(this.since);
    this.#taken = client;
    await this.#parts.prepare(client);
    holdBack(client);
    setImmediate(() => sendHeldBack(client));
    this.#progressed = performance.now();
    this.#watch();
    return client;
  }

  #watch(): void {
    // When this thread was busy, responses may have arrived that have not been read yet.
    this.#timer = setTimeout(() => setImmediate(() => this.#look()), Math.max(1, this.#progressed + patience - performance.now()));
  }

  #look(): void {
    // The last read waits for no other.
    if (this.#waiting.size < 2) return;
    if (performance.now() < this.#progressed + patience) this.#watch();
    else {
      this.#slow();
      this.#breakUp();
    }
  }

  async #run<T>(waiting: Waiting, work: Work<T>): Promise<T> {
    try {
      const client = await this.#client;
      if (!this.#waiting.has(waiting)) throw this.#parts.stopped();
      return await work(this.#parts.connectionOf(client));
    } finally {
      this.#progressed = performance.now();
      this.#running--;
      this.#endIfDone();
    }
  }

  /** Without a connection, another attempt would wait for one as long as this one has. */
  #isRepeatable(error: unknown): boolean {
    return this.#taken !== undefined && this.#parts.isRepeatable(error);
  }

  /** All reads without a result leave. */
  #breakUp(): void {
    if (this.#isBrokenUp) return;
    this.#isBrokenUp = true;
    clearTimeout(this.#timer);
    const client = this.#taken;
    if (client !== undefined && !this.#isEnding) {
      this.#isEnding = true;
      void this.#parts.abandon(client);
    }
    for (const { leave } of [...this.#waiting]) leave();
  }

  #endIfDone(): void {
    if (!this.#isClosed || this.#running > 0) return;
    clearTimeout(this.#timer);
    if (this.#taken === undefined || this.#isEnding) return;
    this.#isEnding = true;
    this.#parts.end(this.#taken);
  }
}
