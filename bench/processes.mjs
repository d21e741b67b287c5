/** The processes of a run: servers and the load. All of them end when this process ends. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const children = new Set();

/** Only what a program needs to run: the caller's own PORT or DATABASE_URL must not reach the server. */
const inherited = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'TZ'].flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])),
);

/** A start that takes longer has failed. Milliseconds. */
const startTime = 30_000;

/** Only the first output of a server is stored: it has the cause of a failure, and the rest may be unlimited. */
const mostOutput = 100_000;

function start(args, env = {}, most = mostOutput) {
  const child = spawn(process.execPath, args, { env: { ...inherited, ...env }, stdio: 'pipe' });
  children.add(child);
  // A process that ends early closes its standard input; how it ended says why.
  child.stdin.on('error', () => undefined);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      if (output[name].length < most) output[name] += text;
    });
  }
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status, signal) => {
      children.delete(child);
      resolve(status ?? signal);
    });
  });
  return { child, output, ended };
}

export function killAll() {
  for (const child of children) child.kill('SIGKILL');
}

/** A server that prints its URL to standard output. */
async function startServer(what, args, env) {
  const since = performance.now();
  const { child, output, ended } = start(args, env);
  const base = await new Promise((resolve, reject) => {
    const fail = (reason) => reject(new Error(`${what} ${reason}\n${output.stderr}${output.stdout}`.trimEnd()));
    const timer = setTimeout(() => fail(`did not start within ${startTime / 1000} s`), startTime);
    child.stdout.on('data', () => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output.stdout);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[0]);
    });
    ended.then((status) => fail(`ended with ${status} before it was ready`));
  });
  return {
    base,
    since,
    pid: child.pid,
    /** The beginning of its output. */
    output,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    /** Kills it with SIGKILL, so that it cannot finish anything. */
    async kill() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const killed = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(killed);
    },
  };
}

/** Starts Lectern as in production, in the profile that allows the queries of the benchmark. `command` may be that of another checkout, `env` may name
 *  another database. */
export function startLectern({ dir, database, command = path('../bin/lectern.js') }, cpuProfile, env = {}) {
  const profiling = cpuProfile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${cpuProfile}`];
  return startServer('lectern', [...profiling, command, 'start', '--dir', dir, '--port', '0', '--host', '127.0.0.1'], {
    NODE_ENV: 'production',
    LECTERN_LOG_LEVEL: 'silent',
    LECTERN_PROFILE: 'strapi',
    DATABASE_CLIENT: 'sqlite',
    DATABASE_FILENAME: database,
    ...env,
  });
}

/** A bare Fastify that sends the file `INDEX` of a folder at each path below `/INDEX`. */
export const startBareFastify = (folder, paths) =>
  startServer('the bare Fastify', [path('bare-fastify.mjs'), folder, JSON.stringify(paths)], { NODE_ENV: 'production' });

export const startHandWrittenWrites = (database, durable) =>
  startServer('the hand-written server', [path('hand-written-writes.mjs'), database, durable ? 'FULL' : 'NORMAL'], {
    NODE_ENV: 'production',
  });

/** Runs a Lectern command and returns its standard output; `statuses` are the exit codes that are no error. */
export async function lecternPrints(args, env, statuses = [0]) {
  const { output, ended } = start([path('../bin/lectern.js'), ...args], env, Number.POSITIVE_INFINITY);
  const status = await ended;
  if (!statuses.includes(status)) throw new Error(`lectern ${args.join(' ')} ended with ${status}\n${output.stderr}`);
  return output.stdout.trim();
}

/** One round of load, in a process of its own so that it does not use a server's thread.
 *  @param {{base: string, paths: string[], seconds: number, from?: number, connections?: number, headers?: object}} orders those of load.mjs */
export const loadPaths = (orders) => runLoad('load.mjs', orders);

/** The same for writes: `orders` are those of load-writes.mjs. */
export const loadWrites = (orders) => runLoad('load-writes.mjs', orders);

async function runLoad(name, orders) {
  const { child, output, ended } = start([path(name)]);
  // Thousands of paths are too long for an argument.
  child.stdin.end(JSON.stringify(orders));
  const limit = setTimeout(() => child.kill('SIGKILL'), (orders.seconds + 60) * 1000);
  const status = await ended;
  clearTimeout(limit);
  if (status !== 0) throw new Error(`the load on ${orders.base} ended with ${status}\n${output.stderr}`);
  return JSON.parse(output.stdout);
}

/** The memory that a process uses, and its peak, in megabytes; undefined if the system does not report them. */
export function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
    const threads = Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]);
    return { now: megabytes('VmRSS'), most: megabytes('VmHWM'), threads };
  } catch {
    return undefined;
  }
}

/** All descendants of a process; empty if the system does not report them. */
export function descendantsOf(pid) {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return children.flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    return [];
  }
}

/** Bytes of memory that a process and its descendants use. Shared pages count once for each. */
export const treeMemory = (pid) => [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + (memoryOf(each)?.now || 0), 0) * 1024 * 1024;

/** The same, with shared pages divided among the processes that share them; undefined if the system does not report it. */
export function proportionalTreeMemory(pid) {
  try {
    const sizes = [pid, ...descendantsOf(pid)].map(
      (each) => /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1],
    );
    return sizes.reduce((sum, size) => sum + Number(size), 0) * 1024;
  } catch {
    return undefined;
  }
}

/** Clock ticks a second, the unit of processor time in Linux. */
const ticks = 100;

/** Milliseconds of processor time that a process has used, with all its threads; undefined if the system does not report it. */
export const processorTimeOf = (pid) => milliseconds(() => ticksOf(pid));

/** The same with all its descendants: a server may read in other processes. */
export const treeProcessorTime = (pid) =>
  milliseconds(() => ticksOf(pid, true) + descendantsOf(pid).reduce((sum, child) => sum + ticksOf(child, true), 0));

function milliseconds(ticksUsed) {
  try {
    return (ticksUsed() * 1000) / ticks;
  } catch {
    return undefined;
  }
}

function ticksOf(pid, withEnded = false) {
  // The name, in parentheses, may contain spaces; utime and stime are the 14th and 15th field, those of ended children follow.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
}
