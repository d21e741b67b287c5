/** Links in every place and of every kind: a document's own, and those of its components. */

import { relation } from './schema-files.ts';
import type { Json } from './served-project.ts';

export const kinds = ['one', 'lone', 'several', 'many', 'any', 'anys'] as const;
export type Kind = (typeof kinds)[number];
const polymorphic: ReadonlySet<Kind> = new Set<Kind>(['any', 'anys']);
const toMany: ReadonlySet<Kind> = new Set<Kind>(['several', 'many', 'anys']);

/** One-way relations of each kind to a type. */
export const linkKinds = (type: string) => ({
  one: relation('oneToOne', type),
  lone: relation('manyToOne', type),
  several: relation('oneToMany', type),
  many: relation('manyToMany', type),
  any: { type: 'relation', relation: 'morphToOne' },
  anys: { type: 'relation', relation: 'morphToMany' },
});

export const places = ['a component', 'a list of components', 'a component in a component', 'a zone'] as const;
export const allPlaces = ['the document', ...places] as const;
export type Place = (typeof allPlaces)[number];

/** The attribute of a body that links to the documents. */
export function linkTo(kind: Kind, documentIds: readonly string[], type = 'topic'): Json {
  const targets = polymorphic.has(kind) ? documentIds.map((documentId) => ({ __type: `api::${type}.${type}`, documentId })) : documentIds;
  return { [kind]: toMany.has(kind) ? targets : (targets[0] ?? null) };
}

export function placed(place: Place, kind: Kind, documentIds: readonly string[], type = 'topic'): Json {
  const link = linkTo(kind, documentIds, type);
  if (place === 'the document') return link;
  if (place === 'a component') return { box: link };
  if (place === 'a list of components') return { boxes: [{ label: 'first' }, link] };
  if (place === 'a component in a component') return { box: { inner: [link] } };
  return { zone: [{ __component: 'part.box', ...link }] };
}

export function populated(place: Place): string {
  if (place === 'the document') return 'populate=*';
  if (place === 'a component') return 'populate[box][populate]=*';
  if (place === 'a list of components') return 'populate[boxes][populate]=*';
  if (place === 'a component in a component') return 'populate[box][populate][inner][populate]=*';
  return 'populate[zone][on][part.box][populate]=*';
}

/** The linked documents in a response. */
export function linked(document: Json, place: Place, kind: Kind): readonly Json[] {
  const list = (value: unknown): Json[] => (value === null || value === undefined ? [] : Array.isArray(value) ? value : [value as Json]);
  const holders =
    place === 'the document'
      ? [document]
      : place === 'a component in a component'
        ? list(document.box).flatMap(({ inner }) => list(inner))
        : list(document[place === 'a component' ? 'box' : place === 'a list of components' ? 'boxes' : 'zone']);
  return holders.flatMap((holder) => list(holder[kind]));
}
