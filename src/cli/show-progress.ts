/** Shows the progress of a transfer, export or import: on a terminal, a bar on standard error.
 *  `progress()` of @clack/prompts would end the process at Ctrl-C in the middle of a file. */
import { SingleBar } from 'cli-progress';
import { printable } from '../text/printable.ts';
import type { TransferProgress } from '../transfer/transfer.ts';

/** `elsewhere`: what is printed if standard error is no terminal; by default nothing. */
export function showProgress(elsewhere?: 'steps'): TransferProgress {
  const stream = process.stderr;
  if (!stream.isTTY) {
    const step = (name: string) => void (elsewhere === 'steps' && stream.write(`${printable(name)}\n`));
    return { step, advance: () => undefined, stop: () => undefined };
  }
  let bar: SingleBar | undefined;
  let [done, of] = [0, 0];
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    step(name, total) {
      bar?.update(of);
      stop();
      [done, of] = [0, Math.max(total, 1)];
      bar = new SingleBar({
        stream,
        format: `{bar} {percentage}% | ${printable(name)} | {eta_formatted} left`,
        barsize: 30,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        hideCursor: true,
        linewrap: false,
      });
      bar.start(of, 0);
    },
    advance(by) {
      done = Math.min(done + by, of);
      bar?.update(done);
    },
    stop,
  };
}
