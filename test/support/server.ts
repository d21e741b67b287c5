/** Servers and commands of the built code, in processes of their own or in this one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { atEnd } from './at-end.ts';
import { type HttpResponse, type SentRequest, send } from './http.ts';
import { startInProcess } from './own-process.ts';

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

const servingArguments = (name: string, dir: string, args: readonly string[]) => [
  name,
  '--dir',
  dir,
  '--port',
  '0',
  '--host',
  '127.0.0.1',
  ...args,
];
const addressIn = (text: string): string | undefined => /http:\/\/[\d.]+:[1-9]\d*/.exec(text)?.[0];

/** Starts a server in a process of its own. `args` may name another `--host`; `launcher` is a command that becomes the one
 *  that follows it. */
export async function startProcess(
  dir: string,
  env: Environment = {},
  args: readonly string[] = [],
  launcher: readonly string[] = [],
): Promise<RunningServer> {
  const { child, output, ended } = start(servingArguments('start', dir, args), env, launcher);
  return running({
    output,
    ended,
    onOutput: (look) => child.stdout?.on('data', look),
    terminate: () => child.kill('SIGTERM'),
    pid: child.pid ?? 0,
    alive: () => child.exitCode === null && child.signalCode === null,
    describeEnd: (status) => String(status ?? child.signalCode),
  });
}

/** Starts a server in this process, on a free port, and waits until it says its address. */
export function startServer(
  dir: string,
  env: Environment = {},
  args: readonly string[] = [],
  name: 'start' | 'dev' = 'start',
): Promise<RunningServer> {
  const own = startInProcess(servingArguments(name, dir, args), { ...inherited, ...env });
  let isAlive = true;
  const ended = own.ended.finally(() => {
    isAlive = false;
  });
  return running({ ...own, ended, alive: () => isAlive, describeEnd: String });
}

/** The same until the end of the test. */
export async function serverOfTest(dir: string, env: Environment = {}): Promise<RunningServer> {
  const server = await startServer(dir, env);
  onTestFinished(() => server.stop());
  return server;
}

interface Started {
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<number | null>;
  readonly pid?: number;
  onOutput(look: () => void): void;
  terminate(): void;
  alive(): boolean;
  describeEnd(status: number | null): string;
}

async function running({ output, ended, pid, onOutput, terminate, alive, describeEnd }: Started): Promise<RunningServer> {
  const base = await new Promise<string>((resolve, reject) => {
    onOutput(() => {
      const found = addressIn(output.stdout);
      if (found !== undefined) resolve(found);
    });
    ended.then(
      (status) => reject(new Error(`the server ended with status ${status} before it was ready${describeOutput(output)}`)),
      reject,
    );
  });
  return {
    base,
    port: Number(new URL(base).port),
    get pid() {
      if (pid === undefined) throw new Error('the server has no process of its own (ownProcess)');
      return pid;
    },
    output,
    send: (request) => send(base, request),
    get: (path, headers = {}) => send(base, { path, headers }),
    alive,
    async stop() {
      terminate();
      const status = await ended;
      if (status !== 0) throw new Error(`the server ended with ${describeEnd(status)} after SIGTERM${describeOutput(output)}`);
    },
  };
}

/** Runs a command of `lectern` to its end, in this process. */
export async function run(args: readonly string[], env: Environment = {}): Promise<Finished> {
  const { output, ended } = startInProcess(args, { ...inherited, ...env });
  return { status: await ended, ...output };
}

/** The same in a process of its own. `launcher` is a command that becomes the one that follows it. */
export async function runProcess(args: readonly string[], env: Environment = {}, launcher: readonly string[] = []): Promise<Finished> {
  const { output, ended } = start(args, env, launcher);
  return { status: await ended, ...output };
}
