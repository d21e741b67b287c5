/** Imports a module of `src/` into a benchmark or script: `dist/` has only the bundled command and its processes. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} path in `src/` */
export async function source(path) {
  // Below the project, where the packages that are not bundled are found; a folder for each call, since benchmarks run in several processes.
  const temporary = join(root, '.tmp');
  mkdirSync(temporary, { recursive: true });
  const folder = mkdtempSync(join(temporary, 'source-'));
  try {
    const file = join(folder, 'module.js');
    const bundle = await rolldown({ input: join(root, 'src', path), platform: 'node', external: /^[^./]/, logLevel: 'silent' });
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
