/** Runs tasks with limits at once and a second: one of the servers is a running site. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Pace {
  readonly concurrency: number;
  /** Tasks that are begun in a second. */
  readonly rate: number;
}

export async function runPaced<Item>(
  items: Iterable<Item>,
  { concurrency, rate }: Pace,
  { task, signal }: { readonly task: (item: Item) => Promise<void>; readonly signal: AbortSignal },
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const interval = 1000 / rate;
  let next = performance.now();
  const work = async () => {
    for (let item = iterator.next(); item.done !== true; item = iterator.next()) {
      const begin = Math.max(next, performance.now());
      next = begin + interval;
      const pause = begin - performance.now();
      if (pause > 1) await wait(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await task(item.value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
