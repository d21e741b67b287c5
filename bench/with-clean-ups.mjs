import { UsageError } from './options.mjs';
import { killAll } from './processes.mjs';

/** Calls `run` with an empty list, to which it adds its clean-ups. They run at its end and at a signal, the last one first, even if one fails;
 *  then all processes are ended. An error is printed, and the exit code is 1. */
export async function withCleanUps(run) {
  const cleanUps = [];
  let interrupted = false;
  const end = async () => {
    await runAll(cleanUps);
    killAll();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      interrupted = true;
      void end().finally(() => process.exit(130));
    });
  }
  try {
    await run(cleanUps);
  } catch (error) {
    // After a signal, `run` fails because its processes end.
    if (!interrupted) fail(error);
  } finally {
    await end();
  }
}

/** Calls `run` with a list of its own, whose clean-ups run at the end of this part of a benchmark, or with the others. */
export async function withOwnCleanUps(cleanUps, run) {
  const own = [];
  const part = () => runAll(own);
  cleanUps.push(part);
  try {
    return await run(own);
  } finally {
    await part();
    cleanUps.splice(cleanUps.indexOf(part), 1);
  }
}

async function runAll(cleanUps) {
  while (cleanUps.length > 0) {
    try {
      await cleanUps.pop()();
    } catch (error) {
      fail(error);
    }
  }
}

function fail(error) {
  console.error(error instanceof UsageError ? error.message : (error.stack ?? error));
  process.exitCode = 1;
}
