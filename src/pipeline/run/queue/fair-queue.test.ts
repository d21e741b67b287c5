import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairQueue, type QueueWorker, type TimedJob } from './fair-queue.ts';

interface NamedJob extends TimedJob {
  readonly name: string;
}

const job = (name: string, plan: object): NamedJob => ({
  name,
  plan,
  caller: { key: name, hasLeft: () => false },
  reject: () => undefined,
});

/** One place; says in which order jobs were begun. */
function onePlace() {
  const begun: string[] = [];
  const place: QueueWorker<NamedJob> = { begin: ({ name }) => begun.push(name), stop: () => undefined };
  const turns = new FairQueue<NamedJob>({ queue: 100, statementTime: 10_000 }, { most: 1, open: () => undefined });
  turns.free(place);
  return { begun, place, turns };
}

describe('What was quick the last time', () => {
  it('goes before requests that wait, which still get every fourth turn', () => {
    const { begun, place, turns } = onePlace();
    const quick = {};
    turns.add(job('first', quick));
    for (let index = 0; index < 20; index++) turns.add(job(`unknown ${index}`, {}));
    for (let index = 0; index < 6; index++) turns.add(job(`quick ${index}`, quick));
    for (let index = 0; index < 9; index++) turns.free(place);
    turns.close();
    expect(begun.slice(1)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5].map((index) => `quick ${index}`)));
    expect(begun.slice(1).filter((name) => name.startsWith('unknown')).length).toBeGreaterThanOrEqual(2);
  });

  it('is forgotten when its slot disappears before it has ended', () => {
    const { begun, place, turns } = onePlace();
    const plan = {};
    turns.add(job('first', plan));
    turns.free(place);
    turns.add(job('second', plan));
    turns.add(job('unknown', {}));
    turns.add(job('third', plan));
    turns.remove(place);
    turns.free(place);
    turns.close();
    expect(begun).toEqual(['first', 'second', 'unknown']);
  });
});

/** `most` places, whose jobs end when `end` is called. Time is that of the fake clock. */
function places(most: number, share: number) {
  const running = new Map<string, QueueWorker<NamedJob>>();
  const stopped: string[] = [];
  const turns = new FairQueue<NamedJob>({ queue: 100, statementTime: 10_000 }, { most, share, open: () => undefined });
  for (let count = 0; count < most; count++) {
    let name = '';
    const place: QueueWorker<NamedJob> = {
      begin(begun) {
        name = begun.name;
        running.set(name, place);
      },
      stop: () => stopped.push(name),
    };
    turns.free(place);
  }
  const end = (name: string) => {
    const place = running.get(name);
    running.delete(name);
    if (place !== undefined) turns.free(place);
  };
  const add = (caller: string, name: string, plan: object = {}) =>
    turns.add({ name, plan, caller: { key: caller, hasLeft: () => false }, reject: () => undefined });
  return { running, stopped, turns, end, add };
}

describe('One caller', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('begins no more work of unknown length than its share', () => {
    const { running, turns, add } = places(8, 2);
    for (let index = 0; index < 10; index++) add('eve', `slow ${index}`);
    expect([...running.keys()]).toEqual(['slow 0', 'slow 1']);
    vi.advanceTimersByTime(1000);
    expect(running.size).toBe(2);
    add('ada', 'other');
    expect(running.has('other')).toBe(true);
    turns.close();
  });

  it('may begin more when its work proves to be quick, and its share again after slow work', () => {
    const { running, turns, end, add } = places(8, 2);
    for (let index = 0; index < 16; index++) add('ada', `quick ${index}`);
    for (let index = 0; index < 6; index++) end(`quick ${index}`);
    expect(running.size).toBe(8);
    vi.advanceTimersByTime(300);
    for (const name of [...running.keys()]) end(name);
    for (const name of [...running.keys()]) end(name);
    for (let index = 0; index < 10; index++) add('ada', `later ${index}`);
    vi.advanceTimersByTime(300);
    for (const name of [...running.keys()]) end(name);
    expect(running.size).toBe(2);
    turns.close();
  });

  it('gets places beyond its share for what was quick the last time, also from behind its slow work', () => {
    const { running, turns, end, add } = places(8, 2);
    const quick = {};
    add('ada', 'first', quick);
    end('first');
    for (let index = 0; index < 4; index++) add('ada', `slow ${index}`);
    vi.advanceTimersByTime(300);
    // One more was begun, since the first one was quick.
    expect([...running.keys()]).toEqual(['slow 0', 'slow 1', 'slow 2']);
    add('ada', 'again', quick);
    expect(running.has('again')).toBe(true);
    expect(running.has('slow 3')).toBe(false);
    turns.close();
  });

  it('loses slow work beyond its share when quick work of another caller is delayed, and not otherwise', () => {
    const { stopped, turns, end, add } = places(8, 2);
    const quick = {};
    add('ada', 'first', quick);
    end('first');
    const plan = {};
    add('eve', 'trial', plan);
    end('trial');
    for (let index = 0; index < 5; index++) add('eve', `slow ${index}`, plan);
    vi.advanceTimersByTime(3000);
    expect(stopped).toEqual([]);
    add('ada', 'again', quick);
    vi.advanceTimersByTime(160);
    expect(stopped).toEqual(['slow 0', 'slow 1', 'slow 2']);
    turns.close();
  });

  it('fills its queue and no more while places are free', () => {
    const { turns } = places(8, 2);
    let refused = 0;
    for (let index = 0; index < 100; index++) {
      turns.add({ name: 'x', plan: {}, caller: { key: 'eve', hasLeft: () => false }, reject: () => refused++ });
    }
    expect(refused).toBe(100 - 2 - 50);
    turns.close();
  });
});
