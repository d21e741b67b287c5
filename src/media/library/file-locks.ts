import { Mutex } from 'async-mutex';

type Work<T> = () => Promise<T>;

/** Returns functions that run work on the same file one after the other, in call order. */
export function createFileLocks() {
  // Holds a mutex only while a file is in use.
  const mutexes = new Map<number, { readonly mutex: Mutex; users: number }>();

  const withLock = async <T>(id: number, work: Work<T>): Promise<T> => {
    const entry = mutexes.get(id) ?? { mutex: new Mutex(), users: 0 };
    mutexes.set(id, entry);
    entry.users++;
    try {
      return await entry.mutex.runExclusive(work);
    } finally {
      entry.users--;
      if (entry.users === 0) mutexes.delete(id);
    }
  };

  /** `ids` are in ascending order: two calls that waited for each other would never end. */
  const withLocks = <T>(ids: readonly number[], work: Work<T>): Promise<T> =>
    ids.reduceRight<Work<T>>((inner, id) => () => withLock(id, inner), work)();

  return { withLock, withLocks };
}
