import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdentityCache } from './identity-cache.ts';

const options = { maxCharacters: 10_000, unversionedMilliseconds: 500 };

describe('IdentityCache', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const counting = () => {
    let loads = 0;
    return async () => ({ load: ++loads });
  };

  it('keeps a value while the version stays the same', async () => {
    const cache = new IdentityCache(options);
    const load = counting();
    await cache.get('a', '1', load);
    vi.advanceTimersByTime(3_600_000);
    expect(cache.get('a', '1', load)).toEqual({ load: 1 });
  });

  it('forgets everything when the version changes', async () => {
    let version = '1';
    const cache = new IdentityCache(options);
    const load = counting();
    await cache.get('a', version, load);
    version = '2';
    expect(await cache.get('a', version, load)).toEqual({ load: 2 });
  });

  it('does not cache a value that was read before a simultaneous change', async () => {
    let version = '1';
    const cache = new IdentityCache(options);
    let finish: (value: { old: boolean }) => void = () => undefined;
    const slow = cache.get('a', version, () => new Promise((resolve) => (finish = resolve)));
    version = '2';
    const fresh = cache.get('a', version, async () => ({ old: false }));
    finish({ old: true });
    expect(await slow).toEqual({ old: true });
    expect(await fresh).toEqual({ old: false });
    expect(cache.get('a', version, async () => undefined)).toEqual({ old: false });
  });

  it('keeps a value for half a second where the version is unknown', async () => {
    const cache = new IdentityCache(options);
    const load = counting();
    await cache.get('a', undefined, load);
    vi.advanceTimersByTime(499);
    expect(cache.get('a', undefined, load)).toEqual({ load: 1 });
    vi.advanceTimersByTime(1);
    expect(await cache.get('a', undefined, load)).toEqual({ load: 2 });
  });

  it('neither caches nor shares a value where the version is unknown and must not be', async () => {
    const cache = new IdentityCache({ ...options, unversionedMilliseconds: 0 });
    const load = counting();
    expect(await Promise.all([cache.get('a', undefined, load), cache.get('a', undefined, load)])).toEqual([{ load: 1 }, { load: 2 }]);
    expect(await cache.get('a', undefined, load)).toEqual({ load: 3 });
    await cache.get('a', '1', load);
    expect(cache.get('a', '1', load)).toEqual({ load: 4 });
  });

  it('is at most a second behind in a value that was made from another cached value', async () => {
    const [roles, tokens] = [new IdentityCache<{ rights: string }>(options), new IdentityCache<{ rights: string }>(options)];
    let stored = 'old';
    const role = () => roles.get('role', undefined, async () => ({ rights: stored }));
    const token = async () => (await tokens.get('token', undefined, async () => role()))?.rights;
    await role();
    stored = 'new';
    vi.advanceTimersByTime(499);
    expect(await token()).toBe('old');
    vi.advanceTimersByTime(501);
    expect(await token()).toBe('new');
  });

  it('looks up once for callers at the same moment', async () => {
    const cache = new IdentityCache(options);
    const load = counting();
    expect(await Promise.all([cache.get('a', '1', load), cache.get('a', '1', load)])).toEqual([{ load: 1 }, { load: 1 }]);
  });

  it('caches neither missing values nor failures', async () => {
    const cache = new IdentityCache<{ load: number }>(options);
    expect(await cache.get('a', '1', async () => undefined)).toBeUndefined();
    await expect(cache.get('a', '1', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.get('a', '1', async () => ({ load: 1 }))).toEqual({ load: 1 });
  });

  it('drops the least recently used keys beyond its bound', async () => {
    const cache = new IdentityCache({ ...options, maxCharacters: 1000 });
    const load = counting();
    for (let n = 0; n < 10; n++) await cache.get(`token-${n}`, '1', load);
    expect(await cache.get('token-0', '1', load)).toEqual({ load: 11 });
  });
});
