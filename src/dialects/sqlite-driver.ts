/** Loads the SQLite driver that works on this version of Node.js. Version 12 is compiled against V8 and aborts on Node 24.19 and newer when a statement is
 *  garbage-collected (nodejs/node#65446); version 13 is built on Node-API 10 and needs Node 22. Both have the same interface. */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** The Node-API version that version 13 needs; Node 22.14 has it. Source: Node.js manual, "Node-API version matrix". */
const nodeApiOfVersion13 = 10;

export const Driver: typeof BetterSqlite3 = createRequire(import.meta.url)(
  Number(process.versions.napi) >= nodeApiOfVersion13 ? 'better-sqlite3-napi' : 'better-sqlite3',
);
