/** `lectern demo`, inside this process. */
import { startInProcess } from './own-process.ts';
import type { Environment } from './server.ts';

export interface Demo {
  readonly base: string;
  /** A full-access API token. */
  readonly token: string;
  /** The password of the user `reader`. */
  readonly password: string;
  /** The password of the user `editor`. */
  readonly editorPassword: string;
  stop(): Promise<void>;
}

/** Starts the demo on a free port and waits until it has printed its token and user. */
export async function startDemo(env: Environment = {}): Promise<Demo> {
  const { output, ended, onOutput, terminate } = startInProcess(['demo', '--port', '0'], env);
  const ready = new Promise<void>((resolve) => onOutput(() => output.stdout.includes('Ctrl-C') && resolve()));
  await Promise.race([ready, ended.then((status) => Promise.reject(new Error(`the demo ended with status ${status}: ${output.stderr}`)))]);
  const found = (pattern: RegExp) => pattern.exec(output.stdout)?.[1] ?? '';
  return {
    base: found(/served at (http:\S+)/),
    token: found(/Bearer (\w+)/),
    password: found(/"password": "(\w+)"/),
    editorPassword: found(/user editor, password (\w+)/),
    async stop() {
      terminate();
      await ended;
    },
  };
}
