import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callerOf, RateLimiter } from './rate-limiter.ts';

describe('RateLimiter', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());
  const limiter = (maxCallers = 100) => new RateLimiter({ limit: 3, milliseconds: 60_000, maxCallers });

  it('allows up to its limit and says what remains', () => {
    const limited = limiter();
    const seen = [1, 2, 3, 4].map(() => limited.hit('a'));
    expect(seen.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    expect(seen.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
    expect(seen.map(({ reset }) => reset)).toEqual([1060, 1060, 1060, 1060]);
  });

  it('ends its windows even if the clock is changed', () => {
    const limited = limiter();
    for (let n = 0; n < 4; n++) limited.hit('a');
    vi.setSystemTime(0);
    expect(limited.hit('a')).toMatchObject({ allowed: false, reset: 60 });
    vi.advanceTimersByTime(60_000);
    expect(limited.hit('a').allowed).toBe(true);
  });

  it('reports without a call whether the limit is reached, and can undo calls', () => {
    const limited = limiter();
    for (let n = 0; n < 3; n++) {
      expect(limited.isOver('a')).toBe(false);
      limited.hit('a');
    }
    expect(limited.isOver('a')).toBe(true);
    limited.undo('a');
    expect(limited.isOver('a')).toBe(false);
    expect(limited.hit('a')).toMatchObject({ allowed: true, remaining: 0 });
    limited.undo('b');
    expect(limited.hit('b')).toMatchObject({ allowed: true, remaining: 2 });
    vi.advanceTimersByTime(60_000);
    expect(limited.isOver('a')).toBe(false);
  });

  it('starts again when the window has ended', () => {
    const limited = limiter();
    for (let n = 0; n < 5; n++) limited.hit('a');
    vi.advanceTimersByTime(60_000);
    expect(limited.hit('a')).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('counts callers apart', () => {
    const limited = limiter();
    for (let n = 0; n < 5; n++) limited.hit('a');
    expect(limited.hit('b').allowed).toBe(true);
  });

  it('forgets the least recent callers beyond its limit', () => {
    const limited = limiter(2);
    for (let n = 0; n < 4; n++) limited.hit('a');
    limited.hit('b');
    limited.hit('c');
    expect(limited.hit('a').allowed).toBe(true);
  });
});

describe('callerOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::1%br-lan.100', 'fe80:0:0:0::/64'],
    ['2001:DB8:0:0::2', '2001:db8:0:0::/64'],
    ['unknown', 'unknown'],
    ['203.0.113.7:4711', 'unknown'],
    ['x'.repeat(10_000), 'unknown'],
    [undefined, 'unknown'],
  ])('%s is %s', (ip, caller) => expect(callerOf(ip)).toBe(caller));
});
