/** An entry as it will be in another row: the published form of a draft, a draft made again of what is published, another locale. */
import type { Attribute } from '../../model/content-model.ts';
import { byJoin, type Entry, emptyEntry, type Link, type LinkSource, type OwnedComponent, type TargetRow } from './entry.ts';

/** The rows that a source links to of the document and locale of a row. */
interface VersionLookup {
  versionOf(row: TargetRow, source: LinkSource): { readonly rows: readonly TargetRow[] };
}

/** A copy without row ids, its links leading where the new row's links may lead. LinkTargets that have no such version are left out. */
export function copiedFor(
  entry: Entry,
  source: LinkSource,
  targets: VersionLookup,
  wanted: (attribute: Attribute) => boolean = () => true,
): Entry {
  const copy = emptyEntry(entry.schema);
  for (const attribute of entry.schema.attributes.values()) {
    if (!wanted(attribute)) continue;
    const { name } = attribute;
    const value = entry.values.get(name);
    if (value !== undefined) copy.values.set(name, value);
    const links = entry.links.get(name);
    if (links !== undefined) copy.links.set(name, copiedLinks(links, source, targets));
    const components = entry.components.get(name);
    if (components !== undefined)
      copy.components.set(
        name,
        components.map((component) => ({ entry: copiedFor(component.entry, source, targets), join: undefined })),
      );
  }
  return copy;
}

function copiedLinks(links: readonly Link[], source: LinkSource, targets: VersionLookup): readonly Link[] {
  const seen = new Set<string>();
  return links
    .flatMap((link) => targets.versionOf(link.row, source).rows.map((row) => ({ link, row })))
    .filter(({ row }) => {
      // Pending rows have no id yet, and are one object each.
      const key = row.id > 0 ? `${row.uid} ${row.id}` : `${row.uid} ${row.documentId} ${row.locale} ${row.published}`;
      return !seen.has(key) && seen.add(key);
    })
    .map(({ link, row }, index) => ({ row, id: undefined, order: index + 1, inverseOrder: undefined, like: link }));
}

/** Gives the rows of `current` to what is the same in `wanted`, so that nothing is written for it. What differs in a component is written
 *  as a new one: many new rows take one statement, many changed ones one each. */
export function keepingRows(wanted: Entry, current: Entry): Entry {
  const kept: Entry = { ...wanted, id: current.id, links: new Map(), components: new Map() };
  for (const [name, links] of wanted.links) {
    const known = new Map((current.links.get(name) ?? []).map((link) => [`${link.row.uid} ${link.row.id}`, link]));
    kept.links.set(
      name,
      links.map((link) => {
        const same = known.get(`${link.row.uid} ${link.row.id}`);
        // Its place among the sources of the target is the target's own affair.
        return same === undefined ? link : { ...same, order: link.order };
      }),
    );
  }
  for (const [name, components] of wanted.components)
    kept.components.set(name, keepingComponents(components, current.components.get(name) ?? []));
  return kept;
}

function keepingComponents(wanted: readonly OwnedComponent[], current: readonly OwnedComponent[]): readonly OwnedComponent[] {
  const free = new Map<string, OwnedComponent[]>();
  // From the end, so that the first of equal ones is taken first.
  for (const component of [...current].reverse()) {
    const key = fingerprint(component.entry);
    const list = free.get(key);
    if (list === undefined) free.set(key, [component]);
    else list.push(component);
  }
  return wanted.map((component) => free.get(fingerprint(component.entry))?.pop() ?? component);
}

/** Equal for entries that are the same but for their row ids. */
const fingerprint = (entry: Entry): string => JSON.stringify(comparable(entry));

/** Written as text once and as a whole: text inside of text is longer with every level. */
function comparable({ schema, values, links, components }: Entry): unknown[] {
  return [
    schema.uid,
    [...values].map(([name, value]) => [name, typeof value === 'bigint' ? `${value}n` : value]).sort(byName),
    [...links].map(([name, list]) => [name, ...list.map(({ row }) => `${row.uid} ${row.id} ${row.documentId}`)]).sort(byName),
    [...components].map(([name, list]) => [name, ...list.map(({ entry }) => comparable(entry))]).sort(byName),
  ];
}

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]) => (String(a) < String(b) ? -1 : 1);

/** Every link of an entry and of its components. */
export function* linksOf(entry: Entry): Generator<Link> {
  for (const links of entry.links.values()) yield* links;
  for (const components of entry.components.values()) for (const component of components) yield* linksOf(component.entry);
}

export const sameContent = (a: Entry, b: Entry): boolean => fingerprint(a) === fingerprint(b);

/** The entry as it will be when `changed` has been written over it. */
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

/** A link to itself shows on both sides of a relation, though only one of them was changed. */
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
