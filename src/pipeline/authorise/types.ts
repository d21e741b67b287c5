import type { Schema } from '../../model/content-model.ts';
import type { SearchColumn } from '../../search/search-index.ts';
import type { BodyEntry } from '../parse/body/types.ts';
import type { Filter, ReadRequest, Status, WriteRequest } from '../parse/types.ts';

declare const permitted: unique symbol;

/** A request whose every path the caller may read. Made only by `authoriseRead`, for `plan`. */
export type PermittedRead = ReadRequest & {
  readonly [permitted]: true;
  /** If true, filters and sort pass only through rows of the requested status. */
  readonly scopeHops: boolean;
  /** A filter for the root rows that the caller may read; undefined for all of them. */
  readonly scope: Filter | undefined;
  /** Returns the same filter for rows that are populated, or that filters and sort pass through. */
  readonly scopeOf: (target: Schema) => Filter | undefined;
  /** Whether a total may be estimated by the statistics of the database, which know all rows. */
  readonly mayEstimate: boolean;
  /** The attributes that `_q` may search; undefined for all visible ones. */
  readonly searchable: ReadonlySet<string> | undefined;
  /** The columns of the index that the full-text search may read. */
  readonly searchedColumns: readonly SearchColumn[];
};

declare const permittedToWrite: unique symbol;

/** A write whose keys and targets' types the caller may name. Only `authoriseWrite` makes it. */
export type PermittedWrite = Omit<WriteRequest, 'response'> & {
  readonly [permittedToWrite]: true;
  readonly response: PermittedRead;
  /** Attributes that the body may name; undefined for all of them. */
  readonly writable: ReadonlySet<string> | undefined;
  /** The caller's values (`own-values.ts`) that fill what the body leaves out, if the update makes
   *  a row. Undefined for a new document, whose `data` contains them. */
  readonly own: BodyEntry | undefined;
  readonly scopes: WriteScopes;
};

/** Which rows a write may reach. */
export interface WriteScopes {
  /** Must match every written row before and after the write; undefined for all rows. */
  readonly own: Filter | undefined;
  /** Must match the published rows after a write that also publishes, and those that are deleted;
   *  undefined for all rows. */
  readonly publishing: Filter | undefined;
  /** For each type, must match a row of each document that the body links to. For the caller, other
   *  documents do not exist. Drafts may need further rights. */
  readonly targets: ReadonlyMap<string, Readonly<Record<Status, Filter | undefined>>>;
  /** For each type, must match every row of other documents that owns or loses links of the body,
   *  before and after the write. */
  readonly others: ReadonlyMap<string, Filter>;
}
