import type { ContentType, ScalarAttribute } from './content-model.ts';
import { tellsRowsApart } from './names-rows.ts';

/** The attributes whose value names a document in a path: unique ones and uids. */
export const lookupAttributes = ({ attributes }: ContentType): readonly ScalarAttribute[] =>
  [...attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => attribute.kind === 'scalar' && !attribute.private && tellsRowsApart(attribute),
  );
