import { performance } from 'node:perf_hooks';

/** The entries of `Server-Timing`, in order. */
export type Timings = [stage: string, milliseconds: number][];

/** Runs a stage and records how long it took, even if it throws. */
export function timed<T>(timings: Timings, stage: string, work: () => T): T {
  const start = performance.now();
  try {
    return work();
  } finally {
    timings.push([stage, performance.now() - start]);
  }
}
