import type { ReadRequest } from '../parse/types.ts';

declare const permitted: unique symbol;

/** A request whose every path the caller may take. Made only by `authoriseRead`; the only thing that `plan` accepts. */
export type PermittedRead = ReadRequest & {
  readonly [permitted]: true;
  /** Rows that filters and sort pass through are of the requested status only. */
  readonly scopeHops: boolean;
};
