/** Finds columns that refer to rows by type and id, as relations of the morph kinds do. */
import type { ContentModel, RelationStorage, Schema, Uid } from '../../../../model/content-model.ts';
import { isLinkAttribute } from '../../../entry/entry.ts';

/** Columns that may refer to rows of one type. */
export interface ReferenceColumns {
  readonly table: string;
  readonly idColumn: string;
  readonly typeColumn: string;
  /** The type that is referred to. */
  readonly uid: Uid;
  /** True for columns of an entry's own row, which remains when the row that it refers to is deleted; false for rows of a link table. */
  readonly ofRow: boolean;
}

const columnsByModel = new WeakMap<ContentModel, Map<Uid, readonly ReferenceColumns[]>>();

/** Returns the columns that may refer to rows of the schema. Links of files refer only to schemas with media; other morph relations may refer to any type. */
export function referencesTo(schema: Schema, model: ContentModel): readonly ReferenceColumns[] {
  const known = columnsByModel.get(model) ?? new Map<Uid, readonly ReferenceColumns[]>();
  columnsByModel.set(model, known);
  let columns = known.get(schema.uid);
  if (columns === undefined) {
    const found = [...ownColumns(schema), ...(schema.kind === 'component' ? [] : foreignColumns(schema, model))];
    columns = [...new Map(found.map((each) => [`${each.table} ${each.idColumn}`, each])).values()];
    known.set(schema.uid, columns);
  }
  return columns;
}

const ownColumns = (schema: Schema): ReferenceColumns[] =>
  [...schema.attributes.values()].flatMap((attribute) => (isLinkAttribute(attribute) ? inverse(attribute.storage, schema.uid) : []));

function inverse(storage: RelationStorage, uid: Uid): ReferenceColumns[] {
  if (storage.kind !== 'inverseMorphLink') return [];
  const { table, idColumn, typeColumn } = storage;
  return [{ table, idColumn, typeColumn, uid, ofRow: false }];
}

function foreignColumns({ uid }: Schema, model: ContentModel): ReferenceColumns[] {
  const schemas: readonly Schema[] = [...model.contentTypes.values(), ...model.components.values()];
  return schemas
    .filter((schema) => !schema.uid.startsWith('plugin::') && !schema.uid.startsWith('admin::'))
    .flatMap((schema) =>
      [...schema.attributes.values()].flatMap((attribute) =>
        attribute.kind === 'relation' ? foreignColumnsOf(attribute.storage, schema.table, uid) : [],
      ),
    );
}

function foreignColumnsOf(storage: RelationStorage, ownTable: string, uid: Uid): ReferenceColumns[] {
  if (storage.kind !== 'morphLink' && storage.kind !== 'morphColumns') return [];
  const { idColumn, typeColumn } = storage;
  const ofRow = storage.kind === 'morphColumns';
  return [{ table: storage.kind === 'morphColumns' ? ownTable : storage.table, idColumn, typeColumn, uid, ofRow }];
}
