import { expect, it } from 'vitest';
import { allDone } from './all-done.ts';

it('waits for all of them, and throws the first failure in the order of the list', async () => {
  const done: string[] = [];
  const later = async (name: string, error?: Error) => {
    await new Promise((resolve) => setImmediate(resolve));
    done.push(name);
    if (error !== undefined) throw error;
    return name;
  };
  expect(await allDone([later('a'), undefined, later('b')])).toEqual(['a', undefined, 'b']);
  const failed = allDone([later('c', new Error('slow')), Promise.reject(new Error('quick')), later('d')]);
  await expect(failed).rejects.toThrow('slow');
  expect(done).toEqual(['a', 'b', 'c', 'd']);
});
