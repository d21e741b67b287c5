/** Finds the error of a write with wrong values. No writing transaction is needed: the documents
 *  that the write names are looked up in a snapshot. */
import { performance } from 'node:perf_hooks';
import type { Limits } from '../../config/config.ts';
import type { Database } from '../../dialects/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { WriteRestrictions } from '../compile/types.ts';
import { type RefusedPlan, refuseWrite } from '../execute/write/execute-write.ts';
import { retryTransaction } from './write/retry-transaction.ts';

export interface LookUpParts {
  readonly database: Database;
  readonly model: ContentModel;
  readonly limits: Limits;
}

export interface FoundRefusal {
  readonly error: ApiError;
  readonly milliseconds: number;
}

export async function lookUpRefusal(refused: RefusedPlan, restrictions: WriteRestrictions, parts: LookUpParts): Promise<FoundRefusal> {
  const { database, model, limits } = parts;
  const started = performance.now();
  const lookUp = async () => {
    try {
      const { dialect } = database;
      return await database.read((connection) => refuseWrite(refused, restrictions, { connection, dialect, model }));
    } catch (error) {
      // An error with a cause is thrown, so that the cause is logged.
      if (error instanceof ApiError && error.cause === undefined) return error;
      throw error;
    }
  };
  const error = await retryTransaction(database, limits, lookUp);
  return { error, milliseconds: performance.now() - started };
}
