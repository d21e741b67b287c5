/** Keeps the heaps of V8 small. Objects of a request are short-lived: large nurseries, the parts of the heaps that new objects are made in, cost memory
 *  without saving processor time. What leaves the nurseries is mostly garbage as well; `bin/lectern.js` limits how much of it is left lying. */
import { setFlagsFromString } from 'node:v8';

/** For the command line of a process: megabytes of one of the two halves of its nursery, and by how much its old objects may grow after a collection. */
export const smallHeapOptions = ['--max-semi-space-size=2', '--heap-growing-percent=50'];

/** Stops the growth of the nursery of the main thread, whose limit can only be set on the command line. V8 resets this while a thread starts. */
export function stopNurseryGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
