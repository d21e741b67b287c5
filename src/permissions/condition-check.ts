/** Checks the `where` of a right with the parser that reads it for requests. */
import type { ContentModel, Uid } from '../model/content-model.ts';
import { conditionProblem } from '../pipeline/restrict/restriction-filters.ts';
import type { JsonObject } from '../text/json.ts';

/** The problem of a condition on documents of a type, as text that follows the path of the condition; undefined for a valid one. */
export type CheckCondition = (where: JsonObject, uid: Uid) => string | undefined;

export const conditionCheck =
  (model: ContentModel): CheckCondition =>
  (where, uid) =>
    conditionProblem(where, uid, model);
