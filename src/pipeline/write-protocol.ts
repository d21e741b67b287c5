/** What the main thread and the writing thread say to each other. */
import type { DatabaseConfig, Limits } from '../config/config.ts';
import type { ApiErrorData } from '../errors/api-error.ts';
import type { AddressSigning } from '../media/address-signer.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { CompiledRead } from './compile/types.ts';
import type { NotAnswered, WriteJob, WriteResult } from './run-write.ts';

export interface WriteSetup {
  readonly database: DatabaseConfig;
  readonly limits: Limits;
  readonly signing: AddressSigning | undefined;
  readonly model: ContentModel;
}

export type WriteRequest =
  | {
      readonly kind: 'write';
      readonly turn: number;
      readonly job: Omit<WriteJob, 'read'>;
      /** `compiled` is sent with the first job of a plan. */
      readonly read: { readonly id: number; readonly size: number; readonly compiled: CompiledRead | undefined } | undefined;
    }
  | { readonly kind: 'close' };

export type WriteReply =
  | { readonly kind: 'done'; readonly turn: number; readonly result: WriteResult | NotAnswered }
  | { readonly kind: 'refused'; readonly turn: number; readonly error: ApiErrorData }
  | { readonly kind: 'failed'; readonly turn: number; readonly stack: string }
  | { readonly kind: 'unknown plan'; readonly turn: number }
  | { readonly kind: 'closed' };
