/** Shows the progress of an import on standard error: a bar on a terminal, a line for each file elsewhere.
 *  `progress()` of @clack/prompts cannot be used: it ends the process at Ctrl-C, in the middle of a file. */

import { SingleBar } from 'cli-progress';
import prettyBytes from 'pretty-bytes';
import { printable } from '../../text/printable.ts';

export interface ImportProgress {
  /** A file was imported, refused or skipped; `outcome` is undefined for skipped files, which get no line. */
  done(relativePath: string, size: number, outcome: string | undefined): void;
  stop(): void;
}

export interface ImportTotals {
  readonly files: number;
  /** The size of all files. */
  readonly bytes: number;
}

export function showProgress(totals: ImportTotals, stream: NodeJS.WriteStream): ImportProgress {
  return stream.isTTY ? bar(totals, stream) : lines(totals, stream);
}

function lines({ files }: ImportTotals, stream: NodeJS.WriteStream): ImportProgress {
  let count = 0;
  return {
    done(relativePath, _, outcome) {
      count++;
      if (outcome !== undefined) stream.write(`${count}/${files} ${printable(relativePath)}: ${outcome}\n`);
    },
    stop: () => undefined,
  };
}

function bar({ files, bytes }: ImportTotals, stream: NodeJS.WriteStream): ImportProgress {
  const shown = new SingleBar({
    stream,
    format: `{bar} {percentage}% | {count}/${files} files | {read} of ${prettyBytes(bytes)} | {eta_formatted} left | {place}`,
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    linewrap: false,
  });
  let [count, read] = [0, 0];
  // Each file also counts as one byte, because empty files take time too.
  shown.start(bytes + files, 0, { count, read: prettyBytes(0), place: '' });
  return {
    done(relativePath, size) {
      count++;
      read += size;
      shown.update(read + count, { count, read: prettyBytes(read), place: printable(relativePath) });
    },
    stop: () => shown.stop(),
  };
}
