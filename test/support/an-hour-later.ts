import { onTestFinished, vi } from 'vitest';

/** Until the end of the test an hour has passed for everything in this process, its servers included: access tokens have expired. */
export function anHourLater(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000, shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}
