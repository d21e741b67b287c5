/** Rows that name others by type and id, as relations of the morph kinds do. */
import type { ContentModel, RelationStorage, Schema, Uid } from '../../../../model/content-model.ts';
import { isLinkAttribute } from './entry.ts';

/** Where rows of one type may be named. */
export interface PointerPlace {
  readonly table: string;
  readonly idColumn: string;
  readonly typeColumn: string;
  /** The type that is named. */
  readonly uid: Uid;
  /** Columns of an entry's own row, which stays when what it names goes; otherwise rows of a link table. */
  readonly ofRow: boolean;
}

const placesByModel = new WeakMap<ContentModel, Map<Uid, readonly PointerPlace[]>>();

/** Files name only what has media; relations of the content's own may name any type. */
export function pointersTo(schema: Schema, model: ContentModel): readonly PointerPlace[] {
  const known = placesByModel.get(model) ?? new Map<Uid, readonly PointerPlace[]>();
  placesByModel.set(model, known);
  let places = known.get(schema.uid);
  if (places === undefined) {
    const found = [...ownPlaces(schema), ...(schema.kind === 'component' ? [] : foreignPlaces(schema, model))];
    places = [...new Map(found.map((place) => [`${place.table} ${place.idColumn}`, place])).values()];
    known.set(schema.uid, places);
  }
  return places;
}

const ownPlaces = (schema: Schema): PointerPlace[] =>
  [...schema.attributes.values()].flatMap((attribute) => (isLinkAttribute(attribute) ? inverse(attribute.storage, schema.uid) : []));

function inverse(storage: RelationStorage, uid: Uid): PointerPlace[] {
  if (storage.kind !== 'inverseMorphLink') return [];
  const { table, idColumn, typeColumn } = storage;
  return [{ table, idColumn, typeColumn, uid, ofRow: false }];
}

function foreignPlaces({ uid }: Schema, model: ContentModel): PointerPlace[] {
  const schemas: readonly Schema[] = [...model.contentTypes.values(), ...model.components.values()];
  return schemas
    .filter((schema) => !schema.uid.startsWith('plugin::') && !schema.uid.startsWith('admin::'))
    .flatMap((schema) =>
      [...schema.attributes.values()].flatMap((attribute) =>
        attribute.kind === 'relation' ? foreignPlace(attribute.storage, schema.table, uid) : [],
      ),
    );
}

function foreignPlace(storage: RelationStorage, ownTable: string, uid: Uid): PointerPlace[] {
  if (storage.kind !== 'morphLink' && storage.kind !== 'morphColumns') return [];
  const { idColumn, typeColumn } = storage;
  const ofRow = storage.kind === 'morphColumns';
  return [{ table: storage.kind === 'morphColumns' ? ownTable : storage.table, idColumn, typeColumn, uid, ofRow }];
}
