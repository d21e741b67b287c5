/** The console of the demo, in a browser: what `day.test.ts` has no place for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage, type Editor, makeEditor } from './console-page.ts';

const everything = ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'];
const article = 'qbw49k4x3qnhgw6ucvyfdo7o';

describe.skipIf(!hasChromium)('/console', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let editor: Editor;
  let problems: readonly string[];
  let admin: ReturnType<typeof adminOf>;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })]);
    admin = adminOf(demo);
    editor = await makeEditor(demo, 'eva', {
      'api::article.article': everything,
      'api::category.category': everything,
      'api::tag.tag': ['find', 'findOne'],
      'plugin::users-permissions.user': ['me'],
      'plugin::users-permissions.auth': ['logout', 'refresh'],
    });
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  it('shows the types that the caller may read, and no others', async () => {
    await site.open();
    await site.signIn(editor);
    await site.page.getByRole('heading', { name: 'Hello, eva' }).waitFor();
    const links = await site.page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(links).toEqual(expect.arrayContaining(['Article', 'Category', 'Tag']));
    expect(links).not.toContain('Author');
  });

  it('puts an earlier version into the form, and publishes at a time', async () => {
    const { page } = site;
    const { json } = await admin('POST', '/articles?status=draft', { data: { title: 'First words', slug: 'first-words' } });
    const { documentId } = json.data;
    const path = `/articles/${documentId}`;
    await admin('PATCH', `${path}?status=draft`, { data: { title: 'Second words' } });
    await site.open(`/content${path}`);
    const menu = async (name: string) => {
      await page.getByText('More', { exact: true }).click();
      await page.getByRole('button', { name, exact: true }).click();
    };
    await menu('Earlier versions');
    await page.getByRole('dialog').getByRole('listitem').getByRole('button').click();
    await page.getByRole('group', { name: 'Title' }).getByText('First words').waitFor();
    await site.button('Put these values into the form');
    await expect.poll(() => site.field('title').inputValue()).toBe('First words');
    await site.button('Save draft');
    await site.notice('Saved.');
    await menu('Publish at a time');
    await page
      .getByRole('dialog')
      .getByLabel(/^Publish at /)
      .fill('2035-01-31T09:00');
    await site.button('Set the times');
    await site.notice('The times are set.');
    const at = (await admin('GET', `${path}/schedule`)).json.data;
    expect(at).toMatchObject([{ action: 'publish', locale: 'en', state: 'waiting', at: expect.stringMatching(/^2035-01-3\d/) }]);
    await menu('Publish at a time');
    await expect
      .poll(() =>
        page
          .getByRole('dialog')
          .getByLabel(/^Publish at /)
          .inputValue(),
      )
      .toBe('2035-01-31T09:00');
    await page
      .getByRole('dialog')
      .getByLabel(/^Publish at /)
      .fill('');
    await site.button('Set the times');
    await expect.poll(async () => (await admin('GET', `${path}/schedule`)).json.data).toEqual([]);
  });

  it('shows who else has the document open', async () => {
    const other = await makeEditor(demo, 'ben', {
      'api::article.article': everything,
      'plugin::users-permissions.user': ['me'],
      'plugin::users-permissions.auth': ['logout', 'refresh'],
    });
    const post = (path: string, body: unknown, jwt = '') =>
      fetch(`${demo.base}/api/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(jwt === '' ? {} : { Authorization: `Bearer ${jwt}` }) },
        body: JSON.stringify(body),
      });
    const { jwt } = await (await post('auth/local', { identifier: other.username, password: other.password })).json();
    const beat = async () => (await (await post(`_presence/api::article.article/${article}`, { locale: 'en' }, jwt)).json()).data;
    await beat();
    await site.open(`/content/articles/${article}`);
    await site.page.getByText('Also here: ben.').waitFor();
    expect((await beat())[0].user.username).toBe('eva');
  });

  it('asks before leaving, and offers what was typed when one comes back', async () => {
    await site.open(`/content/articles/${article}`);
    const { summary } = (await admin('GET', `/articles/${article}?status=draft`)).json.data;
    await site.field('summary').fill('Typed and left');
    await site.page.getByRole('link', { name: 'Start' }).click();
    await site.page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
    await site.page.getByRole('heading', { name: 'Unsaved work' }).waitFor();
    await site.page.locator('.unsaved').getByRole('link', { name: 'The last keeper of Gannet Ness' }).click();
    await site.page.getByText('Changes that were not saved have been restored').waitFor();
    await expect.poll(() => site.field('summary').inputValue()).toBe('Typed and left');
    await site.button('Drop these changes');
    await expect.poll(() => site.field('summary').inputValue()).toBe(summary);
  });

  it('unpublishes, and deletes after asking', async () => {
    const { json } = await admin('POST', '/categories', { data: { name: 'Short-lived', slug: 'short-lived' } });
    await site.open(`/content/categories/${json.data.documentId}`);
    await site.page.getByText('More', { exact: true }).click();
    await site.button('Delete');
    await site.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await site.notice('Deleted.');
    expect((await admin('GET', `/categories/${json.data.documentId}`)).status).toBe(404);
  });

  it('asks no other origin, and keeps to its content security policy', () => {
    expect(problems.filter((each) => !/status of 40[014]/.test(each))).toEqual([]);
  });
});
