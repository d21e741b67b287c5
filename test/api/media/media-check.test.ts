/** `lectern media check` beside a running server: files and rows that do not belong together, and what it repairs. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { plainImage } from '../../support/images.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const day = 86_400;
const image = (width: number, height: number) => plainImage(width, height).png().toBuffer();

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

describe.each(anyEngine)('lectern media check on %s', (engine) => {
  const served = useProject(engine, {
    files: schemaFiles({ note: { drafts: true, attributes: { title: { type: 'string' }, cover: { type: 'media' } } } }),
    types: [
      { type: 'plugin::upload.file', documents: library.map((each) => ({ ...each, status: 'published' as const })) },
      { type: 'api::note.note', documents: [{ key: 'first', status: 'published', data: { title: 'First', cover: 'lost' } }] },
    ],
  });
  const uploads = () => join(served.project.dir, 'public/uploads');
  const there = () => readdirSync(uploads()).sort();
  const check = (...args: readonly string[]) => run(['media', 'check', '--dir', served.project.dir, ...args], served.project.env);
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
      'Stored by other providers, and not checked: 1 with the provider "cloudinary".',
      '1 row without a file.',
      /lost\.png +\/uploads\/lost\.png +api::note\.note \d+ cover, api::note\.note \d+ cover/,
      '3 images without all variants; `--repair` creates them:',
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
    await served.change(`UPDATE files SET formats = '${JSON.stringify(formats)}' WHERE name = 'gaps.png'`);
    const { report } = await checkJson('--repair');
    expect(report.imagesWithoutVariants).toMatchObject([{ name: 'gaps.png', left: ['shapeless'] }]);
    expect(there()).not.toContain('escaped');
    expect(await measured('/uploads/gone_1.png')).toMatchObject({ width: 60, height: 40 });
  });

  async function row(name: string): Promise<{ readonly url: string; readonly formats: Record<string, ReturnType<typeof format>> }> {
    const response = await served.ask('full', 'GET', `/api/upload/files?filters[name]=${name}`);
    return (response.json() as never)[0];
  }

  async function measured(url: string) {
    const bytes = Buffer.from(await (await fetch(served.server.base + url)).arrayBuffer());
    const { width, height } = await sharp(bytes).metadata();
    return { width, height, size: bytes.length };
  }
});
