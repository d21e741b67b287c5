import { performance } from 'node:perf_hooks';
import type { Row } from '../../dialects/dialect.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Bindings, TestedList } from '../compile/types.ts';
import { listKey } from './bound-values.ts';
import { type Held, type HeldLists, mostBytesOfList } from './held-lists.ts';
import { boundTest, expectedCost, heldBytes, heldValues } from './held-values.ts';
import { longestList } from './list-cache.ts';
import type { ListState } from './list-state.ts';

/** The most characters of the texts of a list. */
const mostCharacters = 4_000_000;

export interface Search {
  readonly lists: HeldLists;
  /** The state of the snapshot. Undefined if only the statement that reads the rows will tell. */
  readonly state: ListState | undefined;
  /** Returns the state of values that were read, by the version that came with their number. */
  readonly stateOf: (version: unknown) => ListState | undefined;
  /** The most characters that a search may look through, or what takes as long (`HeldValues.costOf`). */
  readonly mostCharacters: number;
  readonly query: (statement: Statement) => readonly Row[] | Promise<readonly Row[]>;
}

export interface FoundHeld {
  /** The key of the list. */
  readonly key: string;
  readonly ids: Float64Array;
  /** The state that the ids were found in. */
  readonly state: ListState;
  /** Milliseconds that the search took, without reading the values. */
  readonly time: number;
  /** Milliseconds that reading the values took; 0 if they were held before. */
  readonly readTime: number;
}

/** Finds the ids of a list by testing the values that are held of its rows, and reads these values when that pays. Undefined if the database has to search. */
export async function searchHeld(tested: TestedList, bindings: Bindings, search: Search): Promise<FoundHeld | undefined> {
  const { lists, state } = search;
  const key = listKey(tested.name, bindings);
  const known = lists.get(key, state);
  if (known === undefined && !lists.isDue(key)) return undefined;
  const bound = boundTest(tested.test, bindings);
  if (bound === undefined) return undefined;
  const reading = performance.now();
  const held = known ?? (await readHeld(tested, key, search));
  if (held === undefined || held.values.costOf(bound) > search.mostCharacters) return undefined;
  const start = performance.now();
  const ids = held.values.idsOf(bound);
  return { key, ids, state: held.state, time: performance.now() - start, readTime: known === undefined ? start - reading : 0 };
}

/** Undefined if there are too many values, or one that the database compares by other rules. */
async function readHeld(
  tested: TestedList,
  key: string,
  { lists, stateOf, query, mostCharacters: most }: Search,
): Promise<Held | undefined> {
  lists.startReading(key);
  const start = performance.now();
  try {
    const [[version, count, ...lengths] = []] = await query(tested.size);
    const characters = lengths.reduce<number>((sum, length) => sum + Number(length) + Number(count), 0);
    const state = stateOf(version);
    const rows = Number(count);
    const isSmall = rows <= longestList && characters <= mostCharacters && heldBytes(tested.test, rows, characters) <= mostBytesOfList;
    const fits = isSmall && expectedCost(tested.test, rows, characters) <= most;
    const values = state !== undefined && fits ? heldValues(await query(tested.rows), tested.test) : undefined;
    if (values === undefined || state === undefined) {
      lists.noteFailure(key, performance.now() - start);
      return undefined;
    }
    const held = { values, state };
    lists.hold(key, held, performance.now() - start);
    return held;
  } catch (error) {
    lists.noteFailure(key, performance.now() - start);
    throw error;
  }
}
