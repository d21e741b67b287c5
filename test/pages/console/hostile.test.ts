/** Content that somebody stored to attack whoever opens it in the console: it stays text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage, type Editor, makeEditor } from './console-page.ts';

const everything = ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'];
const markup = '"><img src=x onerror="hacked=1"><script>hacked=1</script><svg onload=hacked=1>';
const link = 'javascript:hacked=1';
const hostileLinks = '![x](javascript:hacked=1) [y](javascript:hacked=1) [z](data:text/html,<script>hacked=1</script>)';

const blocks = [
  { type: 'paragraph', children: [{ type: 'text', text: markup }] },
  {
    type: 'paragraph',
    children: [{ type: 'link', url: 'https://example.org/"onclick=hacked=1', children: [{ type: 'text', text: 'a link' }] }],
  },
  { type: 'code', children: [{ type: 'text', text: markup }] },
];

describe.skipIf(!hasChromium)('/console with hostile content', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let editor: Editor;
  let problems: readonly string[];
  let documentId = '';

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })]);
    const admin = adminOf(demo);
    const file = await upload(demo, `x' onerror='hacked=1'.png`);
    const { json } = await admin('POST', '/articles?status=draft', {
      data: {
        title: `${markup}`.slice(0, 120),
        summary: markup,
        body: `${hostileLinks}\n\n${markup}`,
        sidebar: blocks,
        facts: { [markup]: markup, url: link },
        cover: file.id,
        links: [{ label: markup, url: link }],
        blocks: [{ __component: 'shared.quote', body: markup, source: markup }],
      },
    });
    ({ documentId } = json.data);
    editor = await makeEditor(demo, 'eva', {
      'api::article.article': everything,
      'plugin::upload.content-api': ['find', 'findOne', 'upload', 'destroy'],
      'plugin::users-permissions.user': ['me'],
      'plugin::users-permissions.auth': ['logout', 'refresh'],
    });
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open();
    await site.signIn(editor);
    await page.getByRole('heading', { name: 'Hello, eva' }).waitFor();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  const hacked = () => site.page.evaluate(() => 'hacked' in globalThis);
  const unsafe = () =>
    site.page.evaluate(() =>
      [...document.querySelectorAll('[href], [src]')]
        .map((each) => each.getAttribute('href') ?? each.getAttribute('src') ?? '')
        .filter((url) => /^\s*(?:javascript|data:text)/i.test(url)),
    );

  it('shows it as text in lists, forms, previews and comparisons', async () => {
    await site.open('/content/articles');
    await site.page.getByText('"><img src=x', { exact: false }).first().waitFor();
    await site.open(`/content/articles/${documentId}`);
    await site.field('summary').waitFor();
    await expect.poll(() => site.field('summary').inputValue()).toBe(markup);
    await site.page.locator('[data-field="sidebar"], #field-sidebar').first().waitFor();
    for (const open of await site.page.getByRole('button', { name: /Open all/ }).all()) await open.click();
    await site.page
      .getByRole('button', { name: /preview/i })
      .first()
      .click();
    await site.page.getByText('hacked', { exact: false }).first().waitFor();
    expect(await unsafe()).toEqual([]);
    expect(await hacked()).toBe(false);
  });

  it('shows it as text in the media library and on the start page', async () => {
    await site.open('/media?q=onerror');
    await site.page.getByText('onerror=').first().waitFor();
    await site.open(`/content/articles/${documentId}`);
    await site.field('title').fill(`x ${markup}`.slice(0, 100));
    await site.page.getByRole('link', { name: 'Start' }).click();
    await site.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await site.page.locator('.unsaved').getByRole('link').first().waitFor();
    expect(await hacked()).toBe(false);
    expect(await unsafe()).toEqual([]);
  });

  it('takes no address of another origin from the location', async () => {
    await site.open('/signed-in?error=%3Cimg%20src=x%20onerror=hacked=1%3E');
    await site.page.getByText('provider_error').waitFor();
    expect(await site.page.locator('body').innerText()).not.toContain('<img');
    await site.open(`/set-password?code=${encodeURIComponent(markup)}`);
    await site.page.getByRole('heading', { name: 'Set your password' }).waitFor();
    await site.open(`//evil.example/content`);
    expect(await hacked()).toBe(false);
    expect(new URL(site.page.url()).origin).toBe(demo.base);
    expect(problems.filter((each) => !/status of 40[0-9]/.test(each))).toEqual([]);
  });

  it('puts no token into a URL or a store that scripts can read', async () => {
    const urls: string[] = [];
    site.page.on('request', (request) => urls.push(request.url()));
    await site.open('/content/articles');
    await site.page.getByRole('navigation').first().waitFor();
    const stored = await site.page.evaluate(async () => {
      const databases = (await indexedDB.databases()).map(({ name }) => name);
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases]);
    });
    expect([...urls, stored].join(' ')).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });
});

async function upload({ base, token }: Demo, name: string): Promise<{ readonly id: number }> {
  const form = new FormData();
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  form.append('files', new Blob([png], { type: 'image/png' }), 'x.png');
  form.append('fileInfo', JSON.stringify({ name, alternativeText: '"><script>hacked=1</script>' }));
  const response = await fetch(`${base}/api/upload`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
  return (await response.json())[0];
}
