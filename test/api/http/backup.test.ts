/** `lectern backup` while the server is written to: what was acknowledged before it began is in the archive, and a new project that is made of it
 *  has it again. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { apiTokenSalt, type Json, useProject } from '../../support/served-project.ts';
import { command, startServer } from '../../support/server.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' }, body: { type: 'text' } } } });

const folder = (): string => mkdtempSync(join(tmpdir(), 'lectern-backup-'));
const works = (name: string, ...args: readonly string[]) => spawnSync(name, args, { stdio: 'ignore' }).status === 0;

/** Runs beside the server; `command` of the server would stop it first. */
function backup(dir: string, file: string, launcher: readonly string[] = []) {
  const [program = process.execPath, ...args] = [...launcher, process.execPath, command, 'backup', file, '--dir', dir];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((done) =>
    child.on('close', (status) => done({ status, ...output })),
  );
  return { child, ended };
}

describe.runIf(engines.includes('sqlite'))('sqlite: lectern backup', () => {
  const api = useProject('sqlite', { files });
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
    const upload = await api.server.send({
      method: 'POST',
      path: '/api/upload',
      headers: { ...api.authorization('full'), 'Content-Type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n',
    });
    expect(upload.status).toBe(201);
    const acknowledged: string[] = [];
    let goesOn = true;
    const writer = async (name: number) => {
      for (let index = 0; goesOn && index < 2000; index++) {
        const title = `${name}-${index}`;
        const response = await api.ask('full', 'POST', '/api/notes', { title, body: 'x'.repeat(2000) });
        if (response.status === 201) acknowledged.push(title);
      }
    };
    const writers = [1, 2, 3, 4].map(writer);
    while (acknowledged.length < 200) await new Promise((resolve) => setTimeout(resolve, 10));
    const target = folder();
    const before = [...acknowledged];
    const file = join(target, 'backup.tar.gz');
    const { ended } = backup(api.project.dir, file);
    expect(await ended).toMatchObject({ status: 0, stdout: expect.stringContaining('the database and 1 file') });
    goesOn = false;
    await Promise.all(writers);
    expect(acknowledged.length).toBeGreaterThan(before.length);
    expect(readdirSync(target)).toEqual(['backup.tar.gz']);

    // The project's files are under version control; the rest is in the archive.
    const restored = await makeCopy(target);
    const server = await startServer(restored, { DATABASE_CLIENT: 'sqlite', API_TOKEN_SALT: apiTokenSalt });
    const titles = new Set(await titlesOf((path) => server.get(path, api.authorization('full'))));
    expect(before.filter((title) => !titles.has(title))).toEqual([]);
    const [{ url } = {}] = (await server.get('/api/upload/files', api.authorization('full'))).json() as readonly Json[];
    expect((await server.get(String(url))).text).toBe('hello');
    await server.stop();
    rmSync(target, { recursive: true });
  }, 120_000);

  async function makeCopy(target: string): Promise<string> {
    const dir = join(target, 'project');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(dir, path, '..'), { recursive: true });
      writeFileSync(join(dir, path), JSON.stringify(content));
    }
    expect(works('tar', '-xzf', join(target, 'backup.tar.gz'), '-C', dir)).toBe(true);
    return dir;
  }

  it('overwrites nothing, and needs an existing folder', async () => {
    const target = folder();
    const file = join(target, 'there.tar.gz');
    writeFileSync(file, 'precious');
    const { status, stderr } = await backup(api.project.dir, file).ended;
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('already exists') });
    expect(statSync(file).size).toBe(8);
    expect((await backup(api.project.dir, join(target, 'none', 'b.tar.gz')).ended).stderr).toContain('There is no folder');
    rmSync(target, { recursive: true });
  });

  it('is not written to a public folder', async () => {
    mkdirSync(join(api.project.dir, 'public/uploads'), { recursive: true });
    for (const served of ['public', 'public/uploads']) {
      const file = join(api.project.dir, served, 'b.tar.gz');
      const { status, stderr } = await backup(api.project.dir, file).ended;
      expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('is served publicly') });
      expect(existsSync(file)).toBe(false);
    }
  });

  it('follows no links, and says so', async () => {
    const target = folder();
    const link = join(api.project.dir, 'public/uploads/elsewhere');
    symlinkSync(target, link);
    const file = join(target, 'b.tar.gz');
    const { status, stderr } = await backup(api.project.dir, file).ended;
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining(`${link} is a link`) });
    rmSync(link);
    rmSync(target, { recursive: true });
  });

  it('leaves nothing behind when it is interrupted', async () => {
    // As long as nothing else makes it slow: half a gigabyte of nothing to pack.
    const large = join(api.project.dir, 'public/uploads/large.bin');
    writeFileSync(large, '');
    truncateSync(large, 2 ** 29);
    const target = folder();
    const { child, ended } = backup(api.project.dir, join(target, 'b.tar.gz'));
    while (readdirSync(target).length === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 130, stderr: 'Interrupted: no archive was written.\n' });
    expect(readdirSync(target)).toEqual([]);
    rmSync(large);
    rmSync(target, { recursive: true });
  });

  it.runIf(works('prlimit', '--pid', String(process.pid)))('leaves nothing behind when the disk is full', async () => {
    const target = folder();
    const { status, stderr } = await backup(api.project.dir, join(target, 'b.tar.gz'), ['prlimit', '--fsize=100000']).ended;
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringMatching(/No space is left|could not be copied/) });
    expect(existsSync(join(target, 'b.tar.gz'))).toBe(false);
    expect(readdirSync(target)).toEqual([]);
    rmSync(target, { recursive: true });
  });
});

describe.runIf(engines.includes('postgres'))('postgres: lectern backup', () => {
  const api = useProject('postgres', { files });

  it('names the tool to use', async () => {
    const finished = await api.command('backup', join(tmpdir(), 'lectern-none.tar.gz'));
    expect(finished).toMatchObject({ status: 1, stderr: expect.stringContaining('pg_dump') });
  });
});
