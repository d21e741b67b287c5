/** The previews of `console.preview` that fit the model. */
import { ownPlaceholders, type Preview, placeholdersOf } from '../config/preview.ts';
import { orMeant } from '../text/nearest.ts';
import type { ContentModel, ContentType } from './content-model.ts';
import { isVisible } from './visibility.ts';

const unknownPlaceholders = (template: string, { attributes }: ContentType): readonly string[] =>
  placeholdersOf(template).filter((name) => {
    const attribute = attributes.get(name);
    return !ownPlaceholders.has(name) && !(attribute?.kind === 'scalar' && isVisible(attribute));
  });

const editedTypes = ({ contentTypes }: ContentModel): readonly ContentType[] => [...contentTypes.values()].filter(({ routed }) => routed);

/** The template of each type that has a page. One for all is that of the types that have all its
 *  attributes. */
export function previewsOf(preview: Preview | undefined, model: ContentModel): ReadonlyMap<string, string> {
  if (preview === undefined) return new Map();
  if (typeof preview !== 'string') return new Map(Object.entries(preview));
  const shown = editedTypes(model).filter((type) => unknownPlaceholders(preview, type).length === 0);
  return new Map(shown.map(({ uid }) => [uid, preview]));
}

/** One problem for each name that the model does not have. */
export function previewProblems(preview: Preview | undefined, model: ContentModel): readonly string[] {
  if (preview === undefined) return [];
  const types = editedTypes(model);
  if (typeof preview === 'string') {
    if (types.length === 0 || previewsOf(preview, model).size > 0) return [];
    return ['console.preview: no content type has all attributes that its placeholders name'];
  }
  return Object.entries(preview).flatMap(([uid, template]) => {
    const type = types.find((each) => each.uid === uid);
    if (type === undefined) {
      const meant = orMeant(
        uid,
        types.map((each) => each.uid),
      );
      return [`console.preview: there is no content type ${JSON.stringify(uid)}${meant}`];
    }
    return unknownPlaceholders(template, type).map(
      (name) =>
        `console.preview: ${uid} has no attribute ${JSON.stringify(name)} that a URL can contain${orMeant(name, [...type.attributes.keys(), ...ownPlaceholders])}`,
    );
  });
}
