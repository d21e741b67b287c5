/** Read-only servers that follow the primary. Each is used only while it is known to have every
 *  commit that is older than the maximum lag. */
import type { ReplicaFigures } from '../observe/figures.ts';
import type { Database, OpenOptions } from './database.ts';

/** A position in the primary's write-ahead log: the timeline, which each promotion of a replica
 *  changes, in the upper 32 bits, and the byte in the lower 64. A server has all commits of its
 *  timeline before its position. */
export type LogPosition = bigint;

/** A position that no server reaches. */
export const beyondAll: LogPosition = 2n ** 96n - 1n;

const bytes = 64n;
export const logPosition = (timeline: unknown, byte: unknown): LogPosition => (BigInt(String(timeline)) << bytes) | BigInt(String(byte));
export const timelineOf = (position: LogPosition): bigint => position >> bytes;

/** Whether a server that has replayed `replayed` has everything before `position`. Positions of two
 *  timelines cannot be compared. */
export const isReached = (position: LogPosition, replayed: LogPosition): boolean =>
  timelineOf(position) === timelineOf(replayed) && position <= replayed;

export interface Replica {
  /** From 1, in the order of the configuration. */
  readonly number: number;
  /** Throws a `ReplicaFailure` for errors that the query has not caused: the primary may run it. */
  readonly database: Pick<Database, 'dialect' | 'read' | 'readAtOnce' | 'errorKindOf' | 'lostConnections'>;
}

export interface ReplicaState extends ReplicaFigures {
  /** Host, port and database, without user and password. */
  readonly name: string;
}

export interface Replicas {
  /** Returns the replica with the smallest load within the maximum lag that has replayed `after`;
   *  undefined if the primary has to serve. */
  choose(after: LogPosition | undefined, loadOf: (replica: Replica) => number): Replica | undefined;
  /** Returns a position of the primary after all commits from before the call; `beyondAll` if the
   *  primary does not respond in time. Never rejects. */
  position(): Promise<LogPosition>;
  states(): readonly ReplicaState[];
  /** Resolves when each replica was asked once. Never rejects. */
  readonly asked: Promise<void>;
  close(): Promise<void>;
}

export interface OpenReplicasOptions extends Pick<OpenOptions, 'statementTime' | 'databaseOrder' | 'unprepared'> {
  /** Wraps each database, as that of the primary is wrapped. */
  readonly wrap?: (database: Database) => Database;
  readonly changed?: (state: ReplicaState) => void;
}

/** A read on a replica failed, and may succeed on the primary. */
export class ReplicaFailure extends Error {}

/** A message about a replica that is not used. */
export const describeProblem = ({ number, name, problem }: ReplicaState): string =>
  `The read replica ${number} (${name}) is not used: ${problem?.replace(/\.+$/, '')}. The primary serves its reads.`;

/** Undefined if all are used. */
export function describeProblems(states: readonly ReplicaState[]): string | undefined {
  const problems = states.filter(({ problem }) => problem !== undefined).map(describeProblem);
  return problems.length === 0 ? undefined : problems.join('\n');
}

/** Why a replica failed, for people. Node's error for several addresses has no message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
