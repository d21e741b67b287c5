/** Collects garbage after large reads. By itself, V8 lets garbage grow to hundreds of megabytes in
 *  each thread before it collects, however small the limit of one response is. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** To be called with the number of bytes of a read when they are no longer referenced. */
export type FreeMemory = (bytes: number) => void;

/** To be called once in each thread that reads. A collection takes a few milliseconds, far less
 *  than reading so many bytes. */
export function createFreeMemory(responseBytes: number): FreeMemory {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return () => undefined;
  let uncollected = 0;
  return (bytes) => {
    // V8 collects the garbage of small reads soon enough, and a collection would cost more than
    // such a read.
    if (bytes < responseBytes / 64) return;
    uncollected += bytes;
    if (uncollected < responseBytes / 4) return;
    uncollected = 0;
    collect();
  };
}
