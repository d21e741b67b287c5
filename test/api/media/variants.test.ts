/** Variants of images that an address asks for: `/uploads/photo.jpg?width=400&format=webp`. */
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedUrl } from '../../../src/media/storage/signed-url.ts';
import { anyEngine } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { animation, imageProcessesOf, noise, putFile, until } from '../../support/images.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { sendFiles } from '../../support/send-files.ts';
import { errorOf, type Served, useProject } from '../../support/served-project.ts';
import { startServer } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';
import { words } from '../../support/words.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });
const uploadKey = 'key-of-the-tests-'.repeat(3);

const measured = async ({ raw }: HttpResponse) => {
  const { format, width, height, pages = 1, compression } = await sharp(raw).metadata();
  return { format: format === 'heif' ? compression : format, width, height, pages };
};

const cachedIn = (api: Served) =>
  readdirSync(join(api.project.dir, '.tmp/variants')).filter((name) => /^[^.].*\.(?:jpeg|png|webp|avif|gif)$/.test(name));

/** Returns images by name. They are made once, since most take longer to make than to serve. */
async function makeImages(): Promise<Readonly<Record<string, string | Uint8Array>>> {
  const exif = { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } };
  const transparent = { width: 80, height: 80, channels: 4, background: '#0000' } as const;
  const photo = await noise(900, 600).jpeg().toBuffer();
  return {
    'photo.jpg': photo,
    'photo_0a1b2c3d4e.jpg': photo,
    // As cameras keep it: on its side, with a note which way is up, and where it was taken.
    'turned.jpg': await noise(600, 400).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    'photo.png': await noise(900, 600).png({ compressionLevel: 1 }).toBuffer(),
    'glass.png': await sharp({ create: transparent }).png().toBuffer(),
    'photo.webp': await noise(900, 600).webp({ effort: 0 }).toBuffer(),
    'photo.avif': await noise(300, 200).avif({ effort: 0 }).toBuffer(),
    'photo.tiff': await noise(300, 200).tiff().toBuffer(),
    'moving.gif': await animation(3, 300, 200).gif().toBuffer(),
    'named-otherwise.bin': photo,
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><rect width="9" height="9"/></svg>',
    'words.txt': 'no image at all',
  };
}

let images: Awaited<ReturnType<typeof makeImages>> = {};
beforeAll(async () => {
  images = await makeImages();
});
function putImages(dir: string): void {
  for (const [name, content] of Object.entries(images)) putFile(dir, name, content);
}

describe.each(anyEngine)('%s: variants', (engine) => {
  const api = useProject(engine, { files, ownProcess: true, env: { LECTERN_UPLOAD_KEY: uploadKey } });
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => api.server.get(`/uploads/${path}`, headers);
  beforeAll(() => putImages(api.project.dir));

  it('no image, no process for images', async () => {
    expect((await get('words.txt')).status).toBe(200);
    expect((await get('photo.jpg?v=3')).status).toBe(200);
    const uploaded = await sendFiles(api, [{ name: 'none.bin', type: 'application/octet-stream', bytes: Buffer.alloc(100, 1) }]);
    expect(uploaded.status).toBe(201);
    expect(imageProcessesOf(api.server.pid)).toEqual([]);
  });

  it.each([
    ['photo.jpg?width=400', 'jpeg', 400, 267],
    ['photo.jpg?height=320', 'jpeg', 480, 320],
    ['photo.jpg?width=320&height=320', 'jpeg', 320, 213],
    ['photo.jpg?width=320&height=320&fit=cover', 'jpeg', 320, 320],
    ['photo.jpg?quality=75&width=400&v=7&format=webp&utm_source=x', 'webp', 400, 267],
    ['photo.jpg?format=png', 'png', 900, 600],
    ['photo.png?width=256&format=avif&quality=50', 'av1', 256, 171],
    ['photo.webp?width=256&format=jpeg', 'jpeg', 256, 171],
    ['photo.avif?width=128', 'av1', 128, 85],
    ['photo.tiff?width=128&format=webp', 'webp', 128, 85],
    ['named-otherwise.bin?width=128', 'jpeg', 128, 85],
    ['turned.jpg?width=256', 'jpeg', 256, 384],
    // Nothing is enlarged; what is cut keeps its proportions.
    ['photo.jpg?width=1920', 'jpeg', 900, 600],
    ['photo.jpg?width=1200&height=1200&fit=cover', 'jpeg', 600, 600],
  ])('%s is %s, %i × %i', async (path, format, width, height) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await measured(response)).toEqual({ format, width, height, pages: 1 });
    expect(response.headers['content-type']).toBe(`image/${format === 'av1' ? 'avif' : format}`);
    expect(response.headers['content-length']).toBe(String(response.raw.length));
    expect(response.headers['content-disposition']).toBeUndefined();
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });

  it('animations stay animated in formats that support it', async () => {
    expect(await measured(await get('moving.gif?width=128'))).toMatchObject({ format: 'gif', width: 128, pages: 3 });
    expect(await measured(await get('moving.gif?width=128&format=webp'))).toMatchObject({ format: 'webp', pages: 3 });
    expect(await measured(await get('moving.gif?width=128&format=jpeg'))).toMatchObject({ format: 'jpeg', height: 85, pages: 1 });
  });

  it('transparent pixels become white in formats without transparency', async () => {
    const { data } = await sharp((await get('glass.png?format=jpeg')).raw)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it('a variant does not reveal where the photo was taken', async () => {
    expect((await get('turned.jpg')).raw.toString('latin1')).toContain('somebody');
    for (const query of ['width=256', 'width=256&format=webp', 'quality=80']) {
      expect((await sharp((await get(`turned.jpg?${query}`)).raw).metadata()).exif).toBeUndefined();
    }
  });

  it('less quality is fewer bytes', async () => {
    const [low, high] = [await get('photo.jpg?width=400&quality=50'), await get('photo.jpg?width=400&quality=90')];
    expect(low.raw.length).toBeLessThan(high.raw.length);
  });

  it.each([
    ...words`
      width=abc width= width=0 width=-400 width=4e2 width=0400 width=400.0 width=%2B400 width=10001 height=1%00 format=gif format=WEBP
      format=__proto__ quality=0 quality=101 fit=cover expires=soon&width=400 width=400&width=400
    `.map((query) => [query, query.split('=')[0] ?? '']),
    ['width=400&format=webp&format=jpeg', 'format'],
    ['width=400&fit=fill', 'fit'],
    ['width=400&fit=cover', 'fit'],
  ])('?%s is refused by name', async (query, name) => {
    for (const file of ['photo.jpg', 'words.txt', 'nothing.jpg']) {
      const response = await get(`${file}?${query}`);
      expect(errorOf(response)).toMatchObject({ status: 400, name: 'ValidationError' });
      expect(errorOf(response).message).toMatch(new RegExp(`^${name}: expected `));
    }
  });

  it.each(['', '?', '?v=3', '?Width=abc', '?width[]=abc', '?WIDTH=1', '?=400', '?%zz', '?w=400', '?__proto__=1', '?constructor=x'])(
    'photo.jpg%s is the file itself',
    async (query) => {
      const [plain, requested] = [await get('photo.jpg'), await get(`photo.jpg${query}`)];
      expect([requested.status, requested.headers.etag, requested.raw.equals(plain.raw)]).toEqual([200, plain.headers.etag, true]);
    },
  );

  it.each(['drawing.svg', 'words.txt'])('there are none of %s', async (name) => {
    expect(errorOf(await get(`${name}?width=400`))).toMatchObject({
      status: 400,
      message: expect.stringContaining('Variants can be made only of'),
    });
  });

  it('a missing file has none', async () => {
    expect((await get('nothing.jpg?width=400')).status).toBe(404);
    expect((await get('?width=400')).status).toBe(404);
  });

  describe('beyond the lists', () => {
    const soon = () => String(Math.floor(Date.now() / 1000) + 600);
    const signed = (name: string, parameters: Readonly<Record<string, string>>) =>
      signedUrl(uploadKey, name, parameters).slice('/uploads/'.length);

    it.each([
      ['width=401', 'width', '64, 128, 256'],
      ['height=999', 'height', '64, 128, 256'],
      ['width=400&quality=76', 'quality', '50, 75, 80, 90'],
    ])('?%s needs a signature', async (query, name, list) => {
      const { status, message } = errorOf(await get(`photo.jpg?${query}`));
      expect([status, message.startsWith(`${name} must be one of ${list}`)]).toEqual([403, true]);
    });

    it('a signed URL is served', async () => {
      const { searchParams } = new URL(signed('photo.jpg', { width: '401', quality: '76' }), 'http://x/uploads/');
      // In any order, and with parameters of others.
      const query = `signature=${searchParams.get('signature')}&v=1&width=401&quality=76`;
      expect(await measured(await get(`photo.jpg?${query}`))).toMatchObject({ width: 401 });
      const response = await get(signed('photo_0a1b2c3d4e.jpg', { width: '333', expires: soon() }));
      expect(await measured(response)).toMatchObject({ width: 333 });
      // No longer than the address is good for.
      const [, seconds] = /^private, max-age=(\d+)$/.exec(String(response.headers['cache-control'])) ?? [];
      expect(Number(seconds)).toBeGreaterThan(0);
      expect(Number(seconds)).toBeLessThanOrEqual(600);
    });

    // Others are in src/media/storage/signed-url.test.ts.
    it.each<readonly [what: string, path: () => string]>([
      ['of another width', () => signed('photo.jpg', { width: '403' }).replace('403', '404')],
      ['that has expired', () => signed('photo.jpg', { width: '403', expires: '1700000000' })],
      ['that is empty', () => 'photo.jpg?width=403&signature='],
      ['that is nonsense', () => 'photo.jpg?width=403&signature=%00%ff'],
      ['that is a megabyte', () => `photo.jpg?width=403&signature=${'A'.repeat(60_000)}`],
      ['of a size that anybody may have', () => 'photo.jpg?width=400&signature=x'],
    ])('a signature %s is worth nothing', async (_, path) => {
      expect(errorOf(await get(path()))).toMatchObject({ status: 403, message: 'The signature of the URL is wrong or has expired' });
    });

    it('no signature makes ten thousand pixels of ten', async () => {
      expect(await measured(await get(signed('photo.jpg', { width: '10000' })))).toMatchObject({ width: 900 });
      expect((await get(signed('photo.jpg', { width: '10001' }))).status).toBe(400);
    });
  });

  describe('cached variants', () => {
    it('a variant is created once for requests at the same time', async () => {
      const before = cachedIn(api).length;
      const responses = await Promise.all(Array.from({ length: 12 }, () => get('photo.jpg?width=640&format=webp')));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(1);
      expect(cachedIn(api).length).toBe(before + 1);
      expect((await get('photo.jpg?format=webp&width=640&v=2')).headers.etag).toBe(responses[0]?.headers.etag);
      expect(cachedIn(api).length).toBe(before + 1);
    });

    it('is served as files are: conditions, ranges, caching', async () => {
      const { headers, raw } = await get('photo_0a1b2c3d4e.jpg?width=480');
      expect(headers['cache-control']).toBe('public, max-age=31536000');
      expect(headers['last-modified']).toBeDefined();
      const again = await get('photo_0a1b2c3d4e.jpg?width=480', { 'If-None-Match': String(headers.etag) });
      expect([again.status, again.raw.length]).toEqual([304, 0]);
      const part = await get('photo_0a1b2c3d4e.jpg?width=480', { Range: 'bytes=5-9' });
      expect([part.status, part.raw.equals(raw.subarray(5, 10))]).toEqual([206, true]);
      const head = await api.server.send({ method: 'HEAD', path: '/uploads/photo_0a1b2c3d4e.jpg?width=480' });
      expect([head.status, head.headers['content-length'], head.raw.length]).toEqual([200, String(raw.length), 0]);
    });

    it('a file that is replaced has new variants, one that is deleted has none', async () => {
      putFile(api.project.dir, 'changing.png', await noise(200, 100).png().toBuffer());
      expect(await measured(await get('changing.png?width=128'))).toMatchObject({ width: 128, height: 64 });
      putFile(api.project.dir, 'changing.png', await noise(100, 200).png().toBuffer());
      expect(await measured(await get('changing.png?width=128'))).toMatchObject({ width: 100, height: 200 });
      rmSync(join(api.project.dir, 'public/uploads/changing.png'));
      expect((await get('changing.png?width=128')).status).toBe(404);
    });
  });

  it('each request gets one response', () => expect(api.server.output.stderr).not.toContain('already sent'));

  describe('in a small cache', () => {
    const bytes = 60_000;
    const small = useProject(engine, { files, env: { LECTERN_UPLOAD_CACHE_BYTES: String(bytes) } });
    const folder = () => join(small.project.dir, '.tmp/variants');
    const total = () => cachedIn(small).reduce((sum, name) => sum + statSync(join(folder(), name)).size, 0);
    beforeAll(() => putImages(small.project.dir));
    const second = useMade(() => startServer(small.project.dir, small.environment));

    it('the least recently requested variants are deleted; nothing else in the folder is touched', async () => {
      await small.server.get('/uploads/photo.jpg?width=64');
      const [first = ''] = cachedIn(small);
      putFile(small.project.dir, '../../.tmp/variants/notes.txt', 'x'.repeat(2 * bytes));
      // As if it had been a day.
      utimesSync(join(folder(), first), new Date(Date.now() - 86_400_000), new Date(Date.now() - 86_400_000));
      // Two processes share the folder.
      for (const server of [small.server, second()]) {
        for (const width of [400, 480, 640, 750]) expect((await server.get(`/uploads/photo.jpg?width=${width}`)).status).toBe(200);
      }
      expect(await until(() => total() <= bytes)).toBe(true);
      expect(cachedIn(small)).not.toContain(first);
      expect(existsSync(join(folder(), 'notes.txt'))).toBe(true);
      // A deleted variant is created again.
      expect(await measured(await small.server.get('/uploads/photo.jpg?width=64'))).toMatchObject({ width: 64 });
    });
  });

  describe('without a writable cache and without a key for signatures', () => {
    const full = useProject(engine, {
      files,
      env: { LECTERN_UPLOAD_CACHE_DIR: 'package.json/variants', LECTERN_POLICIES_KEEP_HASHED_FILES: 'false' },
    });
    beforeAll(() => putImages(full.project.dir));

    it('variants are created nevertheless', async () => {
      for (let round = 0; round < 2; round++) {
        const response = await full.server.get('/uploads/photo_0a1b2c3d4e.jpg?width=400&format=webp');
        expect(await measured(response)).toEqual({ format: 'webp', width: 400, height: 267, pages: 1 });
        expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'max-age=0' });
        const headers = { 'If-None-Match': String(response.headers.etag) };
        expect((await full.server.get('/uploads/photo_0a1b2c3d4e.jpg?width=400&format=webp', headers)).status).toBe(304);
        const head = await full.server.send({ method: 'HEAD', path: '/uploads/photo_0a1b2c3d4e.jpg?width=400&format=webp' });
        expect([head.status, head.headers['content-length'], head.raw.length]).toEqual([200, String(response.raw.length), 0]);
      }
    });

    it('a signature without a key is worth nothing', async () => {
      for (const key of ['', 'undefined', uploadKey]) {
        expect((await full.server.get(signedUrl(key, 'photo.jpg', { width: '403' }))).status).toBe(403);
      }
    });
  });
});
