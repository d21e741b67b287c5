/** The metrics of several processes (`workers`) as one: the primary process asks all of them. */
import type { Worker } from 'node:cluster';
import type { Metrics, MetricsAsJson } from './metrics.ts';
import { isMessage, Questions, tellPrimary } from './workers.ts';

type AskedForMetrics = { readonly lectern: 'metrics'; readonly id: number };
type MetricsOfWorker = { readonly lectern: 'metrics of worker'; readonly id: number; readonly metrics: MetricsAsJson };
type AskedForAll = { readonly lectern: 'all metrics'; readonly id: number };
/** `text` is undefined if they could not be read. */
type AllMetrics = { readonly lectern: 'metrics of all'; readonly id: number; readonly text: string | undefined };

/** A worker that does not respond within this time is left out. Milliseconds. */
const workerTimeout = 2000;
const primaryTimeout = 2 * workerTimeout;

/** In a worker. Returns the metrics of all of them. */
export function metricsOfWorkers(metrics: Metrics): { text(): Promise<string>; close(): void } {
  const questions = new Questions<string>();
  const receive = (message: unknown) => {
    if (isMessage<AllMetrics>(message, 'metrics of all')) questions.reply(message.id, message.text);
    else if (isMessage<AskedForMetrics>(message, 'metrics')) {
      const { id } = message;
      metrics.asJson().then(
        (json) => tellPrimary({ lectern: 'metrics of worker', id, metrics: json } satisfies MetricsOfWorker),
        () => undefined,
      );
    }
  };
  process.on('message', receive);
  return {
    async text() {
      const text = await questions.ask((id) => tellPrimary({ lectern: 'all metrics', id } satisfies AskedForAll), primaryTimeout);
      if (text === undefined) throw new Error('the primary process did not tell the metrics');
      return text;
    },
    close: () => void process.off('message', receive),
  };
}

/** In the primary process. */
export class WorkersMetrics {
  readonly #workers = new Set<Worker>();
  /** The last metrics of each worker. */
  readonly #latest = new Map<Worker, MetricsAsJson>();
  /** The counts of workers that have ended: counters must not go back when one does. */
  readonly #ended: MetricsAsJson[] = [];
  readonly #questions = new Questions<MetricsAsJson>();
  #reading: Promise<string> | undefined;

  add(worker: Worker): void {
    this.#workers.add(worker);
    worker.on('message', (message: unknown) => {
      if (isMessage<MetricsOfWorker>(message, 'metrics of worker')) {
        // A message may arrive after the end of its worker, whose counts are in `#ended` then.
        if (this.#workers.has(worker)) this.#latest.set(worker, message.metrics);
        this.#questions.reply(message.id, message.metrics);
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
    const ended = [...this.#ended];
    const added = (await AggregatorRegistry.aggregate(ended as object[]).getMetricsAsJSON()) as unknown as MetricsAsJson;
    // Another worker may have ended meanwhile.
    this.#ended.splice(0, ended.length, added);
    return AggregatorRegistry.aggregate([...this.#ended, ...this.#latest.values()] as object[]).metrics();
  }

  async #ask(worker: Worker): Promise<void> {
    if (!worker.isConnected()) return;
    const ask = (id: number) => void worker.send({ lectern: 'metrics', id } satisfies AskedForMetrics, () => undefined);
    await this.#questions.ask(ask, workerTimeout);
  }
}
