import type { ReadRequest, WriteRequest } from '../parse/types.ts';

declare const permitted: unique symbol;

/** A request whose every path the caller may take. Made only by `authoriseRead`; the only thing that `plan` accepts. */
export type PermittedRead = ReadRequest & {
  readonly [permitted]: true;
  /** Rows that filters and sort pass through are of the requested status only. */
  readonly scopeHops: boolean;
};

declare const permittedToWrite: unique symbol;

/** A write whose every relation target the caller may find. Made only by `authoriseWrite`. */
export type PermittedWrite = Omit<WriteRequest, 'answer'> & { readonly [permittedToWrite]: true; readonly answer: PermittedRead };
