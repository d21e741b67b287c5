import type { WordKey } from '../words/say.ts';

export interface IssuedToken {
  readonly name: string;
  readonly secret: string;
}

export const tokenTypes: readonly (readonly [type: string, label: WordKey, hint: WordKey])[] = [
  ['read-only', 'people.readOnly', 'people.readOnlyHint'],
  ['custom', 'people.custom', 'people.customHint'],
  ['full-access', 'people.fullAccess', 'people.fullAccessHint'],
];
