/** Which documents a link of a relation changes besides the one whose attribute it stands in. */
import type { ContentModel, RelationAttribute } from './content-model.ts';

/** The attribute of the target that owns the links; undefined on the side that owns them itself. */
export function ownedByTarget({ target, mappedBy, storage }: RelationAttribute, model: ContentModel): string | undefined {
  if (storage.kind !== 'inverseMorphColumns' && storage.kind !== 'inverseMorphLink') return mappedBy;
  const attributes = target === undefined ? undefined : model.contentTypes.get(target)?.attributes;
  for (const attribute of attributes?.values() ?? []) {
    if (attribute.kind !== 'relation') continue;
    const other = attribute.storage;
    if (storage.kind === 'inverseMorphColumns' && other.kind === 'morphColumns' && other.idColumn === storage.idColumn)
      return attribute.name;
    if (storage.kind === 'inverseMorphLink' && other.kind === 'morphLink' && other.table === storage.table) return attribute.name;
  }
  return undefined;
}

/** One source for a target, and both sides know of it: a new source takes the target from the one that has it. One-way relations may share a
 *  target. */
export const takesOver = ({ relation, twoWay }: RelationAttribute): boolean =>
  twoWay && (relation === 'oneToOne' || relation === 'oneToMany');
