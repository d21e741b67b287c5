/** Several writes in one transaction, which keeps all of them or none. */
import { ApiError, type ApiErrorData } from '../../../errors/api-error.ts';
import { claimRelease, type ReleaseRevision, releaseLock } from '../../../schedule/release-store.ts';
import { Rows } from '../../../sql/rows.ts';
import type { WriteRestrictions } from '../../compile/types.ts';
import { executeWrite, lockDocuments, refuseWrite, type WriteExecution } from '../../execute/write/execute-write.ts';
import type { WritePlan } from '../../plan/types.ts';

export interface PlannedAlso {
  readonly plan: WritePlan;
  readonly restrictions: WriteRestrictions;
}

export interface Batch {
  readonly operations: readonly BatchedPlan[];
  /** The body of the response, which is known before. */
  readonly response: string;
  /** The release that is published by it. */
  readonly release?: ReleaseRevision | undefined;
}

export interface BatchedPlan extends PlannedAlso {
  /** Its place in the request. */
  readonly operation: number;
  /** As `PlannedWrite.refusal`. */
  readonly refusal: ApiErrorData | undefined;
  readonly also: readonly PlannedAlso[];
  /** Earlier operations whose documents it names. */
  readonly after: readonly number[];
}

export interface RefusedOperation {
  readonly operation: number;
  readonly error: ApiErrorData;
}

/** Thrown when at least one operation was refused, with all of them. */
export class RefusedBatchError extends Error {
  readonly operations: readonly RefusedOperation[];

  constructor(operations: readonly RefusedOperation[]) {
    super('operations of a batch were refused');
    this.operations = operations;
  }
}

/** Goes on after a refusal, so that all mistakes are found; the transaction is rolled back then. */
export async function executeBatch({ operations, release }: Batch, now: number, execution: WriteExecution): Promise<void> {
  lockDocuments(
    operations.flatMap(({ plan, also }) => [plan, ...also.map((each) => each.plan)]),
    execution,
    release === undefined ? [] : [releaseLock(release.id)],
  );
  if (release !== undefined) await claimRelease(release, now, new Rows(execution.connection, execution.dialect));
  const refused: RefusedOperation[] = [];
  const missing = new Set<number>();
  for (const each of operations) {
    const { operation, after } = each;
    // What it would say is only that the document was not made.
    const error = after.some((named) => missing.has(named)) ? undefined : await executeOperation(each, execution);
    if (error !== undefined) refused.push({ operation, error: error.toData() });
    if (error !== undefined || after.some((named) => missing.has(named))) missing.add(operation);
  }
  if (refused.length > 0) throw new RefusedBatchError(refused);
}

/** Returns why the operation is refused. */
async function executeOperation(
  { plan, restrictions, refusal, also }: BatchedPlan,
  execution: WriteExecution,
): Promise<ApiError | undefined> {
  try {
    if (refusal !== undefined) await refuseWrite({ plan, refusal: ApiError.fromData(refusal) }, restrictions, execution);
    const { hasChanged } = await executeWrite(plan, restrictions, execution);
    if (hasChanged) await executeAlso(also, execution);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.cause === undefined && error.status < 500) return error;
    throw error;
  }
}

/** The writes that hooks add. The document of the request is there, so that its 404 would mislead. */
export async function executeAlso(also: readonly PlannedAlso[], execution: WriteExecution): Promise<void> {
  for (const { plan, restrictions } of also) {
    try {
      await executeWrite(plan, restrictions, execution);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'document.not-found') throw error;
      throw ApiError.of('hook.also-missing', { uid: plan.uid, documentId: plan.documentId ?? '' });
    }
  }
}
