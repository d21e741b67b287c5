/** The primary process of `lectern start --workers`. It starts the serving processes, replaces
 *  those that end, and restarts them in turn on SIGHUP. It does not serve or touch the database. */
import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../../../config/config.ts';
import { knowEditorsOfWorkers } from '../../../http/presence/worker-presence.ts';
import { countForWorkers } from '../../../http/rate-limits/worker-counts.ts';
import { openMetricsPort } from '../../../observe/open-observation.ts';
import { WorkersMetrics } from '../../../observe/worker-metrics.ts';
import { workerMark } from '../../../observe/workers.ts';
import { httpUrl } from '../../../text/http-url.ts';
import { stopSignal } from '../../stop-signal.ts';
import { takeBackConnections } from './unaccepted-connections.ts';
import { quietStart, type StopWorker } from './worker-messages.ts';

/** Milliseconds until an ended worker is replaced; doubled each time until one has lasted. */
const firstWait = 500;
const maxWait = 30_000;
const lasted = 60_000;
/** The time in which clients leave a worker that is replaced. Milliseconds. */
const drainTime = 3000;
/** Beyond `shutdownTime`, for closing the database and ending the process. Milliseconds. */
const lastWait = 2000;

interface Running {
  readonly worker: Worker;
  readonly ended: Promise<string>;
  isListening: boolean;
  /** True once it was told to stop, or has a successor: its end calls for nothing more. */
  isLeaving: boolean;
}

/** Serves with `count` workers until SIGINT or SIGTERM. Returns an exit code: the first worker's if
 *  it cannot start. */
export async function superviseWorkers(config: Config, count: number, announce: (address: string) => string): Promise<number> {
  const signal = stopSignal();
  const workers = new Workers(config);
  // First: a port in use is a mistake in the configuration, and nothing needs to be stopped yet.
  const metrics = await openMetricsPort(config, () => workers.metrics.text());
  if (metrics !== undefined) process.stderr.write(`The metrics are at ${metrics.url}\n`);
  const first = workers.fork({ quiet: false });
  const address = await workers.listening(first);
  if (address === undefined) {
    await metrics?.close();
    // Ctrl-C in a terminal reaches both processes, and the worker may end first.
    if (signal.received()) return 0;
    return first.worker.process.exitCode ?? 1;
  }
  process.stdout.write(`${announce(address)}\n`);
  process.on('SIGHUP', () => void workers.restart());
  for (let index = 1; index < count && !signal.received(); index++) workers.keep();
  void first.ended.then(() => workers.replace(first));
  await signal.arrival;
  await workers.stop();
  await metrics?.close();
  return 0;
}

class Workers {
  readonly #config: Config;
  readonly #running = new Set<Running>();
  readonly #count = countForWorkers();
  readonly #knowEditors = knowEditorsOfWorkers();
  readonly #takeBack = takeBackConnections();
  readonly metrics = new WorkersMetrics();
  #isStopping = false;
  #isRestarting = false;
  #isRestartWanted = false;
  #wait = firstWait;
  #lastEnd = Number.NEGATIVE_INFINITY;

  constructor(config: Config) {
    this.#config = config;
  }

  fork({ quiet }: { readonly quiet: boolean }): Running {
    const worker = cluster.fork({ [workerMark]: 'true', ...(quiet ? { [quietStart]: 'true' } : {}) });
    this.#takeBack(worker);
    this.#count(worker);
    this.#knowEditors(worker);
    this.metrics.add(worker);
    // A message to a worker that is just ending.
    worker.on('error', () => undefined);
    const ended = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
    });
    const running: Running = { worker, ended, isListening: false, isLeaving: false };
    worker.once('listening', () => {
      running.isListening = true;
    });
    this.#running.add(running);
    void ended.then(() => this.#running.delete(running));
    return running;
  }

  /** The URL of a worker that listens; undefined if it ends before that. */
  listening({ worker, ended }: Running): Promise<string | undefined> {
    const address = new Promise<string>((resolve) => {
      worker.once('listening', ({ port }) => resolve(httpUrl(this.#config.host, port)));
    });
    return Promise.race([address, ended.then(() => undefined)]);
  }

  /** Starts a worker, and another one whenever it ends by itself. */
  keep(): void {
    const running = this.fork({ quiet: true });
    void running.ended.then(() => this.replace(running));
  }

  async replace(running: Running): Promise<void> {
    if (running.isLeaving || this.#isStopping) return;
    const now = performance.now();
    this.#wait = now - this.#lastEnd > lasted ? firstWait : Math.min(2 * this.#wait, maxWait);
    this.#lastEnd = now;
    process.stderr.write(
      `A process of the server ended by itself (${await running.ended}); another one starts in ${this.#wait / 1000} s.\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, this.#wait));
    // A restart may have started its successor meanwhile.
    if (running.isLeaving || this.#isStopping) return;
    running.isLeaving = true;
    this.keep();
  }

  /** Replaces each worker by a new one, which reads the project's files again, and stops it when
   *  the new one listens. A call during a restart causes another: some new workers have read
   *  earlier files. */
  async restart(): Promise<void> {
    this.#isRestartWanted = true;
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    while (this.#isRestartWanted && !this.#isStopping) {
      this.#isRestartWanted = false;
      await this.#replaceAll();
    }
    this.#isRestarting = false;
  }

  async #replaceAll(): Promise<void> {
    let quiet = false;
    for (const old of [...this.#running]) {
      if (this.#isStopping) return;
      // It has ended by itself, and its successor reads the files anew as well.
      if (!this.#running.has(old)) continue;
      const next = this.fork({ quiet });
      quiet = true;
      if ((await this.listening(next)) === undefined) {
        if (this.#isStopping) return;
        process.stderr.write('The restart was given up, as the new process did not start; the running ones go on.\n');
        return;
      }
      void next.ended.then(() => this.replace(next));
      await this.#end(old.isLeaving ? next : old, drainTime);
    }
    process.stderr.write('The processes of the server were replaced.\n');
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#running].map((running) => this.#end(running, 0)));
  }

  async #end(running: Running, drain: number): Promise<void> {
    running.isLeaving = true;
    const { worker, ended } = running;
    // A starting process may not listen for messages yet, but SIGTERM always reaches it.
    if (!running.isListening) worker.process.kill('SIGTERM');
    else if (worker.isConnected()) worker.send({ lectern: 'stop', drainTime: drain } satisfies StopWorker, () => undefined);
    const { shutdownDelay, shutdownTime } = this.#config;
    const serving = drain > 0 ? drain : shutdownDelay;
    const late = setTimeout(() => worker.process.kill('SIGKILL'), serving + shutdownTime + lastWait);
    await ended;
    clearTimeout(late);
  }
}
