/** What replaces code of a Strapi project. Shown by `lectern doctor` as "Instead: …". */
import type { ContentModel } from '../../model/content-model.ts';
import type { Code } from '../../project-code/open-code.ts';
import type { SketchBook } from './sketch-book.ts';

export interface Replacement {
  /** Completes "Instead: …". */
  readonly what: string;
  /** Pages of the documentation: `docs/hooks.md`. */
  readonly pages: readonly string[];
  /** Whether a function has to be written. */
  readonly needsCode: boolean;
  /** The files that `--sketches` begins: `lectern/hooks/article.ts`. */
  readonly files: readonly string[];
}

export interface ReplacementContext {
  readonly code: Code;
  readonly model: ContentModel | undefined;
  readonly book: SketchBook;
  /** `/api` */
  readonly prefix: string;
}

export const pages = {
  access: 'docs/access.md',
  editing: 'docs/editing.md',
  endpoints: 'docs/endpoints.md',
  events: 'docs/events.md',
  hooks: 'docs/hooks.md',
  query: 'docs/query.md',
} as const;

export const withoutCode = (what: string, ...of: readonly string[]): Replacement => ({ what, pages: of, needsCode: false, files: [] });
export const withCode = (what: string, page: string, files: readonly string[] = []): Replacement => ({
  what,
  pages: [page],
  needsCode: true,
  files,
});

/** Joins replacements; undefined if there are none. */
export function together(all: readonly (Replacement | undefined)[]): Replacement | undefined {
  const found = all.filter((each) => each !== undefined);
  if (found.length === 0) return undefined;
  const unique = <T>(values: readonly T[]) => [...new Set(values)];
  return {
    what: unique(found.map(({ what }) => what)).join('; '),
    pages: unique(found.flatMap((each) => each.pages)),
    needsCode: found.some(({ needsCode }) => needsCode),
    files: unique(found.flatMap(({ files }) => files)),
  };
}

/** `a, b and c`. */
export const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
