import type { ContentModel, Uid } from '../../../model/content-model.ts';
import type { Rights } from '../../../rights/rights.ts';

/** The types of which a caller may publish every document. With a condition on the right, the
 *  documents would have to be looked up one by one. */
export const publishedFreely = (model: ContentModel, rights: Rights): readonly Uid[] =>
  [...model.contentTypes.keys()].filter(
    (uid) => rights.allows(`${uid}.publish`) && rights.restriction(`${uid}.publish`)?.condition === undefined,
  );
