import type { ContentType, RelationAttribute } from './content-model.ts';
import { isVisible } from './visibility.ts';

/** The relations by which `/related` compares documents: to one type, with a row for each link. */
export const linkingRelations = ({ attributes }: ContentType): readonly RelationAttribute[] =>
  [...attributes.values()].filter(
    (attribute): attribute is RelationAttribute =>
      attribute.kind === 'relation' && attribute.target !== undefined && attribute.storage.kind === 'linkTable' && isVisible(attribute),
  );
