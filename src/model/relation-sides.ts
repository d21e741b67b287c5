/** Finds the documents that a link of a relation changes besides the one that has the attribute. */
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

/** Whether a target of a relation can have only one source, so that a new source takes it over.
 *  Targets of one-way relations can be shared. */
export const takesOver = ({ relation, twoWay }: RelationAttribute): boolean =>
  twoWay && (relation === 'oneToOne' || relation === 'oneToMany');
