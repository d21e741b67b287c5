/** A read that a thread runs. */
import { ApiError } from '../../../errors/api-error.ts';
import type { Bindings } from '../../compile/types.ts';
import type { TimedJob } from '../queue/fair-queue.ts';
import type { ReadReply, WantedRecord } from './read-protocol.ts';
import type { CachedPlan, ReadResult } from './run-read.ts';

export interface ReadJob extends TimedJob {
  readonly plan: CachedPlan;
  readonly bindings: Bindings;
  resolve(result: ReadResult): void;
}

/** Resolves or rejects the job with the reply. */
export function settle(job: ReadJob, reply: Exclude<ReadReply, { kind: 'ready' | 'unknown plan' }>): void {
  if (reply.kind === 'done') {
    job.caller.record?.addAll(reply.ran);
    job.resolve(reply.result);
  } else job.reject(reply.kind === 'refused' ? ApiError.fromData(reply.error) : new Error(reply.stack));
}

/** What a thread reports about the statements of a job. */
export const wantedRecord = ({ caller: { record } }: Pick<ReadJob, 'caller'>): WantedRecord =>
  record === undefined ? 'nothing' : record.withTexts ? 'texts' : 'times';
