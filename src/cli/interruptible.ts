/** Lets Ctrl-C and SIGTERM end work on a database, and the statement that is running there. */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Stoppable } from '../dialects/database.ts';
import { exitCodes } from './exit-codes.ts';
import { stopSignal } from './stop-signal.ts';

/** Milliseconds for the server to end the statement. Undoing takes about as long as it has run. */
const patience = 2000;
/** Between two attempts to cancel the statement. Milliseconds. */
const pause = 500;

export interface Interruption {
  /** For the database: the statement that is running is cancelled. */
  readonly stoppable: Stoppable;
  /** Throws after a signal. Must be called between statements: only there can signals arrive. */
  pass(): Promise<void>;
}

/** `outcome` says after a signal what was done and what to do; undefined if all is done. */
export async function interruptible(
  work: (interruption: Interruption) => Promise<number>,
  outcome: () => string | undefined,
): Promise<number> {
  const stoppable: Stoppable = { stop: undefined };
  let timer: NodeJS.Timeout | undefined;
  const say = (more = '') => process.stderr.write(`Interrupted: ${outcome()}${more}\n`);
  void stopSignal().arrival.then(() => {
    if (outcome() === undefined) return;
    stoppable.isStopped = true;
    stoppable.stop?.();
    const since = performance.now();
    timer = setInterval(() => {
      // A statement that was on its way when the first attempt arrived still runs.
      stoppable.stop?.();
      if (performance.now() - since < patience || outcome() === undefined) return;
      say(' The database may still be undoing the last statement.');
      process.exit(exitCodes.interrupted);
    }, pause);
  });
  try {
    return await work({
      stoppable,
      async pass() {
        await nextRound();
        if (stoppable.isStopped) throw new Error('the process was interrupted');
      },
    });
  } catch (error) {
    if (!stoppable.isStopped || outcome() === undefined) throw error;
    say();
    return exitCodes.interrupted;
  } finally {
    clearInterval(timer);
  }
}
