/** SIGINT and SIGTERM as a promise: the first requests a clean stop, the second ends the
 *  process. */
import { exitCodes } from './exit-codes.ts';

/** `npm run` repeats a Ctrl-C that the terminal has sent already: signals within this time count as
 *  one. Milliseconds. */
const sameSignal = 300;
const codeOf = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

export interface StopSignal {
  readonly arrival: Promise<void>;
  received(): boolean;
}

/** Runs `work` with a signal that SIGINT and SIGTERM abort. If `work` throws after that, the
 *  command counts as interrupted, and `outcome` is printed. */
export async function untilStopped(outcome: string, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const { abort } = stopSignal();
  try {
    return await work(abort);
  } catch (error) {
    if (!abort.aborted) throw error;
    process.stderr.write(`Interrupted: ${outcome}.\n`);
    return exitCodes.interrupted;
  }
}

export function stopSignal(): StopSignal & { readonly abort: AbortSignal } {
  let first: number | undefined;
  const controller = new AbortController();
  const arrival = new Promise<void>((stop) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        if (first === undefined) {
          first = performance.now();
          controller.abort();
          stop();
        } else if (performance.now() - first > sameSignal) {
          process.exit(codeOf[name]);
        }
      });
    }
  });
  return { arrival, received: () => first !== undefined, abort: controller.signal };
}
