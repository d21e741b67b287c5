import { afterAll, beforeAll } from 'vitest';

type Made = { close(): unknown } | { remove(): unknown } | { stop(): unknown };

const end = (made: Made) => ('close' in made ? made.close() : 'remove' in made ? made.remove() : made.stop());

/** Makes something before the tests of a file or `describe`, and closes, removes or stops it after them. Returns what gives it. */
export function useMade<T extends Made>(make: () => Promise<T>): () => T {
  let made: T | undefined;
  beforeAll(async () => {
    made = await make();
  });
  afterAll(async () => {
    if (made !== undefined) await end(made);
  });
  return () => {
    if (made === undefined) throw new Error('it is there from beforeAll on');
    return made;
  };
}
