/** The messages between the pool and its reading threads. */
import type { DatabaseConfig, Limits } from '../../../config/config.ts';
import type { ApiErrorData } from '../../../errors/api-error.ts';
import type { UrlSigning } from '../../../media/storage/url-signer.ts';
import type { RanStatement } from '../../../observe/request-record.ts';
import type { Bindings, CompiledRead } from '../../compile/types.ts';
import type { ReadResult } from './run-read.ts';

export interface ReadSetup {
  readonly database: DatabaseConfig;
  /** The file that the server has open, as `fileIdentity` names it. */
  readonly file: string | undefined;
  readonly limits: Limits;
  readonly signing: UrlSigning | undefined;
}

/** What a thread is started with. */
export interface ThreadSetup extends ReadSetup {
  /** Shared memory with the number of the job that the thread has to stop. */
  readonly stopped: Int32Array;
}

export interface ReadMessage {
  readonly job: number;
  readonly plan: number;
  /** Sent only with the first job of a plan. */
  readonly compiled: CompiledRead | undefined;
  readonly size: number;
  readonly bindings: Bindings;
  readonly wanted: WantedRecord;
}

/** What to report about the statements that were run. */
export type WantedRecord = 'nothing' | 'times' | 'texts';

export type ReadReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly ran: readonly RanStatement[] | undefined; readonly result: ReadResult }
  | { readonly kind: 'refused'; readonly error: ApiErrorData }
  | { readonly kind: 'failed'; readonly stack: string }
  | { readonly kind: 'unknown plan' };
