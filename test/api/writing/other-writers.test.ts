/** A SQLite file in the journal mode that Strapi leaves it in (`delete`), which other processes write as well: no request fails because of them. */
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Driver } from '../../../src/dialects/sqlite-driver.ts';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

/** Writes, and waits for the disk each time, as Strapi does while somebody imports. */
const writing = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { createRequire } = require('node:module');
  const load = createRequire(workerData.from);
  const Driver = load(Number(process.versions.napi) >= 10 ? 'better-sqlite3-napi' : '../../../node20/node_modules/better-sqlite3');
  const handle = new Driver(workerData.file, { timeout: 20000 });
  handle.pragma('synchronous = FULL');
  handle.exec('CREATE TABLE IF NOT EXISTS others (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = handle.prepare("INSERT INTO others (text) VALUES (hex(randomblob(2000)))");
  let isOver = false;
  parentPort.on('message', () => { isOver = true; });
  const writeSome = () => {
    if (isOver) { handle.close(); return parentPort.close(); }
    for (let each = 0; each < 3; each++) insert.run();
    setTimeout(writeSome, 10);
  };
  writeSome();
`;
describe.runIf(engines.includes('sqlite'))('SQLite in journal mode delete, under other writers', () => {
  const served = useProject('sqlite', {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    users: [ada],
    public: ['plugin::users-permissions.auth.callback'],
    env: { JWT_SECRET: jwtSecret },
    prepare({ file }) {
      const handle = new Driver(file);
      expect(handle.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
      handle.close();
    },
  });
  let writer: Worker | undefined;
  beforeAll(() => {
    writer = new Worker(writing, { eval: true, workerData: { file: served.project.file, from: import.meta.filename } });
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => writer?.once('exit', resolve));
    writer?.postMessage('enough');
    await ended;
  });

  const login = { identifier: ada.email, password: ada.password };
  it.each<[string, number, number, (call: number) => Promise<HttpResponse>]>([
    ['a role', 100, 200, () => served.ask('full', 'GET', '/api/users-permissions/roles/1')],
    ['a list', 50, 200, () => served.ask('full', 'GET', '/api/notes')],
    ['a new document', 20, 201, (call) => served.ask('full', 'POST', '/api/notes', { title: `${call}` })],
    [
      'a new document, once',
      20,
      201,
      (call) => served.ask('full', 'POST', '/api/notes', { title: `${call}` }, { 'Idempotency-Key': `once ${call}` }),
    ],
    ['signing in', 5, 200, () => served.send('public', { method: 'POST', path: '/api/auth/local', body: login })],
    ['readiness', 20, 200, () => served.server.get('/_ready')],
  ])('%s', async (_, calls, status, ask) => {
    const statuses: number[] = [];
    for (let call = 0; call < calls; call++) statuses.push((await ask(call)).status);
    expect(statuses).toEqual(statuses.map(() => status));
  });
});
