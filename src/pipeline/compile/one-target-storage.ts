/** The storage of attributes that filters and sorting may pass through. */
import type { MediaAttribute, MorphColumns, MorphLink, RelationAttribute, RelationStorage } from '../../model/content-model.ts';

/** Returns where the links are stored. The parser refuses paths through attributes whose rows have targets of several types. */
export function oneTargetStorage({
  name,
  storage,
}: RelationAttribute | MediaAttribute): Exclude<RelationStorage, MorphColumns | MorphLink> {
  if (storage.kind === 'morphColumns' || storage.kind === 'morphLink') throw new Error(`${name} has no one target`);
  return storage;
}
