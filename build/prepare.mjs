/** `npm ci` and `npm pack` build with this; `npm run demo` and `npm start` only where nothing is built yet (`--missing`).
 *  `npx lectern` before `npm ci` runs it as well: a failure would be silent there, and leave npm a cache that makes every later `npx lectern` fail.
 *  So it succeeds, and `bin/lectern.js` says what to do. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const has = (path) => existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)));

if (!has('node_modules')) {
  console.error('The packages that the build needs are not installed: run `npm ci` in this folder first.');
  process.exitCode = process.env.npm_command === 'exec' ? 0 : 1;
} else if (!(process.argv.includes('--missing') && has('dist/lectern.js'))) {
  await import('./bundle.mjs');
}
