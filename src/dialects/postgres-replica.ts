/** One replica of a PostgreSQL server, and how much of the primary's log it has replayed. */
import type { ClientConfig } from 'pg';
import { ApiError } from '../errors/api-error.ts';
import type { Database } from './database.ts';
import type { PostgresPositions, PrimaryPosition } from './postgres-positions.ts';
import { PostgresQuestions } from './postgres-questions.ts';
import {
  isReached,
  type LogPosition,
  logPosition,
  type Replica,
  ReplicaFailure,
  type ReplicaState,
  reasonOf,
  timelineOf,
} from './replicas.ts';

export interface ReplicaParts {
  readonly number: number;
  readonly name: string;
  readonly connection: ClientConfig;
  /** Its connections for reads. */
  readonly database: Database;
  readonly positions: PostgresPositions;
  /** `database.replicaLag`. Milliseconds. */
  readonly maxLag: number;
  /** Called at once when the replica goes out of use, and when it is used again; at most once in
   *  ten seconds, as long as it comes and goes. */
  readonly changed: (state: ReplicaState) => void;
}

/** The timeline that it has certainly reached. What it receives is visible with the rights of
 *  `pg_read_all_stats`; its control file follows a promotion within minutes. */
export const replicaQuestion = `SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn() - '0/0'::pg_lsn,
  greatest((SELECT received_tli FROM pg_stat_wal_receiver), (SELECT timeline_id FROM pg_control_checkpoint()),
    (SELECT min_recovery_end_timeline FROM pg_control_recovery()))::text`;

/** A replica is asked this many times within the bound on lag, and at least twice a second. */
const questionsInLag = 4;
const maxInterval = 500;
const minInterval = 25;
/** A failed replica is asked again after a time that doubles up to the longest. Milliseconds. */
const firstWait = 500;
const maxWait = 15_000;
/** After this long without a failure, the pause after the next failure is `firstWait` again.
 *  Milliseconds. */
const recovered = 30_000;
/** The shortest time between two reports that the replica is out of use. Milliseconds. */
const reportPause = 10_000;
/** At the beginning, it is asked up to so many times, with this pause. Milliseconds. */
const firstLooks = 3;
const firstPause = 100;

const notAsked = 'it has not responded yet';

export class PostgresReplica implements Replica {
  readonly number: number;
  readonly database: Replica['database'];
  readonly #parts: ReplicaParts;
  readonly #questions: PostgresQuestions;
  #replayed: LogPosition = 0n;
  /** The replica has everything that was committed before this time. */
  #coveredUntil = Number.NEGATIVE_INFINITY;
  /** Why it cannot be used, whatever its lag is. */
  #problem: string | undefined = notAsked;
  #failuresInRow = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #isClosed = false;
  #reads = 0;
  #failures = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #reported: boolean | undefined;
  /** Resolves when it is known whether the replica can be used now. */
  readonly asked: Promise<void>;
  #wasAsked: () => void = () => undefined;
  #looks = 0;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.number = parts.number;
    const { database } = parts;
    this.database = {
      dialect: database.dialect,
      errorKindOf: (error) => database.errorKindOf(error),
      lostConnections: () => database.lostConnections(),
      read: (work, stoppable) => this.#read(() => database.read(work, stoppable)),
      readAtOnce: (work, stoppable) => this.#read(() => database.readAtOnce(work, stoppable)),
    };
    this.#questions = new PostgresQuestions(parts.connection, () => this.#leave('its connection broke'));
    this.asked = new Promise((resolve) => {
      this.#wasAsked = resolve;
    });
    void this.#look();
  }

  /** Whether it has replayed the position, and everything that is older than the bound on lag. */
  has(after: LogPosition | undefined): boolean {
    return this.#problem === undefined && this.#lag() <= this.#parts.maxLag && (after === undefined || isReached(after, this.#replayed));
  }

  state(): ReplicaState {
    const { number, name, maxLag } = this.#parts;
    const lag = this.#lag();
    const late = lag <= maxLag ? undefined : `it is more than ${maxLag} ms behind (database.replicaLag)`;
    return {
      number,
      name,
      lag: Number.isFinite(lag) ? lag : undefined,
      problem: this.#problem ?? late,
      reads: this.#reads,
      failures: this.#failures,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wasAsked();
    clearTimeout(this.#timer);
    await Promise.all([this.#questions.close(), this.#parts.database.close()]);
  }

  #lag(): number {
    return performance.now() - this.#coveredUntil;
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    // While the read waited in a queue, the replica may have fallen silent or behind.
    if (!this.has(undefined)) throw new ReplicaFailure(this.state().problem);
    try {
      const result = await read();
      this.#reads++;
      return result;
    } catch (error) {
      const kind = this.#parts.database.errorKindOf(error);
      // The primary would refuse the request as well.
      if (error instanceof ApiError || kind === 'value' || kind === 'time') throw error;
      this.#failures++;
      if (kind === 'unavailable') this.#leave(reasonOf(error));
      throw new ReplicaFailure(reasonOf(error), { cause: error });
    }
  }

  /** Takes it out of use until it is asked again. */
  #leave(problem: string): void {
    if (this.#isClosed || this.#isAsking || this.#problem !== undefined) return;
    this.#fail(problem);
    this.#report();
    this.#askAfter(this.#wait());
  }

  async #look(): Promise<void> {
    this.#isAsking = true;
    const problem = await this.#ask();
    this.#isAsking = false;
    if (this.#isClosed) return;
    if (problem !== undefined) this.#fail(problem);
    else {
      this.#problem = undefined;
      if (performance.now() - this.#failedAt > recovered) this.#failuresInRow = 0;
    }
    this.#looks++;
    // While the primary is written to, the lag is not known after the first question.
    const isFirst = problem === undefined && this.#coveredUntil === Number.NEGATIVE_INFINITY && this.#looks < firstLooks;
    if (!isFirst) {
      this.#report();
      this.#wasAsked();
    }
    this.#askAfter(problem !== undefined ? this.#wait() : isFirst ? firstPause : this.#interval());
  }

  #askAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), milliseconds).unref();
  }

  #fail(problem: string): void {
    this.#problem = problem;
    this.#failuresInRow++;
    this.#failedAt = performance.now();
  }

  /** Asks the replica for its position before it asks the primary, so a replica can only be behind.
   *  Returns why it cannot be used. */
  async #ask(): Promise<string | undefined> {
    try {
      const { row, identity } = await this.#questions.ask(replicaQuestion);
      const [isInRecovery, replayed, timeline] = row;
      if (isInRecovery !== true) return 'it is not a replica (it is not in recovery)';
      if (typeof replayed !== 'string') return 'it does not report what it has replayed (pg_last_wal_replay_lsn)';
      const { positions } = this.#parts;
      const primary = await positions.ask();
      // Without the primary's position, the lag counts from the last time that is known.
      if (primary === undefined) return this.#problem === notAsked ? 'the primary does not report its position' : this.#problem;
      const at = logPosition(timeline, replayed);
      const stranger = strangerProblem(primary, identity, at);
      if (stranger !== undefined) return stranger;
      this.#replayed = at;
      this.#coveredUntil = positions.coveredUntil(at) ?? this.#coveredUntil;
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  }

  #interval(): number {
    return Math.min(maxInterval, Math.max(minInterval, this.#parts.maxLag / questionsInLag));
  }

  #wait(): number {
    return Math.min(maxWait, firstWait * 2 ** (this.#failuresInRow - 1));
  }

  #report(): void {
    const state = this.state();
    const isUsed = state.problem === undefined;
    const now = performance.now();
    // The return from an outage that was reported is reported as well, so the last line is never
    // wrong for longer than the pause.
    if (isUsed === this.#reported || (!isUsed && now - this.#reportedAt < reportPause)) return;
    if (!isUsed) this.#reportedAt = now;
    // The start reports the first state itself.
    if (this.#reported !== undefined) this.#parts.changed(state);
    this.#reported = isUsed;
  }
}

/** Why a server is not a copy of the primary, or no longer one; undefined if it is. */
function strangerProblem(
  { identity, flushed }: PrimaryPosition,
  of: PrimaryPosition['identity'],
  replayed: LogPosition,
): string | undefined {
  if (of.system !== undefined && identity.system !== undefined && of.system !== identity.system)
    return 'it is a replica of another server than that of DATABASE_URL';
  if (of.database !== identity.database) return 'its URL names another database than DATABASE_URL';
  if (of.schema !== identity.schema) return `it reads tables of the schema ${of.schema} (does a connection pooler ignore DATABASE_SCHEMA?)`;
  if (timelineOf(replayed) !== timelineOf(flushed))
    return `it is on timeline ${timelineOf(replayed)}, and the primary on ${timelineOf(flushed)}: it has not followed the promotion of a replica`;
  return replayed > flushed ? 'it is ahead of the primary, so it is a replica of another server' : undefined;
}
