/** Gives memory back after reads of much content. By itself, V8 lets garbage grow to hundreds of megabytes in each thread
 *  before it collects, however small the limit of one response is. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Called with the number of bytes of a read, when they are no longer referenced. */
export type FreeMemory = (bytes: number) => void;

/** Made once in each reading process. A collection takes some milliseconds, far less than reading so many bytes took. */
export function createFreeMemory(responseBytes: number): FreeMemory {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return () => undefined;
  let held = 0;
  return (bytes) => {
    // V8 collects what small reads leave soon enough, and for these a collection would cost more than the read.
    if (bytes < responseBytes / 64) return;
    held += bytes;
    if (held < responseBytes / 4) return;
    held = 0;
    collect();
  };
}
