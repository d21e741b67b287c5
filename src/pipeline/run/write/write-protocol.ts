/** The messages between the server and its writing process. */
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
}

/** Jobs that may share a commit, or the question what the connection sees. */
export type WriteMessage = readonly SentWrite[] | 'state';

export interface SentWrite {
  readonly jobId: number;
  readonly job: Omit<WriteJob, 'read'>;
  readonly wanted: WantedRecord;
  /** `compiled` is sent with the first job of a plan. */
  readonly read: { readonly id: number; readonly size: number; readonly compiled: CompiledRead | undefined } | undefined;
}

/** `begun`, `written` and `committed` report progress, so that the server knows which writes a killed process has left undone. The body of a `done`
 *  reply is in the bytes of its frame, if `hasBody`. */
export type WriteReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun'; readonly jobId: number }
  | { readonly kind: 'written'; readonly jobId: number }
  | { readonly kind: 'committed'; readonly commit: OwnCommit }
  | { readonly kind: 'state'; readonly state: WriterState | undefined }
  | {
      readonly kind: 'done';
      readonly jobId: number;
      readonly result: WriteResult | TooNarrowPlan | RefusedWrite;
      readonly hasBody: boolean;
      readonly ran: readonly RanStatement[] | undefined;
    }
  | { readonly kind: 'refused'; readonly jobId: number; readonly error: ApiErrorData }
  | { readonly kind: 'failed'; readonly jobId: number; readonly stack: string }
  | { readonly kind: 'unknown plan'; readonly jobId: number };
