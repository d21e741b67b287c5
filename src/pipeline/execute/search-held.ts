import { performance } from 'node:perf_hooks';
import type { Row } from '../../dialects/dialect.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Bindings, TestedList } from '../compile/types.ts';
import { listKey } from './bound-values.ts';
import type { HeldLists } from './held-lists.ts';
import { boundTest, type HeldValues, heldValues } from './held-values.ts';
import { longestList } from './list-cache.ts';
import type { ListState } from './list-state.ts';

/** The most characters of the texts of a list. */
const mostCharacters = 4_000_000;

export interface Search {
  readonly lists: HeldLists;
  /** The state of the snapshot. */
  readonly state: ListState;
  readonly query: (statement: Statement) => Promise<readonly Row[]>;
}

export interface FoundHeld {
  readonly ids: Float64Array;
  /** The state that the ids were found in. */
  readonly state: ListState;
  /** Milliseconds that the database would have taken. */
  readonly saved: number;
}

/** Finds the ids of a list by testing the values that are held of its rows, and reads these values when that pays. Undefined if the database has to search. */
export async function searchHeld(tested: TestedList, bindings: Bindings, search: Search): Promise<FoundHeld | undefined> {
  const { lists, state } = search;
  const key = listKey(tested.rows, bindings);
  let held = lists.get(key, state);
  if (held === undefined && !lists.isDue(key)) return undefined;
  const bound = boundTest(tested.test, bindings);
  if (bound === undefined) return undefined;
  if (held === undefined) {
    const start = performance.now();
    const values = await readValues(tested, search);
    held = values === undefined ? undefined : { values, state };
    lists.hold(key, held, performance.now() - start);
    if (held === undefined) return undefined;
  }
  const start = performance.now();
  const ids = held.values.idsOf(bound);
  return { ids, state: held.state, saved: lists.noteUse(key, performance.now() - start) };
}

/** Undefined if there are too many values, or one that SQLite compares by other rules. */
async function readValues({ rows, size, test }: TestedList, { query }: Search): Promise<HeldValues | undefined> {
  const [[count, ...lengths] = []] = await query(size);
  const characters = lengths.reduce<number>((sum, length) => sum + Number(length), 0);
  if (Number(count) > longestList || characters > mostCharacters) return undefined;
  return heldValues(await query(rows), test);
}
