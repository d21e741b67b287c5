/** The work of several forms of one document as one. Pure. */
import type { Conflict } from './conflict.ts';
import type { IsSame, Join, Values } from './values.ts';

/** What was typed into one form, and what its document was then. */
export interface TypedValues {
  readonly changes: Values;
  readonly base: Values;
}

export interface Combined extends TypedValues {
  /** What the user has typed into the same attributes before. */
  readonly rivals: readonly Conflict[];
}

/** `parts`: the oldest first. Of two values of one attribute the later one counts, and the user is
 *  asked. */
export function combine(parts: readonly TypedValues[], { same, join }: { readonly same: IsSame; readonly join: Join }): Combined {
  let changes: Values = {};
  let base: Values = {};
  const rivals: Conflict[] = [];
  for (const part of parts) {
    const twice = Object.keys(part.changes).filter((name) => name in changes && !same(name, part.changes[name], changes[name]));
    const joined = new Map(twice.map((name) => [name, join(name, part.changes[name], part.base[name], changes[name])]));
    const names = twice.filter((name) => joined.get(name) === undefined);
    if (names.length > 0) rivals.push({ with: 'tab', names, values: changes });
    const typed = Object.entries(part.changes).map(([name, value]) => [name, joined.get(name) ?? value] as const);
    changes = { ...changes, ...Object.fromEntries(typed) };
    base = { ...base, ...Object.fromEntries(typed.map(([name]) => [name, part.base[name]])) };
  }
  return { changes, base, rivals };
}
