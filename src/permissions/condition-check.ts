/** Whether the `where` of a right can be understood: by the parser that will read it for each request. */
import type { ContentModel, Uid } from '../model/content-model.ts';
import { conditionProblem } from '../pipeline/restrict/restriction-filters.ts';
import type { JsonObject } from '../text/json.ts';

/** What is wrong with a condition on documents of a type, in words that follow its path; undefined when nothing is. */
export type CheckCondition = (where: JsonObject, uid: Uid) => string | undefined;

export const conditionCheck =
  (model: ContentModel): CheckCondition =>
  (where, uid) =>
    conditionProblem(where, uid, model);
