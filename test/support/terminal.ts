/** Commands on a terminal, by the program `script` of util-linux. */
import { spawn, spawnSync } from 'node:child_process';
import { command, type Environment } from './server.ts';

/** False where the program is missing. */
export const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

export interface OnTerminal {
  /** All that was printed so far, without colours and movements of the cursor. */
  shown(): string;
  /** As typed by a person: `\u0003` is Ctrl-C. */
  type(keys: string): void;
  /** The exit status. */
  readonly ended: Promise<number | null>;
}

/** Starts a command of `lectern` on a terminal of 200 columns. */
export function startOnTerminal(args: readonly string[], env: Environment): OnTerminal {
  const line = [process.execPath, command, ...args].map((each) => `'${each}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 200; exec ${line}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  return {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
    shown: () => shown.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, ''),
    type: (keys) => void child.stdin.write(keys),
    ended: new Promise((done) => child.on('close', done)),
  };
}
