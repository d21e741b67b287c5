/** Loads the SQLite driver that works on this version of Node.js. Both versions have the
 *  same interface.
 *
 *  Version 13 is built on Node-API 10, which Node 22.14 has, and brings its binaries
 *  along. Version 12 is compiled against V8 and aborts on Node 24.19 and newer when a
 *  statement is garbage-collected (nodejs/node#65446). Node 20 needs it; there,
 *  `bin/install-driver.js` installs it. */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { StartError } from '../errors/start-error.ts';

/** What version 13 needs. Source: Node.js manual, "Node-API version matrix". */
const nodeApiOfVersion13 = 10;

const isOldNode = Number(process.versions.napi) < nodeApiOfVersion13;

function loadDriver(): typeof BetterSqlite3 {
  const load = createRequire(import.meta.url);
  // From `dist/`, and from here, where tests use it.
  const own = ['../node20/node_modules/better-sqlite3', '../../node20/node_modules/better-sqlite3'];
  const names = isOldNode ? ['better-sqlite3', ...own] : ['better-sqlite3-napi'];
  for (const name of names) {
    try {
      return load(name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    }
  }
  return MissingDriver as unknown as typeof BetterSqlite3;
}

/** Reports a missing driver when a file is opened: PostgreSQL and MariaDB need none. */
class MissingDriver {
  static readonly SqliteError = class extends Error {};

  constructor() {
    throw new StartError([
      isOldNode
        ? `The SQLite driver for Node.js ${process.versions.node} is not installed: its package has an install script, which did not run or failed. Run \`npm install better-sqlite3@12\`, or use Node.js 22.14 or newer, which needs no such script.`
        : 'The SQLite driver is not installed. It is an optional dependency, which npm leaves out with `--omit=optional`, and where tools to build it are missing although it brings its binaries: install again with `npm ci --ignore-scripts` or `npm install --ignore-scripts`.',
    ]);
  }
}

export const Driver: typeof BetterSqlite3 = loadDriver();
