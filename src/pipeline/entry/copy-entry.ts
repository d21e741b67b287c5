/** Copies entries for other rows: the published row of a draft, its draft, or another locale. */

import { grouped } from '../../collections.ts';
import type { Attribute } from '../../model/content-model.ts';
import {
  type AwaitedLink,
  byJoin,
  type Entry,
  emptyEntry,
  type Link,
  type LinkSource,
  type OwnedComponent,
  type TargetRow,
} from './entry.ts';

/** Finds the rows of the document of `row` that a source links to, and the locale that they are in
 *  (null for a type without locales). */
interface VersionLookup {
  versionFor(row: TargetRow, source: LinkSource): { readonly rows: readonly TargetRow[]; readonly locale: string | null };
}

/** A copy without row ids. Its links lead to the versions that its row may link to; links without
 *  such a version become awaited links if the copy is for a published row. */
export function copiedFor(
  entry: Entry,
  source: LinkSource,
  targets: VersionLookup,
  wanted: (attribute: Attribute) => boolean = () => true,
): Entry {
  const copy = emptyEntry(entry.schema);
  const awaited: AwaitedLink[] = [];
  for (const attribute of entry.schema.attributes.values()) {
    if (!wanted(attribute)) continue;
    const { name } = attribute;
    const value = entry.values.get(name);
    if (value !== undefined) copy.values.set(name, value);
    const links = entry.links.get(name);
    if (links !== undefined) {
      copy.links.set(name, copiedLinks(links, source, targets));
      if (source.status === 'published' && attribute.kind === 'relation' && !attribute.twoWay)
        awaited.push(...awaitedLinks(name, links, source, targets));
    }
    const components = entry.components.get(name);
    if (components !== undefined)
      copy.components.set(
        name,
        components.map((component) => ({ entry: copiedFor(component.entry, source, targets), join: undefined })),
      );
  }
  if (awaited.length > 0) copy.awaited = awaited;
  return copy;
}

/** Awaited links have positions between those of the copied links. */
function awaitedLinks(field: string, links: readonly Link[], source: LinkSource, targets: VersionLookup): AwaitedLink[] {
  const seen = new Set<string>();
  let copied = 0;
  return links.flatMap(({ row }, index) => {
    const { uid, documentId } = row;
    const { rows, locale } = targets.versionFor(row, source);
    copied += rows.length;
    const key = `${uid} ${documentId} ${locale}`;
    if (rows.length > 0 || documentId === null || seen.has(key)) return [];
    seen.add(key);
    // A document that is not in the locale is linked by no draft there either.
    if (targets.versionFor(row, { ...source, status: 'draft' }).rows.length === 0) return [];
    return [{ field, uid, documentId, locale, position: copied + (index + 1) / (links.length + 1) }];
  });
}

function copiedLinks(links: readonly Link[], source: LinkSource, targets: VersionLookup): readonly Link[] {
  const seen = new Set<string>();
  return links
    .flatMap((link) => targets.versionFor(link.row, source).rows.map((row) => ({ link, row })))
    .filter(({ row }) => {
      // A row that is not inserted yet has no id, so its version identifies it.
      const key = row.id > 0 ? `${row.uid} ${row.id}` : `${row.uid} ${row.documentId} ${row.locale} ${row.published}`;
      return !seen.has(key) && seen.add(key);
    })
    .map(({ link, row }, index) => ({ row, id: undefined, order: index + 1, inverseOrder: undefined, like: link }));
}

/** Gives links and components of `wanted` that equal stored ones the rows of those in `current`, so
 *  that they are not written again. A component that differs becomes a new one: many new rows take
 *  one statement, many changed rows one each. */
export function keepingRows(wanted: Entry, current: Entry): Entry {
  const merged: Entry = { ...wanted, id: current.id, links: new Map(), components: new Map() };
  for (const [name, links] of wanted.links) {
    const known = new Map((current.links.get(name) ?? []).map((link) => [`${link.row.uid} ${link.row.id}`, link]));
    merged.links.set(
      name,
      links.map((link) => {
        const same = known.get(`${link.row.uid} ${link.row.id}`);
        // The link keeps its position among the sources of its target.
        return same === undefined ? link : { ...same, order: link.order };
      }),
    );
  }
  for (const [name, components] of wanted.components)
    merged.components.set(name, keepingComponents(components, current.components.get(name) ?? []));
  return merged;
}

function keepingComponents(wanted: readonly OwnedComponent[], current: readonly OwnedComponent[]): readonly OwnedComponent[] {
  // Reversed, since `pop` takes the last item: the first of equal components is taken first.
  const free = grouped([...current].reverse(), ({ entry }) => fingerprint(entry));
  return wanted.map((component) => free.get(fingerprint(component.entry))?.pop() ?? component);
}

/** Returns text that is equal for entries that differ only in their row ids. */
const fingerprint = (entry: Entry): string => JSON.stringify(comparable(entry));

/** A value to write as text once: JSON text inside JSON text would grow with each level. */
function comparable({ schema, values, links, components, awaited = [] }: Entry): unknown[] {
  return [
    schema.uid,
    [...values].map(([name, value]) => [name, typeof value === 'bigint' ? `${value}n` : value]).sort(byName),
    [...links].map(([name, list]) => [name, ...list.map(({ row }) => `${row.uid} ${row.id} ${row.documentId}`)]).sort(byName),
    [...components].map(([name, list]) => [name, ...list.map(({ entry }) => comparable(entry))]).sort(byName),
    awaited.map(({ field, uid, documentId, locale, position }) => {
      const before = (links.get(field) ?? []).filter(({ order }) => (order ?? 0) < position).length;
      return `${field} ${before} ${uid} ${documentId} ${locale}`;
    }),
  ];
}

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]) => (String(a) < String(b) ? -1 : 1);

/** Yields every link of an entry and of its components. */
export function* linksOf(entry: Entry): Generator<Link> {
  for (const links of entry.links.values()) yield* links;
  for (const components of entry.components.values()) for (const component of components) yield* linksOf(component.entry);
}

export const sameContent = (a: Entry, b: Entry): boolean => fingerprint(a) === fingerprint(b);

/** Returns which of these attributes differ between two entries of one schema. */
export function differingAttributes(a: Entry, b: Entry, attributes: readonly Attribute[]): readonly Attribute[] {
  const only = ({ schema, values, links, components }: Entry, name: string): Entry => ({
    ...emptyEntry(schema),
    values: new Map([[name, values.get(name) ?? null]]),
    links: new Map([[name, links.get(name) ?? []]]),
    components: new Map([[name, components.get(name) ?? []]]),
  });
  return attributes.filter(({ name }) => !sameContent(only(a, name), only(b, name)));
}

/** Returns the entry as it will be after `changed` has been written. */
export function merged(current: Entry, changed: Entry): Entry {
  const components = new Map(current.components);
  for (const [name, list] of changed.components) {
    const before = byJoin(current.components.get(name) ?? []);
    components.set(
      name,
      list.map((component) => {
        const same = component.join === undefined ? undefined : before.get(component.join.id);
        return same === undefined ? component : { ...component, entry: merged(same.entry, component.entry) };
      }),
    );
  }
  return {
    ...current,
    values: new Map([...current.values, ...changed.values]),
    links: new Map([...current.links, ...changed.links, ...linksToItself(current, changed)]),
    components,
  };
}

/** The links on the other side of a relation that adds or removes a link of the entry to itself:
 *  both sides show such a link. */
function linksToItself(current: Entry, changed: Entry): [string, readonly Link[]][] {
  return [...changed.links].flatMap(([name, links]): [string, readonly Link[]][] => {
    const attribute = current.schema.attributes.get(name);
    if (attribute?.kind !== 'relation' || attribute.target !== current.schema.uid) return [];
    const inverse = attribute.mappedBy ?? attribute.inversedBy;
    const before = inverse === undefined || changed.links.has(inverse) ? undefined : current.links.get(inverse);
    if (inverse === undefined || before === undefined) return [];
    const isItself = ({ row }: Link) => row.id === current.id;
    const itself = links.find(isItself);
    if (itself === undefined) return [[inverse, before.filter((link) => !isItself(link))]];
    return before.some(isItself) ? [] : [[inverse, [...before, { row: itself.row, id: undefined, order: null, inverseOrder: undefined }]]];
  });
}
