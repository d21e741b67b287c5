/** Where the primary's write-ahead log ends, and where it ended a while ago. */
import type { PostgresConfig } from './postgres-client.ts';
import { PostgresQuestions, type ServerIdentity } from './postgres-questions.ts';
import { isReached, type LogPosition, logPosition } from './replicas.ts';
import { SharedQuestion } from './shared-question.ts';

/** Positions of the primary, at some time after they were asked for. */
export interface PrimaryPosition {
  /** Every commit on the primary's disk is before it, and no replica is ahead of it. */
  readonly flushed: LogPosition;
  /** After every acknowledged commit. An idle server may not send its last bytes to replicas. */
  readonly inserted: LogPosition;
  readonly identity: ServerIdentity;
}

/** In recovery these functions fail: such a server is not a primary. */
export const positionsQuestion = `SELECT ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int8::text,
  pg_current_wal_flush_lsn() - '0/0'::pg_lsn, pg_current_wal_insert_lsn() - '0/0'::pg_lsn`;

/** After a failure, the primary is asked again after this time. Milliseconds. */
const pause = 300;
/** About how many earlier positions are remembered at most. */
const remembered = 64;

export class PostgresPositions {
  readonly #questions: PostgresQuestions;
  readonly #stopListening: (() => void) | undefined;
  /** Milliseconds for which positions are remembered. */
  readonly #kept: number;
  /** Oldest first. `at`: when the question was sent. */
  readonly #past: { at: number; readonly flushed: LogPosition }[] = [];
  readonly #shared = new SharedQuestion(() => this.#ask());
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(connection: PostgresConfig, kept: number) {
    this.#questions = new PostgresQuestions(connection);
    this.#stopListening = connection.servers?.hosts.onMove(() => {
      this.#questions.reconnect();
      this.#pausedUntil = Number.NEGATIVE_INFINITY;
    });
    this.#kept = kept;
  }

  /** Undefined if the server does not respond, or is not a primary. Never rejects. */
  ask(): Promise<PrimaryPosition | undefined> {
    return this.#shared.answer();
  }

  /** A time before which all commits are before `replayed`; undefined if no such time is known. */
  coveredUntil(replayed: LogPosition): number | undefined {
    return this.#past.findLast(({ flushed }) => isReached(flushed, replayed))?.at;
  }

  close(): Promise<void> {
    this.#stopListening?.();
    return this.#questions.close();
  }

  async #ask(): Promise<PrimaryPosition | undefined> {
    const at = performance.now();
    if (at < this.#pausedUntil) return undefined;
    try {
      const { row, identity } = await this.#questions.ask(positionsQuestion);
      const [timeline, ...bytes] = row;
      const [flushed, inserted] = bytes.map((each) => logPosition(timeline, each));
      if (flushed === undefined || inserted === undefined) return undefined;
      this.#remember(at, flushed);
      return { flushed, inserted, identity };
    } catch {
      this.#pausedUntil = performance.now() + pause;
      return undefined;
    }
  }

  #remember(at: number, flushed: LogPosition): void {
    const past = this.#past;
    const last = past.at(-1);
    // Another server has taken over, perhaps without the last commits of the former one.
    if (last !== undefined && !isReached(last.flushed, flushed)) past.length = 0;
    if (last?.flushed === flushed) last.at = at;
    else if (last === undefined || past.length === 0 || at - last.at >= this.#kept / remembered) past.push({ at, flushed });
    // Replicas that have replayed no later position are too far behind to be used.
    while (past[0] !== undefined && at - past[0].at > this.#kept) past.shift();
  }
}
