/** Keeps the heaps of V8 small. Objects of a request are short-lived: large nurseries, the parts of
 *  the heaps that new objects are made in, cost memory without saving processor time. What leaves
 *  the nurseries soon becomes garbage as well, so each heap is collected when it has grown by half
 *  (`bin/lectern.js`). */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** While a thread starts, V8 resets the growth of nurseries at some time. Milliseconds. */
const startInterval = 5;

/** Stops the growth of the nursery of the main thread, whose limit can only be set on the command
 *  line. V8 resets this while a thread starts. */
export function stopNurseryGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Starts a thread with a small heap, whose first message says that it is ready. */
export function startThread(program: URL, workerData: unknown): Worker {
  const worker = new Worker(program, { workerData });
  const stopping = setInterval(stopNurseryGrowth, startInterval).unref();
  for (const event of ['message', 'exit']) {
    worker.once(event, () => {
      clearInterval(stopping);
      stopNurseryGrowth();
    });
  }
  // The event `exit` follows.
  worker.on('error', () => undefined);
  return worker;
}
