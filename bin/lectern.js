#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read too, so that they get the line below and not a syntax error.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const [major, minor] = process.versions.node.split('.').map(Number);
// What a request leaves behind dies young. Large nurseries, one for each thread, would only cost memory: a third of it under load.
// These flags are for threads, which begin with the size that they may have; the nursery of this one is configured before any line runs.
setFlagsFromString('--max-semi-space-size=2');
setFlagsFromString('--min-semi-space-size=2');
// What outlives the nursery soon becomes garbage as well. Without this limit V8 lets a heap grow to up to four times what was in use.
setFlagsFromString('--heap-growing-percent=50');

// A log that cannot be written (a full disk, a reader that has ended) stops no server. A command whose output is incomplete ends with 1, unless its
// reader has seen enough (`lectern openapi | head`).
let isIncomplete = false;
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code, message }) => {
  if (code === 'EPIPE' || isIncomplete) return;
  isIncomplete = true;
  process.exitCode = 1;
  console.error(`The output cannot be written: ${message}`);
});

const built = new URL('../dist/lectern.js', import.meta.url).href;

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Lectern needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else if (!existsSync(fileURLToPath(built))) {
  console.error('Lectern is not built yet: run `npm ci` in its folder, or `npm run build` where its packages are installed.');
  process.exitCode = 1;
} else {
  import(built).then(async ({ runCommand, nameSourcesInStacks }) => {
    nameSourcesInStacks(built);
    const exitCode = await runCommand(process.argv.slice(2));
    if (exitCode !== 0 || !isIncomplete) process.exitCode = exitCode;
  });
}
