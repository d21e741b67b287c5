/** Runs `lectern` inside this process as if it had one of its own: with an environment, output, signals and an end. Loading the program takes
 *  several times as long as most commands, so only tests of processes start one. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface OwnProcess {
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<number>;
  /** Calls `look` whenever something was written to the standard output. */
  onOutput(look: () => void): void;
  /** As if SIGTERM had arrived. */
  terminate(): void;
}

interface Running {
  readonly env: NodeJS.ProcessEnv;
  readonly output: { stdout: string; stderr: string };
  readonly lookers: (() => void)[];
  readonly terminators: (() => void)[];
  end(status: number): void;
}

const running = new AsyncLocalStorage<Running>();
const program = new URL('../../dist/lectern.js', import.meta.url).href;

export function startInProcess(args: readonly string[], env: Readonly<Record<string, string>>): OwnProcess {
  if (args.includes('--workers') || 'LECTERN_WORKERS' in env) throw new Error('workers are forks of a process of its own (ownProcess)');
  replaceOnce();
  const output = { stdout: '', stderr: '' };
  const lookers: (() => void)[] = [];
  const terminators: (() => void)[] = [];
  let end: (status: number) => void = () => undefined;
  const own: Running = { env: { ...env }, output, lookers, terminators, end: (status) => end(status) };
  const ended = new Promise<number>((resolve, reject) => {
    end = resolve;
    running.run(own, () => {
      import(program).then(({ runCommand }) => runCommand(args)).then(resolve, reject);
    });
  });
  return {
    output,
    ended,
    onOutput: (look) => void lookers.push(look),
    terminate: () => {
      // Once: a second signal would end the process at once.
      for (const terminate of terminators.splice(0)) running.run(own, terminate);
    },
  };
}

let isReplaced = false;

/** Replaces what belongs to a process. Outside of `startInProcess` everything stays as it was. */
function replaceOnce(): void {
  if (isReplaced) return;
  isReplaced = true;
  const { env, on, exit } = process;
  Object.defineProperty(process, 'env', { configurable: true, enumerable: true, get: () => running.getStore()?.env ?? env });
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name];
    const write = stream.write.bind(stream) as (...parts: readonly unknown[]) => boolean;
    stream.write = (...parts: readonly unknown[]) => {
      const own = running.getStore();
      if (own === undefined) return write(...parts);
      const [chunk] = parts;
      own.output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
      for (const look of own.lookers) look();
      const done = parts.find((part) => typeof part === 'function');
      if (done !== undefined) process.nextTick(done as () => void);
      return true;
    };
  }
  process.on = ((event: string, listener: () => void) => {
    const own = running.getStore();
    if (own === undefined || !event.startsWith('SIG')) return on.call(process, event, listener);
    if (event === 'SIGTERM') own.terminators.push(listener);
    return process;
  }) as typeof process.on;
  // Vitest replaces `process.exit` before each file.
  let usualExit = exit;
  Object.defineProperty(process, 'exit', {
    configurable: true,
    get: () => {
      const own = running.getStore();
      return own === undefined ? usualExit : (status = 0) => own.end(Number(status));
    },
    set: (next: typeof exit) => {
      usualExit = next;
    },
  });
}
