/** What the configuration wants to know of requests. Libraries are loaded only for what is on. */

import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { packageFile } from '../text/package-file.ts';
import type { Figures } from './figures.ts';
import type { Metrics } from './metrics.ts';
import { type MetricsServer, openMetricsServer } from './metrics-server.ts';
import type { AnsweredRequest, ArrivedRequest, ObservedRequest, Observer, RequestSpan } from './observer.ts';
import { RequestRecord } from './request-record.ts';
import { createSlowLog, type SlowLog } from './slow-requests.ts';
import { isWorker } from './workers.ts';

export interface Observation {
  readonly observer: Observer | undefined;
  /** The route `/metrics` of the server; undefined without metrics, or with a port of their own. */
  readonly route: { readonly token: string; readonly text: () => Promise<string> } | undefined;
  /** Opens the port of the metrics, unless the primary process has it. Returns its URL. */
  listen(): Promise<string | undefined>;
  close(): Promise<void>;
}

const hasMetrics = ({ metrics, secrets }: Pick<Config, 'metrics' | 'secrets'>): boolean =>
  metrics.port !== undefined || secrets.metricsToken !== undefined;

export async function openMetrics(config: Config, figures: Figures): Promise<Metrics | undefined> {
  if (!hasMetrics(config)) return undefined;
  const { createMetrics } = await import('./metrics.ts');
  return createMetrics(figures, ownVersion());
}

export interface ObservationParts {
  readonly config: Config;
  readonly metrics: Metrics | undefined;
  readonly dialect: Dialect;
  readonly log: SlowLog;
  /** Takes the messages of the start. */
  readonly notices: { write(text: string): unknown };
}

export async function openObservation({ config, metrics, dialect, log, notices }: ObservationParts): Promise<Observation> {
  const { slow, slowPlans } = config.log;
  const spans = config.tracing ? await (await import('./spans.ts')).createSpans(dialect.systemName, ownVersion()) : undefined;
  if (spans?.hasSdk === false)
    notices.write('Warning: tracing is on, but no SDK of OpenTelemetry is loaded, so spans are not recorded (docs/operations.md)\n');
  const observer = createObserver({
    metrics,
    begin: spans?.begin,
    slow: slow === undefined ? undefined : createSlowLog({ from: slow, withPlans: slowPlans, log }),
  });
  const all = metrics === undefined || !isWorker() ? undefined : (await import('./worker-metrics.ts')).metricsOfWorkers(metrics);
  const text = all === undefined ? metrics?.text : () => all.text();
  const token = config.secrets.metricsToken;
  let server: MetricsServer | undefined;
  return {
    observer,
    route: config.metrics.port !== undefined || token === undefined || text === undefined ? undefined : { token, text },
    async listen() {
      if (text === undefined || isWorker()) return undefined;
      server = await openMetricsPort(config, text);
      return server?.url;
    },
    async close() {
      all?.close();
      await server?.close();
    },
  };
}

/** Undefined if the metrics have no port of their own. */
export async function openMetricsPort(
  { metrics: { host, port }, secrets }: Pick<Config, 'metrics' | 'secrets'>,
  text: () => Promise<string>,
): Promise<MetricsServer | undefined> {
  return port === undefined ? undefined : openMetricsServer({ host, port, token: secrets.metricsToken, text });
}

const ownVersion = (): string => {
  const { version }: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return version;
};

interface ObserverParts {
  readonly metrics: Metrics | undefined;
  readonly begin: ((request: ArrivedRequest, at: number) => RequestSpan) | undefined;
  readonly slow: ((answered: AnsweredRequest) => void) | undefined;
}

/** Undefined if metrics, spans and the log of slow requests are off: then
 *  requests are not observed at all. */
function createObserver({ metrics, begin, slow }: ObserverParts): Observer | undefined {
  if (metrics === undefined && begin === undefined && slow === undefined) return undefined;
  const withTexts = begin !== undefined || slow !== undefined;
  return {
    begin(request): ObservedRequest {
      const at = performance.now();
      return { at, record: new RequestRecord(withTexts, metrics?.statement), span: begin?.(request, at), handled: undefined };
    },
    answered(answered, { span }) {
      metrics?.answered(answered);
      span?.end(answered);
      slow?.(answered);
    },
  };
}
