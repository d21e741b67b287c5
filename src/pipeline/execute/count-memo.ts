import { LRUCache } from 'lru-cache';
import type { Statement } from '../compile/types.ts';
import type { Counter } from './execute-read.ts';

/** Numbers of rows, kept as long as nobody has written to the database. Counting ten thousand rows costs more than reading a page of
 *  them, and the number is the same for every page. `version` is exact: it changes with every commit of any process, and is read inside
 *  the snapshot that the rows come from. */
export class CountMemo implements Counter {
  readonly #counts = new LRUCache<string, number>({ max: 1000 });
  readonly #version: () => number;
  #seen = Number.NaN;

  constructor(version: () => number) {
    this.#version = version;
  }

  async count(statement: Statement, parameters: readonly unknown[], run: () => Promise<number>): Promise<number> {
    const version = this.#version();
    if (version !== this.#seen) {
      this.#counts.clear();
      this.#seen = version;
    }
    const key = `${statement.text}\0${parameters.map(String).join('\0')}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const count = await run();
    this.#counts.set(key, count);
    return count;
  }
}

/** For engines that cannot tell whether data has changed. */
export const alwaysCount: Counter = { count: (_statement, _parameters, run) => run() };
