/** The console of the demo, in a browser: what an editor does in a day. */
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

  const draft = async (path = `/articles/${article}`) => (await admin('GET', `${path}?status=draft`)).json.data;

  it('asks who it is, and says what is wrong with a password', async () => {
    await site.open();
    await site.signIn({ ...editor, password: 'wrong-password' });
    await site.page.getByRole('alert').getByText('Invalid identifier or password').waitFor();
    await site.signIn(editor);
    await site.page.getByRole('heading', { name: 'Hello, eva' }).waitFor();
  });

  it('keeps the session over a reload, with no token where scripts can read it', async () => {
    await site.page.reload();
    await site.page.getByRole('heading', { name: 'Hello, eva' }).waitFor();
    const stored = await site.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
    expect(stored).not.toMatch(/eyJ/);
    expect(stored).not.toContain('strapi_up_refresh');
  });

  it('shows the types that the caller may read, and no others', async () => {
    const links = await site.page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(links).toEqual(expect.arrayContaining(['Article', 'Category', 'Tag']));
    expect(links).not.toContain('Author');
  });

  it('saves a draft, which the public does not see, and publishes it', async () => {
    await site.open(`/content/articles/${article}`);
    await site.field('summary').fill('A calmer summary');
    await site.button('Save draft');
    await site.notice('Saved.');
    expect((await draft()).summary).toBe('A calmer summary');
    const published = async () => (await (await fetch(`${demo.base}/api/articles/${article}`)).json()).data.summary;
    expect(await published()).not.toBe('A calmer summary');
    await site.button('Publish');
    await site.notice('Published.');
    expect(await published()).toBe('A calmer summary');
  });

  it('names all problems, and leads to their fields', async () => {
    await site.open('/content/articles/new');
    await site.field('readingMinutes').fill('900');
    await site.button('Publish');
    const list = site.page.locator('.problem-list');
    await list.getByRole('button', { name: 'Title' }).click();
    await expect.poll(() => site.page.evaluate(() => document.activeElement?.id)).toBe('field-title');
    await expect.poll(() => site.field('title').getAttribute('aria-invalid')).toBe('true');
    await expect
      .poll(() => list.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/^Title/), expect.stringMatching(/^Slug/), expect.stringMatching(/^Reading minutes/)]);
    await site.open('/content/articles/new');
  });

  it('merges with what somebody else has saved in other fields', async () => {
    await site.open(`/content/articles/${article}`);
    await site.field('title').fill('The last keeper');
    await admin('PATCH', `/articles/${article}?status=draft`, { data: { summary: 'Written by somebody else' } });
    await site.button('Save draft');
    await site.notice('Saved.');
    expect(await draft()).toMatchObject({ title: 'The last keeper', summary: 'Written by somebody else' });
    await expect.poll(() => site.field('summary').inputValue()).toBe('Written by somebody else');
  });

  it('lets one choose where somebody else has saved the same field', async () => {
    await site.open(`/content/articles/${article}`);
    await site.field('title').fill('Mine');
    await site.field('summary').fill('My summary');
    await admin('PATCH', `/articles/${article}?status=draft`, { data: { title: 'Theirs', summary: 'Their summary' } });
    await site.button('Save draft');
    const dialog = site.page.getByRole('dialog', { name: 'Somebody else has changed this meanwhile' });
    await dialog.getByRole('group', { name: 'Title' }).getByLabel('Saved by somebody else').check();
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await expect.poll(() => site.field('title').inputValue()).toBe('Theirs');
    expect(await draft()).toMatchObject({ title: 'Theirs', summary: 'Their summary' });
    await site.button('Save draft');
    await site.notice('Saved.');
    expect(await draft()).toMatchObject({ title: 'Theirs', summary: 'My summary' });
  });

  it('lets one sign in again in place when the session has ended, and goes on', async () => {
    await site.open(`/content/articles/${article}`);
    await site.field('summary').fill('Typed before the session ended');
    await endSessions(demo, editor);
    const before = problems.length;
    // Whatever the page asks for by itself may have brought up the dialog already, which covers the button.
    await site.page.getByRole('button', { name: 'Save draft', exact: true, includeHidden: true }).dispatchEvent('click');
    const dialog = site.page.getByRole('dialog', { name: 'You have been signed out' });
    await dialog.waitFor();
    expect((await draft()).summary).not.toBe('Typed before the session ended');
    await site.signIn(editor);
    await site.notice('Saved.');
    expect((await draft()).summary).toBe('Typed before the session ended');
    // The browser's notes about the refused requests.
    (problems as string[]).splice(before);
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
    await site.field('summary').fill('Typed and left');
    await site.page.getByRole('link', { name: 'Start' }).click();
    await site.page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
    await site.page.getByRole('heading', { name: 'Unsaved work' }).waitFor();
    await site.page.locator('.unsaved').getByRole('link', { name: 'Theirs' }).click();
    await site.page.getByText('Changes that were not saved have been restored').waitFor();
    await expect.poll(() => site.field('summary').inputValue()).toBe('Typed and left');
    await site.button('Drop these changes');
    await expect.poll(() => site.field('summary').inputValue()).toBe('Typed before the session ended');
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
    expect(problems.filter((each) => !/status of 40[01]|status of 412/.test(each))).toEqual([]);
  });
});

async function endSessions({ base }: Demo, { username, password }: Editor): Promise<void> {
  const post = (path: string, body: unknown, jwt?: string) =>
    fetch(`${base}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(jwt === undefined ? {} : { Authorization: `Bearer ${jwt}` }) },
      body: JSON.stringify(body),
    });
  const { jwt } = await (await post('local', { identifier: username, password })).json();
  await post('logout', { scope: 'all' }, jwt);
}
