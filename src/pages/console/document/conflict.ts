import type { Merged, Values } from './values.ts';

/** What to ask the user about: two versions of some attributes. */
export interface Conflict extends Merged {
  readonly current: Values;
  readonly etag: string | undefined;
}
