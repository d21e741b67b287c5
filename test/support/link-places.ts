/** Links of every kind in every place: a document's own, and those of its components. */
import { component, relation } from './schema-files.ts';
import type { Json } from './served-project.ts';

export const kinds = ['one', 'lone', 'several', 'many', 'any', 'anys'] as const;
export type Kind = (typeof kinds)[number];
export const isPolymorphic = (kind: Kind): boolean => kind === 'any' || kind === 'anys';
export const isToMany = (kind: Kind): boolean => kind === 'several' || kind === 'many' || kind === 'anys';

/** One-way relations of each kind to a type. */
export const linkKinds = (type: string) => ({
  one: relation('oneToOne', type),
  lone: relation('manyToOne', type),
  several: relation('oneToMany', type),
  many: relation('manyToMany', type),
  any: { type: 'relation', relation: 'morphToOne' },
  anys: { type: 'relation', relation: 'morphToMany' },
});

/** The attributes of a type with the components below, and these components. `options` are those of each attribute. */
export const holders = (options: object = {}) => ({
  box: component('box', options),
  boxes: component('box', { repeatable: true, ...options }),
  zone: { type: 'dynamiczone', components: ['part.box'], ...options },
});
export const boxes = (type: string) => ({
  box: { label: { type: 'string' }, inner: component('inner', { repeatable: true }), ...linkKinds(type) },
  inner: linkKinds(type),
});

function linkTo(kind: Kind, documentIds: readonly string[], type = 'topic'): Json {
  const targets = isPolymorphic(kind) ? documentIds.map((documentId) => ({ __type: `api::${type}.${type}`, documentId })) : documentIds;
  return { [kind]: isToMany(kind) ? targets : (targets[0] ?? null) };
}

/** The part of a body that links to the documents in every component, and with `own` in the document itself. */
export function inEveryPlace(kind: Kind, documentIds: readonly string[], own = true): Json {
  const link = linkTo(kind, documentIds);
  return {
    ...(own ? link : {}),
    box: { ...link, inner: [link] },
    boxes: [{ label: 'first' }, link],
    zone: [{ __component: 'part.box', ...link }],
  };
}

export const populateEveryPlace = (kind: Kind, own = true): string =>
  [
    ...(own ? [`populate[${kind}]=true`] : []),
    `populate[box][populate][${kind}]=true`,
    `populate[box][populate][inner][populate][${kind}]=true`,
    `populate[boxes][populate][${kind}]=true`,
    `populate[zone][on][part.box][populate][${kind}]=true`,
  ].join('&');

/** The names of the linked documents in each place. */
export function namesInEveryPlace(document: Json, kind: Kind, own = true): readonly (readonly unknown[])[] {
  const list = (value: unknown): Json[] => (value === null || value === undefined ? [] : Array.isArray(value) ? value : [value as Json]);
  const places = [
    ...(own ? [[document]] : []),
    list(document.box),
    list(document.box).flatMap(({ inner }) => list(inner)),
    list(document.boxes),
    list(document.zone),
  ];
  return places.map((owners) => owners.flatMap((owner) => list(owner[kind])).map(({ name }) => name));
}

/** The same names in every place. */
export const everywhere = (names: readonly string[], own = true): readonly (readonly string[])[] =>
  Array.from({ length: own ? 5 : 4 }, () => names);
