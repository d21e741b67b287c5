/** Real server processes of the built code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { atEnd } from './at-end.ts';
import { type HttpResponse, type SentRequest, send } from './http.ts';

export const command = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url));
const built = fileURLToPath(new URL('../../dist', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

export interface RunningServer {
  readonly base: string;
  readonly port: number;
  readonly pid: number;
  /** Everything written so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  send(request: SentRequest): Promise<HttpResponse>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpResponse>;
  /** True as long as the process has not ended. */
  alive(): boolean;
  /** Sends SIGTERM and expects exit status 0. */
  stop(): Promise<void>;
}

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const children = new Set<ChildProcess>();
atEnd(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Only what a program needs to run, so that the tester's own PORT or DATABASE_URL does not reach the server. */
const inherited = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'TZ', 'SystemRoot'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);

function start(args: readonly string[], env: Environment, launcher: readonly string[] = []) {
  if (!existsSync(built)) throw new Error('the tests run the built code: npm run build');
  const [program = process.execPath, ...rest] = [...launcher, process.execPath, command, ...args];
  const child = spawn(program, rest, { env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      children.delete(child);
      resolve(status);
    });
  });
  return { child, output, ended };
}

const describeOutput = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `\nstdout: ${stdout}\nstderr: ${stderr}`;

/** Starts a server on a free port and waits until it says its address. `launcher` is a command that becomes the one that follows it. */
export async function startServer(
  dir: string,
  env: Environment = {},
  args: readonly string[] = [],
  launcher: readonly string[] = [],
  name: 'start' | 'dev' = 'start',
): Promise<RunningServer> {
  const { child, output, ended } = start([name, '--dir', dir, '--port', '0', '--host', '127.0.0.1', ...args], env, launcher);
  const port = await new Promise<number>((resolve, reject) => {
    const look = () => {
      const found = /http:\/\/127\.0\.0\.1:([1-9]\d*)/.exec(output.stdout);
      if (found?.[1] !== undefined) resolve(Number(found[1]));
    };
    child.stdout?.on('data', look);
    ended.then(
      (status) => reject(new Error(`the server ended with status ${status} before it was ready${describeOutput(output)}`)),
      reject,
    );
  });
  const base = `http://127.0.0.1:${port}`;
  return {
    base,
    port,
    pid: child.pid ?? 0,
    output,
    send: (request) => send(base, request),
    get: (path, headers = {}) => send(base, { path, headers }),
    alive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM');
      const status = await ended;
      if (status !== 0) throw new Error(`the server ended with ${status ?? child.signalCode} after SIGTERM${describeOutput(output)}`);
    },
  };
}

/** Runs a command of `lectern` to its end. `launcher` is a command that becomes the one that follows it. */
export async function run(args: readonly string[], env: Environment = {}, launcher: readonly string[] = []): Promise<Finished> {
  const { output, ended } = start(args, env, launcher);
  return { status: await ended, ...output };
}
