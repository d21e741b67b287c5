import { Mutex } from 'async-mutex';

/** Returns a function that runs work on the same file one after the other, in call order. */
export function createFileLocks() {
  // Holds a mutex only while a file is in use.
  const mutexes = new Map<number, { readonly mutex: Mutex; users: number }>();
  return async <T>(id: number, work: () => Promise<T>): Promise<T> => {
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
