/** `lectern backup` while the server is written to: what was acknowledged before it began is in the archive, and a new project that is made of it
 *  has it again. */
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { interruptedAt } from '../../support/before-file.ts';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { sendFiles } from '../../support/send-files.ts';
import { apiTokenSalt, type Json, useProject } from '../../support/served-project.ts';
import { type Environment, run, runProcess, serverOfTest } from '../../support/server.ts';
import { hasFileSizeLimits, works } from '../../support/small-disks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' }, body: { type: 'text' } } } });

describe.runIf(engines.includes('sqlite'))('sqlite: lectern backup', () => {
  const api = useProject('sqlite', { files });
  /** Beside the server, which a command of the project's would stop first. */
  const backup = (file: string) => run(['backup', file, '--dir', api.project.dir]);
  const backupApart = (file: string, env: Environment, launcher: readonly string[] = []) =>
    runProcess(['backup', file, '--dir', api.project.dir], env, launcher);
  const titlesOf = async (get: (path: string) => Promise<{ json(): unknown }>): Promise<string[]> => {
    const found: string[] = [];
    for (let page = 1; ; page++) {
      const { data } = (await get(`/api/notes?fields=title&sort=id&pagination[pageSize]=100&pagination[page]=${page}`)).json() as {
        data: readonly Json[];
      };
      found.push(...data.map(({ title }) => String(title)));
      if (data.length < 100) return found;
    }
  };

  it('contains everything that was acknowledged before it began, and the files', async () => {
    expect((await sendFiles(api, [{ name: 'a.txt', type: 'text/plain', bytes: 'hello' }])).status).toBe(201);
    const acknowledged: string[] = [];
    let goesOn = true;
    const writer = async (name: number) => {
      for (let index = 0; goesOn && index < 2000; index++) {
        const title = `${name}-${index}`;
        const response = await api.ask('full', 'POST', '/api/notes', { title, body: 'x'.repeat(2000) });
        if (response.status === 201) acknowledged.push(title);
        await pause(5);
      }
    };
    const writers = [1, 2, 3, 4].map(writer);
    while (acknowledged.length < 60) await pause(10);
    const target = temporaryFolder();
    const before = [...acknowledged];
    const file = join(target, 'backup.tar.gz');
    expect(await backupApart(file, {})).toMatchObject({ status: 0, stdout: expect.stringContaining('the database and 1 file') });
    goesOn = false;
    await Promise.all(writers);
    expect(acknowledged.length).toBeGreaterThan(before.length);
    expect(readdirSync(target)).toEqual(['backup.tar.gz']);

    // The project's files are under version control; the rest is in the archive.
    const restored = join(target, 'project');
    writeFiles(restored, files);
    expect(works('tar', '-xzf', file, '-C', restored)).toBe(true);
    const server = await serverOfTest(restored, { DATABASE_CLIENT: 'sqlite', API_TOKEN_SALT: apiTokenSalt });
    const titles = new Set(await titlesOf((path) => server.get(path, api.authorization('full'))));
    expect(before.filter((title) => !titles.has(title))).toEqual([]);
    const [{ url } = {}] = (await server.get('/api/upload/files', api.authorization('full'))).json() as readonly Json[];
    expect((await server.get(String(url))).text).toBe('hello');
  }, 120_000);

  it('overwrites nothing, and needs an existing folder', async () => {
    const target = temporaryFolder();
    const file = join(target, 'there.tar.gz');
    writeFileSync(file, 'precious');
    expect(await backup(file)).toMatchObject({ status: 1, stderr: expect.stringContaining('already exists') });
    expect(statSync(file).size).toBe(8);
    expect((await backup(join(target, 'none', 'b.tar.gz'))).stderr).toContain('There is no folder');
  });

  it('is not written to a public folder', async () => {
    mkdirSync(join(api.project.dir, 'public/uploads'), { recursive: true });
    for (const served of ['public', 'public/uploads']) {
      const file = join(api.project.dir, served, 'b.tar.gz');
      expect(await backup(file)).toMatchObject({ status: 1, stderr: expect.stringContaining('is served publicly') });
      expect(existsSync(file)).toBe(false);
    }
  });

  it('follows no links, and says so', async () => {
    const target = temporaryFolder();
    const link = join(api.project.dir, 'public/uploads/elsewhere');
    symlinkSync(target, link);
    expect(await backup(join(target, 'b.tar.gz'))).toMatchObject({ status: 0, stderr: expect.stringContaining(`${link} is a link`) });
  });

  it('leaves nothing behind when it is interrupted', async () => {
    writeFileSync(join(api.project.dir, 'public/uploads/last.bin'), 'last');
    const target = temporaryFolder();
    const { status, stderr } = await backupApart(join(target, 'b.tar.gz'), interruptedAt('/last.bin'));
    expect({ status, stderr }).toMatchObject({ status: 130, stderr: 'Interrupted: no archive was written.\n' });
    expect(readdirSync(target)).toEqual([]);
  });

  it.runIf(hasFileSizeLimits)('leaves nothing behind when the disk is full', async () => {
    const target = temporaryFolder();
    const { status, stderr } = await backupApart(join(target, 'b.tar.gz'), {}, ['prlimit', '--fsize=100000']);
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringMatching(/No space is left|could not be copied/) });
    expect(readdirSync(target)).toEqual([]);
  });
});

describe.runIf(engines.includes('postgres'))('postgres: lectern backup', () => {
  const api = useProject('postgres', { files });

  it('names the tool to use', async () => {
    const finished = await api.command('backup', join(tmpdir(), 'lectern-none.tar.gz'));
    expect(finished).toMatchObject({ status: 1, stderr: expect.stringContaining('pg_dump') });
  });
});
