/** Whether the `where` of a right can be understood: by the parser that will read it for each request. */
import type { ContentModel, Uid } from '../model/content-model.ts';
import type { JsonObject } from '../model/json.ts';
import { conditionProblem } from '../pipeline/limit-filters.ts';

/** What is wrong with a condition on documents of a type, in words that follow its path; undefined when nothing is. */
export type CheckCondition = (where: JsonObject, uid: Uid) => string | undefined;

export const conditionCheck =
  (model: ContentModel): CheckCondition =>
  (where, uid) =>
    conditionProblem(where, uid, model);
