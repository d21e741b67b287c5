/** Types of `search`: a full-text search in several types. */
import type { ContentUid, IsLoose, ScalarName, TypeName, Uid } from './names.ts';
import type { PageMeta, Status } from './result.ts';
import type { AnySchema } from './schema.ts';

type Named<S extends AnySchema> = TypeName<S> | ContentUid<S>;

export interface SearchParams<S extends AnySchema> {
  /** The words. */
  readonly q: string;
  /** Plural or singular names, or uids; all types that have an index if not given. */
  readonly types?: Named<S> | readonly Named<S>[] | undefined;
  /** The locale of entries of localized types; `*` for all. */
  readonly locale?: string | undefined;
  readonly status?: Status | undefined;
  /** 25 entries if not given, 100 at most. */
  readonly pagination?: { readonly page?: number | undefined; readonly pageSize?: number | undefined } | undefined;
}

/** An entry that a search has found. `type` tells the members of the union apart. */
export type Hit<S extends AnySchema> =
  IsLoose<S> extends true
    ? HitOf<string, string>
    : { [U in ContentUid<S> & Uid<S>]: HitOf<U, ScalarName<S, U> | (keyof S['types'][U]['populate'] & string)> }[ContentUid<S> & Uid<S>];

interface HitOf<U, Names extends string> {
  type: U;
  documentId: string;
  locale: string | null;
  /** The attribute that stands for the entry, if the caller may read it. */
  title?: string | null;
  rank: number;
  /** Excerpts as HTML, in which `<mark>` surrounds what was searched. */
  highlights: { [K in Names]?: string[] };
}

export interface Hits<S extends AnySchema> {
  data: Hit<S>[];
  /** `types` has the number of entries of each type. */
  meta: { pagination: PageMeta; types: { [U in ContentUid<S>]?: number } };
}
