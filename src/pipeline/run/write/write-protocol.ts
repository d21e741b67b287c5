/** The messages between the server and its writing thread. */
import type { DatabaseConfig, Limits } from '../../../config/config.ts';
import type { OwnCommit, WriterState } from '../../../dialects/sqlite-writes.ts';
import type { ApiErrorData } from '../../../errors/api-error.ts';
import type { UrlSigning } from '../../../media/storage/url-signer.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import type { RanStatement } from '../../../observe/request-record.ts';
import type { CompiledRead } from '../../compile/types.ts';
import type { WantedRecord } from '../read/read-protocol.ts';
import type { RefusedWrite, TooNarrowPlan, WriteJob, WriteResult } from './run-write.ts';

export interface WriteSetup {
  readonly database: DatabaseConfig;
  readonly limits: Limits;
  readonly signing: UrlSigning | undefined;
  readonly model: ContentModel;
  /** Shared memory: the number of the write that runs, 0 for none, and of the one that has to
   *  stop. */
  readonly shared: Int32Array;
}

/** The places in `WriteSetup.shared`. */
export const sharedPlace = { running: 0, stopped: 1 } as const;

/** Jobs that may share a commit, or the question what the connection sees. */
export type WriteMessage = readonly SentWrite[] | 'state';

export interface SentWrite {
  readonly jobId: number;
  readonly job: Omit<WriteJob, 'read'>;
  readonly wanted: WantedRecord;
  /** `compiled` is sent with the first job of a plan. */
  readonly read: { readonly id: number; readonly size: number; readonly compiled: CompiledRead | undefined } | undefined;
}

export type WriteReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'committed'; readonly commit: OwnCommit }
  | { readonly kind: 'state'; readonly state: WriterState | undefined }
  | JobReply;

/** Sent after the commit, if there is one. `took` is the time inside the transaction, in
 *  milliseconds. */
export type JobReply =
  | {
      readonly kind: 'done';
      readonly jobId: number;
      readonly took: number;
      readonly result: WriteResult | TooNarrowPlan | RefusedWrite;
      readonly ran: readonly RanStatement[] | undefined;
    }
  | { readonly kind: 'refused'; readonly jobId: number; readonly took: number; readonly error: ApiErrorData }
  | { readonly kind: 'failed'; readonly jobId: number; readonly took: number; readonly stack: string }
  /** The thread has no such plan any more, or others wait for a write that was sent together with
   *  this one. */
  | { readonly kind: 'not begun'; readonly jobId: number };
