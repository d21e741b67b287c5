/** The home page in a browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../support/chromium.ts';
import { type Demo, startDemo } from '../support/demo.ts';
import { watchPage } from './watch-page.ts';

describe.skipIf(!hasChromium)('the home page', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let page: Page;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser()]);
    page = await browser.context.newPage();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  it('leads to the content that anyone may read, and loads nothing from elsewhere', async () => {
    const { problems } = await watchPage(page, demo.base);
    await page.goto(demo.base);
    await page.getByRole('link', { name: '/api/articles' }).click();
    expect(JSON.parse(await page.locator('pre').innerText())).toHaveProperty('meta.pagination.total');
    expect(problems).toEqual([]);
  });

  it('has links that lead to something, each with a name of its own', async () => {
    await page.goto(demo.base);
    const links = page.getByRole('link');
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(new URL(path, demo.base))).status));
    expect(statuses).toEqual(paths.map(() => 200));
    const names = await links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label') ?? link.textContent));
    expect(new Set(names).size).toBe(names.length);
  });
});
