/** Entries of several types that a search has found: how they are read, their ranks, what is shown. */
import type { SearchTerm } from '../dialects/search/types.ts';
import type { ContentType } from '../model/content-model.ts';
import { isVisible } from '../model/visibility.ts';
import type { JsonObject } from '../text/json.ts';
import { queryOfTexts, textsOfEntry } from './entry-texts.ts';
import { excerptsOf, matchesIn } from './highlights.ts';
import type { SearchColumn, SearchIndex } from './search-index.ts';

export interface TypeToSearch {
  readonly index: SearchIndex;
  /** Those that the caller may read. */
  readonly columns: readonly SearchColumn[];
  /** The attributes that the caller may read; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
}

export interface FoundEntry {
  readonly rank: number;
  /** Makes what the response has of it. */
  show(): object;
}

export interface Asked {
  readonly q: string;
  readonly locale: string | null;
  readonly status: string | null;
  readonly start: number;
  readonly limit: number;
}

/** Returns the query of the list: of the texts that the caller may read, best entries first. */
export function readOfType({ index, columns, fields }: TypeToSearch, { q, locale, status, start, limit }: Asked): readonly string[] {
  const { type, definition } = index;
  const names = new Set(columns.map(({ name }) => name));
  const sources = definition.columns.filter(({ name }) => names.has(name)).flatMap(({ texts }) => texts);
  const further = [titleOf(type, fields), ...(type.localized && (fields?.has('locale') ?? true) ? ['locale'] : []), 'documentId'];
  return [
    `filters[$search]=${encodeURIComponent(q)}`,
    'sort=$rank',
    ...queryOfTexts(sources, (name) => type.attributes.get(name)?.kind === 'dynamiczone'),
    ...further.flatMap((name) => (name === undefined ? [] : [`fields[]=${encodeURIComponent(name)}`])),
    ...(type.localized && locale !== null ? [`locale=${encodeURIComponent(locale)}`] : []),
    ...(status === null ? [] : [`status=${encodeURIComponent(status)}`]),
    `pagination[start]=${start}`,
    `pagination[limit]=${limit}`,
    'pagination[withCount]=true',
  ];
}

/** The attribute that stands for an entry: that of the schema file, otherwise the first string. */
function titleOf({ attributes, lectern }: ContentType, fields: ReadonlySet<string> | undefined): string | undefined {
  const isText = (name: string | undefined) => {
    const attribute = name === undefined ? undefined : attributes.get(name);
    return (
      attribute?.kind === 'scalar' &&
      attribute.type === 'string' &&
      !attribute.system &&
      isVisible(attribute) &&
      (fields?.has(attribute.name) ?? true)
    );
  };
  return isText(lectern?.title) ? lectern?.title : [...attributes.keys()].find(isText);
}

/** `row`: of a list that `readOfType` has asked for. */
export function foundEntry(row: JsonObject, { index, columns, fields }: TypeToSearch, terms: readonly SearchTerm[]): FoundEntry {
  const { type, definition } = index;
  const texts = columns.map((column) => ({
    ...column,
    texts: textsOfEntry(row, definition.columns.find(({ name }) => name === column.name)?.texts ?? []),
  }));
  const weights = texts.map(({ texts: its, weight }) => {
    const found = its.map((text) => matchesIn(text, terms));
    return terms.map((_, term) => (found.some((matches) => (matches[term]?.length ?? 0) > 0) ? weight : 0));
  });
  const title = titleOf(type, fields);
  const rank = terms.reduce((sum, _, term) => sum + Math.max(...weights.map((its) => its[term] ?? 0)), 0);
  return {
    rank,
    show() {
      const highlights = texts.flatMap(({ attribute, texts: its }) => {
        const excerpts = its.flatMap((text) => excerptsOf(text, terms)).slice(0, maxExcerpts);
        return excerpts.length === 0 ? [] : [[attribute, excerpts] as const];
      });
      return {
        type: type.uid,
        documentId: row.documentId,
        locale: row.locale ?? null,
        ...(title === undefined ? {} : { title: row[title] ?? null }),
        rank,
        highlights: Object.fromEntries(highlights),
      };
    },
  };
}

/** Excerpts of one attribute. */
const maxExcerpts = 3;

/** Returns the first entries of all lists. Each list keeps its order, which the database decides, so
 *  that pages have no entry twice. Of equal ranks, that of the list before comes first. */
export function mergedByRank(lists: readonly (readonly FoundEntry[])[], count: number): readonly FoundEntry[] {
  const next = lists.map(() => 0);
  const merged: FoundEntry[] = [];
  while (merged.length < count) {
    let best: number | undefined;
    for (const [list, entries] of lists.entries()) {
      const entry = entries[next[list] ?? 0];
      if (entry !== undefined && (best === undefined || entry.rank > rankAt(best))) best = list;
    }
    if (best === undefined) break;
    merged.push(lists[best]?.[next[best] ?? 0] as FoundEntry);
    next[best] = (next[best] ?? 0) + 1;
  }
  return merged;

  function rankAt(list: number): number {
    return lists[list]?.[next[list] ?? 0]?.rank ?? 0;
  }
}
