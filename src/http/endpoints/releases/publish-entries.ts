/** Publishes the entries of a release, as a batch: all of them or none. By request, and by the
 *  scheduler at their time. */
import { ApiError } from '../../../errors/api-error.ts';
import type { Actor } from '../../../identity/actor.ts';
import type { AnswerBatch, BatchOutcome, Caller } from '../../../pipeline/call.ts';
import type { ReleaseEntry, ReleaseRevision } from '../../../schedule/release-store.ts';
import { type BatchParts, writeOf } from '../content/batch-endpoint.ts';

export interface PublishParts extends Pick<BatchParts, 'model' | 'routes'> {
  readonly answerBatch: AnswerBatch;
}

export interface Publication {
  readonly entries: readonly ReleaseEntry[];
  readonly actor: Actor;
  readonly caller: Caller;
  /** Whether only what would be refused is found. */
  readonly dryRun: boolean;
  /** Whether wrong content is no refusal: a dry run then finds what the caller may not publish. */
  readonly ignoresContent?: boolean;
  /** It is noted as published in the same transaction, unless it has changed. */
  readonly release?: ReleaseRevision | undefined;
}

/** The place of an operation in `refused` of the outcome is that of the entry. */
export type PublishEntries = (publication: Publication) => Promise<BatchOutcome>;

export const createPublishEntries =
  ({ answerBatch, ...parts }: PublishParts): PublishEntries =>
  ({ entries, actor, caller, dryRun, ignoresContent = false, release }) =>
    answerBatch(
      {
        operations: entries.map((entry) => {
          try {
            return writeOf(operationOf(entry), dryRun, { actor }, parts);
          } catch (error) {
            if (error instanceof ApiError) return error;
            throw error;
          }
        }),
        body: undefined,
        idempotencyKey: undefined,
        dryRun,
        dataVersion: undefined,
        release,
        ignores: ignoresContent ? isOfContent : undefined,
      },
      caller,
    );

/** Wrong values; not a missing document or right, nor an entry that no release can have. */
const isOfContent = ({ status, code }: { readonly status: number; readonly code: string }): boolean =>
  status === 400 && code !== 'batch.hooked';

const operationOf = ({ action, uid, documentId, locale }: ReleaseEntry) => ({
  [action]: uid,
  ...(documentId === '' ? {} : { documentId }),
  ...(locale === null ? {} : { locale }),
});
