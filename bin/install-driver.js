// Installs SQLite's driver for Node.js before 22.14, when the package is installed there. Newer versions of Node use a driver that brings its binaries
// along, and run no compiler. A dependency cannot do it: npm compiles a dependency on every version of Node.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../node20', import.meta.url));
const { npm_execpath: npm } = process.env;

// As in src/dialects/sqlite-driver.ts.
if (Number(process.versions.napi) < 10 && !isInstalled()) {
  // Another package manager has other options, and leaves its own path here.
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  // `npm exec` and `npm install --global` pass their options on to this npm by variables.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_config_(global|prefix|local_prefix|package|call|dry_run|workspaces?)$/i.test(name),
    ),
  );
  const result = isNpm
    ? spawnSync(process.execPath, [npm, 'ci', '--no-audit', '--no-fund'], { cwd: folder, env, stdio: 'inherit' })
    : undefined;
  // PostgreSQL needs no driver, so the installation goes on.
  if (result?.status !== 0)
    console.error('The SQLite driver for this version of Node.js was not installed. To use SQLite, run `npm install better-sqlite3@12`.');
}

function isInstalled() {
  try {
    return createRequire(import.meta.url).resolve('better-sqlite3') !== undefined;
  } catch {
    return false;
  }
}
