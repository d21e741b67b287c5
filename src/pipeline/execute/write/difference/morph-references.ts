/** Finds columns that refer to rows by type and id, as relations of the morph kinds do. */

import { oncePer } from '../../../../collections.ts';
import { type ContentModel, type Schema, schemasOf, type Uid } from '../../../../model/content-model.ts';
import { isLinkAttribute } from '../../../entry/entry.ts';

/** Columns that may refer to rows of one type. */
export interface ReferenceColumns {
  readonly table: string;
  readonly idColumn: string;
  readonly typeColumn: string;
  /** The type that is referred to. */
  readonly uid: Uid;
  /** True for columns of an entry's own row, which remains when the row that it refers to is
   *  deleted; false for rows of a link table. */
  readonly ofRow: boolean;
}

/** Returns the columns that may refer to rows of the schema. Links of files refer only to schemas
 *  with media; other morph relations may refer to any type. */
export const referencesTo = oncePer((model: ContentModel) =>
  oncePer((schema: Schema): readonly ReferenceColumns[] => {
    const found = [...ownColumns(schema), ...(schema.kind === 'component' ? [] : foreignColumns(schema, model))];
    return [...new Map(found.map((each) => [`${each.table} ${each.idColumn}`, each])).values()];
  }),
);

const ownColumns = ({ attributes, uid }: Schema): ReferenceColumns[] =>
  [...attributes.values()].flatMap((attribute) => {
    if (!isLinkAttribute(attribute) || attribute.storage.kind !== 'inverseMorphLink') return [];
    const { table, idColumn, typeColumn } = attribute.storage;
    return [{ table, idColumn, typeColumn, uid, ofRow: false }];
  });

function foreignColumns({ uid }: Schema, model: ContentModel): ReferenceColumns[] {
  return schemasOf(model)
    .filter((schema) => !schema.uid.startsWith('plugin::') && !schema.uid.startsWith('admin::'))
    .flatMap(({ table: ownTable, attributes }) =>
      [...attributes.values()].flatMap((attribute) => {
        if (attribute.kind !== 'relation') return [];
        const { storage } = attribute;
        if (storage.kind !== 'morphLink' && storage.kind !== 'morphColumns') return [];
        const { idColumn, typeColumn } = storage;
        const ofRow = storage.kind === 'morphColumns';
        return [{ table: storage.kind === 'morphLink' ? storage.table : ownTable, idColumn, typeColumn, uid, ofRow }];
      }),
    );
}
