import type { App, AppOptions } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { embeddedFile } from '../../dialects/embedded-file.ts';
import { type StopSignal, stopSignal } from '../stop-signal.ts';
import { databaseResponds } from './database-responds.ts';
import { isStopWorker, quietStart } from './workers/worker-messages.ts';

/** Milliseconds until the process ends after the server, even if a handle was not closed. */
const lastWait = 1000;

interface ServeOptions extends Pick<AppOptions, 'purpose'> {
  /** For commands that have to notice the signal before the server starts. */
  readonly stop?: StopSignal;
}

/** Serves until SIGINT or SIGTERM, and then ends within `shutdownTime`, even if requests are still
 *  running. `announce` returns the text that is printed when the server is ready. */
export function serve(
  config: Config,
  announce: (address: string) => string,
  { purpose = 'production', stop = stopSignal() }: ServeOptions = {},
): Promise<number> {
  return serveUntil({ ...stop, drainTime: () => 0 }, config, { purpose }, announce);
}

/** Serves in a process that the primary starts and announces; ends with it or at its request. */
export function serveAsWorker(config: Config): Promise<number> {
  const quiet = { notices: { write: () => true } };
  return serveUntil(stopOfWorker(), config, process.env[quietStart] === undefined ? {} : quiet);
}

interface ServerStop extends StopSignal {
  /** Milliseconds in which clients may leave for another worker; 0 if the server stops. */
  drainTime(): number;
}

/** Returns the exit code. */
async function serveUntil(stop: ServerStop, config: Config, options: AppOptions, announce?: (address: string) => string): Promise<number> {
  await waitForDatabase(config, stop);
  if (stop.received()) return 0;
  const app = await createUnlessStopped(config, options, stop);
  if (app === undefined) return 0;
  try {
    if (!stop.received()) {
      const address = await app.listen();
      if (announce !== undefined) process.stdout.write(`${announce(address)}\n`);
      await stop.arrival;
      if (stop.drainTime() > 0) await app.drain(stop.drainTime());
      else await leave(app, config);
    }
  } finally {
    await closeInTime(app, config);
  }
  setTimeout(() => process.exit(), lastWait).unref();
  return 0;
}

/** Returns undefined if the start failed after the signal to stop. Ctrl-C in a terminal also ends
 *  child processes that do not ignore it yet, and the start may fail without them. */
async function createUnlessStopped(config: Config, options: AppOptions, signal: StopSignal): Promise<App | undefined> {
  const { createApp } = await import('../../app.ts');
  try {
    return await createApp(config, options);
  } catch (error) {
    if (signal.received()) return undefined;
    throw error;
  }
}

/** Serves on for as long as load balancers may need to notice. */
async function leave(app: { leave(): void }, { shutdownDelay }: Config): Promise<void> {
  app.leave();
  if (shutdownDelay > 0) await new Promise((resolve) => setTimeout(resolve, shutdownDelay));
}

async function closeInTime(app: { close(): Promise<void> }, { shutdownTime }: Config): Promise<void> {
  const late = setTimeout(() => {
    process.stderr.write(`Requests were still running after ${shutdownTime} ms (shutdownTime) and were stopped.\n`);
    process.exit(0);
  }, shutdownTime);
  await app.close();
  clearTimeout(late);
}

function stopOfWorker(): ServerStop {
  const signal = stopSignal();
  let drainTime = 0;
  let isTold = false;
  const told = new Promise<void>((resolve) => {
    const stop = (time: number) => {
      isTold = true;
      drainTime = time;
      resolve();
    };
    process.on('message', (message) => {
      if (isStopWorker(message)) stop(message.drainTime);
    });
    process.on('disconnect', () => stop(0));
  });
  return {
    arrival: Promise.race([signal.arrival, told]),
    received: () => isTold || signal.received(),
    drainTime: () => drainTime,
  };
}

// Waits for a database server that starts later than this one (`database.startWait`): containers
// start in any order.

/** Milliseconds between two attempts. */
const pause = 500;

/** Returns when the database responds, the time is over, or another problem is found, which the
 *  start reports. */
async function waitForDatabase(config: Config, signal: StopSignal): Promise<void> {
  const { startWait } = config.database;
  if (embeddedFile(config.database) !== undefined || startWait === 0) return;
  const end = performance.now() + startWait;
  let isTold = false;
  while (!signal.received() && performance.now() < end) {
    if (await databaseResponds(config)) return;
    if (!isTold) process.stderr.write(`The database does not respond yet; waiting for it up to ${startWait} ms (database.startWait).\n`);
    isTold = true;
    await Promise.race([
      signal.arrival,
      new Promise((resolve) => setTimeout(resolve, Math.min(pause, Math.max(0, end - performance.now())))),
    ]);
  }
}
