/** What a body says of a relation: only what has changed, so that a link that somebody else has added
 *  meanwhile stays. Pure. */
import type { DescribedAttribute } from '../../../http/endpoints/me/described-me.ts';
import { isRecord, type LinkedDocument, listOf } from './values.ts';

type Body = Readonly<Record<string, unknown>>;

/** `before`: what was linked when the form was read; undefined for what is not stored yet. */
export function linksOf(attribute: DescribedAttribute, value: unknown, before: unknown): unknown {
  if (attribute.isMany !== true) return isRecord(value) ? target(value as LinkedDocument, attribute) : null;
  const after = listOf(value).filter(isDocument);
  if (before === undefined) return { set: after.map((each) => target(each, attribute)) };
  const former = new Map(
    listOf(before)
      .filter(isDocument)
      .map((each, index) => [linkKey(each, attribute), { each, index }] as const),
  );
  const keys = after.map((each) => linkKey(each, attribute));
  const kept = new Set(keys);
  const removed = [...former].filter(([key]) => !kept.has(key)).map(([, { each }]) => target(each, attribute));
  const staying = inOrder(keys.map((key) => former.get(key)?.index));
  return {
    connect: placed(after, staying, attribute),
    disconnect: removed,
    // An anchor that somebody has removed meanwhile is no mistake: the target goes to the end.
    options: { strict: false },
  };
}

const isDocument = (value: unknown): value is LinkedDocument => isRecord(value) && typeof value.documentId === 'string';

/** Tells links apart. A type without locales can link to several locales of one document. */
export const linkKey = ({ documentId, __type, locale }: LinkedDocument, { localized }: Pick<DescribedAttribute, 'localized'>): string =>
  [__type, documentId, localized ? undefined : locale].filter((each) => each !== undefined && each !== null).join(' ');

/** Within a document that has locales, links stay within its own. */
function target({ documentId, __type, locale }: LinkedDocument, { localized }: DescribedAttribute): Body {
  return {
    documentId,
    ...(__type === undefined ? {} : { __type }),
    ...(localized || typeof locale !== 'string' ? {} : { locale }),
  };
}

/** The links as the user wants them, with what others have linked and removed meanwhile. Undefined
 *  for other attributes. */
export function joinedLinks(attribute: DescribedAttribute, typed: unknown, base: unknown, current: unknown): unknown {
  if (attribute.type !== 'relation' || attribute.isMany !== true) return undefined;
  const keyOf = (each: LinkedDocument) => linkKey(each, attribute);
  const [wanted, former, now] = [typed, base, current].map((value) => listOf(value).filter(isDocument)) as [
    LinkedDocument[],
    LinkedDocument[],
    LinkedDocument[],
  ];
  const formerKeys = new Set(former.map(keyOf));
  const nowKeys = new Set(now.map(keyOf));
  const joined = wanted.filter((each) => nowKeys.has(keyOf(each)) || !formerKeys.has(keyOf(each)));
  const present = new Set(joined.map(keyOf));
  // What others have linked stands behind what it stands behind for them.
  now.forEach((each, index) => {
    if (formerKeys.has(keyOf(each)) || present.has(keyOf(each))) return;
    const before = now
      .slice(0, index)
      .reverse()
      .map(keyOf)
      .find((key) => present.has(key));
    joined.splice(before === undefined ? 0 : joined.findIndex((one) => keyOf(one) === before) + 1, 0, each);
    present.add(keyOf(each));
  });
  return joined;
}

/** For `merge`, of a document or a component with these attributes. */
export const joinerOf =
  (attributes: readonly DescribedAttribute[]) =>
  (name: string, ...[typed, base, current]: readonly [typed: unknown, base: unknown, current: unknown]): unknown => {
    const attribute = attributes.find((each) => each.name === name);
    return attribute === undefined ? undefined : joinedLinks(attribute, typed, base, current);
  };

/** The targets that do not stay, each with its place; those at the end need none. */
function placed(after: readonly LinkedDocument[], staying: ReadonlySet<number>, attribute: DescribedAttribute): readonly Body[] {
  const lastStaying = Math.max(-1, ...staying);
  return after.flatMap((each, index): readonly Body[] => {
    if (staying.has(index)) return [];
    const former = after[index - 1];
    if (index > lastStaying) return [{ ...target(each, attribute), position: { end: true } }];
    if (former === undefined) return [{ ...target(each, attribute), position: { start: true } }];
    const { documentId, ...rest } = target(former, attribute);
    return [{ ...target(each, attribute), position: { after: documentId, ...rest } }];
  });
}

/** The places of a longest part of the list that is in its former order: the others are moved.
 *  `[0, 3, 1, 2]` → places 0, 2 and 3. In `n log n`. */
function inOrder(formerly: readonly (number | undefined)[]): ReadonlySet<number> {
  /** By length, the place that ends the best part of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  const at = (place: number) => formerly[place] ?? Number.NaN;
  formerly.forEach((index, place) => {
    if (index === undefined) return;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(ends[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    previous[place] = ends[low - 1];
    ends[low] = place;
  });
  const places = new Set<number>();
  for (let place = ends.at(-1); place !== undefined; place = previous[place]) places.add(place);
  return places;
}
