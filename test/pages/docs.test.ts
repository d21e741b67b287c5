/** The home page and the page `/docs` in a browser. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium, openBrowser } from '../support/chromium.ts';
import { anyEngine } from '../support/engines.ts';
import { relation, schemaFiles } from '../support/schema-files.ts';
import { seedDocuments } from '../support/seeds.ts';
import { useProject } from '../support/served-project.ts';
import { useMade } from '../support/use-made.ts';
import { watchPage } from './watch-page.ts';

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** What only Swagger UI itself could mend. */
const upstream: Readonly<Record<string, string>> = {
  'nested-interactive': 'the button that opens an operation has the link to the operation in it',
};

const files = schemaFiles({
  article: {
    drafts: true,
    attributes: {
      title: { type: 'string', required: true },
      kind: { type: 'enumeration', enum: ['walk', 'recipe'] },
      category: relation('manyToOne', 'category'),
    },
  },
  category: { attributes: { name: { type: 'string' } } },
  tag: { attributes: { name: { type: 'string' } } },
});
const article = (title: string) => ({ title, category: 'sea' });

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

describe.skipIf(!hasChromium).each(anyEngine)('%s: the home page and /docs', (engine) => {
  const api = useProject(engine, {
    files,
    types: [
      { type: 'api::category.category', documents: seedDocuments({ sea: { name: 'Sea' } }) },
      { type: 'api::article.article', documents: seedDocuments({ one: article('The tide'), two: article('The fog') }) },
    ],
    public: ['article.article.find', 'article.article.findOne', 'category.category.find'].map((action) => `api::${action}`),
    tokens: { drafts: ['api::article.article.findDraft'] },
  });
  const browser = useMade(openBrowser);
  let page: Page;
  let problems: readonly string[];

  beforeEach(async () => {
    page = await browser().context.newPage();
    ({ problems } = await watchPage(page, api.server.base));
  });
  afterEach(() => page.close());

  const list = () => page.locator('#operations-Article-listArticles');
  const status = () => page.getByRole('status');
  async function open(hash = ''): Promise<void> {
    await page.goto(`${api.server.base}/docs${hash}`);
    await page.locator('.opblock').first().waitFor();
  }
  async function authorize(authorization: string): Promise<void> {
    await page.getByLabel('auth-bearer-value').fill(authorization.replace('Bearer ', ''));
    await page.locator('.modal-ux .authorize[type=submit]').click();
  }
  /** Presses Tab until the selector has the focus. */
  async function tabTo(selector: string): Promise<void> {
    for (let presses = 0; presses < 200; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
    }
    throw new Error(`no ${selector} was reached by Tab`);
  }

  it('leads from the home page to the content that anyone may read', async () => {
    await page.goto(api.server.base);
    const links = page.getByRole('link');
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(new URL(path, api.server.base))).status));
    expect(statuses).toEqual(paths.map(() => 200));
    const names = await links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label') ?? link.textContent));
    expect(new Set(names).size).toBe(names.length);
    await page.getByRole('link', { name: '/api/articles' }).click();
    expect(JSON.parse(await page.locator('pre').innerText())).toHaveProperty('meta.pagination.total');
    expect(problems).toEqual([]);
  });

  it('shows what everybody may use, and loads nothing from elsewhere', async () => {
    await page.goto(api.server.base);
    await page.getByRole('link', { name: /^Reference/ }).click();
    await page.locator('.opblock').first().waitFor();
    expect(await status().innerText()).toMatch(/^What everybody may use/);
    expect(await page.locator('.opblock-post [data-path="/api/articles"]').count()).toBe(0);
    await page.getByRole('link', { name: 'openapi.json' }).click();
    expect(JSON.parse(await page.locator('pre').innerText())).toHaveProperty('openapi', '3.1.1');
    expect(problems).toEqual([]);
  });

  it('takes a token, says what it may, and forgets it at the log-out', async () => {
    await open();
    await page.locator('.btn.authorize').first().click();
    await authorize('wrong');
    await expect.poll(() => status().innerText()).toMatch(/^This token is not valid. What everybody may use/);
    expect(await list().count()).toBe(1);
    // The only error on the console is that of the response.
    expect(problems).toEqual([expect.stringContaining('401')]);
    await authorize(`${api.authorization('drafts').Authorization}`);
    await expect.poll(() => status().innerText()).toBe('This token may use nothing.');
    await page.locator('.modal-ux button', { hasText: 'Logout' }).click();
    await authorize(`${api.authorization('full').Authorization}`);
    await expect.poll(() => status().innerText()).toBe('What this token may use.');
    await page.getByRole('button', { name: 'Close' }).click();

    const create = page.locator('#operations-Tag-createTag');
    await create.locator('.opblock-summary-control').click();
    await create.getByRole('button', { name: 'Try it out' }).click();
    await create.getByLabel('Request body').fill('{"data": {"name": "From the page"}}');
    await create.getByRole('button', { name: 'Execute' }).click();
    await expect.poll(() => create.locator('.live-responses-table .response-col_status').last().innerText()).toContain('201');
    await page.locator('.btn.authorize').first().click();
    await page.locator('.modal-ux button', { hasText: 'Logout' }).click();
    await expect.poll(() => status().innerText()).toMatch(/^What everybody may use/);
    expect(await page.locator('[id^=operations-Users-]').count()).toBe(0);
    expect(problems).toHaveLength(1);
  });

  it('can be used with the keyboard alone', async () => {
    await open();
    await tabTo('#operations-Article-listArticles .opblock-summary-control');
    await page.keyboard.press('Enter');
    await tabTo('#operations-Article-listArticles .try-out__btn');
    await page.keyboard.press('Enter');
    await tabTo('#operations-Article-listArticles [aria-label=filters]');
    await page.keyboard.type('{"id":{"$gt":0}}');
    await tabTo('#operations-Article-listArticles .execute');
    await page.keyboard.press('Enter');
    await list().locator('.live-responses-table').waitFor();
    expect(await list().locator('.live-responses-table .response-col_status').last().innerText()).toContain('200');
    expect(problems).toEqual([]);
  });

  it('opens the operation that the URL names, sends its request, and is accessible in both schemes, on wide and narrow windows', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open('#/Article/listArticles');
    await list().getByRole('button', { name: 'Try it out' }).click();
    await list().getByLabel('filters').fill('{"title":{"$containsi":"the"},"$not":{"id":{"$in":[1,2]}}}');
    await list().getByLabel('populate').fill('{"category":{"fields":["name"]}}');
    await list().getByRole('button', { name: 'Execute' }).click();
    await list().locator('.live-responses-table').waitFor();
    const url = await list().locator('.request-url pre').innerText();
    expect(new URL(url).search).toBe(
      '?populate[category][fields][0]=name&filters[title][$containsi]=the&filters[$not][id][$in][0]=1&filters[$not][id][$in][1]=2',
    );
    const shown = JSON.parse(await list().locator('.live-responses-table pre').first().innerText());
    expect(shown).toEqual(await (await fetch(url)).json());
    expect(shown.data.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);

    await page.evaluate(axe);
    for (const { colorScheme, width } of [{ colorScheme: 'light', width: 1200 } as const, { colorScheme: 'dark', width: 390 } as const]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      const seen = await page.evaluate(() => ({
        isDark: document.documentElement.classList.contains('dark-mode'),
        width: document.documentElement.scrollWidth,
        // Code may be scrolled; everything else has to fit.
        cut: [...document.querySelectorAll('.swagger-ui *:not(pre *)')]
          .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
          .map((each) => `${each.tagName}.${each.className}`),
      }));
      expect(seen).toEqual({ isDark: colorScheme === 'dark', width, cut: [] });
      // Buttons change their colours little by little.
      await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
      const violations = await page.evaluate(async () => {
        const { run } = (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe;
        return (await run()).violations;
      });
      const ours = violations
        .filter(({ id, impact }) => (impact === 'serious' || impact === 'critical') && !(id in upstream))
        .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]);
      expect(ours, `${colorScheme}, ${width} pixels`).toEqual([]);
    }
  });
});
