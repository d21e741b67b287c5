import type { Schema } from '../../model/content-model.ts';
import type { Filter, ReadRequest, Status, WriteRequest } from '../parse/types.ts';

declare const permitted: unique symbol;

/** A request whose every path the caller may take. Made only by `authoriseRead`; the only thing that `plan` accepts. */
export type PermittedRead = ReadRequest & {
  readonly [permitted]: true;
  /** Rows that filters and sort pass through are of the requested status only. */
  readonly scopeHops: boolean;
  /** Holds of the root rows that the caller may read; undefined for all of them. */
  readonly scope: Filter | undefined;
  /** The same of rows that are populated, filtered or sorted through. */
  readonly scopeOf: (target: Schema) => Filter | undefined;
  /** What `_q` may look into; undefined for everything visible. */
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
  /** Holds of every row that is written, before and after; undefined for all rows. */
  readonly own: Filter | undefined;
  /** Holds of what the write leaves published, where it publishes by the way; undefined for everything. */
  readonly publishing: Filter | undefined;
  /** By type: holds of some row of each document that the body links to. Others are to the caller as if they did not exist. Drafts may take more
   *  than published rows. */
  readonly targets: ReadonlyMap<string, Readonly<Record<Status, Filter | undefined>>>;
  /** By type: holds, before and after, of every row of other documents that links of the body change, because these own the links or lose them. */
  readonly others: ReadonlyMap<string, Filter>;
}
