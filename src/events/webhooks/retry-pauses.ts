/** When a delivery that failed is attempted again. Pure. */

import { longestWait } from './receiver.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour];
/** A delivery fails this long after it was created, or asked for again. */
const patience = 24 * hour;
/** The receiver says that it is gone for good. */
const gone = 410;

export interface FailedAttempt {
  /** Attempts so far, from 1. */
  readonly attempts: number;
  readonly status: number | undefined;
  /** Milliseconds. */
  readonly retryAfter: number | undefined;
  /** When the delivery was created or asked for again, and the present time. Milliseconds since the
   *  epoch. */
  readonly since: number;
  readonly now: number;
}

/** Returns the time of the next attempt; undefined if there is none. Deliveries that failed together
 *  are not attempted at one moment. `random` is from 0 to 1. */
export function nextAttempt({ attempts, status, retryAfter = 0, since, now }: FailedAttempt, random: number): number | undefined {
  if (status === gone) return undefined;
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? 0;
  const next = now + Math.max(pause * (1 + random / 4), Math.min(retryAfter, longestWait));
  const last = since + patience;
  if (next <= last) return next;
  // Once more at the end, unless it is there.
  return now < last - minute ? last : undefined;
}
