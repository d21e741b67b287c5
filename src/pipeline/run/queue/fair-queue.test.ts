import { stat } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairQueue, type QueueWorker, type TimedJob } from './fair-queue.ts';

interface NamedJob extends TimedJob {
  readonly name: string;
}

const job = (name: string, timedBy: object): NamedJob => ({
  name,
  timedBy,
  caller: { key: name, hasLeft: () => false },
  reject: () => undefined,
});

/** One worker; says in which order jobs were begun. */
function oneWorker() {
  const begun: string[] = [];
  const worker: QueueWorker<NamedJob> = { begin: ({ name }) => begun.push(name), stop: () => undefined };
  const queue = new FairQueue<NamedJob>({ queue: 100, statementTime: 10_000 }, { max: 1, open: () => undefined });
  queue.free(worker);
  return { begun, worker, queue };
}

describe('What was quick the last time', () => {
  it('goes before requests that wait, which still get every fourth turn', () => {
    const { begun, worker, queue } = oneWorker();
    const quick = {};
    queue.add(job('first', quick));
    for (let index = 0; index < 20; index++) queue.add(job(`unknown ${index}`, {}));
    for (let index = 0; index < 6; index++) queue.add(job(`quick ${index}`, quick));
    for (let index = 0; index < 9; index++) queue.free(worker);
    queue.close();
    expect(begun.slice(1)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5].map((index) => `quick ${index}`)));
    expect(begun.slice(1).filter((name) => name.startsWith('unknown')).length).toBeGreaterThanOrEqual(2);
  });

  it('goes before quick requests that took longer', () => {
    vi.useFakeTimers();
    const { begun, worker, queue } = oneWorker();
    const [short, long] = [{}, {}];
    const end = (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      queue.free(worker);
    };
    queue.add(job('first short', short));
    end(1);
    queue.add(job('first long', long));
    for (let index = 0; index < 4; index++) queue.add(job(`long ${index}`, long));
    queue.add(job('short', short));
    for (let index = 0; index < 2; index++) end(150);
    queue.close();
    vi.useRealTimers();
    expect(begun).toEqual(['first short', 'first long', 'short', 'long 0']);
  });

  it('goes before requests of a caller unknown so far when only its caller is known', () => {
    const { begun, worker, queue } = oneWorker();
    queue.add(job('ada', {}));
    for (let index = 0; index < 10; index++) queue.add(job(`unknown ${index}`, {}));
    queue.free(worker);
    queue.add(job('ada', {}));
    queue.free(worker);
    queue.close();
    expect(begun).toEqual(['ada', 'unknown 0', 'ada']);
  });

  it('does not hold up what nothing is known of when each of many takes a tenth of a second', () => {
    vi.useFakeTimers();
    const { begun, worker, queue } = oneWorker();
    const plan = {};
    const end = (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      queue.free(worker);
    };
    queue.add(job('ada', {}));
    end(1);
    queue.add(job('first', plan));
    for (let index = 0; index < 10; index++) queue.add(job(`large ${index}`, plan));
    queue.add(job('eve', {}));
    queue.add(job('ada', {}));
    for (let index = 0; index < 3; index++) end(150);
    queue.close();
    vi.useRealTimers();
    expect(begun.slice(2)).toEqual(expect.arrayContaining(['ada', 'eve']));
  });

  it('is forgotten when its slot disappears before it has ended', () => {
    const { begun, worker, queue } = oneWorker();
    const plan = {};
    queue.add(job('first', plan));
    queue.free(worker);
    queue.add(job('second', plan));
    queue.add(job('unknown', {}));
    queue.add(job('third', plan));
    queue.remove(worker);
    queue.free(worker);
    queue.close();
    expect(begun).toEqual(['first', 'second', 'unknown']);
  });
});

describe('What was slow the last time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('goes after requests that nothing is known of, with new values as well', () => {
    const { begun, worker, queue } = oneWorker();
    const plan = {};
    const search = (name: string) => ({ ...job(name, {}), plan });
    queue.add(search('first'));
    vi.advanceTimersByTime(300);
    for (let index = 0; index < 4; index++) queue.add(search(`search ${index}`));
    queue.add(job('unknown', {}));
    for (let index = 0; index < 2; index++) queue.free(worker);
    queue.close();
    expect(begun.slice(1)).toEqual(['unknown', 'search 0']);
  });

  it('counts as quick again for new values after some quick runs', () => {
    const { begun, worker, queue } = oneWorker();
    const plan = {};
    const search = (name: string) => ({ ...job(name, {}), plan });
    queue.add(search('first'));
    vi.advanceTimersByTime(300);
    queue.free(worker);
    for (let index = 0; index < 10; index++) {
      queue.add(search('again'));
      queue.free(worker);
    }
    queue.add(job('running', {}));
    for (let index = 0; index < 4; index++) queue.add(job(`unknown ${index}`, {}));
    queue.add(search('known'));
    for (let index = 0; index < 2; index++) queue.free(worker);
    queue.close();
    expect(begun.slice(12)).toContain('known');
  });
});

/** `max` workers, whose jobs end when `end` is called. Time is that of the fake clock. */
function workers(max: number, share: number) {
  const running = new Map<string, QueueWorker<NamedJob>>();
  const stopped: string[] = [];
  const queue = new FairQueue<NamedJob>({ queue: 100, statementTime: 10_000 }, { max, share, open: () => undefined });
  for (let count = 0; count < max; count++) {
    let name = '';
    const worker: QueueWorker<NamedJob> = {
      begin(begun) {
        name = begun.name;
        running.set(name, worker);
      },
      stop: () => stopped.push(name),
    };
    queue.free(worker);
  }
  const end = (name: string) => {
    const worker = running.get(name);
    running.delete(name);
    if (worker !== undefined) queue.free(worker);
  };
  const add = (caller: string, name: string, timedBy: object = {}) =>
    queue.add({ name, timedBy, caller: { key: caller, hasLeft: () => false }, reject: () => undefined });
  return { running, stopped, queue, end, add };
}

it('A job is not stopped when its result arrived while the event loop was blocked', async () => {
  const stopped: string[] = [];
  const worker: QueueWorker<NamedJob> = { begin: () => undefined, stop: () => stopped.push('job') };
  const queue = new FairQueue<NamedJob>({ queue: 100, statementTime: 300 }, { max: 1, open: () => undefined });
  queue.free(worker);
  queue.add({ ...job('job', {}), reject: () => stopped.push('rejected') });
  // The answer comes from another thread, as from another process, and waits to be taken.
  stat('.', () => queue.free(worker));
  const until = performance.now() + 500;
  while (performance.now() < until);
  await wait(100);
  queue.close();
  expect(stopped).toEqual([]);
});

describe('One caller', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('begins no more work of unknown length than its share', () => {
    const { running, queue, add } = workers(8, 2);
    for (let index = 0; index < 10; index++) add('eve', `slow ${index}`);
    expect([...running.keys()]).toEqual(['slow 0', 'slow 1']);
    vi.advanceTimersByTime(1000);
    expect(running.size).toBe(2);
    add('ada', 'other');
    expect(running.has('other')).toBe(true);
    queue.close();
  });

  it('may begin more when its work proves to be quick, and its share again after slow work', () => {
    const { running, queue, end, add } = workers(8, 2);
    for (let index = 0; index < 16; index++) add('ada', `quick ${index}`);
    for (let index = 0; index < 6; index++) end(`quick ${index}`);
    expect(running.size).toBe(7);
    vi.advanceTimersByTime(300);
    for (const name of [...running.keys()]) end(name);
    for (const name of [...running.keys()]) end(name);
    for (let index = 0; index < 10; index++) add('ada', `later ${index}`);
    vi.advanceTimersByTime(300);
    for (const name of [...running.keys()]) end(name);
    expect(running.size).toBe(2);
    queue.close();
  });

  it('gets workers beyond its share for what was quick the last time, also from behind its slow work', () => {
    const { running, queue, end, add } = workers(8, 2);
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
    queue.close();
  });

  it('loses slow work beyond its share when quick work of another caller is delayed, and not otherwise', () => {
    const { stopped, queue, end, add } = workers(8, 2);
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
    queue.close();
  });

  it('keeps its slow work while more of its own waits', () => {
    const { stopped, queue, add } = workers(2, 3);
    for (let index = 0; index < 4; index++) add('ada', `slow ${index}`);
    vi.advanceTimersByTime(9000);
    expect(stopped).toEqual([]);
    queue.close();
  });

  it('fills its queue and no more while workers are free', () => {
    const { queue } = workers(8, 2);
    let refused = 0;
    for (let index = 0; index < 100; index++) {
      queue.add({ name: 'x', timedBy: {}, caller: { key: 'eve', hasLeft: () => false }, reject: () => refused++ });
    }
    expect(refused).toBe(100 - 2 - 50);
    queue.close();
  });
});

describe('Slow work', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function twoSlow() {
    const all = workers(2, 1);
    const plan = {};
    all.add('eve', 'first', plan);
    vi.advanceTimersByTime(300);
    all.end('first');
    all.add('eve', 'slow', plan);
    all.add('bob', 'other slow', plan);
    return { ...all, plan };
  }

  it('of many callers leaves a worker to what was quick the last time, and one to what was not slow', () => {
    const { running, stopped, queue, end, add } = workers(4, 1);
    const [quick, slow] = [{}, {}];
    add('ada', 'first', quick);
    end('first');
    for (let index = 0; index < 10; index++) add(`eve ${index}`, `slow ${index}`, slow);
    vi.advanceTimersByTime(300);
    add('ada', 'at once', quick);
    expect([...running.keys()]).toEqual(['slow 0', 'slow 1', 'slow 2', 'at once']);
    end('at once');
    // Its plan is known to be slow now.
    end('slow 0');
    add('bob', 'unknown');
    add('ada', 'also at once', quick);
    expect([...running.keys()]).toEqual(['slow 1', 'slow 2', 'unknown', 'also at once']);
    expect(stopped).toEqual([]);
    queue.close();
  });

  it('does not make quick work wait that shared the processors with it', () => {
    const { running, queue, end, add } = workers(4, 1);
    const [quick, slow] = [{}, {}];
    add('ada', 'first', quick);
    end('first');
    for (let index = 0; index < 5; index++) add(`eve ${index}`, `slow ${index}`, slow);
    for (const name of ['shared', 'shared too']) {
      add('ada', name, quick);
      expect([...running.keys()]).toEqual(['slow 0', 'slow 1', 'slow 2', name]);
      // Four that run: 200 ms alone are 800 here.
      vi.advanceTimersByTime(700);
      end(name);
    }
    add('ada', 'slow itself', quick);
    vi.advanceTimersByTime(900);
    end('slow itself');
    add('ada', 'waits', quick);
    expect([...running.keys()]).toEqual(['slow 0', 'slow 1', 'slow 2']);
    queue.close();
  });

  it('makes its plan slow once, and not each time that somebody looks', () => {
    const { running, queue, end, add } = workers(4, 1);
    const plan = {};
    // One write waits for a lock, while others with its plan are quick.
    add('eve', 'waits', plan);
    vi.advanceTimersByTime(300);
    add('ada', 'quick', plan);
    end('quick');
    vi.advanceTimersByTime(1000);
    for (let index = 0; index < 3; index++) add(`bob ${index}`, `quick ${index}`, plan);
    expect([...running.keys()]).toEqual(['waits', 'quick 0', 'quick 1', 'quick 2']);
    end('waits');
    expect([...running.keys()]).toEqual(['quick 0', 'quick 1', 'quick 2']);
    add('bob', 'after it', plan);
    expect(running.has('after it')).toBe(true);
    queue.close();
  });

  it('does not make quick work wait that it has delayed once', () => {
    const { running, queue, end, add } = workers(4, 1);
    const [delayed, slow] = [{}, {}];
    for (let time = 0; time < 2; time++) {
      add('ada', `quick ${time}`, delayed);
      end(`quick ${time}`);
    }
    add('ada', 'delayed', delayed);
    vi.advanceTimersByTime(300);
    end('delayed');
    add('eve', 'slow', slow);
    vi.advanceTimersByTime(300);
    end('slow');
    for (let index = 0; index < 5; index++) add(`eve ${index}`, `slow ${index}`, slow);
    add('ada', 'at once', delayed);
    expect([...running.keys()]).toEqual(['slow 0', 'slow 1', 'at once']);
    queue.close();
  });

  it("is stopped after half a second for another caller's work that is not known to be slow", () => {
    const { stopped, queue, add } = twoSlow();
    add('ada', 'unknown');
    vi.advanceTimersByTime(400);
    expect(stopped).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(stopped).toEqual(['slow']);
    queue.close();
  });

  it("is stopped after half of `statementTime` for another caller's work that is slow too", () => {
    const { stopped, queue, add, plan } = twoSlow();
    add('ada', 'slow too', plan);
    vi.advanceTimersByTime(4900);
    expect(stopped).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(stopped).toEqual(['slow']);
    queue.close();
  });
});

it.each([
  { queue: 2, waiting: 2 },
  { queue: 0, waiting: 0 },
])('No more jobs wait than limits.queue ($queue), though a worker is left free for quick plans', ({ queue: size, waiting }) => {
  const queue = new FairQueue<NamedJob>({ queue: size, statementTime: 10_000 }, { max: 4, open: () => undefined });
  for (let count = 0; count < 4; count++) queue.free({ begin: () => undefined, stop: () => undefined });
  let refused = 0;
  for (let index = 0; index < 10; index++) queue.add({ ...job(`caller ${index}`, {}), reject: () => void refused++ });
  expect([queue.figures(), refused]).toEqual([{ running: 3, waiting }, 7 - waiting]);
  queue.close();
});
