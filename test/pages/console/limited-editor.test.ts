/** An editor with few rights: own documents and four fields. The console shows these and no more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage } from './console-page.ts';

const managementToken = 'a-management-token-of-this-test-1234';
const fields = ['title', 'slug', 'summary', 'contactEmail'];

describe.skipIf(!hasChromium)('/console with few rights', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let problems: readonly string[];
  let own = '';
  let other = '';

  beforeAll(async () => {
    [demo, browser] = await Promise.all([
      startDemo({ LECTERN_MANAGEMENT_TOKEN: managementToken }),
      openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' }),
    ]);
    const admin = adminOf(demo);
    const where = { contactEmail: { $eq: '$user.email' } };
    const limited = { fields, where };
    const manage = async (path: string, data: unknown) => {
      const response = await fetch(`${demo.base}/api/_manage/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${managementToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ data }),
      });
      expect(response.status).toBe(201);
      return (await response.json()).data;
    };
    const role = await manage('roles', {
      name: 'Guest author',
      rights: {
        'api::article.article': { find: limited, findOne: limited, findDraft: true, update: limited },
        'plugin::users-permissions.user': ['me'],
        'plugin::users-permissions.auth': ['logout', 'refresh'],
      },
    });
    await manage('users', { username: 'gus', email: 'gus@example.org', password: 'a-long-password', role: role.id });
    const write = async (title: string, contactEmail: string) => {
      const { json } = await admin('POST', '/articles?status=draft', { data: { title, slug: title.toLowerCase(), contactEmail } });
      return json.data.documentId;
    };
    own = await write('Own', 'gus@example.org');
    other = await write('Foreign', 'somebody@example.org');
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open();
    await site.signIn({ username: 'gus', password: 'a-long-password' });
    await page.getByRole('heading', { name: 'Hello, gus' }).waitFor();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  it('has one type in its menu, and no way to make a document', async () => {
    const menu = await site.page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(menu.filter((each) => ['Article', 'Author', 'Category', 'Tag', 'About', 'Homepage', 'Media library'].includes(each))).toEqual([
      'Article',
    ]);
    await expect.poll(() => site.page.getByText('New: Article').count()).toBe(0);
  });

  it('shows the fields of the right, and no buttons for what may not be done', async () => {
    await site.open(`/content/articles/${own}`);
    await site.field('title').waitFor();
    const shown = await site.page.locator('.fields .field [id$="-label"]').evaluateAll((all) => all.map(({ id }) => id));
    expect(shown).toEqual(fields.map((name) => `field-${name}--label`));
    for (const name of ['Publish', 'Unpublish', 'Delete', 'Discard changes'])
      await expect.poll(() => site.page.getByRole('button', { name, exact: true }).count()).toBe(0);
  });

  it('saves what it may write', async () => {
    await site.field('summary').fill('By a guest');
    await site.button('Save draft');
    await site.notice('Saved.');
    expect((await adminOf(demo)('GET', `/articles/${own}?status=draft`)).json.data.summary).toBe('By a guest');
  });

  it('finds no document of others', async () => {
    await site.open(`/content/articles/${other}`);
    await site.page.getByRole('heading', { name: 'This document does not exist, or not for you.' }).waitFor();
    expect(await site.page.content()).not.toContain('Foreign');
    expect(problems.filter((each) => !/status of 404/.test(each))).toEqual([]);
  });
});
