/** Files below `/uploads`, as they were stored: types, caching, ranges, and that nothing in them runs. */
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { png, putFile } from '../../support/images.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });

/** Names, and the type that each is served as. Others are in src/media/types/served-as.test.ts. */
const inline: readonly (readonly [name: string, type: string])[] = [
  ['photo.JPG', 'image/jpeg'],
  ['sound.mp3', 'audio/mpeg'],
  ['film.mp4', 'video/mp4'],
  ['letters.woff2', 'font/woff2'],
  ['words.txt', 'text/plain; charset=utf-8'],
  ['data.json', 'application/json; charset=utf-8'],
];
const attachments: readonly (readonly [name: string, type: string])[] = [
  ['page.HTM', 'text/html; charset=utf-8'],
  ['page.xhtml', 'application/xhtml+xml'],
  ['paper.pdf', 'application/pdf'],
  ['mail.mht', 'application/octet-stream'],
  ['unknown.qqq', 'application/octet-stream'],
  ['none', 'application/octet-stream'],
  ['page.html.', 'application/octet-stream'],
  // Scripts and styles are loaded by pages whatever their disposition is, so that their type must not be one.
  ['code.js', 'application/octet-stream'],
  ['code.mjs', 'application/octet-stream'],
  ['style.css', 'application/octet-stream'],
  ['machine.wasm', 'application/octet-stream'],
];
const script = '<script>alert(1)</script>';

describe.each(anyEngine)('%s: serving', (engine) => {
  const api = useProject(engine, { files });
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => api.server.get(path, headers);

  it('starts without the folder, makes none, and says nothing of it', async () => {
    expect((await get('/uploads/x.png')).status).toBe(404);
    expect(existsSync(join(api.project.dir, 'public'))).toBe(false);
    expect(api.server.output.stderr).not.toMatch(/uploads|root/);
  });

  describe('files', () => {
    beforeAll(() => {
      for (const [name] of [...inline, ...attachments]) putFile(api.project.dir, name, script);
      putFile(api.project.dir, 'drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`);
      putFile(api.project.dir, 'digits_0123456789.txt', '0123456789');
      putFile(api.project.dir, 'thumbnail_red_0a1b2c3d4e.png', png(4, 4));
      putFile(api.project.dir, 'empty.txt', '');
      putFile(api.project.dir, 'folder/inside.txt', 'inside');
      putFile(api.project.dir, '.hidden/inside.txt', 'hush');
      putFile(api.project.dir, '.incoming/work-1/part', 'hush');
      putFile(api.project.dir, 'ä ö+&=#%41.txt', 'name');
      putFile(api.project.dir, '../uploads-other/hush.txt', 'hush');
      writeFileSync(join(api.project.dir, 'hush.txt'), 'hush');
      symlinkSync(join(api.project.dir, 'hush.txt'), join(api.project.dir, 'public/uploads/link.txt'));
      symlinkSync(api.project.dir, join(api.project.dir, 'public/uploads/linked'));
    });

    it.each(inline)('%s is shown as %s', async (name, type) => {
      const { status, headers, text } = await get(`/uploads/${name}`);
      expect([status, headers['content-type'], text]).toEqual([200, type, script]);
      expect(headers['content-disposition']).toBeUndefined();
      expect(headers['x-content-type-options']).toBe('nosniff');
      // It is shown where it is opened itself.
      const policy = /^default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'/;
      if (/^(?:image|audio|video)/.test(type)) expect(headers['content-security-policy']).toMatch(policy);
    });

    it.each(attachments)('%s is only saved, as %s', async (name, type) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await api.server.send({ method, path: `/uploads/${name}` });
        expect([status, headers['content-type'], headers['content-disposition']]).toEqual([200, type, 'attachment']);
        expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*sandbox$/);
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    });

    it('an SVG is shown, and runs nothing, also from the cache of a browser', async () => {
      const { headers } = await get('/uploads/drawing.svg');
      expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*sandbox$/);
      const again = await get('/uploads/drawing.svg', { 'If-None-Match': String(headers.etag) });
      expect([again.status, again.headers['content-security-policy']]).toEqual([304, headers['content-security-policy']]);
    });

    it('names are found as they are stored, encoded once', async () => {
      expect((await get(`/uploads/${encodeURIComponent('ä ö+&=#%41.txt')}`)).text).toBe('name');
      expect((await get('/uploads/folder/inside.txt')).text).toBe('inside');
    });

    it.each([
      ...words`
          /uploads /uploads/ /uploads/folder /uploads/folder/ /uploads/. /uploads/.hidden/inside.txt /uploads/%2ehidden/inside.txt
          /uploads/.incoming/work-1/part /uploads/folder//inside.txt /uploads/folder/./inside.txt /uploads/folder/../words.txt
          /uploads/folder%5cinside.txt /uploads/words.txt%00.png /uploads/words.txt/x /uploads/WORDS.TXT%20 /uploads/x/../../package.json
          /uploads/%252e%252e/package.json /uploads/link.txt /uploads/linked/hush.txt /uploads/linked/package.json /uploads/../hush.txt
          /uploads/..%2fhush.txt /uploads/%2e%2e/hush.txt /uploads/%2e%2e%2f%2e%2e%2fhush.txt /uploads/..%c0%af..%c0%afhush.txt
          /uploads/..%5c..%5chush.txt /uploads/../uploads-other/hush.txt /uploads/..%2fuploads-other%2fhush.txt /uploads-other/hush.txt
          /uploads/....//....//hush.txt /uploads//hush.txt /hush.txt /public/uploads/words.txt /.tmp/data.db /../hush.txt /package.json /.env
        `,
      '/uploads/..\\..\\hush.txt',
      '/uploads/%00/../../hush.txt',
      `/uploads/${encodeURI('\u2024\u2024')}/hush.txt`,
      `/uploads/${'a'.repeat(4000)}`,
      `/uploads/${'a/'.repeat(2000)}a`,
    ])('%s is not found', async (path) => {
      for (const query of ['', '?width=400']) {
        const { status, text, headers } = await get(path + query);
        expect([400, 404]).toContain(status);
        expect(text).not.toMatch(/hush|inside|small|uploads/);
        expect(headers['content-type']).toContain('application/json');
        expect(headers['cache-control']).toBeUndefined();
      }
    });

    it('names of uploads may be cached for a year, others are revalidated', async () => {
      for (const name of ['digits_0123456789.txt', 'thumbnail_red_0a1b2c3d4e.png']) {
        expect((await get(`/uploads/${name}?v=3`)).headers['cache-control']).toBe('public, max-age=31536000');
      }
      expect((await get('/uploads/words.txt')).headers['cache-control']).toBe('max-age=0');
    });

    it('a cached file is a 304 until it is replaced', async () => {
      const { headers } = await get('/uploads/digits_0123456789.txt');
      const [tag, modified] = [String(headers.etag), String(headers['last-modified'])];
      for (const known of [{ 'If-None-Match': tag }, { 'If-None-Match': '*' }, { 'If-Modified-Since': modified }]) {
        const again = await get('/uploads/digits_0123456789.txt', known);
        expect([again.status, again.raw.length, again.headers.etag]).toEqual([304, 0, tag]);
        expect(again.headers['cache-control']).toBe('public, max-age=31536000');
      }
      putFile(api.project.dir, 'digits_0123456789.txt', '9876543210');
      expect((await get('/uploads/digits_0123456789.txt', { 'If-None-Match': tag })).status).toBe(200);
      putFile(api.project.dir, 'digits_0123456789.txt', '0123456789');
      expect(errorOf(await get('/uploads/digits_0123456789.txt', { 'If-Match': '"another"' }))).toMatchObject({ status: 412 });
    });

    it.each([
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=8-', 206, '89', 'bytes 8-9/10'],
      ['bytes=8-1000', 206, '89', 'bytes 8-9/10'],
      ['apples=1-2', 200, '0123456789', undefined],
    ])('Range: %s', async (range, status, text, contentRange) => {
      const response = await get('/uploads/digits_0123456789.txt', { Range: range });
      expect([response.status, response.text, response.headers['content-range']]).toEqual([status, text, contentRange]);
      expect(response.headers['content-length']).toBe(String(text.length));
    });

    it.each(['bytes=10-', 'bytes=abc', 'bytes=50-60', 'bytes=99999999999999999999-'])('Range: %s is outside the file', async (range) => {
      const response = await get('/uploads/digits_0123456789.txt', { Range: range });
      expect(errorOf(response)).toMatchObject({ status: 416, name: 'RangeNotSatisfiableError' });
      expect(response.headers['content-range']).toBe('bytes */10');
      expect(response.headers['cache-control']).toBeUndefined();
    });

    it('a thousand ranges are one file', async () => {
      const response = await get('/uploads/digits_0123456789.txt', { Range: `bytes=${'0-,'.repeat(1000)}0-1` });
      expect([200, 206, 416]).toContain(response.status);
      expect(response.raw.length).toBeLessThan(1000);
    });

    it('HEAD has the headers of GET', async () => {
      for (const name of ['words.txt', 'empty.txt', 'folder/inside.txt', 'nothing.txt']) {
        const [get, head] = [await api.server.get(`/uploads/${name}`), await api.server.send({ method: 'HEAD', path: `/uploads/${name}` })];
        const { date: _, 'x-request-id': __, ...headers } = head.headers;
        expect([head.status, head.raw.length]).toEqual([get.status, 0]);
        expect(get.headers).toMatchObject(headers);
      }
    });

    it('each request gets one response', () => expect(api.server.output.stderr).not.toContain('already sent'));

    it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s changes nothing', async (method) => {
      expect((await api.server.send({ method, path: '/uploads/words.txt', body: {} })).status).toBe(405);
      expect((await get('/uploads/words.txt')).text).toBe(script);
    });
  });
});
