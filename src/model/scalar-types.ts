import type { RelationKind, ScalarType } from './content-model.ts';

/** Every scalar type. As a record, it does not compile without each type of `ScalarType`. */
const scalars: Readonly<Record<ScalarType, true>> = {
  string: true,
  text: true,
  richtext: true,
  blocks: true,
  email: true,
  password: true,
  uid: true,
  enumeration: true,
  integer: true,
  biginteger: true,
  float: true,
  decimal: true,
  boolean: true,
  date: true,
  time: true,
  datetime: true,
  timestamp: true,
  json: true,
};

export const scalarTypes: readonly string[] = Object.keys(scalars);
export const isScalarType = (type: string): type is ScalarType => Object.hasOwn(scalars, type);

interface RelationShape {
  readonly cardinality: 'one' | 'many';
  /** The kind that a two-way relation's other side must have; undefined for morph relations. */
  readonly inverse: RelationKind | undefined;
}

export const relationKinds: Readonly<Record<RelationKind, RelationShape>> = {
  oneToOne: { cardinality: 'one', inverse: 'oneToOne' },
  oneToMany: { cardinality: 'many', inverse: 'manyToOne' },
  manyToOne: { cardinality: 'one', inverse: 'oneToMany' },
  manyToMany: { cardinality: 'many', inverse: 'manyToMany' },
  morphToOne: { cardinality: 'one', inverse: undefined },
  morphToMany: { cardinality: 'many', inverse: undefined },
  morphOne: { cardinality: 'one', inverse: undefined },
  morphMany: { cardinality: 'many', inverse: undefined },
};

export const isRelationKind = (kind: string): kind is RelationKind => Object.hasOwn(relationKinds, kind);
