/** Waits for a database server that starts later than this one (`database.startWait`): containers start in any order. */
import type { Config } from '../../config/config.ts';
import { isAway } from '../../dialects/is-away.ts';
import { openDatabase } from '../../dialects/open-database.ts';
import type { StopSignal } from '../stop-signal.ts';

/** Milliseconds between two attempts. */
const pause = 500;

/** Returns when the server responds, the time is over, or another problem than its absence is found: the start itself reports what is wrong then. */
export async function waitForDatabase({ database, limits }: Config, signal: StopSignal): Promise<void> {
  const { client, startWait } = database;
  if (client === 'sqlite' || startWait === 0) return;
  const end = performance.now() + startWait;
  let isTold = false;
  while (!signal.received() && performance.now() < end) {
    try {
      const opened = await openDatabase(database, { create: false, statementTime: limits.statementTime });
      await opened.close();
      return;
    } catch (error) {
      if (!isAway(error)) return;
      if (!isTold) process.stderr.write(`The database does not respond yet; waiting for it up to ${startWait} ms (database.startWait).\n`);
      isTold = true;
    }
    await Promise.race([
      signal.arrival,
      new Promise((resolve) => setTimeout(resolve, Math.min(pause, Math.max(0, end - performance.now())))),
    ]);
  }
}
