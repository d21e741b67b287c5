/** The texts of an entry as responses show it, by the same sources as those of its index. */
import type { TextSource } from '../dialects/search/types.ts';
import { isObject, type JsonObject } from '../text/json.ts';

/** Returns the texts of one column of the index. */
export const textsOfEntry = (entry: JsonObject, sources: readonly TextSource[]): readonly string[] =>
  sources.flatMap((source): readonly string[] => {
    if (source.kind === 'column') return textsOfValue(entry[source.attribute], source.holds);
    const value = entry[source.link.field];
    const { component } = source.link;
    return (Array.isArray(value) ? value : [value]).flatMap((item) =>
      isObject(item) && (item.__component ?? component) === component ? textsOfEntry(item, source.texts) : [],
    );
  });

function textsOfValue(value: unknown, holds: 'text' | 'blocks'): readonly string[] {
  if (typeof value === 'string') return holds === 'text' ? [value] : [];
  if (holds === 'text' || typeof value !== 'object' || value === null) return [];
  return [textOfBlocks(value)].filter((text) => text !== '');
}

/** The texts of blocks, as one: words of different marks may be one sentence. */
const textOfBlocks = (value: object): string =>
  Object.entries(value)
    .flatMap(([key, item]) => (key === 'text' && typeof item === 'string' ? [item] : isNested(item) ? [textOfBlocks(item)] : []))
    .filter((text) => text !== '')
    .join(' ');

const isNested = (item: unknown): item is object => typeof item === 'object' && item !== null;

/** The parts of a query that read these texts: `fields[]=title`, `populate[seo][fields][]=text`. */
export function queryOfTexts(sources: readonly TextSource[], isZone: (attribute: string) => boolean): readonly string[] {
  const parts = new Set<string>();
  const visit = (texts: readonly TextSource[], prefix: string, isTop: boolean): void => {
    for (const source of texts) {
      if (source.kind === 'column') {
        parts.add(`${prefix === '' ? 'fields' : `${prefix}[fields]`}[]=${encodeURIComponent(source.attribute)}`);
        continue;
      }
      const { field, component } = source.link;
      const here = prefix === '' ? `populate[${field}]` : `${prefix}[populate][${field}]`;
      // Zones are attributes of types alone.
      const below = isTop && isZone(field) ? `${here}[on][${component}]` : here;
      if (source.texts.every(({ kind }) => kind !== 'column')) parts.add(`${below}[fields][]=id`);
      visit(source.texts, below, false);
    }
  };
  visit(sources, '', true);
  return [...parts];
}
