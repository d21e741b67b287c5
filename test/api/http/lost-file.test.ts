/** A SQLite file that is moved, deleted or replaced under a running server: no lost write is acknowledged. */
import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

describe.runIf(engines.includes('sqlite'))('A SQLite file that is lost', () => {
  const served = useProject('sqlite', {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    users: [ada],
    public: ['api::note.note.find', 'plugin::users-permissions.auth.callback'],
    env: { JWT_SECRET: jwtSecret },
  });
  const asked: Readonly<Record<string, () => Promise<HttpResponse>>> = {
    'a list': () => served.ask('public', 'GET', '/api/notes'),
    'a new document': () => served.ask('full', 'POST', '/api/notes', { title: 'new' }),
    'a new document, once': () => served.ask('full', 'POST', '/api/notes', { title: 'new' }, { 'Idempotency-Key': 'one' }),
    'signing in': () =>
      served.send('public', { method: 'POST', path: '/api/auth/local', body: { identifier: ada.email, password: ada.password } }),
    roles: () => served.ask('full', 'GET', '/api/users-permissions/roles'),
    ready: () => served.server.get('/_ready'),
  };
  const well = { 'a list': 200, 'a new document': 201, 'a new document, once': 201, 'signing in': 200, roles: 200, ready: 200 };
  const lost = Object.fromEntries(Object.keys(asked).map((name) => [name, 503]));
  const askAll = async () => {
    const statuses: Record<string, number> = {};
    for (const [name, ask] of Object.entries(asked)) {
      const { status, headers, text } = await ask();
      statuses[name] = status;
      const says = name === 'ready' ? '{"status":"unavailable"}' : 'The database cannot be reached';
      if (status === 503) expect([headers['retry-after'], text]).toEqual(['2', expect.stringContaining(says)]);
    }
    return statuses;
  };
  /** Reads look at the file every 20 ms, and what `/_ready` has found is kept for a second. */
  const noticed = () => pause(1030);
  const beside = () => `${served.project.file}.beside`;

  it('moved away: 503 everywhere, and normal responses when it is put back', async () => {
    const { file } = served.project;
    expect(await askAll()).toEqual(well);
    const before = await served.query('SELECT count(*) FROM notes');
    renameSync(file, beside());
    await noticed();
    expect(await askAll()).toEqual(lost);
    expect(served.server.output.stderr).toContain('is no longer the file that was opened');
    renameSync(beside(), file);
    await noticed();
    expect(await served.query('SELECT count(*) FROM notes')).toEqual(before);
    expect(await askAll()).toEqual(well);
  });

  it('replaced by another file: 503 everywhere', async () => {
    const { file } = served.project;
    renameSync(file, beside());
    copyFileSync(beside(), file);
    await noticed();
    expect(await askAll()).toEqual(lost);
    renameSync(beside(), file);
    await noticed();
    expect(await askAll()).toEqual(well);
  });

  it('cut off: 503, with the reason in the log', async () => {
    const { file } = served.project;
    copyFileSync(file, beside());
    truncateSync(file);
    // What the log of the file still has can be read, and written to; a write makes readers look into the file again.
    const written = await served.ask('full', 'POST', '/api/notes', { title: 'new' });
    expect([201, 503]).toContain(written.status);
    const { status, headers, text } = await served.ask('full', 'GET', '/api/notes?sort=title');
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(text).not.toMatch(/malformed|no such table|disk/);
    expect(served.server.output.stderr).toMatch(/SQLITE_|malformed|no such table|disk image/);
  });

  it('deleted: 503 everywhere', async () => {
    rmSync(served.project.file);
    await noticed();
    expect(await askAll()).toEqual(lost);
  });
});
