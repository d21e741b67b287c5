/** Reads on replicas, with the same kind of reader as on the primary. */
import { type LogPosition, type Replica, ReplicaFailure, type Replicas } from '../../../dialects/replicas.ts';
import type { Bindings } from '../../compile/types.ts';
import type { Caller } from '../queue/caller.ts';
import type { CachedPlan, Reader, ReadResult } from './run-read.ts';

export interface ReplicaRead {
  readonly result: ReadResult;
  /** The number of the replica. */
  readonly replica: number;
}

export interface ReplicaReads {
  /** Reads on a replica that has replayed `after`. Undefined if the primary has to serve, since
   *  there is no such replica, or it failed. */
  read(plan: CachedPlan, bindings: Bindings, caller: Caller, after: LogPosition | undefined): Promise<ReplicaRead | undefined>;
}

/** `open` makes the reader of a replica. */
export function openReplicaReads(replicas: Replicas, open: (replica: Replica) => Reader): ReplicaReads {
  const readers = new Map<Replica, Reader>();
  /** The reads of each replica that have begun, those that wait for a connection included. */
  const loads = new Map<Replica, number>();
  const loadOf = (replica: Replica): number => loads.get(replica) ?? 0;
  const readerOf = (replica: Replica): Reader => {
    const reader = readers.get(replica) ?? open(replica);
    readers.set(replica, reader);
    return reader;
  };
  return {
    async read(plan, bindings, caller, after) {
      const replica = replicas.choose(after, loadOf);
      if (replica === undefined) return undefined;
      loads.set(replica, loadOf(replica) + 1);
      try {
        return { result: await readerOf(replica).read(plan, bindings, caller), replica: replica.number };
      } catch (error) {
        if (error instanceof ReplicaFailure) return undefined;
        throw error;
      } finally {
        loads.set(replica, loadOf(replica) - 1);
      }
    },
  };
}
