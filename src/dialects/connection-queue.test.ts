/** How long callers wait for one of a bounded number of connections. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionQueue } from './connection-queue.ts';

const queueOf = (connections: number) => new ConnectionQueue({ connections, patience: 100, maxWait: 1000 });

it('counts the time before the queue: the deadline is that of one wait', async () => {
  const since = performance.now() - 60;
  expect(await queueOf(1).enter(since)).toBe(since + 100);
});

it('refuses a caller whose wait began before the queue when that time is over', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const refused = queueOf(0)
    .enter(performance.now() - 60)
    .catch(String);
  await vi.advanceTimersByTimeAsync(45);
  expect(await Promise.race([refused, 'still waiting'])).toContain('no connection');
});

it('counts anew from the last connection that became free', async () => {
  const queue = queueOf(1);
  const began = performance.now();
  await queue.enter();
  const second = queue.enter(began - 1000);
  queue.leave(true);
  expect(await second).toBeCloseTo(began);
  const third = queue.enter(began - 90);
  queue.leave(true);
  expect(await third).toBeGreaterThanOrEqual(began + 100);
});

it('refuses all waiting callers at once, and serves those that come later', async () => {
  const queue = queueOf(1);
  await queue.enter();
  const waiting = [queue.enter(), queue.enter()];
  queue.refuseAll(new Error('silent'));
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(queue.waiting).toBe(0);
  const later = queue.enter();
  queue.leave(false);
  await later;
});
