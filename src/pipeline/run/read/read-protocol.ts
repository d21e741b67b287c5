/** The messages between the pool and its reading processes and threads. */
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
  /** The size of each thread's row cache. Bytes. */
  readonly rowBytes: number;
}
export interface ReadMessage {
  readonly plan: number;
  /** Sent only with the first job of a plan. */
  readonly compiled: CompiledRead | undefined;
  readonly size: number;
  readonly bindings: Bindings;
  readonly listVersion: string | undefined;
  readonly wanted: WantedRecord;
}
/** What to report about the statements that were run. */
export type WantedRecord = 'nothing' | 'times' | 'texts';
/** The body of a `done` reply is in the bytes of its frame. */
export type ReadReply =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'done'; readonly found: boolean; readonly ran: readonly RanStatement[] | undefined } & Omit<ReadResult, 'body'>)
  | { readonly kind: 'refused'; readonly error: ApiErrorData }
  | { readonly kind: 'failed'; readonly stack: string }
  | { readonly kind: 'unknown plan' };

/** `job` names the job that a reply belongs to: a thread may have several. */
export interface ThreadMessage {
  readonly job: number;
  readonly message: ReadMessage;
}
export interface ThreadReply {
  readonly job: number | undefined;
  readonly reply: ReadReply;
  readonly body: Uint8Array | undefined;
}
