/** Gives memory back after reads of much content. Left to itself, V8 lets what is no longer used grow to hundreds of megabytes in each thread
 *  before it looks, whatever one answer is limited to. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Called with the bytes that a read has held, when nothing refers to them any more. */
export type FreeMemory = (bytes: number) => void;

/** Made once in each thread that reads. Looking for garbage costs some milliseconds, and reading so much has cost many times that. */
export function createFreeMemory(responseBytes: number): FreeMemory {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return () => undefined;
  let held = 0;
  return (bytes) => {
    held += bytes;
    if (held < responseBytes / 4) return;
    held = 0;
    collect();
  };
}
