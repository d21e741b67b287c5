/** How the pages and their files are served. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../support/demo.ts';
import { send } from '../support/http.ts';

describe('the files of pages', () => {
  let demo: Demo;
  let without: Demo;

  beforeAll(async () => {
    [demo, without] = await Promise.all([startDemo(), startDemo({ LECTERN_SITE_PAGES: 'false' })]);
  });
  afterAll(() => Promise.all([demo?.stop(), without?.stop()]));

  const filesOf = async (page: string) => {
    const { text } = await send(demo.base, { path: page });
    return [...text.matchAll(/(?:href|src)="(\/_pages\/[^"]+)"/g)].map(([, path = '']) => path);
  };

  it('a page has a policy that allows nothing inline and nothing of other origins', async () => {
    const { status, headers } = await send(demo.base, { path: '/explore' });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' });
  });

  it('its files have a digest in their names, and are cached for good', async () => {
    const files = await filesOf('/explore');
    const names = files.map((path) => path.replace(/[0-9a-f]{8}/, '#'));
    expect(names).toEqual(expect.arrayContaining(['/_pages/explore-#.css', '/_pages/explore-#.js']));
    expect(names.filter((name) => !/^\/_pages\/[\w.-]+-#\.(?:css|js)$/.test(name))).toEqual([]);
    for (const path of files) {
      const { status, headers, raw } = await send(demo.base, { path });
      expect(status).toBe(200);
      expect(raw.length).toBeGreaterThan(0);
      expect(headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' });
    }
  });

  it('a page that has not changed is not sent again', async () => {
    const { headers } = await send(demo.base, { path: '/explore' });
    const again = await send(demo.base, { path: '/explore', headers: { 'If-None-Match': String(headers.etag) } });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  it.each(['/_pages/', '/_pages/explore.html', '/_pages/..%2fserver.js', '/_pages/../LICENSES.md', '/_pages/lectern.js'])(
    'serves nothing else: %s',
    async (path) => {
      expect((await send(demo.base, { path })).status).toBe(404);
    },
  );

  it('the home page leads to the pages', async () => {
    expect((await send(demo.base, { path: '/' })).text).toContain('<a href="/explore">');
  });

  it('without `site.pages` there are none', async () => {
    const [file = ''] = await filesOf('/explore');
    for (const path of ['/explore', file]) expect((await send(without.base, { path })).status).toBe(404);
    expect((await send(without.base, { path: '/' })).text).not.toContain('/explore');
  });
});
