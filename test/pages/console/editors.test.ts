/** The editors of long texts, in a browser, with the page's own policy: what is typed arrives at the
 *  API, what the editor does not know stays, and nothing that is pasted runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage, makeEditor } from './console-page.ts';

const article = 'qbw49k4x3qnhgw6ucvyfdo7o';
const text = (value: string, keys: object = {}) => ({ type: 'text', text: value, ...keys });

describe.skipIf(!hasChromium)('editors of /console', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let problems: readonly string[];
  let admin: ReturnType<typeof adminOf>;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })]);
    admin = adminOf(demo);
    const editor = await makeEditor(demo, 'edda', {
      'api::article.article': ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'],
      'plugin::users-permissions.user': ['me'],
    });
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open();
    await site.signIn(editor);
    await page.getByRole('heading', { name: 'Hello, edda' }).waitFor();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  const response = async () =>
    (await fetch(`${demo.base}/api/articles/${article}?status=draft`, { headers: { Authorization: `Bearer ${demo.token}` } })).text();
  const stored = async () => JSON.parse(await response()).data;

  /** Stores these values, opens the form, and waits for the editor. */
  async function open(field: string, values: object): Promise<void> {
    expect((await admin('PATCH', `/articles/${article}?status=draft`, { data: values })).status).toBe(200);
    await site.open(`/content/articles/${article}`);
    await site.field(field).waitFor();
    await site.field(field).focus();
  }

  async function save(): Promise<void> {
    await site.page.keyboard.press('Control+s');
    await site.notice('Saved.');
  }

  async function paste(field: string, html: string): Promise<void> {
    await site.field(field).evaluate((element, pasted) => {
      const data = new DataTransfer();
      data.setData('text/html', pasted);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, html);
  }

  describe('blocks', () => {
    it('are written as they are in Strapi, and saved with the last word', async () => {
      await open('sidebar', { sidebar: null });
      await site.page.keyboard.type('# Title\nSome ', { delay: 5 });
      await site.page.keyboard.press('Control+b');
      await site.page.keyboard.type('bold\n');
      await site.page.keyboard.press('Control+b');
      await site.page.keyboard.type('- one\n');
      await site.page.keyboard.press('Tab');
      await site.page.keyboard.type('two');
      await save();
      expect((await stored()).sidebar).toEqual([
        { type: 'heading', level: 1, children: [text('Title')] },
        { type: 'paragraph', children: [text('Some '), text('bold', { bold: true })] },
        {
          type: 'list',
          format: 'unordered',
          children: [
            { type: 'list-item', children: [text('one')] },
            { type: 'list', format: 'unordered', indentLevel: 1, children: [{ type: 'list-item', children: [text('two')] }] },
          ],
        },
      ]);
    });

    it('keep what the editor does not know', async () => {
      const known = { type: 'paragraph', align: 'center', children: [text('a', { color: 'red' }), text('', { bold: true })] };
      const other = { type: 'paragraph', indent: 2, children: [text('b', { bold: false, size: 5 })] };
      await open('sidebar', { sidebar: [known, other] });
      await site.field('sidebar').getByText('b', { exact: true }).click();
      await site.page.keyboard.press('End');
      await site.page.keyboard.type('c');
      await save();
      expect((await stored()).sidebar).toEqual([known, { ...other, children: [text('bc', { bold: false, size: 5 })] }]);
    });

    it('take structure from pasted HTML, and nothing that runs', async () => {
      await open('sidebar', { sidebar: null });
      await paste(
        'sidebar',
        '<style>p { color: red }</style><p style="font-weight: 700" onclick="alert(1)">a<img src=x onerror="alert(1)"><script>alert(1)</script></p>' +
          '<p><a href="javascript:alert(1)">b</a> <a href="https://example.com">c</a></p><iframe src="https://elsewhere.example"></iframe>',
      );
      await save();
      expect((await stored()).sidebar).toEqual([
        { type: 'paragraph', children: [text('a', { bold: true })] },
        { type: 'paragraph', children: [text('b '), { type: 'link', url: 'https://example.com', children: [text('c')] }, text('')] },
      ]);
    });

    it('have links of harmless protocols only', async () => {
      await open('sidebar', { sidebar: null });
      await site.page.keyboard.press('Control+k');
      const url = site.page.getByLabel('Address');
      await url.fill('javascript:alert(1)');
      await url.press('Enter');
      await site.page.getByRole('alert').getByText('This cannot be a link').waitFor();
      await url.fill('example.com');
      await url.press('Enter');
      await url.waitFor({ state: 'detached' });
      await expect.poll(() => site.field('sidebar').evaluate((element) => element === document.activeElement)).toBe(true);
      await save();
      const link = { type: 'link', url: 'https://example.com', children: [text('https://example.com')] };
      expect((await stored()).sidebar).toEqual([{ type: 'paragraph', children: [text(''), link, text('')] }]);
    });
  });

  describe('Markdown', () => {
    it('is typed, previewed and saved; Tab leaves it', async () => {
      await open('body', { body: 'A **text**.\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) &copy;' });
      await site.page.keyboard.press('Control+End');
      await site.page.keyboard.type('\n\n# Title\n\n- one\ntwo\n\n\nend');
      const editor = site.page.locator('.editor', { has: site.field('body') });
      await editor.getByRole('button', { name: 'Preview' }).click();
      const preview = editor.getByRole('region', { name: 'Preview' });
      await preview.getByRole('heading', { name: 'Title' }).waitFor();
      await expect.poll(() => preview.locator('li').allInnerTexts()).toEqual(['one', 'two']);
      await expect.poll(() => preview.locator('img, a').count()).toBe(0);
      await expect.poll(() => preview.innerText()).toContain('<img src=x onerror=alert(1)> x ©');
      await save();
      expect((await stored()).body).toMatch(/^A \*\*text\*\*\.[^#]+\n\n# Title\n\n- one\n- two\n+end$/);
      await site.field('body').focus();
      await site.page.keyboard.press('Tab');
      expect(await site.field('body').evaluate((element) => element.contains(document.activeElement))).toBe(false);
    });
  });

  describe('JSON', () => {
    it('keeps the digits of numbers that JavaScript would round', async () => {
      const put = await fetch(`${demo.base}/api/articles/${article}?status=draft`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${demo.token}`, 'Content-Type': 'application/json' },
        body: '{"data": {"facts": {"big": 12345678901234567890}}}',
      });
      expect(put.status).toBe(200);
      await open('facts', {});
      await site.page.keyboard.press('Control+Home');
      await site.page.keyboard.press('ArrowRight');
      await site.page.keyboard.type('"more": 0.12345678901234567891, ');
      await save();
      const digits = /"facts":(\{[^}]*\})/.exec(await response())?.[1]?.replaceAll(/\s/g, '');
      expect(digits).toBe('{"more":0.12345678901234567891,"big":12345678901234567890}');
    });

    it('says where a mistake is, and keeps the last valid value', async () => {
      await open('facts', { facts: { a: 1 } });
      await site.page.keyboard.press('Control+End');
      await site.page.keyboard.type(' 1');
      const status = site.page.locator('#field-facts--json');
      await status.getByText('Line 3, column 3: nothing may follow the value.').waitFor();
      await expect.poll(() => site.field('facts').getAttribute('aria-invalid')).toBe('true');
      await site.page.keyboard.press('Backspace');
      await expect.poll(() => site.field('facts').getAttribute('aria-invalid')).toBe('false');
      expect((await stored()).facts).toEqual({ a: 1 });
    });
  });

  it('nothing ran, left the origin, or broke the policy', () => expect(problems).toEqual([]));
});
