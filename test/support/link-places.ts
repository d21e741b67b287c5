/** Links of every kind in every place: a document's own, and those of its components. */
import { component, relation } from './schema-files.ts';
import type { Json } from './served-project.ts';

/** Kinds that are tested together, as one document can have links of them all. */
export const groups = [
  { name: 'to one', kinds: ['one', 'lone', 'any'], isToMany: false },
  { name: 'to many', kinds: ['several', 'many', 'anys'], isToMany: true },
] as const;
export type Kind = (typeof groups)[number]['kinds'][number];
export type Kinds = readonly Kind[];
export const allKinds: Kinds = groups.flatMap(({ kinds }): Kinds => kinds);
export const isPolymorphic = (kind: Kind): boolean => kind === 'any' || kind === 'anys';
const isToMany = (kind: Kind): boolean => kind === 'several' || kind === 'many' || kind === 'anys';

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

export const targetOf = (kind: Kind, documentId: string, type = 'topic') =>
  isPolymorphic(kind) ? { __type: `api::${type}.${type}`, documentId } : { documentId };

function linksTo(kinds: Kinds, documentIds: readonly string[]): Json {
  const links = kinds.map((kind) => {
    const targets = documentIds.map((documentId) => targetOf(kind, documentId));
    return [kind, isToMany(kind) ? targets : (targets[0] ?? null)];
  });
  return Object.fromEntries(links);
}

/** The part of a body that links to the documents in every component, and with `own` in the document itself. */
export function inEveryPlace(kinds: Kinds, documentIds: readonly string[], own = true): Json {
  const links = linksTo(kinds, documentIds);
  return {
    ...(own ? links : {}),
    box: { ...links, inner: [links] },
    boxes: [{ label: 'first' }, links],
    zone: [{ __component: 'part.box', ...links }],
  };
}

export const populateEveryPlace = (kinds: Kinds, own = true): string =>
  kinds
    .flatMap((kind) => [
      ...(own ? [`populate[${kind}]=true`] : []),
      `populate[box][populate][${kind}]=true`,
      `populate[box][populate][inner][populate][${kind}]=true`,
      `populate[boxes][populate][${kind}]=true`,
      `populate[zone][on][part.box][populate][${kind}]=true`,
    ])
    .join('&');

/** By kind, the names of the linked documents in each place. */
type Names = Readonly<Record<string, readonly (readonly unknown[])[]>>;

export function namesInEveryPlace(document: Json, kinds: Kinds, own = true): Names {
  const list = (value: unknown): Json[] => (value === null || value === undefined ? [] : Array.isArray(value) ? value : [value as Json]);
  const places = [
    ...(own ? [[document]] : []),
    list(document.box),
    list(document.box).flatMap(({ inner }) => list(inner)),
    list(document.boxes),
    list(document.zone),
  ];
  const namesOf = (kind: Kind) => places.map((owners) => owners.flatMap((owner) => list(owner[kind])).map(({ name }) => name));
  return Object.fromEntries(kinds.map((kind) => [kind, namesOf(kind)]));
}

/** The same names in every place, but those of `own` in the document itself; null: only in its components. */
export function everywhere(kinds: Kinds, names: readonly string[], own: readonly string[] | null = names): Names {
  const places = [...(own === null ? [] : [own]), names, names, names, names];
  return Object.fromEntries(kinds.map((kind) => [kind, places]));
}

/** Types without drafts link to both versions. */
export const eachOnce = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).map(([kind, places]) => [kind, places.map((of) => [...new Set(of)])]));
