import type { Values } from './values.ts';

/** What to ask the user about: attributes that have other values than the form. */
export interface Conflict {
  /** Whether others have saved these values, or the user has typed them in another tab. */
  readonly with: 'others' | 'tab';
  readonly names: readonly string[];
  readonly values: Values;
}
