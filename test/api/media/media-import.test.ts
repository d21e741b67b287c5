/** `lectern media` beside a running server, with real files. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { useS3 } from '../../support/s3-server.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { changeIn, type Json, useProject } from '../../support/served-project.ts';
import { command, run } from '../../support/server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const day = 86_400;
const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#4a3f6b' } })
    .png()
    .toBuffer();

const format = (name: string, hash: string, width: number, height: number) => ({
  name: `${name}_${hash}.png`,
  hash: `${name}_${hash}`,
  ext: '.png',
  mime: 'image/png',
  path: null,
  width,
  height,
  size: 1,
  sizeInBytes: 1000,
  url: `/uploads/${name}_${hash}.png`,
});

const file = (hash: string, more: Json) => ({
  key: hash,
  data: {
    ...{ name: `${hash}.png`, hash, ext: '.png', mime: 'image/png', size: 1, url: `/uploads/${hash}.png`, provider: 'local' },
    ...{ folderPath: '/', formats: null, ...more },
  },
});

const library = [
  file('whole', { width: 300, height: 200, formats: { thumbnail: format('thumbnail', 'whole', 234, 156) } }),
  file('lost', { width: 100, height: 100 }),
  file('bare', { width: 800, height: 600 }),
  file('gaps', {
    width: 600,
    height: 400,
    // `tiny` is of a breakpoint that is no longer set.
    formats: {
      thumbnail: format('thumbnail', 'gaps', 234, 156),
      small: format('small', 'gaps', 500, 333),
      tiny: format('tiny', 'gaps', 60, 40),
    },
  }),
  file('broken', { width: 800, height: 600 }),
  file('remote', { width: 800, height: 600, provider: 'cloudinary', url: 'https://images.example/remote.png' }),
  file('notes', { name: 'notes.txt', ext: '.txt', mime: 'text/plain', url: '/uploads/notes.txt' }),
];

describe.each(engines)('lectern media check on %s', (engine) => {
  const { project, ...served } = spread(
    useProject(engine, {
      files: schemaFiles({ note: { drafts: true, attributes: { title: { type: 'string' }, cover: { type: 'media' } } } }),
      types: [
        { type: 'plugin::upload.file', documents: library.map((each) => ({ ...each, status: 'published' as const })) },
        { type: 'api::note.note', documents: [{ key: 'first', status: 'published', data: { title: 'First', cover: 'lost' } }] },
      ],
    }),
  );
  const uploads = () => join(project().dir, 'public/uploads');
  const there = () => readdirSync(uploads()).sort();
  const check = (...args: readonly string[]) => run(['media', 'check', '--dir', project().dir, ...args], project().env);
  const checkJson = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await check('--json', ...args);
    expect(stderr).toBe('');
    return { status, report: JSON.parse(stdout) };
  };

  function put(name: string, bytes: Buffer | string, seconds = day): void {
    const path = join(uploads(), name);
    writeFileSync(path, bytes);
    const written = Date.now() / 1000 - seconds;
    utimesSync(path, written, written);
  }

  beforeAll(async () => {
    mkdirSync(join(uploads(), '.incoming/work-old'), { recursive: true });
    utimesSync(join(uploads(), '.incoming/work-old'), 1, 1);
    mkdirSync(join(uploads(), '.incoming/work-new'));
    put('whole.png', await image(300, 200));
    put('thumbnail_whole.png', await image(234, 156));
    put('bare.png', await image(800, 600));
    put('gaps.png', await image(600, 400));
    put('thumbnail_gaps.png', await image(234, 156));
    put('broken.png', (await image(800, 600)).subarray(0, 100));
    put('notes.txt', 'notes');
    put('nobodys.txt', 'nobody knows it');
    put('arriving.txt', 'its row is not there yet', 60);
  });

  it('reports missing and surplus files, and changes nothing', async () => {
    const before = there();
    const { status, report } = await checkJson();
    expect(status).toBe(3);
    expect(report).toMatchObject({ isSound: false, provider: 'local', rows: 7, files: 9, elsewhere: { cloudinary: 1 }, young: 1 });
    expect(report.rowsWithoutFile).toMatchObject([
      { name: 'lost.png', url: '/uploads/lost.png', usedBy: [{ type: 'api::note.note', field: 'cover' }, { type: 'api::note.note' }] },
    ]);
    expect(report.imagesWithoutVariants).toMatchObject([
      { name: 'bare.png', gone: [], unmade: ['thumbnail', 'medium', 'small'] },
      { name: 'gaps.png', gone: ['small', 'tiny'], unmade: [] },
      { name: 'broken.png', gone: [], unmade: ['thumbnail', 'medium', 'small'] },
    ]);
    expect(report.filesWithoutRow).toMatchObject([{ key: 'nobodys.txt', url: '/uploads/nobodys.txt', size: 15, isDeleted: false }]);
    expect(report.abandonedUploads).toEqual({ folders: 1, isDeleted: false });
    expect(there()).toEqual(before);
    expect(existsSync(join(uploads(), '.incoming/work-old'))).toBe(true);
  });

  it('says the same in words', async () => {
    const { status, stdout } = await check();
    expect(status).toBe(3);
    for (const text of [
      'Compared 7 rows of the library with 9 files of the storage (local).',
      'Kept elsewhere, and not looked at: 1 with the provider "cloudinary".',
      '1 row without a file.',
      /lost\.png +\/uploads\/lost\.png +api::note\.note \d+ cover, api::note\.note \d+ cover/,
      '3 images without all variants; `--repair` makes them:',
      /gaps\.png +small, tiny/,
      /nobodys\.txt +15 B/,
      '1 folder of uploads that were interrupted more than a day ago; `--repair` deletes them.',
    ]) {
      expect(stdout).toMatch(text);
    }
  });

  it('--repair creates variants, and reports which it could not create', async () => {
    const { status, report } = await checkJson('--repair');
    expect(status).toBe(3);
    expect(report.imagesWithoutVariants).toMatchObject([
      { name: 'bare.png', left: [] },
      { name: 'gaps.png', left: [] },
      { name: 'broken.png', left: ['thumbnail', 'medium', 'small'], reason: 'File is not a valid image' },
    ]);
    const { formats } = await row('bare.png');
    // PostgreSQL has an order of its own for the keys of an object.
    expect(Object.keys(formats).sort()).toEqual(['medium', 'small', 'thumbnail']);
    expect(formats.medium).toMatchObject({
      ...{ name: 'medium_bare.png', hash: 'medium_bare', ext: '.png', mime: 'image/png', path: null, width: 750, height: 563 },
      url: '/uploads/medium_bare.png',
    });
    for (const { url, width, height, sizeInBytes } of Object.values(formats)) {
      expect(await measured(url)).toEqual({ width, height, size: sizeInBytes });
    }
    expect(await measured('/uploads/small_gaps.png')).toMatchObject({ width: 500, height: 333 });
    expect(await measured('/uploads/tiny_gaps.png')).toMatchObject({ width: 60, height: 40 });
    expect(Object.keys((await row('gaps.png')).formats).sort()).toEqual(['small', 'thumbnail', 'tiny']);
    expect((await row('lost.png')).url).toBe('/uploads/lost.png');
    expect(existsSync(join(uploads(), 'nobodys.txt'))).toBe(true);
    expect(readdirSync(join(uploads(), '.incoming'))).toEqual(['work-new']);
  });

  it('--delete-orphans deletes files without a row, except for recent ones', async () => {
    const { report } = await checkJson('--delete-orphans');
    expect(report.filesWithoutRow).toMatchObject([{ key: 'nobodys.txt', isDeleted: true }]);
    expect(there()).toContain('arriving.txt');
    expect(there()).not.toContain('nobodys.txt');
  });

  it('ends with 0 once everything is there', async () => {
    put('lost.png', await image(100, 100));
    put('broken.png', await image(800, 600));
    expect((await check('--repair')).status).toBe(0);
    const { status, stdout } = await check();
    expect(stdout).toMatch('No problems found.');
    expect(status).toBe(0);
  });

  it('makes no variant under a name that leads elsewhere, nor one without a size', async () => {
    const formats = {
      '../../../../escaped': { url: '/uploads/gone_1.png', width: 60, height: 40 },
      shapeless: { url: '/uploads/gone_2.png', width: 'wide', height: null },
    };
    await changeIn(project(), `UPDATE files SET formats = '${JSON.stringify(formats)}' WHERE name = 'gaps.png'`);
    const { report } = await checkJson('--repair');
    expect(report.imagesWithoutVariants).toMatchObject([{ name: 'gaps.png', left: ['shapeless'] }]);
    expect(there()).not.toContain('escaped');
    expect(await measured('/uploads/gone_1.png')).toMatchObject({ width: 60, height: 40 });
  });

  async function row(name: string): Promise<{ readonly url: string; readonly formats: Record<string, ReturnType<typeof format>> }> {
    const answer = await served.ask('full', 'GET', `/api/upload/files?filters[name]=${name}`);
    return (answer.json() as never)[0];
  }

  async function measured(url: string) {
    const bytes = Buffer.from(await (await fetch(served.base() + url)).arrayBuffer());
    const { width, height } = await sharp(bytes).metadata();
    return { width, height, size: bytes.length };
  }
});

const secrets = { LECTERN_UPLOAD_KEY: 'a-key-of-thirty-two-characters-at-least' };

describe.each(anyEngine)('lectern media import on %s', (engine) => {
  const { project, ask, base } = spread(
    useProject(engine, { files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }), env: secrets }),
  );
  const env = () => ({ ...project().env, ...secrets });
  const importFolder = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await run(['media', 'import', '--dir', project().dir, '--json', ...args], env());
    return { status, stderr, outcome: JSON.parse(stdout) };
  };
  const folders: string[] = [];
  let photos = '';

  function folder(): string {
    const made = mkdtempSync(join(tmpdir(), 'lectern-photos-'));
    folders.push(made);
    return made;
  }
  afterAll(() => {
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  beforeAll(async () => {
    photos = folder();
    mkdirSync(join(photos, 'deep/deeper'), { recursive: true });
    writeFileSync(join(photos, 'a view.png'), await image(800, 600));
    writeFileSync(join(photos, 'deep/deeper/notes.txt'), 'notes');
    writeFileSync(join(photos, 'deep/torn.png'), (await image(800, 600)).subarray(0, 100));
    writeFileSync(join(photos, 'deep/.DS_Store'), 'nothing');
    writeFileSync(join(photos, 'empty.txt'), '');
    symlinkSync(join(project().dir, 'package.json'), join(photos, 'link.json'));
    symlinkSync(project().dir, join(photos, 'linked'));
    utimesSync(join(photos, 'a view.png'), 1_000_000_000, 1_000_000_000);
  });

  it('before it, media check deletes nothing for a library without rows: it may be the wrong one', async () => {
    const file = join(project().dir, 'public/uploads/somebodys.txt');
    mkdirSync(join(project().dir, 'public/uploads'), { recursive: true });
    writeFileSync(file, 'text');
    utimesSync(file, 1, 1);
    const checked = await run(['media', 'check', '--delete-orphans', '--dir', project().dir], env());
    expect(checked).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('The library has no row of its own') });
    expect(existsSync(file)).toBe(true);
    rmSync(file);
  });

  // Other systems have no such names.
  it.runIf(process.platform === 'linux')('continues after a file whose name is not UTF-8, and reports it', async () => {
    const old = folder();
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
    const row = (await ask('full', 'GET', `/api/upload/files/${outcome.imported[0].id}`)).json() as unknown as Uploaded;
    expect(row).toMatchObject({
      name: 'a view.png',
      mime: 'image/png',
      width: 800,
      height: 600,
      documentId: outcome.imported[0].documentId,
    });
    expect(Object.keys(row.formats).sort()).toEqual(['medium', 'small', 'thumbnail']);
    expect((await fetch(base() + row.url)).status).toBe(200);
  });

  it('leaves the originals alone, and nothing behind', () => {
    expect(statSync(join(photos, 'a view.png')).mtimeMs).toBe(1_000_000_000_000);
    expect(readdirSync(join(project().dir, 'public/uploads/.incoming')).filter((name) => !name.startsWith('imported-'))).toEqual([]);
  });

  it('imports again only what has changed, is new or has been deleted from the library', async () => {
    const { outcome } = await importFolder(photos);
    expect(outcome).toMatchObject({ imported: [], skipped: [{ place: 'a view.png' }, { place: 'deep/deeper/notes.txt' }] });
    await ask('full', 'DELETE', `/api/upload/files/${outcome.skipped[0].id}`);
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
    const many = folder();
    const picture = await image(300, 200);
    for (let count = 10; count < 22; count++) writeFileSync(join(many, `${count}.png`), picture);
    const child = spawn(process.execPath, [command, 'media', 'import', '--dir', project().dir, '--json', many], {
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
    expect(written.stderr).toContain('goes on from here');
    const second = await importFolder(many);
    expect(second.status).toBe(0);
    expect(second.outcome.imported).toHaveLength(left);
    expect(second.outcome.skipped).toHaveLength(imported.length);
  });

  it('refuses a folder that does not exist, and the library itself', async () => {
    const missing = await run(['media', 'import', '--dir', project().dir, join(photos, 'nowhere')], env());
    expect(missing).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `Lectern cannot go on: There is no folder ${join(photos, 'nowhere')}.\n`,
    });
    const own = await run(['media', 'import', '--dir', project().dir, join(project().dir, 'public/uploads')], env());
    expect(own.status).toBe(1);
    expect(own.stderr).toMatch('is the folder of the library');
  });

  it('media sign prints URLs of variants that need a signature', async () => {
    const [{ url }] = (await ask('full', 'GET', '/api/upload/files?filters[name]=a%20view.png')).json() as unknown as [Uploaded];
    const sign = async (...args: readonly string[]) => (await run(['media', 'sign', '--dir', project().dir, ...args], env())).stdout.trim();
    const statusOf = async (address: string) => (await fetch(base() + address)).status;
    expect(await statusOf(`${url}?width=123`)).toBe(403);
    const signed = await sign(`${url}?width=123&format=webp`);
    expect(await statusOf(signed)).toBe(200);
    expect(await statusOf(signed.replace('width=123', 'width=124'))).toBe(403);
    expect(await sign('--expires', '2h', `https://files.example${url}?width=123`)).toMatch(
      /^https:\/\/files\.example\/uploads\/.*\?expires=\d+&width=123&signature=[\w-]{43}$/,
    );
    const refusals = await Promise.all(
      [`${url}?width=abc`, '/elsewhere/a.png', '/uploads/..%2fa.png', `${url}?widht=123`, `${url}?width=123&expires=1`].map((each) =>
        run(['media', 'sign', '--dir', project().dir, each], env()),
      ),
    );
    expect(
      refusals.map(({ status, stderr }) => [status, /expected|not the URL of a file|widht is not a parameter|--expires/.test(stderr)]),
    ).toEqual(refusals.map(() => [2, true]));
    expect(await run(['media', 'sign', '--dir', project().dir, url], project().env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('LECTERN_UPLOAD_KEY is not set'),
    });
  });

  it('leaves the library consistent', async () => {
    expect((await run(['media', 'check', '--dir', project().dir], env())).stdout).toMatch('No problems found.');
  });
});

describe.each(engines.slice(0, 1))('lectern media with a bucket, on %s', (engine) => {
  const s3 = useS3();
  const { project } = spread(
    useProject(engine, { files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }), env: () => s3.env }),
  );
  const media = (...args: readonly string[]) => run(['media', ...args, '--dir', project().dir], { ...project().env, ...s3.env });

  it('imports into it, and recognises what it contains', async () => {
    const photos = mkdtempSync(join(tmpdir(), 'lectern-photos-'));
    writeFileSync(join(photos, 'a.png'), await image(300, 200));
    expect((await media('import', photos)).status).toBe(0);
    rmSync(photos, { recursive: true });
    expect(await media('check')).toMatchObject({ status: 0, stdout: expect.stringContaining('with 2 files of the storage (aws-s3)') });
  });

  it('ends if it cannot be listed: files that are not listed do not count as deleted', async () => {
    s3.failing(() => 'denied');
    const checked = await media('check', '--repair', '--delete-orphans');
    s3.failing(undefined);
    expect(checked).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Lectern cannot go on: ') });
  });
});

interface Uploaded {
  readonly url: string;
  readonly formats: Readonly<Record<string, unknown>>;
}

/** Functions that return what exists from `beforeAll` on. */
function spread(served: ReturnType<typeof useProject>) {
  return { project: () => served.project, ask: served.ask, base: () => served.server.base };
}
