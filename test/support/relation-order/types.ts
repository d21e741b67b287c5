/** Content types with relations of every kind, with and without drafts and locales. */
import { relation } from '../schema-files.ts';

export const locales = ['en', 'fr'] as const;
export type Locale = (typeof locales)[number];
export type TypeName = 'book' | 'tag' | 'shelf' | 'badge';
interface Type {
  readonly drafts: boolean;
  readonly localized: boolean;
}
export const types: Readonly<Record<TypeName, Type>> = {
  book: { drafts: true, localized: true },
  tag: { drafts: true, localized: true },
  shelf: { drafts: true, localized: false },
  badge: { drafts: false, localized: false },
};

/** `attribute` of the one type leads to the other, whose `inverse` leads back. */
export interface Relation {
  readonly type: TypeName;
  readonly attribute: string;
  readonly kind: 'manyToMany' | 'oneToMany';
  readonly target: TypeName;
  readonly inverse?: string;
}
export const relations: readonly Relation[] = [
  { type: 'book', attribute: 'tags', kind: 'manyToMany', target: 'tag', inverse: 'books' },
  { type: 'book', attribute: 'cites', kind: 'manyToMany', target: 'book', inverse: 'citedBy' },
  { type: 'book', attribute: 'badges', kind: 'manyToMany', target: 'badge', inverse: 'books' },
  { type: 'shelf', attribute: 'books', kind: 'oneToMany', target: 'book', inverse: 'shelf' },
  { type: 'book', attribute: 'picks', kind: 'manyToMany', target: 'tag' },
  { type: 'book', attribute: 'similar', kind: 'oneToMany', target: 'book' },
  { type: 'badge', attribute: 'favourites', kind: 'oneToMany', target: 'book' },
];

/** One side of a relation, as the type sees it that has the attribute. */
export interface Side {
  readonly relation: Relation;
  readonly attribute: string;
  readonly type: TypeName;
  readonly target: TypeName;
  readonly toOne: boolean;
  readonly owning: boolean;
}
export const sides: readonly Side[] = relations.flatMap((relation) => {
  const { attribute, type, target, inverse, kind } = relation;
  const own = { relation, attribute, type, target, toOne: false, owning: true };
  if (inverse === undefined) return [own];
  return [own, { relation, attribute: inverse, type: target, target: type, toOne: kind === 'oneToMany', owning: false }];
});
export const sidesOf = (type: TypeName) => sides.filter((side) => side.type === type);
export const otherSide = ({ relation, owning }: Side) => sides.find((side) => side.relation === relation && side.owning !== owning);

export function attributesOf(name: TypeName) {
  const attributes = sidesOf(name).map(({ relation: { inverse, kind, attribute: own }, attribute, target, owning, toOne }) => {
    const other = owning ? inverse : own;
    // The many side of a one-to-many relation has the link table.
    const mapped = kind === 'oneToMany' ? owning : !owning;
    return [
      attribute,
      relation(toOne ? 'manyToOne' : kind, target, other === undefined ? {} : { [mapped ? 'mappedBy' : 'inversedBy']: other }),
    ];
  });
  return { run: { type: 'integer' }, ...Object.fromEntries(attributes) };
}
