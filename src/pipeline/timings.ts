import { performance } from 'node:perf_hooks';

/** What `Server-Timing` says, in order. */
export type Timings = [stage: string, milliseconds: number][];

/** Runs a stage and notes how long it took, also when it refused the request. */
export function timed<T>(timings: Timings, stage: string, work: () => T): T {
  const start = performance.now();
  try {
    return work();
  } finally {
    timings.push([stage, performance.now() - start]);
  }
}
