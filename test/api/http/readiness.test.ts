/** `/_health` is about the process, `/_ready` about what it needs. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const managementToken = 'a-management-token-of-a-test-of-readiness';
const details = { authorization: `Bearer ${managementToken}` };
const options = {
  files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
  public: ['api::note.note.find'],
  env: { LECTERN_MANAGEMENT_TOKEN: managementToken },
};
/** A failure is believed for a second. */
const renewed = () => pause(1050);

describe.each(engines)('/_ready on %s', (engine) => {
  const served = useProject(engine, options);
  const ready = async (headers: Readonly<Record<string, string>> = {}) => {
    const { status, text } = await served.server.get('/_ready', headers);
    return [status, JSON.parse(text)] as const;
  };
  /** A check of the tables may take longer than a response waits for it. */
  const becomes = async (wanted: number) => {
    for (let tries = 0; tries < 40 && (await ready())[0] !== wanted; tries++) await pause(250);
    return ready();
  };

  it('tables are missing: 503, and the reason for the management token alone', async () => {
    await served.change('ALTER TABLE notes RENAME TO elsewhere');
    expect(await becomes(503)).toEqual([503, { status: 'unavailable' }]);
    const [status, { checks }] = await ready(details);
    expect([status, checks.storage]).toEqual([503, { status: 'ok' }]);
    expect(checks.migrations).toEqual({ status: 'failed', problem: expect.stringContaining('notes') });
    const list = await served.ask('public', 'GET', '/api/notes');
    expect([list.status, list.headers['retry-after']]).toEqual([503, '2']);
    expect(list.text).not.toContain('notes');
    expect((await served.server.get('/_health')).status).toBe(204);
    await served.change('ALTER TABLE elsewhere RENAME TO notes');
    expect(await becomes(200)).toEqual([200, { status: 'ready' }]);
    expect((await served.ask('public', 'GET', '/api/notes')).status).toBe(200);
  });

  it('a wrong token is refused', async () => {
    expect((await served.server.get('/_ready', { authorization: 'Bearer wrong' })).status).toBe(401);
  });
});

describe.each(anyEngine)('/_ready of a server', (engine) => {
  const served = useProject(engine, options);

  it('files cannot be stored: degraded, as documents are served', async () => {
    const uploads = join(served.project.dir, 'public/uploads');
    mkdirSync(dirname(uploads), { recursive: true });
    rmSync(uploads, { recursive: true, force: true });
    writeFileSync(uploads, 'a file in place of the folder');
    const { status, text } = await served.server.get('/_ready', details);
    expect([status, JSON.parse(text).status]).toEqual([200, 'degraded']);
    expect(JSON.parse(text).checks.storage).toEqual({ status: 'failed', problem: expect.stringContaining('is no folder') });
    renameSync(uploads, `${uploads}.txt`);
    await renewed();
    expect((await served.server.get('/_ready')).text).toBe('{"status":"ready"}');
  });

  it('says that the process stops before it does (shutdownDelay)', async () => {
    const server = await served.beside({ LECTERN_SHUTDOWN_DELAY: '1500' });
    expect((await server.get('/_ready')).status).toBe(200);
    const stopped = server.stop();
    await pause(300);
    const { status, text } = await server.get('/_ready');
    expect([status, text]).toEqual([503, '{"status":"stopping"}']);
    const list = await server.get('/api/notes');
    expect([list.status, list.headers.connection]).toEqual([200, 'close']);
    await stopped;
    await expect(server.get('/_ready')).rejects.toThrow();
  });
});
