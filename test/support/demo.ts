/** `lectern demo` as a process. */
import { spawn } from 'node:child_process';
import { command, type Environment } from './server.ts';

export interface Demo {
  readonly base: string;
  /** A full-access API token. */
  readonly token: string;
  /** The password of the user `reader`. */
  readonly password: string;
  stop(): Promise<void>;
}

/** Starts the demo on a free port and waits until it has printed its token and user. */
export async function startDemo(env: Environment = {}): Promise<Demo> {
  const child = spawn(process.execPath, [command, 'demo', '--port', '0'], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let welcome = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      welcome += text;
      if (welcome.includes('Ctrl-C')) resolve();
    });
  });
  await Promise.race([ready, ended.then((status) => Promise.reject(new Error(`the demo ended with status ${status}: ${welcome}`)))]);
  const found = (pattern: RegExp) => pattern.exec(welcome)?.[1] ?? '';
  return {
    base: found(/served at (http:\S+)/),
    token: found(/Bearer (\w+)/),
    password: found(/"password": "(\w+)"/),
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}
