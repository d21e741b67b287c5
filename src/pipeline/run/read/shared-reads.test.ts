import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../queue/caller.ts';
import { SharedReads } from './shared-reads.ts';

const caller = (key: string, hasLeft = () => false): Caller => ({ key, hasLeft });

/** Runs that end when the test says so. */
function heldRuns() {
  const runs: { readonly callers: Caller; readonly end: (result: string) => void; readonly fail: (error: Error) => void }[] = [];
  const run = (callers: Caller) => new Promise<string>((end, fail) => runs.push({ callers, end, fail }));
  return { runs, run };
}

describe('Equal reads', () => {
  it('share the next run, and never one that had begun before they arrived', async () => {
    const { runs, run } = heldRuns();
    const reads = new SharedReads<string>();
    const read = () => reads.read('list', caller('ada'), run);
    const first = read();
    const [second, third] = [read(), read()];
    expect(runs.length).toBe(1);
    runs[0]?.end('before');
    expect(await first).toEqual({ result: 'before', isShared: false });
    expect(runs.length).toBe(2);
    const late = read();
    runs[1]?.end('after');
    expect(await Promise.all([second, third])).toEqual([
      { result: 'after', isShared: false },
      { result: 'after', isShared: true },
    ]);
    runs[2]?.end('later');
    expect(await late).toEqual({ result: 'later', isShared: false });
  });

  it.each([
    ['another read', 'one', 'ada'],
    ['another caller', 'list', 'ben'],
  ])('do not wait for that of %s', (_, key, who) => {
    const { runs, run } = heldRuns();
    const reads = new SharedReads<string>();
    void reads.read('list', caller('ada'), run);
    void reads.read(key, caller(who), run);
    expect(runs.length).toBe(2);
  });

  it('wait only for a moment', async () => {
    const { runs, run } = heldRuns();
    const reads = new SharedReads<string>();
    void reads.read('list', caller('ada'), run);
    const second = reads.read('list', caller('ada'), run);
    while (runs.length < 2) await wait(1);
    const third = reads.read('list', caller('ada'), run);
    runs[1]?.end('beside');
    expect((await second).result).toBe('beside');
    runs[2]?.end('third');
    expect((await third).result).toBe('third');
  });

  it('fail together, and are run again afterwards', async () => {
    const { runs, run } = heldRuns();
    const reads = new SharedReads<string>();
    const read = () => reads.read('list', caller('ada'), run);
    const all = Promise.allSettled([read(), read(), read()]);
    runs[0]?.fail(new Error('first'));
    while (runs.length < 2) await wait(1);
    runs[1]?.fail(new Error('second'));
    expect((await all).map((each) => each.status === 'rejected' && (each.reason as Error).message)).toEqual(['first', 'second', 'second']);
    const again = read();
    runs[2]?.end('again');
    expect((await again).result).toBe('again');
  });

  it('go on while one of their clients is there', async () => {
    const { runs, run } = heldRuns();
    const reads = new SharedReads<string>();
    const left = new Set<string>();
    const read = (name: string) =>
      reads.read(
        'list',
        caller('ada', () => left.has(name)),
        run,
      );
    void read('first');
    void read('second');
    void read('third');
    runs[0]?.end('');
    while (runs.length < 2) await wait(1);
    left.add('second');
    expect(runs[1]?.callers.hasLeft()).toBe(false);
    left.add('third');
    expect(runs[1]?.callers.hasLeft()).toBe(true);
  });
});
