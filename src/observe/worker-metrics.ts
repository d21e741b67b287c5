/** The metrics of several processes that serve (`workers`), as one: the primary process asks all of them. */
import type { Worker } from 'node:cluster';
import type { Metrics, MetricsAsJson } from './metrics.ts';

interface AskedForMetrics {
  readonly lectern: 'metrics';
  readonly id: number;
}
interface MetricsOfWorker {
  readonly lectern: 'metrics of worker';
  readonly id: number;
  readonly metrics: MetricsAsJson;
}
interface AskedForAll {
  readonly lectern: 'all metrics';
  readonly id: number;
}
interface AllMetrics {
  readonly lectern: 'metrics of all';
  readonly id: number;
  /** Undefined if they could not be read. */
  readonly text: string | undefined;
}

const isMessage = <T extends { readonly lectern: string }>(message: unknown, kind: T['lectern']): message is T =>
  typeof message === 'object' && message !== null && (message as { lectern?: unknown }).lectern === kind;

/** A worker that does not respond within this time is left out. Milliseconds. */
const workerTimeout = 2000;
const primaryTimeout = 2 * workerTimeout;

/** In a worker. Returns the metrics of all of them. */
export function metricsOfWorkers(metrics: Metrics): { text(): Promise<string>; close(): void } {
  const waiting = new Map<number, (text: string | undefined) => void>();
  let last = 0;
  const tell = (message: MetricsOfWorker | AskedForAll) =>
    process.connected && process.send?.(message, undefined, undefined, () => undefined);
  const receive = (message: unknown) => {
    if (isMessage<AllMetrics>(message, 'metrics of all')) {
      waiting.get(message.id)?.(message.text);
      waiting.delete(message.id);
    } else if (isMessage<AskedForMetrics>(message, 'metrics')) {
      const { id } = message;
      metrics.asJson().then(
        (json) => tell({ lectern: 'metrics of worker', id, metrics: json }),
        () => undefined,
      );
    }
  };
  process.on('message', receive);
  return {
    text: () =>
      new Promise((resolve, reject) => {
        const id = ++last;
        const late = setTimeout(() => waiting.get(id)?.(undefined), primaryTimeout);
        waiting.set(id, (text) => {
          clearTimeout(late);
          waiting.delete(id);
          if (text === undefined) reject(new Error('the primary process did not tell the metrics'));
          else resolve(text);
        });
        tell({ lectern: 'all metrics', id });
      }),
    close: () => void process.off('message', receive),
  };
}

/** In the primary process. */
export class WorkersMetrics {
  readonly #workers = new Set<Worker>();
  /** The last metrics of each worker. */
  readonly #latest = new Map<Worker, MetricsAsJson>();
  /** The counts of workers that have ended: counters must not go back when one does. */
  #ended: MetricsAsJson[] = [];
  readonly #waiting = new Map<number, () => void>();
  #last = 0;
  #reading: Promise<string> | undefined;

  add(worker: Worker): void {
    this.#workers.add(worker);
    worker.on('message', (message: unknown) => {
      if (isMessage<MetricsOfWorker>(message, 'metrics of worker')) {
        this.#latest.set(worker, message.metrics);
        this.#waiting.get(message.id)?.();
      } else if (isMessage<AskedForAll>(message, 'all metrics')) {
        const respond = (text: string | undefined) => {
          const response: AllMetrics = { lectern: 'metrics of all', id: message.id, text };
          if (worker.isConnected()) worker.send(response, () => undefined);
        };
        this.text().then(respond, () => respond(undefined));
      }
    });
    worker.once('exit', () => {
      this.#workers.delete(worker);
      const latest = this.#latest.get(worker);
      this.#latest.delete(worker);
      // Nobody has seen the counts of a worker that was never asked.
      if (latest !== undefined) this.#ended.push(latest.filter(({ type }) => type !== 'gauge'));
    });
  }

  /** Calls at the same time share one reading. */
  text(): Promise<string> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<string> {
    await Promise.all([...this.#workers].map((worker) => this.#ask(worker)));
    const { AggregatorRegistry } = (await import('prom-client')).default;
    const ended = this.#ended;
    this.#ended = [];
    const added = (await AggregatorRegistry.aggregate(ended as object[]).getMetricsAsJSON()) as unknown as MetricsAsJson;
    this.#ended.unshift(added);
    return AggregatorRegistry.aggregate([...this.#ended, ...this.#latest.values()] as object[]).metrics();
  }

  #ask(worker: Worker): Promise<void> {
    if (!worker.isConnected()) return Promise.resolve();
    const id = ++this.#last;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(late);
        this.#waiting.delete(id);
        resolve();
      };
      const late = setTimeout(done, workerTimeout);
      worker.once('exit', done);
      this.#waiting.set(id, () => {
        worker.off('exit', done);
        done();
      });
      worker.send({ lectern: 'metrics', id } satisfies AskedForMetrics, () => undefined);
    });
  }
}
