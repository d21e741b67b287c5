import type { Schema } from '../../model/content-model.ts';
import type { Filter, ReadRequest, Status, WriteRequest } from '../parse/types.ts';

declare const permitted: unique symbol;

/** A request whose every path the caller may take. Made only by `authoriseRead`; the only thing that `plan` accepts. */
export type PermittedRead = ReadRequest & {
  readonly [permitted]: true;
  /** Filters and sort pass through rows of the requested status only. */
  readonly scopeHops: boolean;
  /** Matches the root rows that the caller may read; undefined for all of them. */
  readonly scope: Filter | undefined;
  /** The same for rows that are populated, filtered or sorted through. */
  readonly scopeOf: (target: Schema) => Filter | undefined;
  /** The attributes that `_q` may search; undefined for all visible ones. */
  readonly searchable: ReadonlySet<string> | undefined;
};

declare const permittedToWrite: unique symbol;

/** A write whose every key and every type of relation target the caller may name. Made only by `authoriseWrite`. */
export type PermittedWrite = Omit<WriteRequest, 'answer'> & {
  readonly [permittedToWrite]: true;
  readonly answer: PermittedRead;
  /** Attributes that the body may name; undefined for all of them. */
  readonly writable: ReadonlySet<string> | undefined;
  readonly scopes: WriteScopes;
};

/** Which rows a write may reach. */
export interface WriteScopes {
  /** Must match every row that is written, before and after; undefined for all rows. */
  readonly own: Filter | undefined;
  /** Must match the rows that the write leaves published, where it publishes as well; undefined for all rows. */
  readonly publishing: Filter | undefined;
  /** By type: must match a row of each document that the body links to. For the caller, other documents do not exist. Drafts may need further
   *  rights. */
  readonly targets: ReadonlyMap<string, Readonly<Record<Status, Filter | undefined>>>;
  /** By type: must match, before and after, every row of other documents that links of the body change because they own or lose the links. */
  readonly others: ReadonlyMap<string, Filter>;
}
