import { expect, it } from 'vitest';
import { RepeatLatest } from './repeat-latest.ts';

/** Work that ends when it is told to, or cancelled. */
function work() {
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const repeat = new RepeatLatest(
    (cancelled) =>
      new Promise((done) => {
        log.push('begin');
        const end = (how: string) => () => {
          log.push(how);
          done();
        };
        ends.push(end('end'));
        cancelled.addEventListener('abort', end('cancelled'), { once: true });
      }),
  );
  return { log, ends, repeat };
}

it('runs once for each request that comes while nothing runs', async () => {
  const { log, ends, repeat } = work();
  for (const turn of [0, 1]) {
    const idle = repeat.request();
    ends[turn]?.();
    await idle;
  }
  expect(log).toEqual(['begin', 'end', 'begin', 'end']);
});

it('cancels the present run, and runs once more for any number of requests', async () => {
  const { log, ends, repeat } = work();
  const idle = repeat.request();
  void repeat.request();
  void repeat.request();
  await expect.poll(() => log).toEqual(['begin', 'cancelled', 'begin']);
  ends[1]?.();
  await idle;
  expect(log).toEqual(['begin', 'cancelled', 'begin', 'end']);
});

it('runs no more after it was stopped', async () => {
  const { log, repeat } = work();
  void repeat.request();
  await repeat.stop();
  expect(log).toEqual(['begin', 'cancelled']);
});
