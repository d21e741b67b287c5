/** Metrics for Prometheus. Label values are limited: routes, methods, classes of status codes. */
import { childBytes, childCount, type Figures, type ReplicaFigures } from './figures.ts';
import type { AnsweredRequest } from './observer.ts';

/** What the library makes of its metrics, to be added to those of other processes. */
export type MetricsAsJson = readonly { readonly name: string; readonly type: string }[];

export interface Metrics {
  answered(answered: AnsweredRequest): void;
  statement(milliseconds: number): void;
  text(): Promise<string>;
  asJson(): Promise<MetricsAsJson>;
}

/** Seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const stageBuckets = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** All requests without a route share one label: callers choose their paths. */
const unknownRoute = 'unknown';
const tooManyRequests = 429;
const notImplemented = 501;

/** 501 is for unknown methods such as PROPFIND: a mistake of callers, which raises no alarm. */
const classOf = (status: number): string => (status === notImplemented ? '4xx' : `${Math.floor(status / 100)}xx`);

/** Loads the library: only where metrics are on. */
export async function createMetrics(figures: Figures, version: string): Promise<Metrics> {
  const prom = await import('prom-client');
  const register = new prom.default.Registry();
  const registers = [register];
  const { Counter, Gauge, Histogram, collectDefaultMetrics } = prom.default;
  collectDefaultMetrics({ register });

  const requests = new Histogram({
    name: 'lectern_http_request_duration_seconds',
    help: 'Time until the response was sent.',
    labelNames: ['method', 'route', 'status', 'cache'] as const,
    buckets: requestBuckets,
    registers,
  });
  const stages = new Histogram({
    name: 'lectern_stage_duration_seconds',
    help: 'Time of the stages of requests; wait is that for a connection or a reading thread.',
    labelNames: ['stage'] as const,
    buckets: stageBuckets,
    registers,
  });
  const stageTimes = new Counter({
    name: 'lectern_route_stage_seconds_total',
    help: 'Time of the stages of requests, by route.',
    labelNames: ['method', 'route', 'stage'] as const,
    registers,
  });
  const statementsOfRoutes = new Counter({
    name: 'lectern_route_statements_total',
    help: 'Statements of the responses to requests, by route.',
    labelNames: ['method', 'route'] as const,
    registers,
  });
  const statements = new Histogram({
    name: 'lectern_statement_duration_seconds',
    help: 'Time of SQL statements.',
    buckets: stageBuckets,
    registers,
  });
  const limited = new Counter({
    name: 'lectern_rate_limited_requests_total',
    help: 'Requests that were refused with 429.',
    labelNames: ['method', 'route'] as const,
    registers,
  });
  new Gauge({
    name: 'lectern_build_info',
    help: 'Version of Lectern and of Node.js; the value is 1.',
    labelNames: ['version', 'node'] as const,
    aggregator: 'max',
    registers,
  }).set({ version, node: process.version }, 1);
  const { gauges, counters } = readMetrics(figures);
  for (const { label, read, ...named } of gauges)
    new Gauge({
      ...named,
      labelNames: label === undefined ? [] : [label],
      registers,
      collect() {
        this.reset();
        for (const [value, number] of read()) this.set(label === undefined ? {} : { [label]: value }, number);
      },
    });
  for (const { label, read, ...named } of counters)
    new Counter({
      ...named,
      labelNames: label === undefined ? [] : [label],
      registers,
      collect() {
        this.reset();
        for (const [value, number] of read()) this.inc(label === undefined ? {} : { [label]: value }, number);
      },
    });

  return {
    answered({ method: requestMethod, route = unknownRoute, status, milliseconds, stages: ran, statements: count, cache = 'none' }) {
      const method = methods.has(requestMethod) ? requestMethod : 'other';
      requests.observe({ method, route, status: classOf(status), cache }, milliseconds / 1000);
      for (const [stage, time] of ran) {
        stages.observe({ stage }, time / 1000);
        stageTimes.inc({ method, route, stage }, time / 1000);
      }
      if (count > 0) statementsOfRoutes.inc({ method, route }, count);
      if (status === tooManyRequests) limited.inc({ method, route });
    },
    statement: (milliseconds) => statements.observe(milliseconds / 1000),
    text: () => register.metrics(),
    asJson: async () => (await register.getMetricsAsJSON()) as unknown as MetricsAsJson,
  };
}

/** The values of a metric by its label; one without a label has one value. */
type Series = Iterable<readonly [label: string | number, value: number]>;

interface ReadMetric {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  /** How those of several processes become one; added up by default. */
  readonly aggregator?: 'max' | 'min';
  readonly read: () => Series;
}

const one = (value: number): Series => [['', value]];

/** Reads each figure of these caches or queues. */
function* eachOf<T>(parts: ReadonlyMap<string, () => T>, figure: (figures: T) => number | undefined): Series {
  for (const [name, read] of parts) {
    const value = figure(read());
    if (value !== undefined) yield [name, value];
  }
}

/** Metrics that are read from the parts of the server when somebody asks for them. */
const readMetrics = (figures: Figures): { readonly gauges: readonly ReadMetric[]; readonly counters: readonly ReadMetric[] } => {
  const { caches, queues, uploads, webhooks } = figures;
  const replicas = function* (figure: (replica: ReplicaFigures) => number | undefined): Series {
    for (const replica of figures.replicas()) {
      const value = figure(replica);
      if (value !== undefined) yield [replica.number, value];
    }
  };
  return {
    gauges: [
      {
        name: 'lectern_database_connections',
        help: 'Connections to the database server: open, idle among them, and the most that there may be (max).',
        label: 'state',
        read: () => {
          const pool = figures.pool();
          return pool === undefined ? [] : (['open', 'idle', 'max'] as const).map((state) => [state, pool[state]]);
        },
      },
      {
        name: 'lectern_database_connection_waiters',
        help: 'Work that waits for a connection to the database server.',
        read: () => one(figures.pool()?.waiting ?? 0),
      },
      {
        name: 'lectern_replica_lag_seconds',
        help: 'How far a read replica may be behind the primary; absent if that is unknown.',
        label: 'replica',
        aggregator: 'max',
        read: () => replicas(({ lag }) => (lag === undefined ? undefined : lag / 1000)),
      },
      {
        name: 'lectern_replica_used',
        help: 'Whether a read replica is used (1) or the primary serves its reads (0).',
        label: 'replica',
        aggregator: 'min',
        read: () => replicas(({ problem }) => (problem === undefined ? 1 : 0)),
      },
      { name: 'lectern_cache_entries', help: 'Entries of caches.', label: 'name', read: () => eachOf(caches, ({ entries }) => entries) },
      { name: 'lectern_cache_bytes', help: 'Bytes of caches, estimated.', label: 'name', read: () => eachOf(caches, ({ bytes }) => bytes) },
      {
        name: 'lectern_queue_waiting',
        help: 'Jobs that wait in a queue.',
        label: 'name',
        read: () => eachOf(queues, ({ waiting }) => waiting),
      },
      {
        name: 'lectern_queue_running',
        help: 'Jobs of a queue that run.',
        label: 'name',
        read: () => eachOf(queues, ({ running }) => running),
      },
      {
        name: 'lectern_child_processes',
        help: 'Processes that this server has started, by their work.',
        label: 'kind',
        read: () => [['image', childCount()]],
      },
      {
        name: 'lectern_child_memory_bytes',
        help: 'Resident memory of these processes, on Linux. Memory that they share counts for each.',
        label: 'kind',
        read: () => [['image', childBytes()]],
      },
    ],
    counters: [
      {
        name: 'lectern_database_lost_connections_total',
        help: 'Connections to the database server that broke.',
        read: () => one(figures.lostConnections()),
      },
      {
        name: 'lectern_replica_reads_total',
        help: 'Reads that a read replica has served.',
        label: 'replica',
        read: () => replicas(({ reads }) => reads),
      },
      {
        name: 'lectern_replica_failures_total',
        help: 'Reads that failed on a read replica and were repeated on the primary.',
        label: 'replica',
        read: () => replicas(({ failures }) => failures),
      },
      {
        name: 'lectern_cache_hits_total',
        help: 'Look-ups in caches: hits.',
        label: 'name',
        read: () => eachOf(caches, ({ hits }) => hits),
      },
      {
        name: 'lectern_cache_misses_total',
        help: 'Look-ups in caches: misses.',
        label: 'name',
        read: () => eachOf(caches, ({ misses }) => misses),
      },
      { name: 'lectern_uploaded_files_total', help: 'Files that were stored, new or replaced.', read: () => one(uploads.files) },
      {
        name: 'lectern_webhook_deliveries_total',
        help: 'Messages of webhooks that were delivered.',
        label: 'webhook',
        read: () => [...webhooks].map(([name, figure]) => [name, figure.delivered] as const),
      },
      {
        name: 'lectern_webhook_retries_total',
        help: 'Attempts to deliver a message that are retried.',
        label: 'webhook',
        read: () => [...webhooks].map(([name, figure]) => [name, figure.retried] as const),
      },
      {
        name: 'lectern_webhook_failed_total',
        help: 'Messages that failed.',
        label: 'webhook',
        read: () => [...webhooks].map(([name, figure]) => [name, figure.failed] as const),
      },
      { name: 'lectern_uploaded_bytes_total', help: 'Bytes of these files, without variants.', read: () => one(uploads.bytes) },
    ],
  };
};
