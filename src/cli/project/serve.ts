import type { Config } from '../../config/config.ts';
import { stopSignal } from '../stop-signal.ts';

/** The process ends at most this many milliseconds after the server: a handle that was not closed must not keep it alive. */
const lastWait = 1000;

/** Serves until SIGINT or SIGTERM, and then ends within `shutdownTime`, even if requests are still running. `announce` returns the text that is
 *  printed when the server is ready. Returns the exit code. */
export async function serve(config: Config, announce: (address: string) => string): Promise<number> {
  const signal = stopSignal();
  const { createApp } = await import('../../app.ts');
  const app = await createApp(config);
  try {
    if (!signal.received()) {
      process.stdout.write(`${announce(await app.listen())}\n`);
      await signal.arrival;
    }
  } finally {
    const late = setTimeout(() => {
      process.stderr.write(`Requests were still running after ${config.shutdownTime} ms (shutdownTime) and were stopped.\n`);
      process.exit(0);
    }, config.shutdownTime);
    await app.close();
    clearTimeout(late);
  }
  setTimeout(() => process.exit(), lastWait).unref();
  return 0;
}
