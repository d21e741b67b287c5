// Installs SQLite's driver for Node.js before 22.14, when the package is installed there. Newer versions of Node use a driver that brings its binaries
// along, and run no compiler. A dependency cannot do it: npm compiles a dependency on every version of Node.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../node20/', import.meta.url));
const { npm_execpath: npm, npm_lifecycle_event: script } = process.env;
// In a checkout, build/prepare.mjs compiles it beside the build, which comes after the script `install`.
const comesLater = script === 'install' && existsSync(new URL('../build/prepare.mjs', import.meta.url));

// As in src/dialects/sqlite-driver.ts.
if (Number(process.versions.napi) < 10 && !comesLater && !isInstalled() && !isCompiled()) {
  // Another package manager has other options, and leaves its own path here.
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  // `npm exec` and `npm install --global` pass their options on to this npm by variables.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_config_(global|prefix|local_prefix|package|call|dry_run|workspaces?)$/i.test(name),
    ),
  );
  // SQLite's own build has this optimisation; that of the driver compiles a quarter longer, and its queries are no faster. One process for each
  // processor: SQLite is one file, the driver another.
  const env = { CFLAGS: '-O2', CXXFLAGS: '-O2', JOBS: 'max', ...inherited };
  const result = isNpm
    ? spawnSync(process.execPath, [npm, 'ci', '--no-audit', '--no-fund'], { cwd: folder, env, stdio: 'inherit' })
    : undefined;
  // PostgreSQL needs no driver, so the installation goes on.
  if (result?.status !== 0)
    console.error('The SQLite driver for this version of Node.js was not installed. To use SQLite, run `npm install better-sqlite3@12`.');
  // What the compiler leaves is six times as large as the driver.
  for (const left of ['obj', 'obj.target', '.deps', 'sqlite3.a', 'test_extension.node'])
    rmSync(`${folder}node_modules/better-sqlite3/build/Release/${left}`, { recursive: true, force: true });
}

/** By the project itself. */
function isInstalled() {
  try {
    return createRequire(import.meta.url).resolve('better-sqlite3') !== undefined;
  } catch {
    return false;
  }
}

/** By an earlier installation of a checkout: in the version that is wanted, and for this Node. */
function isCompiled() {
  const load = createRequire(folder);
  try {
    const Driver = load('better-sqlite3');
    new Driver(':memory:').close();
    const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
    return load('better-sqlite3/package.json').version === dependencies['better-sqlite3'];
  } catch {
    return false;
  }
}
