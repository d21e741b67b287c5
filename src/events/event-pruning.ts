/** Removes old events while the server runs, in small steps, so that no writer waits long. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import { writeUnshown } from '../dialects/retry-conflicts.ts';
import { Rows } from '../sql/rows.ts';
import { oldEvents, removeEvents } from './event-store.ts';

/** At most so many events are kept, even if newer than `events.keep`. */
const most = 100_000;
/** Events that are removed in one transaction. */
const step = 500;
/** Between two steps, and between two looks. Milliseconds. */
const pause = 100;
const lookEvery = 10 * 60_000;
const day = 24 * 60 * 60 * 1000;

export class EventPruning {
  readonly #keep: number;
  readonly #database: Database;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  /** `failed` gets the error of a step; the next look tries again. */
  constructor({ events }: Pick<Config, 'events'>, database: Database, failed: (error: unknown) => void) {
    this.#keep = events.keep * day;
    this.#database = database;
    this.#failed = failed;
    this.#wait(lookEvery);
  }

  /** Waits for a step that has begun. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** Several processes look at different moments. */
  #wait(milliseconds: number): void {
    const look = () => {
      this.#looking = this.#look();
    };
    this.#timer = setTimeout(look, milliseconds * (0.5 + Math.random())).unref();
  }

  async #look(): Promise<void> {
    let hasMore = false;
    try {
      const { dialect } = this.#database;
      const bounds = { before: Date.now() - this.#keep, most, step };
      // A server that only reads begins no transaction that writes.
      const old = await this.#database.read((connection) => oldEvents(bounds, new Rows(connection, dialect)));
      if (old !== undefined) await writeUnshown(this.#database, (connection) => removeEvents(old, new Rows(connection, dialect)));
      hasMore = old?.count === step;
    } catch (error) {
      this.#failed(error);
    }
    if (this.#timer !== undefined) this.#wait(hasMore ? pause : lookEvery);
  }
}
