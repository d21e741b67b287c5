import { performance } from 'node:perf_hooks';
import type { Bindings, TestedList } from '../compile/types.ts';
import { boundValues, listKey } from './bound-values.ts';
import type { HeldLists } from './held-lists.ts';
import type { KnownPage } from './known-pages.ts';
import { pageOf } from './list-cache.ts';
import type { ListState } from './list-state.ts';
import { searchHeld } from './search-held.ts';
import type { Execution } from './types.ts';

/** The most characters that are searched on the event loop's thread. That takes a fraction of a millisecond, and six in the worst case. */
export const searchedCharacters = 1_000_000;

/** Finds a page by the values that are held of its list. They may be out of date: the statement that reads the rows tells. */
export class HeldPage {
  statements = 0;
  /** Milliseconds that reading the values took. */
  readTime = 0;
  readonly #tested: TestedList;
  readonly #bindings: Bindings;
  readonly #execution: Execution;
  readonly #lists: HeldLists;
  readonly #key: string;
  #start = performance.now();
  #found: ListState | undefined;

  constructor(tested: TestedList, bindings: Bindings, execution: Execution, lists: HeldLists) {
    this.#tested = tested;
    this.#bindings = bindings;
    this.#execution = execution;
    this.#lists = lists;
    this.#key = listKey(tested.name, bindings);
  }

  /** Returns the remembered page, if nothing newer is held. */
  async page(remembered: KnownPage | undefined): Promise<KnownPage | undefined> {
    const held = this.#lists.get(this.#key, undefined);
    if (remembered !== undefined && (held === undefined || held.state.seen === remembered.version)) return remembered;
    const { connection, listVersion, snapshot } = this.#execution;
    const found = await searchHeld(this.#tested, this.#bindings, {
      lists: this.#lists,
      state: snapshot === undefined ? undefined : { seen: snapshot, version: listVersion },
      stateOf: (version) => (typeof version === 'string' ? { seen: version, version: listVersion } : undefined),
      mostCharacters: searchedCharacters,
      query: (statement) => {
        this.statements++;
        return connection.query(statement.text, boundValues(statement, this.#bindings, {}));
      },
    });
    if (found === undefined) {
      // The time of reading values is no part of a search.
      this.#start = performance.now();
      return remembered;
    }
    this.#start = performance.now() - found.time;
    const { ids, state, readTime } = found;
    this.readTime = readTime;
    this.#found = state;
    return { version: String(state.seen), listVersion: state.version, ids: pageOf(ids, this.#bindings.pagination), total: ids.length };
  }

  /** Notes whether the rows were read by a known page, or the database has searched the list. Returns the milliseconds that the database would have taken if
   *  the page was found among held values. */
  end(isKnown: boolean): number | undefined {
    const time = performance.now() - this.#start;
    if (!isKnown) {
      if (this.#found !== undefined) this.#lists.drop(this.#key, this.#found);
      this.#lists.noteSearch(this.#key, time, this.#tested.mayUseIndex);
    } else if (this.#found !== undefined) return this.#lists.noteUse(this.#key, time);
    return undefined;
  }
}
