/** Keeps the heaps of V8 small. Objects of a request are short-lived: large nurseries, the parts of the heaps that new objects are made in, cost memory
 *  without saving processor time. What leaves the nurseries soon becomes garbage as well, so each heap is collected when it has grown by half: child processes
 *  by the option below, the server and its threads by `bin/lectern.js`. */
import { setFlagsFromString } from 'node:v8';

/** For the command line of a process: megabytes of one of the two halves of its nursery, and by how many percent its old objects may grow before the next collection. */
export const smallHeapOptions = ['--max-semi-space-size=2', '--heap-growing-percent=50'];

/** Stops the growth of the nursery of the main thread, whose limit can only be set on the command line. V8 resets this while a thread starts. */
export function stopNurseryGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
