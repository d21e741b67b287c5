/** What the pool and its reading threads say to each other. */
import type { DatabaseConfig, Limits } from '../config/config.ts';
import type { ApiErrorData } from '../errors/api-error.ts';
import type { AddressSigning } from '../media/address-signer.ts';
import type { CompiledRead } from './compile/types.ts';
import type { ReadResult } from './run-read.ts';

export interface WorkerSetup {
  readonly database: DatabaseConfig;
  readonly limits: Limits;
  readonly signing: AddressSigning | undefined;
  /** The state of each place for a job, shared with the thread. */
  readonly places: Int32Array;
}
export interface WorkerRequest {
  readonly place: number;
  readonly plan: number;
  /** Sent with the first job of a plan. */
  readonly compiled: CompiledRead | undefined;
  readonly size: number;
  readonly key: string | number | undefined;
}
export type WorkerReply =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'done'; readonly place: number; readonly body: Uint8Array | undefined } & Omit<ReadResult, 'body'>)
  | { readonly kind: 'refused'; readonly place: number; readonly error: ApiErrorData }
  | { readonly kind: 'failed'; readonly place: number; readonly stack: string }
  | { readonly kind: 'unknown plan'; readonly place: number }
  | { readonly kind: 'withdrawn'; readonly place: number };

/** A job is sent (`queued`), then begun by the thread (`running`), unless it is withdrawn before. Both sides change the state by
 *  compare-and-exchange, so a job that is moved to another thread is never run twice. */
export const placeState = { free: 0, queued: 1, running: 2, withdrawn: 3 } as const;
