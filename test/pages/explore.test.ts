/** The page `/explore` of the demo, in a browser. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../support/chromium.ts';
import { type Demo, startDemo } from '../support/demo.ts';
import { root } from '../support/packed.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { ExplorePage } from './explore-page.ts';
import { watchPage } from './watch-page.ts';

const run = promisify(execFile);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** With a text that has to be encoded, and one that a shell and a script would read as their own. */
const wide =
  "/api/articles?fields=title,slug&populate[author][fields]=name&populate[category]=true&filters[$or][0][title][$containsi]=a%26b'c&filters[$or][1][category][parent][slug][$eq]=bread&sort=visitedOn:desc,title:asc";

describe.skipIf(!hasChromium)('/explore', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let explore: ExplorePage;
  let problems: string[];

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser({ viewport: { width: 1280, height: 900 } })]);
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, demo.base));
    explore = new ExplorePage(page, demo.base);
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  it('is reached from the home page', async () => {
    await explore.page.goto(demo.base);
    await explore.page.getByRole('link', { name: /^Explore/ }).click();
    await explore.page.locator('.facts').waitFor();
    expect(new URL(explore.page.url()).pathname).toBe('/explore');
  });

  it('opens with a list, although the first type has a single document', async () => {
    await explore.open();
    expect(await explore.control('Type').locator('option').first().innerText()).toBe('About · /api/about');
    expect(await explore.url()).toBe('/api/articles');
    expect(await explore.page.locator('.json').innerText()).toMatch(/"data":\s*\[/);
  });

  it('builds a query by clicking, and shows the JSON that its URL gives', async () => {
    await explore.open();
    const { page } = explore;
    await explore.control('Type').selectOption('api::article.article');
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    const check = (name: string, box: string) => part(name).getByRole('checkbox', { name: box, exact: true }).first().check();
    for (const field of ['title', 'slug']) await check('Fields', field);
    await check('Populate', 'author');
    await part('Populate').locator('summary', { hasText: 'author' }).click();
    await check('author: fields', 'name');
    await explore.control('Filter: add a condition').click();
    await explore.control('Filter 1: attribute').selectOption('category');
    await explore.control('Filter 1: attribute of category').selectOption('parent');
    await explore.control('Filter 1: attribute of parent').selectOption('slug');
    await explore.control('Filter 1: value').fill('bread');
    await explore.control('Sort: add a term').click();
    await explore.control('Sort 1: attribute').selectOption('visitedOn');
    await explore.control('Sort: add a term').click();
    await explore.control('Sort 2: attribute').selectOption('title');
    await explore.control('Sort 2: direction').selectOption('desc');
    await explore.control('Sort 2: move up').click();
    const url =
      '/api/articles?fields=title,slug&populate[author][fields]=name&filters[category][parent][slug][$eq]=bread&sort=title:desc,visitedOn:asc';
    expect(await explore.url()).toBe(url);
    await explore.run();
    const shown = (await explore.json()) as { data: { author: { name: string } }[] };
    expect(shown).toEqual(await explore.fetched());
    expect(shown.data.length).toBeGreaterThan(1);
    expect(shown.data[0]?.author.name).toEqual(expect.any(String));
    expect(decodeURI(new URL(page.url()).hash)).toBe(`#${url}`);
  });

  it('builds a query by keyboard alone', async () => {
    await explore.open('/api/tags');
    const { keyboard } = explore.page;
    await explore.tabTo('name');
    await keyboard.press('Space');
    await explore.tabTo('Filter: add a condition');
    await keyboard.press('Enter');
    await explore.tabTo('Filter 1: attribute');
    await keyboard.type('slug');
    await explore.tabTo('Filter 1: operator');
    await keyboard.type('contains');
    await explore.tabTo('Filter 1: value');
    await keyboard.type('e');
    await explore.tabTo('Sort: add a term');
    await keyboard.press('Space');
    await explore.tabTo('Sort 1: attribute');
    await keyboard.type('name');
    await keyboard.press('Control+Enter');
    const url = '/api/tags?fields=name&filters[slug][$containsi]=e&sort=name:asc';
    expect(await explore.url()).toBe(url);
    await explore.shown(url);
    expect(await explore.json()).toEqual(await explore.fetched());
    await expect.poll(() => explore.page.locator('.result > [role=status]').innerText()).toMatch(/^Status 200, \d+ entries, /);
    // The tabs of the response are reached, and changed by arrows.
    await explore.tabTo('JSON');
    await keyboard.press('ArrowRight');
    await explore.page.getByRole('tabpanel', { name: 'Statements' }).waitFor();
  });

  it('each control shows where the focus is', async () => {
    await explore.open('/api/tags');
    for (const name of ['name', 'Filter: add a condition', 'Page size']) {
      await explore.tabTo(name);
      const isOutlined = await explore.page.evaluate(() => {
        const element = document.activeElement;
        const marked = element?.matches('.chip input') ? element.nextElementSibling : element;
        return marked !== null && marked !== undefined && getComputedStyle(marked).outlineStyle !== 'none';
      });
      expect({ name, isOutlined }).toEqual({ name, isOutlined: true });
    }
  });

  it.each([
    wide,
    '/api/articles?populate=*',
    '/api/articles?populate[blocks][on][shared.quote]=true',
    '/api/articles?filters[title][$eq]=a&filters[category][slug][$eq]=b&locale=fr&fallback=en,fr',
    '/api/articles?filters[$and][0][tags][slug][$eq]=a&filters[$and][1][tags][slug][$eq]=b',
    '/api/articles?filters[readingMinutes][$between][0]=1&filters[readingMinutes][$between][1]=9&pagination[page]=2&pagination[pageSize]=1',
    '/api/articles?_q=bread&filters[cover][$null]=true',
    '/api/homepage?populate[hero][populate]=*&populate[featured][fields]=title,slug&populate[sections]=true',
  ])('shows a URL in its controls as a whole, and writes the same: %s', async (url) => {
    await explore.paste(url);
    expect(await explore.page.locator('#url-note').innerText()).toBe('Choose below, or paste a URL here.');
    // A change to a control and back: from then on the controls write the URL.
    const first = explore.page.locator('.chip input').first();
    await first.click();
    await first.click();
    expect(await explore.url()).toBe(url);
  });

  it('takes over a URL that is pasted, and says what its controls cannot show', async () => {
    await explore.open('/api/tags');
    const url = '/api/articles?fields=title&filters[$not][title][$eq]=a&filters[slug][$eq]=the-last-keeper';
    await explore.paste(url);
    expect(await explore.url()).toBe(url);
    expect(await explore.page.locator('#url-note').innerText()).toContain('cannot show filters[$not]');
    expect(await explore.control('Filter 1: value').inputValue()).toBe('the-last-keeper');
    expect(await explore.json()).toEqual(await explore.fetched());
    // No document with this id.
    await explore.paste('/api/articles/_aggregate?groupBy=kind');
    expect(await explore.page.locator('#url-note').innerText()).toContain('cannot show the path /api/articles/_aggregate');
  });

  it('runs no URL of another server, and none that is not below /api/', async () => {
    await explore.open('/api/tags');
    for (const [url, problem] of [
      ['https://elsewhere.example/api/articles', 'Only URLs of this server can be run'],
      ['/_health', 'Only URLs below /api/ can be run.'],
      ['//elsewhere.example/api/articles', 'Only URLs of this server can be run'],
      ['/_health', 'Only URLs below /api/ can be run.'],
      ['javascript:alert(1)', 'Only URLs of this server can be run'],
    ] as const) {
      await explore.control('URL').fill(url);
      await explore.page.keyboard.press('Enter');
      await expect.poll(() => explore.page.locator('#url-note').innerText()).toContain(problem);
    }
  });

  it('goes back to an earlier query, and a link opens one', async () => {
    await explore.open('/api/tags');
    await explore.control('Type').selectOption('api::author.author');
    await explore.shown('/api/authors');
    await explore.page.goBack();
    await explore.shown('/api/tags');
    expect(await explore.control('Type').inputValue()).toBe('api::tag.tag');
  });

  it('shows the times of the server, and from when its cache answers', async () => {
    await explore.paste('/api/tags?fields=slug&sort=slug:desc&pagination[pageSize]=3');
    const names = await explore.page.locator('.legend li').allInnerTexts();
    expect(names.map((name) => name.split(' ')[0])).toEqual(expect.arrayContaining(['identify', 'execute', 'render']));
    await explore.run();
    await explore.page.getByText('from the cache').waitFor();
  });

  it('shows statements and plans in development', async () => {
    await explore.paste('/api/articles?fields=title&populate=category');
    await explore.page.getByRole('tab', { name: 'Statements' }).click();
    await explore.page.getByRole('heading', { name: 'category' }).waitFor();
    expect(await explore.page.locator('.statement pre').first().innerText()).toContain('SELECT');
    expect(await explore.page.locator('.plan').first().innerText()).toMatch(/SEARCH|SCAN/);
    await explore.page.getByRole('tab', { name: 'JSON' }).click();
  });

  it('folds entries, and unfolds them', async () => {
    await explore.paste('/api/tags?fields=slug');
    await explore.page.getByRole('button', { name: 'Fold entries' }).click();
    expect(await explore.page.locator('.json').innerText()).not.toContain('"slug"');
    await explore.page
      .getByRole('button', { name: /^object, 3 keys$/ })
      .first()
      .click();
    expect(await explore.page.locator('.json').innerText()).toContain('"slug"');
  });

  const folder = useTemporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  let copies = 0;
  /** Runs code as it was copied, from a folder that has the packages. */
  async function runCode(language: string, code: string): Promise<unknown> {
    if (language === 'curl') return JSON.parse((await run('sh', ['-c', `${code} --silent`])).stdout);
    const file = join(folder, `${copies++}.mjs`);
    writeFileSync(file, `${code}\nexport default body;`);
    return (await import(/* @vite-ignore */ file)).default;
  }
  const languages = ['curl', 'fetch', 'qs', '@strapi/client', '@lectern/client'];
  /** What the shown query's code in each language prints, as it was copied. */
  const runCodes = async () => {
    const codes: (readonly [language: string, code: string])[] = [];
    for (const language of languages) codes.push([language, await explore.code(language)]);
    const printed = await Promise.all(codes.map(async ([language, code]) => [language, await runCode(language, code)] as const));
    return { codes, printed: Object.fromEntries(printed) as Record<string, { data: unknown; meta: unknown }> };
  };
  it.each([wide, '/api/homepage?populate=hero', '/api/articles?filters[$not][title][$eq]=a%22%27%5C%60%24%7B1%7D&fields=title'])(
    'code in each language runs: %s',
    async (url) => {
      await explore.paste(url);
      const { printed } = await runCodes();
      const fetched = await explore.fetched();
      for (const language of languages) {
        const { data, meta } = printed[language] ?? {};
        expect({ language, data, meta }).toEqual({ language, ...(fetched as object) });
      }
    },
  );

  it('copies the URL encoded', async () => {
    await explore.paste(wide);
    const url = await explore.code('URL');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/articles\?[\w%=&,:.-]+$/);
    expect(await (await fetch(url)).json()).toEqual(await explore.fetched());
  });

  it('has done nothing that a page must not do', () => {
    // The browser's note about groups, to which visitors have no right.
    expect(problems.filter((each) => !/status of 403/.test(each))).toEqual([]);
  });

  describe('with a token', () => {
    const openCaller = () => explore.page.getByText('Read as').click();

    it('shows drafts, and keeps the token in the tab alone', async () => {
      await explore.open('/api/articles?fields=title');
      await openCaller();
      await explore.control('API token or JWT').fill(demo.token);
      await explore.page.getByRole('button', { name: 'Use the token' }).click();
      await explore.control('Status').selectOption('draft');
      await explore.shown('/api/articles?fields=title&status=draft');
      expect(await explore.json()).toEqual(await explore.fetched(demo.token));
      const kept = await explore.page.evaluate(() => ({ ...localStorage, cookie: document.cookie, url: location.href }));
      expect(JSON.stringify(kept)).not.toContain(demo.token);
    });

    it('code in each language takes the token from the environment', async () => {
      vi.stubEnv('API_TOKEN', demo.token);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { codes, printed } = await runCodes();
      const { data } = (await explore.fetched(demo.token)) as { data: unknown };
      for (const [language, code] of codes) {
        expect(code).not.toContain(demo.token);
        expect({ language, data: printed[language]?.data }).toEqual({ language, data });
      }
    });

    it('forgets it', async () => {
      await explore.page.getByRole('button', { name: 'Forget the token' }).click();
      await explore.page.getByText('anyone (role Public)').waitFor();
      expect(await explore.page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
    });

    it('signs a user in', async () => {
      await explore.open('/api/tags');
      await openCaller();
      await explore.control('User name or e-mail').fill('reader');
      await explore.control('Password').fill(demo.password);
      await explore.page.getByRole('button', { name: 'Sign in' }).click();
      await explore.page.locator('summary', { hasText: 'Read as reader' }).waitFor();
      await explore.page.reload();
      await explore.page.locator('summary', { hasText: 'Read as reader' }).waitFor();
      await openCaller();
      await explore.page.getByRole('button', { name: 'Forget the token' }).click();
    });
  });

  it.each([
    { it: 'a condition', url: '/api/articles?filters[readingMinutes][$gt]=abc', control: '.condition .problem', says: 'expected a number' },
    { it: 'a sort term', url: '/api/articles?sort=nothing', control: 'section[aria-label=Sort] .problem', says: 'Invalid key nothing' },
    { it: 'the locale', url: '/api/articles?locale=xx', control: 'section[aria-label=Locale] .problem', says: 'xx is not defined' },
    { it: 'the fallback', url: '/api/articles?fallback=xx', control: 'section[aria-label=Fallback] .problem', says: 'xx is not defined' },
    { it: 'drafts', url: '/api/articles?status=draft', control: 'section[aria-label=Status] .problem', says: 'findDraft' },
  ])('shows an error beside its control: $it', async ({ url, control, says }) => {
    await explore.paste(url);
    expect(await explore.page.locator(control).first().innerText()).toContain(says);
    expect(await explore.page.getByRole('alert').innerText()).toContain(says);
  });

  it('axe finds nothing, and nothing is wider than the window, in both schemes, on narrow and wide windows', async () => {
    // axe is a script of another origin to the page's policy, which other tests watch.
    const other = await browser.context.browser()?.newContext({ bypassCSP: true });
    if (other === undefined) throw new Error('the browser is open');
    const page = await other.newPage();
    const opened = new ExplorePage(page, demo.base);
    await opened.open(wide);
    await page.getByText('Read as').click();
    await opened.control('Filter: add a group').click();
    await page.evaluate(axe);
    for (const { colorScheme, width } of [{ colorScheme: 'light', width: 1280 } as const, { colorScheme: 'dark', width: 390 } as const]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      for (const tab of ['Statements', 'Code', 'JSON']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).waitFor();
        const found = await page.evaluate(async () => {
          const { axe: loaded } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          return (await loaded.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
        });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect({ colorScheme, width, tab, found, overflow }).toEqual({ colorScheme, width, tab, found: [], overflow: 0 });
      }
    }
    await other.close();
  });
});
