/** Files in a private bucket: only the temporarily signed URLs in responses lead to the bucket. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedUrl } from '../../../src/media/storage/signed-url.ts';
import { anyEngine } from '../../support/engines.ts';
import { plainImage } from '../../support/images.ts';
import { useS3 } from '../../support/s3-server.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { sendFiles } from '../../support/send-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const media = { type: 'media', multiple: false };
const files = schemaFiles(
  {
    post: {
      drafts: true,
      attributes: {
        title: { type: 'string' },
        cover: media,
        gallery: { type: 'media', multiple: true },
        slide: component('slide'),
        zone: { type: 'dynamiczone', components: ['part.slide'] },
        next: relation('oneToOne', 'post'),
      },
    },
    logo: { single: true, attributes: { image: media } },
  },
  { slide: { caption: { type: 'string' }, image: media } },
);
const secret = 'a-secret-of-at-least-32-characters';
const week = 604_800;
const now = () => Math.floor(Date.now() / 1000);
const local = { name: 'old', hash: 'old', ext: '.png', mime: 'image/png', size: 1, url: '/uploads/old.png', provider: 'local' };
const everything =
  'populate[cover]=true&populate[gallery]=true&populate[slide][populate]=*&populate[zone][populate]=*&populate[next][populate][cover]=true&populate[next][populate][next][populate]=cover';

/** Each `url` of a response, at any depth. */
function urlsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (name === 'url' ? [String(each)] : urlsIn(each)));
}

describe.each(anyEngine)('%s: a private bucket', (engine) => {
  const s3 = useS3();
  const env = () => ({
    ...s3.env,
    LECTERN_S3_PRIVATE: 'true',
    LECTERN_S3_PREFIX: 'site/files',
    LECTERN_S3_BASE_URL: 'https://cdn.example.org',
    LECTERN_UPLOAD_KEY: secret,
    // So long that no window ends in the middle of a test.
    LECTERN_UPLOAD_SIGNED_FOR: String(week),
  });
  let photo: Json;
  let post: Json;
  const api = useProject(engine, {
    files: { ...files, 'public/uploads/old.png': 'on the disk' },
    types: [{ type: 'plugin::upload.file', documents: [{ key: 'old', status: 'published', data: local }] }],
    public: ['api::post.post.find'],
    env,
  });
  const get = async (path: string, headers = {}) => api.ask('full', 'GET', path, undefined, headers);
  const json = async (path: string) => (await get(path)).json();
  const idOfOld = async () => Number((await api.query("SELECT id FROM files WHERE name = 'old'"))[0]?.[0]);
  const open = (path: string, method = 'GET') => api.ask('public', method, path);

  beforeAll(async () => {
    const bytes = await plainImage(800, 400, 'red').jpeg().toBuffer();
    const { files: uploaded } = await sendFiles(api, [{ name: 'red.jpg', type: 'image/jpeg', bytes }]);
    photo = uploaded[0] ?? {};
    const image = photo.id;
    const last = await api.write('POST', '/api/posts?status=published', { title: 'Last', cover: image });
    const next = await api.write('POST', '/api/posts?status=published', { title: 'Next', cover: image, next: last.documentId });
    post = await api.write('POST', `/api/posts?status=published&${everything}`, {
      title: 'First',
      cover: image,
      gallery: [image, await idOfOld()],
      slide: { caption: 'one', image },
      zone: [{ __component: 'part.slide', caption: 'two', image }],
      next: next.documentId,
    });
    await api.write('PUT', '/api/logo', { image });
  });

  const signed = () => new RegExp(`^/uploads/${photo.hash}\\.jpg\\?expires=\\d+&signature=[\\w-]{43}$`);
  const signedFormat = () => new RegExp(`^/uploads/[a-z]+_${photo.hash}\\.jpg\\?expires=\\d+&signature=[\\w-]{43}$`);
  /** How many of the addresses are of the photo, of its variants, and of the file on the disk; none may be another. */
  const kinds = (value: unknown) => {
    const urls = urlsIn(value);
    const count = (is: (url: string) => boolean) => urls.filter(is).length;
    const found = [count((url) => signed().test(url)), count((url) => signedFormat().test(url)), count((url) => url === local.url)];
    expect(found.reduce((sum, each) => sum + each)).toBe(urls.length);
    return found;
  };

  describe('appears only in signed URLs', () => {
    it('in the responses to uploads and writes', () => {
      expect(photo).toMatchObject({ provider: 'aws-s3', isUrlSigned: true });
      expect([kinds(photo), kinds(post)]).toEqual([
        [1, 3, 0],
        [6, 18, 1],
      ]);
    });

    it.each([
      ['a list, at every depth', () => `/api/posts?${everything}`, [9, 27, 1]],
      ['one document', () => `/api/posts/${post.documentId}?${everything}`, [6, 18, 1]],
      ['a draft', () => `/api/posts/${post.documentId}?status=draft&${everything}`, [6, 18, 1]],
      ['a single type', () => '/api/logo?populate=image', [1, 3, 0]],
      ['some fields', () => `/api/posts/${post.documentId}?populate[cover][fields]=url`, [1, 0, 0]],
      ['the variants alone', () => `/api/posts/${post.documentId}?populate[cover][fields]=formats`, [0, 3, 0]],
      ['the list of files', () => '/api/upload/files', [1, 3, 1]],
      ['a page of files', () => '/api/upload/files/page', [1, 3, 1]],
      ['one file', () => `/api/upload/files/${photo.id}`, [1, 3, 0]],
      ['what a file belongs to', () => `/api/upload/files/${photo.id}?populate[related][populate]=*`, undefined],
    ])('in %s', async (_, path, expected) => {
      const found = kinds(await json(path()));
      if (expected !== undefined) expect(found).toEqual(expected);
    });

    it('in the old envelope', async () => {
      expect(kinds((await get(`/api/posts?${everything}`, { 'Strapi-Response-Format': 'v4' })).json())).toEqual([9, 27, 1]);
    });

    it('and isUrlSigned says so of each file', async () => {
      const list = (await json('/api/upload/files?sort=id')) as readonly Json[];
      expect(list.map(({ name, isUrlSigned }) => [name, isUrlSigned])).toEqual([
        ['old', false],
        ['red.jpg', true],
      ]);
      expect(await json(`/api/upload/files/${photo.id}?fields=name`)).toMatchObject({ name: 'red.jpg', isUrlSigned: false });
    });

    it('while the row keeps the plain one, which filters and sort see', async () => {
      const stored = `https://cdn.example.org/site/files/${photo.hash}.jpg`;
      expect(await api.query(`SELECT url FROM files WHERE id = ${photo.id}`)).toEqual([[stored]]);
      expect(urlsIn(await json(`/api/upload/files?filters[url]=${stored}&fields=url`))).toEqual([expect.stringMatching(signed())]);
      expect(await json('/api/upload/files?filters[url][$contains]=signature')).toEqual([]);
    });

    it('which stay the same for a while, and so do tags', async () => {
      const path = `/api/posts/${post.documentId}?${everything}`;
      const first = await get(path);
      const again = await get(path);
      expect(again.text).toBe(first.text);
      expect((await get(path, { 'If-None-Match': String(first.headers.etag) })).status).toBe(304);
      const left = Number(new URL(String(photo.url), api.server.base).searchParams.get('expires')) - now();
      expect(left).toBeGreaterThan(week - 60);
      expect(left).toBeLessThanOrEqual(2 * week);
    });
  });

  describe('gives out a file', () => {
    it('by the signed address: a short-lived one of the bucket', async () => {
      const response = await open(String(photo.url));
      const location = new URL(String(response.headers.location));
      expect(response.status).toBe(302);
      expect(location.origin + location.pathname).toBe(`${s3.endpoint}/media/site/files/${photo.hash}.jpg`);
      expect(Number(location.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(300);
      expect(response.headers['cache-control']).toMatch(/^private, max-age=\d{1,3}$/);
      // The same for a while, so that browsers can use their caches.
      const [, hour, minute, second] = /^\d{8}T(\d\d)(\d\d)(\d\d)Z$/.exec(location.searchParams.get('X-Amz-Date') ?? '') ?? [];
      expect((Number(hour) * 3600 + Number(minute) * 60 + Number(second)) % 150).toBe(0);
      expect(response.text + location.href).not.toContain(secret);
      const bytes = Buffer.from(await (await fetch(location)).arrayBuffer());
      expect((await sharp(bytes).metadata()).width).toBe(800);
    });

    it('and of each variant, also to HEAD', async () => {
      for (const url of urlsIn(photo.formats)) {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers } = await open(url, method);
          expect(status).toBe(302);
          expect((await fetch(String(headers.location), { method })).status).toBe(200);
        }
      }
    });

    it('in another size by an address that is signed for it', async () => {
      const response = await open(signedUrl(secret, `${photo.hash}.jpg`, { expires: String(now() + 60), width: '123' }));
      expect([response.status, response.headers['cache-control']]).toEqual([200, expect.stringMatching(/^private, max-age=(?:60|5\d)$/)]);
      expect((await sharp(response.raw).metadata()).width).toBe(123);
    });

    it('by the URL that lectern media sign prints, which needs an expiry', async () => {
      const sign = (...args: readonly string[]) =>
        run(['media', 'sign', '--dir', api.project.dir, `/uploads/${photo.hash}.jpg?width=123`, ...args], { ...api.project.env, ...env() });
      expect((await open((await sign('--expires', '1h')).stdout.trim())).status).toBe(200);
      expect(await sign()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('--expires') });
    });

    it('that may hold scripts only to be saved', async () => {
      const { files: found } = await sendFiles(api, [
        { name: 'a.svg', type: 'image/svg+xml', bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      ]);
      const { headers } = await open(String(found[0]?.url));
      const location = new URL(String(headers.location));
      expect(location.searchParams.get('response-content-disposition')).toBe('attachment');
      expect((await fetch(location)).headers.get('content-disposition')).toBe('attachment');
    });
  });

  describe('returns nothing, and does not reveal which files exist,', () => {
    const of = (key: string, expires: number) => signedUrl(secret, key, { expires: String(expires) });
    const known = () => `${photo.hash}.jpg`;
    const refused = async (path: string) => {
      const response = await open(path);
      // 400 for what is no number, or is there twice.
      expect([400, 403]).toContain(response.status);
      expect(response.headers.location).toBeUndefined();
      return response.text;
    };

    it('without a signature', async () => {
      s3.forget();
      const there = await refused(`/uploads/${known()}`);
      expect(await refused('/uploads/nothing_0123456789.jpg')).toBe(there);
      expect(await refused(of(known(), now() - 1))).toBe(there);
      expect(await refused(`/uploads/${known()}?width=400`)).toBe(there);
      expect(await refused('/uploads/nothing_0123456789.jpg?width=400')).toBe(there);
      expect(s3.requests).toEqual([]);
    });

    it.each([
      ['that has expired', () => of(known(), now() - 1)],
      ['with two ends', () => `${photo.url}&expires=${now() + 10 * week}`],
      ['of the file, for a variant', () => `${photo.url}&width=400`],
      ['of a variant without an end', () => signedUrl(secret, known(), { width: '400' })],
      // Others are in src/media/storage/signed-url.test.ts, and in variants.test.ts.
    ])('with a signature %s', async (_, path) => {
      await refused(path());
    });

    it.each(['..%2f..%2fother.jpg', '%2e%2e%2fother.jpg', '..%5cother.jpg', '%00', '.incoming'])('for %s, signed or not', async (name) => {
      const expires = now() + 60;
      for (const path of [`/uploads/${name}`, of(decodeURIComponent(name), expires), `/uploads/${name}?expires=${expires}&signature=x`]) {
        const response = await open(path);
        expect([400, 403, 404]).toContain(response.status);
        expect(response.headers.location).toBeUndefined();
      }
    });
  });

  it('that fails does not prevent reading documents, and files on the disk', async () => {
    expect((await open(local.url)).text).toBe('on the disk');
    s3.failing(() => 'hangs up');
    expect((await get(`/api/posts?${everything}`)).status).toBe(200);
    expect((await open(String(photo.url))).status).toBe(302);
    s3.failing(undefined);
  });
});
