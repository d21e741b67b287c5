/** Lets equal reads of one caller that wait at the same time share one run. None shares a run that had begun before it arrived, so each result is from after the
 *  request; and none shares with other callers: when a run begins depends on the other work of its caller. */
import type { Caller } from '../queue/caller.ts';

/** A read waits at most this long for an equal one that runs; then it runs beside it. Milliseconds. */
const patience = 10;

export interface SharedResult<T> {
  readonly result: T;
  /** Whether the result is that of another request's run. */
  readonly isShared: boolean;
}

/** Runs a read. `caller.hasLeft()` is true once every client that waits for the result has left. */
type Run<T> = (caller: Caller) => Promise<T>;

/** The reads that will share the next run. */
interface Group<T> {
  readonly callers: Caller[];
  readonly run: Run<T>;
  readonly result: Promise<T>;
  readonly settle: (result: T | PromiseLike<T>) => void;
  readonly timer: NodeJS.Timeout;
}

interface EqualReads<T> {
  running: number;
  next: Group<T> | undefined;
}

export class SharedReads<T> {
  /** Reads of which one runs, by caller and key. */
  readonly #reads = new Map<string, EqualReads<T>>();

  /** `key` names everything that the result depends on beside the data. */
  async read(key: string, caller: Caller, run: Run<T>): Promise<SharedResult<T>> {
    const name = `${caller.key}\n${key}`;
    const equal = this.#reads.get(name);
    if (equal === undefined) {
      const begun: EqualReads<T> = { running: 0, next: undefined };
      this.#reads.set(name, begun);
      return { result: await this.#run(name, begun, () => run(caller)), isShared: false };
    }
    const { next } = equal;
    if (next === undefined) {
      equal.next = this.#grouped(name, equal, { caller, run });
      return { result: await equal.next.result, isShared: false };
    }
    next.callers.push(caller);
    return { result: await next.result, isShared: true };
  }

  #grouped(name: string, equal: EqualReads<T>, { caller, run }: { readonly caller: Caller; readonly run: Run<T> }): Group<T> {
    let settle: Group<T>['settle'] = () => undefined;
    const result = new Promise<T>((resolve) => {
      settle = resolve;
    });
    return { callers: [caller], run, result, settle, timer: setTimeout(() => this.#runNext(name, equal), patience) };
  }

  #runNext(name: string, equal: EqualReads<T>): void {
    const { next } = equal;
    if (next === undefined) return;
    equal.next = undefined;
    clearTimeout(next.timer);
    const { callers, run, settle } = next;
    const [first] = callers;
    if (first === undefined) return;
    const all = { ...first, hasLeft: () => callers.every((caller) => caller.hasLeft()) };
    settle(this.#run(name, equal, () => run(all)));
  }

  async #run(name: string, equal: EqualReads<T>, run: () => Promise<T>): Promise<T> {
    equal.running++;
    try {
      return await run();
    } finally {
      equal.running--;
      if (equal.next !== undefined) this.#runNext(name, equal);
      else if (equal.running === 0) this.#reads.delete(name);
    }
  }
}
