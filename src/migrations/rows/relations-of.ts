/** Lists the relations of a model with the columns that store them. */
import type { ContentModel, ContentType, LinkTable, MorphColumns, MorphLink, OwnColumn, Schema } from '../../model/content-model.ts';

interface Relation<Storage> {
  readonly owner: Schema;
  /** The target; undefined if a column of the row names its type. */
  readonly target: ContentType | undefined;
  readonly storage: Storage;
}

export interface Relations {
  readonly tables: readonly Relation<LinkTable>[];
  readonly columns: readonly Relation<OwnColumn>[];
  readonly morphTables: readonly Relation<MorphLink>[];
  readonly morphColumns: readonly Relation<MorphColumns>[];
}

/** Each relation once, from the side that owns it. */
export function relationsOf(model: ContentModel): Relations {
  const tables: Relation<LinkTable>[] = [];
  const columns: Relation<OwnColumn>[] = [];
  const morphTables: Relation<MorphLink>[] = [];
  const morphColumns: Relation<MorphColumns>[] = [];
  for (const owner of [...model.contentTypes.values(), ...model.components.values()]) {
    for (const attribute of owner.attributes.values()) {
      if (attribute.kind !== 'relation') continue;
      const target = model.contentTypes.get(attribute.target ?? '');
      const { storage } = attribute;
      if (storage.kind === 'linkTable' && storage.owner) tables.push({ owner, target, storage });
      else if (storage.kind === 'ownColumn') columns.push({ owner, target, storage });
      else if (storage.kind === 'morphLink') morphTables.push({ owner, target, storage });
      else if (storage.kind === 'morphColumns') morphColumns.push({ owner, target, storage });
    }
  }
  return { tables, columns, morphTables, morphColumns };
}

export const hasDrafts = (schema: Schema | undefined): schema is ContentType =>
  schema !== undefined && schema.kind !== 'component' && schema.draftAndPublish;

export const typesWithDrafts = (model: ContentModel): ContentType[] => [...model.contentTypes.values()].filter(hasDrafts);
