/** Metrics for Prometheus. Label values are bounded: templates of paths, known methods, classes of status codes, names of stages. */
import type { Counter, Gauge, Registry } from 'prom-client';
import { childBytes, childCount, type Figures } from './figures.ts';
import type { AnsweredRequest } from './observer.ts';

/** What the library makes of its metrics, to be added to those of other processes. */
export type MetricsAsJson = readonly { readonly name: string; readonly type: string }[];

export interface Metrics {
  answered(answered: AnsweredRequest): void;
  /** A statement that this process has run. */
  statement(milliseconds: number): void;
  /** One that another process has run. */
  elsewhere(milliseconds: number): void;
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

/** 501 is for methods that HTTP does not know or that no API has, such as PROPFIND: a mistake of the caller, which must not raise an alarm. */
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
  gaugesOf(figures, { Counter, Gauge, registers });

  return {
    answered({ method: given, route = unknownRoute, status, milliseconds, stages: ran, statements: count, cache = 'none' }) {
      const method = methods.has(given) ? given : 'other';
      requests.observe({ method, route, status: classOf(status), cache }, milliseconds / 1000);
      for (const [stage, time] of ran) {
        stages.observe({ stage }, time / 1000);
        stageTimes.inc({ method, route, stage }, time / 1000);
      }
      if (count > 0) statementsOfRoutes.inc({ method, route }, count);
      if (status === tooManyRequests) limited.inc({ method, route });
    },
    statement: (milliseconds) => statements.observe(milliseconds / 1000),
    elsewhere: (milliseconds) => statements.observe(milliseconds / 1000),
    text: () => register.metrics(),
    asJson: async () => (await register.getMetricsAsJSON()) as unknown as MetricsAsJson,
  };
}

interface Makers {
  readonly Counter: typeof Counter;
  readonly Gauge: typeof Gauge;
  readonly registers: Registry[];
}

/** Metrics that are read from the parts of the server when somebody asks for them. */
function gaugesOf(figures: Figures, { Counter, Gauge, registers }: Makers): void {
  new Gauge({
    name: 'lectern_database_connections',
    help: 'Connections to the database server: open, idle among them, and the most that there may be (max).',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const pool = figures.pool();
      if (pool === undefined) return;
      for (const state of ['open', 'idle', 'max'] as const) this.set({ state }, pool[state]);
    },
  });
  new Gauge({
    name: 'lectern_database_connection_waiters',
    help: 'Work that waits for a connection to the database server.',
    registers,
    collect() {
      this.set(figures.pool()?.waiting ?? 0);
    },
  });
  counter('lectern_database_lost_connections_total', 'Connections to the database server that broke.', () => figures.lostConnections());
  replicaGauges(figures, { Counter, Gauge, registers });
  for (const [outcome, name] of [
    ['hits', 'lectern_cache_hits_total'],
    ['misses', 'lectern_cache_misses_total'],
  ] as const) {
    new Counter({
      name,
      help: `Look-ups in caches: ${outcome}.`,
      labelNames: ['name'] as const,
      registers,
      collect() {
        this.reset();
        for (const [cache, read] of figures.caches) this.inc({ name: cache }, read()[outcome]);
      },
    });
  }
  for (const [size, name, help] of [
    ['entries', 'lectern_cache_entries', 'Entries of caches.'],
    ['bytes', 'lectern_cache_bytes', 'Bytes of caches, estimated.'],
  ] as const) {
    new Gauge({
      name,
      help,
      labelNames: ['name'] as const,
      registers,
      collect() {
        for (const [cache, read] of figures.caches) {
          const value = read()[size];
          if (value !== undefined) this.set({ name: cache }, value);
        }
      },
    });
  }
  for (const [state, help] of [
    ['waiting', 'Jobs that wait in a queue.'],
    ['running', 'Jobs of a queue that run.'],
  ] as const) {
    new Gauge({
      name: `lectern_queue_${state}`,
      help,
      labelNames: ['name'] as const,
      registers,
      collect() {
        for (const [queue, read] of figures.queues) this.set({ name: queue }, read()[state]);
      },
    });
  }
  counter('lectern_uploaded_files_total', 'Files that were stored, new or replaced.', () => figures.uploads.files);
  counter('lectern_uploaded_bytes_total', 'Bytes of these files, without variants.', () => figures.uploads.bytes);
  const childGauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'] as const,
      registers,
      collect() {
        this.set({ kind: 'image' }, read());
      },
    });
  childGauge('lectern_child_processes', 'Processes that this server has started, by their work.', childCount);
  childGauge(
    'lectern_child_memory_bytes',
    'Resident memory of these processes, on Linux. Memory that they share counts for each.',
    childBytes,
  );

  function counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

/** One series for each replica, by its number: 1 is the first URL of the configuration. */
function replicaGauges(figures: Figures, { Counter, Gauge, registers }: Makers): void {
  const labelNames = ['replica'] as const;
  new Gauge({
    name: 'lectern_replica_lag_seconds',
    help: 'How far a read replica may be behind the primary; absent if that is unknown.',
    labelNames,
    aggregator: 'max',
    registers,
    collect() {
      this.reset();
      for (const { number, lag } of figures.replicas()) if (lag !== undefined) this.set({ replica: number }, lag / 1000);
    },
  });
  new Gauge({
    name: 'lectern_replica_used',
    help: 'Whether a read replica is used (1) or the primary serves its reads (0).',
    labelNames,
    aggregator: 'min',
    registers,
    collect() {
      for (const { number, problem } of figures.replicas()) this.set({ replica: number }, problem === undefined ? 1 : 0);
    },
  });
  for (const [figure, name, help] of [
    ['reads', 'lectern_replica_reads_total', 'Reads that a read replica has served.'],
    ['failures', 'lectern_replica_failures_total', 'Reads that failed on a read replica and were repeated on the primary.'],
  ] as const) {
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const replica of figures.replicas()) this.inc({ replica: replica.number }, replica[figure]);
      },
    });
  }
}
