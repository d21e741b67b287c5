/** Images made to hurt: each costs one 4xx, and never the server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { animation, computedFor, gif, imageProcessesOf, noise, png, putFile, tellsOfProcesses, tiff, until } from '../../support/images.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { sendFiles } from '../../support/send-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';
import { startProcess } from '../../support/server.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });

const half = (image: Buffer) => image.subarray(0, image.length / 2);
const svg = (content: string, before = '') =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${content}</svg>`;
const laughs = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');

/** An AVIF of these takes many seconds, where nobody ends it. */
const slowImage = png(9900, 9900);
const slow = '/uploads/slow.png?format=avif';

describe.each(anyEngine)('%s: image attacks', (engine) => {
  const env = {
    LECTERN_UPLOAD_IMAGE_PROCESSES: '1',
    LECTERN_UPLOAD_IMAGE_QUEUE: '1',
    API_KEYS: 'hush-hush',
    JWT_SECRET: 'hush-jwt-secret',
  };
  const api = useProject(engine, { files, env, ownProcess: true });
  const put = (name: string, content: string | Uint8Array) => putFile(api.project.dir, name, content);
  const worker = () => imageProcessesOf(api.server.pid)[0] ?? 0;
  beforeAll(() => {
    put('slow.png', slowImage);
    put('small.png', png(100, 100));
  });

  describe('by content', () => {
    const ask = (name: string) => api.server.get(`/uploads/${name}?width=400&format=webp`);
    const images = ['png', 'jpeg', 'webp', 'tiff'] as const;
    afterEach(async () => {
      put('sound.png', png(20, 20));
      expect((await ask('sound.png')).status).toBe(200);
    });

    it.each([
      ['png', () => png(60_000, 60_000, 10)],
      // All frames count: this one has two, each of which is small enough.
      ['gif', () => gif(8000, 8000)],
      ['tiff', () => tiff(60_000, 60_000)],
    ] as const)('a bomb is found by its header: %s', async (format, bomb) => {
      put(`bomb.${format}`, await bomb());
      const { status, message } = errorOf(await ask(`bomb.${format}`));
      expect([status, message]).toEqual([400, 'The image has more than 100000000 pixels (upload.pixels)']);
    });

    it.each([...images, 'avif'] as const)('half a file, and the first bytes of one: %s', async (format) => {
      const image = await noise(300, 200).toFormat(format, { effort: 1 }).toBuffer();
      put(`half.${format}`, half(image));
      expect((await ask(`half.${format}`)).status).toBe(400);
      put(`few.${format}`, image.subarray(0, 40));
      expect((await ask(`few.${format}`)).status).toBe(400);
    });

    it('half a GIF is as many frames as are whole', async () => {
      const image = await animation(4, 300, 200).gif().toBuffer();
      put('half.gif', half(image));
      expect([200, 400]).toContain((await ask('half.gif')).status);
      put('few.gif', image.subarray(0, 40));
      expect((await ask('few.gif')).status).toBe(400);
    });

    it('nonsense behind the first bytes of every kind', async () => {
      const begins = await Promise.all([...images, 'gif' as const].map((format) => noise(50, 50).toFormat(format).toBuffer()));
      for (const [at, image] of begins.entries()) {
        for (const bytesLeft of [8, 16, 30, 60, 120]) {
          const bytes = Array.from({ length: 4000 }, (_, position) => (position * 7919 + bytesLeft * 31 + at) % 256);
          put(`nonsense-${at}-${bytesLeft}`, Buffer.concat([image.subarray(0, bytesLeft), Buffer.from(bytes)]));
          // Some of it happens to be a picture of nonsense.
          expect([200, 400]).toContain((await ask(`nonsense-${at}-${bytesLeft}`)).status);
        }
      }
    });

    it.each<readonly [what: string, content: string | Buffer]>([
      ['an empty file', ''],
      ['a PDF', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>'],
      ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60, 1)])],
      ['a PPM', 'P6\n10 10\n255\n'],
      ['a FITS', `${'SIMPLE  =                    T'.padEnd(80)}${'BITPIX  = 8'.padEnd(80)}`],
      ['an HDR', '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 10 +X 10\n'],
      ['an image of libvips', Buffer.concat([Buffer.from([0xb6, 0xa6, 0xf2, 0x08]), Buffer.alloc(100)])],
      ['a script for ImageMagick', 'push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 "https://127.0.0.1/x"\npop graphic-context'],
      ['PostScript', '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n'],
      ['an SVG', svg('<rect width="9" height="9"/>')],
      ['an SVG with a file in it', svg('<text>&x;</text>', '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>')],
      ['an SVG that includes another file', svg('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="words.txt" parse="text"/>')],
      ['an SVG with an image in it', svg('<image xlink:href="photo.jpg" width="9" height="9"/>')],
      ['an SVG that grows', svg('<text>&l12;</text>', `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>`)],
      ['an SVG that is huge', svg('').replace('width="9" height="9"', 'width="999999999" height="999999999"')],
      ['an SVG without an end', `${svg('')}${'<g>'.repeat(100_000)}`],
    ])('%s is no image', async (_, content) => {
      put('odd.jpg', content);
      const { status, message } = errorOf(await ask('odd.jpg'));
      expect(status).toBe(400);
      expect(message).not.toMatch(/\/|vips|root:/);
    });

    it('data hidden in an image is not in its variants', async () => {
      const secret = '<script>alert(document.domain)</script>';
      const image = await noise(300, 200)
        .withExif({ IFD0: { ImageDescription: secret } })
        .jpeg()
        .toBuffer();
      put('polyglot.jpg', Buffer.concat([image, Buffer.from(`<?php system('id') ?>${secret}`)]));
      put('polyglot.gif', Buffer.concat([await animation(1, 20, 20).gif().toBuffer(), Buffer.from(`*/=1;${secret}`)]));
      for (const path of ['polyglot.jpg?width=128', 'polyglot.jpg?format=png', 'polyglot.gif?width=64', 'polyglot.gif?format=webp']) {
        const { status, raw, headers } = await api.server.get(`/uploads/${path}`);
        expect([status, raw.toString('latin1').includes('script')]).toEqual([200, false]);
        expect(headers['content-type']).toMatch(/^image\//);
      }
    });

    it('an image can be wider than a format holds', async () => {
      put('wide.png', png(20_000, 2));
      expect(errorOf(await api.server.get('/uploads/wide.png?format=webp'))).toMatchObject({
        status: 400,
        message: 'format: expected one that can hold an image of this size',
      });
    });
  });

  describe('uploaded', () => {
    const upload = (name: string, type: string, bytes: Uint8Array | string) => sendFiles(api, [{ name, type, bytes }]);
    const stored = () =>
      readdirSync(join(api.project.dir, 'public/uploads'), { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const rows = async () => Number((await api.query('SELECT count(*) FROM files'))[0]?.[0]);
    const fetched = async (url: unknown) => (await api.server.get(String(url))).raw;
    it.each([
      ['a TIFF, whose directory is at its end', 'scan.tif', 'image/tiff', () => noise(300, 200).tiff().toBuffer()],
      [
        'a packed SVG',
        'drawing.svgz',
        'image/svg+xml',
        () => gzipSync(svg('').replace('width="9" height="9"', 'width="300" height="200"')),
      ],
    ])('%s is an image', async (_, name, type, make) => {
      const { status, files: sent } = await upload(name, type, await make());
      expect([status, sent[0]?.width, sent[0]?.height, sent[0]?.mime]).toEqual([201, 300, 200, type]);
    });

    it.each([
      ['a bomb', 'bomb.png', 'image/png', () => png(60_000, 60_000, 10), 'The image has more than 100000000 pixels (upload.pixels)'],
      ['half a JPEG', 'half.jpg', 'image/jpeg', async () => half(await noise(300, 200).jpeg().toBuffer()), 'File is not a valid image'],
      ['a PNG without its rows', 'rows.png', 'image/png', () => png(300, 300, 30), 'File is not a valid image'],
    ] as const)('%s is refused and leaves nothing', async (_, name, type, make, message) => {
      const before = [stored().length, await rows()];
      const { status, text } = await upload(name, type, await make());
      expect([status, JSON.parse(text).error.message]).toEqual([400, message]);
      expect([stored().length, await rows()]).toEqual(before);
    });

    it.each([
      ['with a file in it', svg('<text>&x;</text>', '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>')],
      ['that grows', svg('<text>&l12;</text>', `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>`)],
      ['that is huge', svg('').replace('width="9" height="9"', 'width="999999999" height="999999999"')],
      ['with a script', svg('<script>alert(1)</script>')],
    ])('an SVG %s is kept as it is, and nothing is made of it', async (_, content) => {
      const { status, files: sent } = await upload('drawing.svg', 'image/svg+xml', content);
      expect([status, sent[0]?.formats]).toEqual([201, null]);
      expect(String(await fetched(sent[0]?.url))).toBe(content);
    });

    it('a photo and its variants are stored upright and without the camera’s metadata', async () => {
      const exif = { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } };
      const photo = await noise(800, 600).withExif(exif).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
      const { files: sent } = await upload('photo.jpg', 'image/jpeg', photo);
      expect(sent[0]).toMatchObject({ width: 600, height: 800, formats: { small: { width: 375, height: 500 } } });
      const bytes = await fetched(sent[0]?.url);
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 600, height: 800 });
      expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    });

    it('animations stay animated in their variants', async () => {
      const { files: sent } = await upload('moving.gif', 'image/gif', await animation(3, 600, 400).gif().toBuffer());
      expect(sent[0]).toMatchObject({
        width: 600,
        height: 400,
        formats: { thumbnail: { width: 234, height: 156 }, small: { width: 500, height: 333 } },
      });
      const { hash } = sent[0] ?? {};
      expect((await sharp(await fetched(`/uploads/small_${hash}.gif`)).metadata()).pages).toBe(3);
    });

    it.runIf(tellsOfProcesses)('visitors who fill the queue with variants do not prevent uploads', async () => {
      const before = computedFor(worker());
      const visitors = [api.server.get(slow)];
      expect(await until(() => computedFor(worker()) > before + 5)).toBe(true);
      visitors.push(...['png', 'jpeg'].map((format) => api.server.get(`/uploads/small.png?format=${format}`)));
      expect((await Promise.race(visitors)).status).toBe(503);
      const uploaded = upload('sound.png', 'image/png', png(20, 20));
      const isThere = await Promise.race([uploaded, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]);
      expect(isThere).toBe('waits');
      process.kill(worker(), 'SIGKILL');
      expect((await uploaded).status).toBe(201);
      expect((await Promise.all(visitors)).map(({ status }) => status).toSorted()).toEqual([200, 400, 503]);
    });
  });

  describe.runIf(tellsOfProcesses)('by the time they take', () => {
    it('an image that ends its process is a broken one, and the next has another process', async () => {
      put('slow-first.png', slowImage);
      const path = '/uploads/slow-first.png?format=avif';
      const first = worker();
      const before = computedFor(first);
      const asked = api.server.get(path);
      expect(await until(() => computedFor(first) > before + 5)).toBe(true);
      process.kill(first, 'SIGKILL');
      expect(errorOf(await asked)).toMatchObject({ status: 400, message: 'File is not a valid image' });
      // It is not tried again at once.
      expect(errorOf(await api.server.get(path))).toMatchObject({ status: 400 });
      expect((await api.server.get('/uploads/small.png?width=64')).status).toBe(200);
      expect(worker()).not.toBe(first);
    });

    it('the process knows no secret', () => {
      const environment = readFileSync(`/proc/${worker()}/environ`, 'latin1');
      expect(environment).not.toMatch(/hush|DATABASE|SALT|postgres:/);
    });

    it('requests beyond the queue are refused, and those in it succeed', async () => {
      put('slow-too.png', slowImage);
      put('small-too.png', png(100, 100));
      const before = computedFor(worker());
      const asked = api.server.get('/uploads/slow-too.png?format=avif');
      expect(await until(() => computedFor(worker()) > before + 5)).toBe(true);
      let away = 0;
      const others = ['png', 'jpeg', 'avif', 'webp'].map(async (format) => {
        const { status } = await api.server.get(`/uploads/small-too.png?format=${format}`);
        if (status === 503) away++;
        return status;
      });
      expect(await until(() => away === 3)).toBe(true);
      // A cached variant needs no process.
      expect((await api.server.get('/uploads/small.png?width=64')).status).toBe(200);
      process.kill(worker(), 'SIGKILL');
      expect((await asked).status).toBe(400);
      expect((await Promise.all(others)).toSorted()).toEqual([200, 503, 503, 503]);
      expect(imageProcessesOf(api.server.pid).length).toBe(1);
    });
  });

  it('an image that takes too long is given up, and so is its process', async () => {
    const limited = await startProcess(api.project.dir, { ...api.environment, LECTERN_UPLOAD_IMAGE_TIME: '1000' });
    onTestFinished(() => limited.stop());
    put('slow-again.png', slowImage);
    expect(errorOf(await limited.get('/uploads/slow-again.png?format=avif'))).toMatchObject({
      status: 400,
      message: 'Processing the image takes longer than 1000 ms (upload.imageTime)',
    });
    expect(await until(() => imageProcessesOf(limited.pid).length === 0)).toBe(true);
  });

  it.runIf(tellsOfProcesses)('no process outlives a server that is killed', async () => {
    const server = await startProcess(api.project.dir, api.environment);
    const asked = server.get('/uploads/slow-again.png?format=avif').catch(() => undefined);
    await until(() => imageProcessesOf(server.pid).length > 0);
    const [child] = imageProcessesOf(server.pid);
    process.kill(server.pid, 'SIGKILL');
    await asked;
    // Well before it would be done. Nobody may have collected the status of its end yet.
    const isEnded = () => !existsSync(`/proc/${child}`) || /\) [ZX] /.test(readFileSync(`/proc/${child}/stat`, 'utf8'));
    expect(await until(isEnded, 15)).toBe(true);
  });
});
