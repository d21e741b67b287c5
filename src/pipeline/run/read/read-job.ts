/** A read that another process or thread runs. */
import type { Config } from '../../../config/config.ts';
import { fileIdentity } from '../../../dialects/sqlite-file.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { urlSigning } from '../../../media/storage/url-signer.ts';
import type { Bindings } from '../../compile/types.ts';
import type { TimedJob } from '../queue/fair-queue.ts';
import type { ReadReply, ReadSetup, WantedRecord } from './read-protocol.ts';
import type { CachedPlan, FoundRead } from './run-read.ts';

export interface ReadJob extends TimedJob {
  readonly plan: CachedPlan;
  readonly bindings: Bindings;
  readonly listVersion: string | undefined;
  resolve(result: FoundRead): void;
}

/** Resolves or rejects the job with the reply. `body` is used only if the document was found. */
export function settle(job: ReadJob, reply: Exclude<ReadReply, { kind: 'ready' | 'unknown plan' }>, body: Uint8Array | undefined): void {
  if (reply.kind === 'done') {
    const { kind: _, found, ran, ...figures } = reply;
    job.caller.record?.addAll(ran);
    job.resolve({ ...figures, body: found ? body : undefined });
  } else job.reject(reply.kind === 'refused' ? ApiError.fromData(reply.error) : new Error(reply.stack));
}

/** What a process reports about the statements of a job. */
export const wantedRecord = ({ caller: { record } }: Pick<ReadJob, 'caller'>): WantedRecord =>
  record === undefined ? 'nothing' : record.withTexts ? 'texts' : 'times';

export const readSetup = (config: Config): ReadSetup => ({
  database: config.database,
  file: fileIdentity(config.database.filename),
  limits: config.limits,
  signing: urlSigning(config),
  rowBytes: config.cache.rowBytes,
});
