/** The lines of an outage. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { OutageLog } from './outage-log.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('has a line at its beginning, reports later failures as past, and says how long requests failed', () => {
  const lines: unknown[] = [];
  const line = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => lines.push([level, fields, message]);
  const log = { error: line('error'), warn: line('warn') };
  const reply = { log, server: { log } };
  const outages = new OutageLog();
  const cause = Object.assign(new Error('gone'), { code: 'ETIMEDOUT' });
  const error = ApiError.causedBy(cause, 'database.unavailable', undefined);
  for (let second = 0; second < 4; second++) {
    outages.note(reply, error);
    vi.advanceTimersByTime(1000);
  }
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([
    ['error', { err: cause }, 'The database cannot be reached; retry later'],
    [
      'warn',
      { code: 'database.unavailable', err: cause, requests: 3 },
      'further requests failed in the last 10 seconds (database.unavailable)',
    ],
    [
      'warn',
      { code: 'database.unavailable', requests: 4, seconds: 3 },
      'the outage is over: no request has failed for a while (database.unavailable)',
    ],
  ]);
});
