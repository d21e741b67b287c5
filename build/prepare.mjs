/** `npm ci` and `npm pack` build with this; `npm run demo` and `npm start` only where nothing is built yet (`--missing`).
 *  `npx lectern` before `npm ci` runs it as well: a failure would be silent there, and leave npm a cache that makes every later `npx lectern` fail.
 *  So it succeeds, and `bin/lectern.js` says what to do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const has = (name) => existsSync(path(name));

// The first `npx lectern` after `npm ci` prepares the package once more.
const onlyMissing = process.argv.includes('--missing') || process.env.npm_command === 'exec';

if (!has('node_modules')) {
  console.error('The packages that the build needs are not installed: run `npm ci` in this folder first.');
  process.exitCode = process.env.npm_command === 'exec' ? 0 : 1;
} else if (!(onlyMissing && has('dist/lectern.js'))) {
  // It compiles for a minute on one processor, while the other one builds.
  const driver = spawn(process.execPath, [path('bin/install-driver.js')], { stdio: 'inherit' });
  const installed = once(driver, 'exit');
  await import('./bundle.mjs');
  await import('../client/build.mjs');
  await installed;
}
