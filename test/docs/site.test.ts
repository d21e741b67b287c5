/** `npm run docs:build`, and its pages in a browser. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import mime from 'mime-types';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { divisions, root, sitePath } from '../../docs/.vitepress/pages.ts';
import { watchPage } from '../pages/watch-page.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../support/chromium.ts';
import { listen } from '../support/listen.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const site = useTemporaryFolder();
const pages = divisions().flatMap((division) => division.pages);

// Fails on a link to a page that the site does not have.
beforeAll(() => {
  execFileSync('npm', ['run', '--silent', 'docs:build', '--', '--outDir', site], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
}, 300_000);

it('has every page of docs/index.md', () => {
  const built = pages.filter(({ file }) => existsSync(join(site, `${sitePath(file)}.html`)));
  expect(built).toEqual(pages);
  expect(built.length).toBeGreaterThan(20);
});

describe.skipIf(!hasChromium)('in a browser', () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      const path = new URL(url, 'http://site').pathname;
      const file = join(site, path.endsWith('/') ? `${path}index.html` : path);
      if (!existsSync(file)) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': mime.contentType(extname(file)) || 'text/plain' }).end(readFileSync(file));
    });
    base = `http://127.0.0.1:${await listen(server)}`;
  });
  afterAll(() => server?.close());

  let browser: OpenBrowser;
  let page: Page;
  let problems: readonly string[];
  afterAll(() => browser?.close());

  it.each([
    { scheme: 'light', width: 390 },
    { scheme: 'dark', width: 1280 },
  ] as const)('in the $scheme scheme, $width pixels wide, shows each page without requests to other origins', async ({ scheme, width }) => {
    await browser?.close();
    browser = await openBrowser({ colorScheme: scheme, viewport: { width, height: 844 } });
    page = await browser.context.newPage();
    ({ problems } = await watchPage(page, base));
    for (const { file } of pages) {
      await page.goto(`${base}/${sitePath(file)}.html`);
      expect(await page.locator('main h1').count(), file).toBe(1);
      const { scrolls, background } = await page.evaluate(() => ({
        scrolls: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        background: getComputedStyle(document.body).backgroundColor,
      }));
      expect({ file, scrolls, background }).toEqual({
        file,
        scrolls: false,
        background: scheme === 'light' ? 'rgb(251, 251, 249)' : 'rgb(20, 23, 28)',
      });
    }
    expect(problems).toEqual([]);
  });

  it('leads from the index to a heading, by the links of the pages', async () => {
    await page.goto(base);
    await page.locator('main').getByRole('link', { name: 'Query language' }).click();
    await page.locator('main').getByRole('link', { name: '_q', exact: true }).click();
    expect(page.url()).toBe(`${base}/query.html#_q`);
    expect(await page.locator('#_q').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('finds a word without asking another server', async () => {
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.locator('input[type=search]').fill('publicationFilter');
    await page.locator('.result', { hasText: 'status' }).first().click();
    await page.waitForURL(`${base}/query.html#status`);
    expect(problems).toEqual([]);
  });
});
