/** Files in a bucket that everybody may read: where they are, how the bucket serves them, and what happens to uploads when it fails. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { plainImage } from '../../support/images.ts';
import { type S3Request, useS3 } from '../../support/s3-server.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type SentFile, sendFiles } from '../../support/send-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';
import { writeFiles } from '../../support/write-files.ts';

const files = schemaFiles({ post: { attributes: { title: { type: 'string' }, cover: { type: 'media' } } } });
/** Has a thumbnail, and more variants where it is wide. */
const photo = (color: string, width = 300) =>
  plainImage(width, Math.round(width / 2), color)
    .jpeg()
    .toBuffer();
const text = (name: string, bytes = 'text'): SentFile => ({ name, type: 'text/plain', bytes });
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const isPut = ({ method }: S3Request) => method === 'PUT';

describe.each(anyEngine)('%s: a public bucket', (engine) => {
  const s3 = useS3();
  afterEach(() => {
    s3.failing(undefined);
    s3.forget();
  });
  const api = useProject(engine, { files, env: () => s3.env });
  const storedFiles = async () => Number((await api.query('SELECT count(*) FROM files'))[0]?.[0]);
  const nothingStays = async (work: () => Promise<void>) => {
    const before = { names: await s3.names(), rows: await storedFiles() };
    await work();
    s3.failing(undefined);
    expect({ names: await s3.names(), rows: await storedFiles() }).toEqual(before);
  };
  const nameOf = (url: unknown) => String(url).slice(`${s3.endpoint}/media/`.length);
  const formatsOf = ({ formats }: Json) => Object.values(formats as Readonly<Record<string, Json>>);
  const upload = async (file: SentFile): Promise<Json> => {
    const { status, text: body, files: found } = await sendFiles(api, [file]);
    if (status !== 201 || found[0] === undefined) throw new Error(`${status} ${body}`);
    return found[0];
  };

  it('holds an image and its variants at the addresses that the row says, as Strapi stores them', async () => {
    const file = await upload({ name: 'red.jpg', type: 'image/jpeg', bytes: await photo('red', 1200) });
    expect(file).toMatchObject({ provider: 'aws-s3', isUrlSigned: false, url: `${s3.endpoint}/media/${file.hash}.jpg` });
    expect(formatsOf(file).map(({ url, hash, ext }) => url === `${s3.endpoint}/media/${hash}${ext}`)).toEqual([true, true, true, true]);
    expect(await s3.names()).toEqual(expect.arrayContaining([file, ...formatsOf(file)].map(({ url }) => nameOf(url))));
    for (const { url, width } of [file, ...formatsOf(file)]) {
      const response = await fetch(String(url));
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect((await sharp(new Uint8Array(await response.arrayBuffer())).metadata()).width).toBe(width);
    }
    await api.write('POST', '/api/posts', { title: 'Red', cover: file.id });
    const list = (await api.ask('full', 'GET', '/api/posts?populate=cover')).json() as { data: readonly Json[] };
    expect(list.data[0]?.cover).toMatchObject({ url: file.url, formats: file.formats });
  });

  it.each([
    ['a.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'attachment'],
    ['a.html', 'text/html', '<script>alert(1)</script>', 'attachment'],
    ['a.pdf', 'application/pdf', '%PDF-1.4\n', 'attachment'],
    ['a.txt', 'text/plain', 'text', undefined],
  ])('serves %s so that nothing in it runs', async (name, type, bytes, disposition) => {
    const { url } = await upload({ name, type, bytes });
    const head = await s3.head(nameOf(url));
    expect(head.ContentDisposition).toBe(disposition);
    expect(head.ContentType).toBe(type);
  });

  it('takes a large file in parts', async () => {
    const bytes = randomBytes(12_000_000);
    const { url } = await upload({ name: 'large.bin', type: 'application/octet-stream', bytes });
    expect(s3.requests.filter((request) => isPut(request) && request.url.includes('partNumber=')).length).toBe(3);
    expect(digest(await s3.bytes(nameOf(url)))).toBe(digest(bytes));
  });

  it('holds other bytes at the same address when a file is replaced', async () => {
    const file = await upload({ name: 'green.jpg', type: 'image/jpeg', bytes: await photo('green') });
    const {
      status,
      files: [replaced = {}],
    } = await sendFiles(api, [{ name: 'b.jpg', type: 'image/jpeg', bytes: await photo('blue', 290) }], {
      query: `?id=${file.id}`,
    });
    expect(status).toBe(200);
    expect(replaced.url).toBe(file.url);
    expect((await sharp(await s3.bytes(nameOf(file.url))).metadata()).width).toBe(290);
    expect((await s3.names()).filter((name) => name.includes(String(file.hash)))).toEqual(
      [replaced, ...formatsOf(replaced)].map(({ url }) => nameOf(url)).sort(),
    );
  });

  it('holds nothing of a file that was deleted', async () => {
    const file = await upload({ name: 'gone.jpg', type: 'image/jpeg', bytes: await photo('black') });
    expect((await api.ask('full', 'DELETE', `/api/upload/files/${file.id}`)).status).toBe(200);
    expect((await s3.names()).filter((name) => name.includes(String(file.hash)))).toEqual([]);
  });

  it('is not served by this server, but variants of its images are', async () => {
    const { url } = await upload({ name: 'white.jpg', type: 'image/jpeg', bytes: await photo('white') });
    const path = `/uploads/${nameOf(url)}`;
    expect((await api.ask('public', 'GET', path)).status).toBe(404);
    const variant = await api.ask('public', 'GET', `${path}?width=128&format=webp`);
    expect([variant.status, variant.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await sharp(variant.raw).metadata()).width).toBe(128);
    expect((await api.ask('public', 'GET', '/uploads/nothing_0123456789.jpg?width=400')).status).toBe(404);
    expect((await api.ask('public', 'GET', '/uploads/..%2fnothing.jpg?width=400')).status).toBe(404);
    s3.failing(() => 'denied');
    expect((await api.ask('public', 'GET', `${path}?width=256`)).status).toBe(503);
  });

  it('is not read for files that cannot have variants', async () => {
    const { url } = await upload(text('film.txt'));
    s3.forget();
    expect((await api.ask('public', 'GET', `/uploads/${nameOf(url)}?width=400`)).status).toBe(400);
    expect(s3.requests).toEqual([]);
  });

  it.each(['hangs up', 'denied', 'no bucket'] as const)('that fails (%s): a 503, no row, and the log says why', async (how) => {
    await nothingStays(async () => {
      s3.failing(() => how);
      const { status, text: body } = await sendFiles(api, [text('lost.txt')]);
      expect([status, body]).toEqual([503, expect.stringContaining('The storage of files does not respond')]);
      expect(body).not.toContain('media');
    });
    const logged = { 'hangs up': 'does not respond correctly', denied: 's3:PutObject', 'no bucket': 'There is no bucket media' }[how];
    expect(api.server.output.stderr).toContain(logged);
    expect(api.server.output.stderr).not.toMatch(/Signature=|Authorization|NodeVersionSupportWarning/);
    expect((await sendFiles(api, [text('found.txt')])).status).toBe(201);
  });

  it('that falls silent: a 503 after about five seconds, at once for a moment, and then files are stored again', async () => {
    await nothingStays(async () => {
      s3.failing(() => 'falls silent');
      for (const [name, limit] of [
        ['lost.txt', 15_000],
        ['refused.txt', 1000],
      ] as const) {
        const began = performance.now();
        expect((await sendFiles(api, [text(name)])).status).toBe(503);
        expect(performance.now() - began).toBeLessThan(limit);
      }
    });
    expect(api.server.output.stderr).toContain('The bucket media does not respond: ');
    await expect.poll(async () => (await sendFiles(api, [text('found.txt')])).status, { timeout: 5000, interval: 250 }).toBe(201);
  });

  it('that takes seconds for a file, and responds meanwhile, is waited for', async () => {
    s3.failing((request) => (isPut(request) ? 'is late' : undefined));
    expect((await sendFiles(api, [text('late.txt')])).status).toBe(201);
  });

  it('that fails in the middle of several files leaves none of them', async () => {
    await nothingStays(async () => {
      let puts = 0;
      s3.failing((request) => (isPut(request) && ++puts > 2 ? 'denied' : undefined));
      const bytes = await photo('yellow');
      const { status } = await sendFiles(api, [text('a.txt'), { name: 'b.jpg', type: 'image/jpeg', bytes }]);
      expect(status).toBe(503);
      expect(puts).toBeGreaterThan(2);
    });
  });

  // With the first part refused, most of the file was never read; with the third, all of it may have been.
  it.each([1, 3])('that fails in the middle of a large file, at part %i, gets a request to delete the parts', async (part) => {
    await nothingStays(async () => {
      s3.failing(({ url }) => (url.includes(`partNumber=${part}&`) ? 'denied' : undefined));
      const { status } = await sendFiles(api, [{ name: 'large.bin', type: 'application/octet-stream', bytes: randomBytes(12_000_000) }]);
      expect(status).toBe(503);
      expect(s3.requests.filter(({ method, url }) => method === 'DELETE' && url.includes('uploadId=')).length).toBeGreaterThan(0);
    });
  });

  it('that fails while a file is deleted: the row is deleted, and the response and the log report that the bytes are not', async () => {
    const { id, url } = await upload(text('left.txt'));
    s3.failing(() => 'denied');
    const { status, text: body } = await api.ask('full', 'DELETE', `/api/upload/files/${id}`);
    expect([status, body]).toEqual([503, expect.stringContaining('old files remain until lectern media check --delete-orphans')]);
    s3.failing(() => undefined);
    expect((await api.ask('full', 'GET', `/api/upload/files/${id}`)).status).toBe(404);
    expect(await s3.names()).toContain(nameOf(url));
    expect(api.server.output.stderr).toContain(nameOf(url));
    await s3.remove(nameOf(url));
  });

  it('is compared with the library by lectern media check, and repaired', async () => {
    const file = await upload({ name: 'checked.jpg', type: 'image/jpeg', bytes: await photo('gray') });
    const other = await upload(text('lost.txt'));
    const variants = formatsOf(file).map(({ url }) => nameOf(url));
    const check = (...args: readonly string[]) =>
      run(['media', 'check', '--dir', api.project.dir, '--json', ...args], { ...api.project.env, ...s3.env });
    const found = async (...args: readonly string[]) => JSON.parse((await check(...args)).stdout);
    await s3.remove(nameOf(other.url));
    for (const name of variants) await s3.remove(name);
    const report = await found();
    expect(report.provider).toBe('aws-s3');
    expect(report.rowsWithoutFile).toMatchObject([{ url: other.url }]);
    expect(report.imagesWithoutVariants).toMatchObject([
      { name: 'checked.jpg', gone: expect.arrayContaining(Object.keys(file.formats as Json)) },
    ]);
    await found('--repair');
    expect(await s3.names()).toEqual(expect.arrayContaining(variants));
    expect((await api.ask('full', 'DELETE', `/api/upload/files/${other.id}`)).status).toBe(200);
    expect((await found()).isSound).toBe(true);
    // Files that are not listed do not count as deleted.
    s3.failing(() => 'denied');
    expect(await check('--repair', '--delete-orphans')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('Lectern cannot go on: The bucket media refuses the request'),
    });
  });

  it('holds what lectern media import imports', async () => {
    const imported = join(api.project.dir, 'photos');
    writeFiles(imported, { 'a.txt': 'text' });
    const before = await s3.names();
    const { status } = await run(['media', 'import', '--dir', api.project.dir, imported], { ...api.project.env, ...s3.env });
    expect([status, (await s3.names()).length]).toEqual([0, before.length + 1]);
  });

  it('that does not exist does not prevent reading documents, and the start reports it', async () => {
    s3.failing(() => 'no bucket');
    const server = await api.beside();
    expect(server.output.stderr).toContain('Warning: files cannot be stored: There is no bucket media (s3.bucket');
    expect((await server.get('/_health')).status).toBe(204);
  });

  it('gets no request from a caller who may not upload', async () => {
    expect((await sendFiles(api, [text('a.txt')], { who: 'public' })).status).toBe(403);
    expect(s3.requests).toEqual([]);
  });
});
