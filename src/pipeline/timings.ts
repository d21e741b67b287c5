import { performance } from 'node:perf_hooks';

/** The entries of `Server-Timing`, in order. `at`: when the stage began (`performance.now()`). */
export type Timings = [stage: string, milliseconds: number, at: number][];

/** Notes the stages that `runRead` or a write has timed, which have just ended. */
export function noteRun(timings: Timings, { execute, render }: { readonly execute: number; readonly render: number }): void {
  const rendering = performance.now() - render;
  timings.push(['execute', execute, rendering - execute], ['render', render, rendering]);
}

/** Runs a stage and records how long it took, even if it throws. */
export function timed<T>(timings: Timings, stage: string, work: () => T): T {
  const start = performance.now();
  try {
    return work();
  } finally {
    timings.push([stage, performance.now() - start, start]);
  }
}
