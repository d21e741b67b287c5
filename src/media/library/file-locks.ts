import { Mutex } from 'async-mutex';

/** Runs work on the same file one after the other, in the order of the calls. */
export type WithFileLock = <T>(id: number, work: () => Promise<T>) => Promise<T>;

/** Holds a mutex only while a file is in use. */
export function createFileLocks(): WithFileLock {
  const mutexes = new Map<number, { readonly mutex: Mutex; users: number }>();
  return async (id, work) => {
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
}
