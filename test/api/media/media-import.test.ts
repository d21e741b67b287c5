/** `lectern media import` beside a running server, with real files, and `lectern media sign`. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { plainImage } from '../../support/images.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { command, run } from '../../support/server.ts';
import { temporaryFolder, useTemporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const image = (width: number, height: number) => plainImage(width, height).png().toBuffer();

const secrets = { LECTERN_UPLOAD_KEY: 'a-key-of-thirty-two-characters-at-least' };

describe.each(anyEngine)('lectern media import on %s', (engine) => {
  const served = useProject(engine, { files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }), env: secrets });
  const env = () => ({ ...served.project.env, ...secrets });
  const media = (name: string, ...args: readonly string[]) => run(['media', name, '--dir', served.project.dir, ...args], env());
  const importFolder = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await media('import', '--json', ...args);
    return { status, stderr, outcome: JSON.parse(stdout) };
  };
  const photos = useTemporaryFolder();
  beforeAll(async () => {
    mkdirSync(join(photos, 'deep/deeper'), { recursive: true });
    writeFileSync(join(photos, 'a view.png'), await image(800, 600));
    writeFileSync(join(photos, 'deep/deeper/notes.txt'), 'notes');
    writeFileSync(join(photos, 'deep/torn.png'), (await image(800, 600)).subarray(0, 100));
    writeFileSync(join(photos, 'deep/.DS_Store'), 'nothing');
    writeFileSync(join(photos, 'empty.txt'), '');
    symlinkSync(join(served.project.dir, 'package.json'), join(photos, 'link.json'));
    symlinkSync(served.project.dir, join(photos, 'linked'));
    utimesSync(join(photos, 'a view.png'), 1_000_000_000, 1_000_000_000);
  });

  it('before it, media check deletes nothing for a library without rows: it may be the wrong one', async () => {
    const file = join(served.project.dir, 'public/uploads/somebodys.txt');
    mkdirSync(join(served.project.dir, 'public/uploads'), { recursive: true });
    writeFileSync(file, 'text');
    utimesSync(file, 1, 1);
    const checked = await media('check', '--delete-orphans');
    expect(checked).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('The library has no row for any of') });
    expect(existsSync(file)).toBe(true);
    rmSync(file);
  });

  // Other systems have no such names.
  it.runIf(process.platform === 'linux')('continues after a file whose name is not UTF-8, and reports it', async () => {
    const old = temporaryFolder();
    writeFileSync(Buffer.from(`${old}/caf\u00e9.txt`, 'latin1'), 'old');
    writeFileSync(join(old, 'new.txt'), 'new');
    const { status, outcome } = await importFolder(old);
    expect([status, outcome.refused]).toEqual([1, [{ place: 'caf\ufffd.txt', reason: 'it cannot be read' }]]);
    expect(outcome.imported).toMatchObject([{ place: 'new.txt' }]);
  });

  it('imports files of a folder and its subfolders, and reports those that it refuses', async () => {
    const { status, outcome, stderr } = await importFolder(photos);
    expect(status).toBe(1);
    expect(outcome).toMatchObject({ imported: [{ place: 'a view.png' }, { place: 'deep/deeper/notes.txt' }], skipped: [], left: 0 });
    expect(outcome.refused).toEqual([
      { place: 'deep/torn.png', reason: 'File is not a valid image' },
      { place: 'empty.txt', reason: 'Files are empty' },
    ]);
    expect(stderr).toMatch(`/4 a view.png: imported as ${outcome.imported[0].id}\n`);
    expect(stderr).toContain('Imported 2 files');
    const row = (await served.ask('full', 'GET', `/api/upload/files/${outcome.imported[0].id}`)).json() as unknown as Uploaded;
    const { documentId } = outcome.imported[0];
    expect(row).toMatchObject({ name: 'a view.png', mime: 'image/png', width: 800, height: 600, documentId });
    expect(Object.keys(row.formats).sort()).toEqual(['medium', 'small', 'thumbnail']);
    expect((await fetch(served.server.base + row.url)).status).toBe(200);
  });

  it('leaves the originals alone, and nothing behind', () => {
    expect(statSync(join(photos, 'a view.png')).mtimeMs).toBe(1_000_000_000_000);
    expect(readdirSync(join(served.project.dir, 'public/uploads/.incoming')).filter((name) => !name.startsWith('imported-'))).toEqual([]);
  });

  it('imports again only what has changed, is new or has been deleted from the library', async () => {
    const { outcome } = await importFolder(photos);
    expect(outcome).toMatchObject({ imported: [], skipped: [{ place: 'a view.png' }, { place: 'deep/deeper/notes.txt' }] });
    await served.ask('full', 'DELETE', `/api/upload/files/${outcome.skipped[0].id}`);
    writeFileSync(join(photos, 'deep/deeper/notes.txt'), 'other notes');
    writeFileSync(join(photos, 'new.txt'), 'new');
    expect((await importFolder(photos)).outcome.imported).toMatchObject([
      { place: 'a view.png' },
      { place: 'deep/deeper/notes.txt' },
      { place: 'new.txt' },
    ]);
    expect((await importFolder(photos, '--again')).outcome.imported).toHaveLength(3);
  });

  it('stops at Ctrl-C after the current files, and continues from there', async () => {
    const many = temporaryFolder();
    const picture = await image(300, 200);
    for (let count = 10; count < 22; count++) writeFileSync(join(many, `${count}.png`), picture);
    const child = spawn(process.execPath, [command, 'media', 'import', '--dir', served.project.dir, '--json', many], {
      env: { PATH: process.env.PATH, ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = { stdout: '', stderr: '' };
    child.stdout.on('data', (text) => {
      written.stdout += text;
    });
    child.stderr.on('data', (text) => {
      // Once: a second one that comes later means "at once".
      if (written.stderr === '') child.kill('SIGINT');
      written.stderr += text;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
    const { imported, refused, left } = JSON.parse(written.stdout);
    expect(refused).toEqual([]);
    expect(left).toBeGreaterThan(0);
    expect(imported.length + left).toBe(12);
    expect(written.stderr).toContain('Run the same command to continue');
    const second = await importFolder(many);
    expect(second.status).toBe(0);
    expect(second.outcome.imported).toHaveLength(left);
    expect(second.outcome.skipped).toHaveLength(imported.length);
  });

  it('refuses a folder that does not exist, and the library itself', async () => {
    const missing = await media('import', join(photos, 'nowhere'));
    const says = `Lectern cannot go on: There is no folder ${join(photos, 'nowhere')}.\n`;
    expect(missing).toEqual({ status: 1, stdout: '', stderr: says });
    const own = await media('import', join(served.project.dir, 'public/uploads'));
    expect(own.status).toBe(1);
    expect(own.stderr).toMatch('is the folder of the library');
  });

  it('media sign prints URLs of variants that need a signature', async () => {
    const [{ url }] = (await served.ask('full', 'GET', '/api/upload/files?filters[name]=a%20view.png')).json() as unknown as [Uploaded];
    const sign = async (...args: readonly string[]) => (await media('sign', ...args)).stdout.trim();
    const statusOf = async (address: string) => (await fetch(served.server.base + address)).status;
    expect(await statusOf(`${url}?width=123`)).toBe(403);
    const signed = await sign(`${url}?width=123&format=webp`);
    expect(await statusOf(signed)).toBe(200);
    expect(await statusOf(signed.replace('width=123', 'width=124'))).toBe(403);
    expect(await sign('--expires', '2h', `https://files.example${url}?width=123`)).toMatch(
      /^https:\/\/files\.example\/uploads\/.*\?expires=\d+&width=123&signature=[\w-]{43}$/,
    );
    for (const [wrong, says] of [
      [`${url}?width=abc`, 'expected'],
      ['/elsewhere/a.png', 'not the URL of a file'],
      ['/uploads/..%2fa.png', 'not the URL of a file'],
      [`${url}?widht=123`, 'widht is not a parameter'],
      [`${url}?width=123&expires=1`, '--expires'],
    ] as const) {
      expect(await media('sign', wrong)).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
    }
    expect(await run(['media', 'sign', '--dir', served.project.dir, url], served.project.env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('LECTERN_UPLOAD_KEY is not set'),
    });
  });

  it('leaves the library consistent', async () => {
    expect((await media('check')).stdout).toMatch('No problems found.');
  });
});

interface Uploaded {
  readonly url: string;
  readonly formats: Readonly<Record<string, unknown>>;
}
