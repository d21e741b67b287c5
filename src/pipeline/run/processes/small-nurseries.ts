/** Keeps the nurseries of V8 small: the part of each heap that new objects are made in. Objects of a request are short-lived, and large nurseries cost
 *  memory without saving processor time. */
import { setFlagsFromString } from 'node:v8';

/** Megabytes of one of the two halves. */
const size = 2;

/** For the command line of a process. */
export const smallNurseryOption = `--max-semi-space-size=${size}`;

/** Stops the growth of the nursery of the main thread, whose limit can only be set on the command line. V8 resets this while a thread starts. */
export function stopNurseryGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
