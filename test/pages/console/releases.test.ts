/** Releases in the console: documents are collected, checked, and published together. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage, makeEditor } from './console-page.ts';

describe.skipIf(!hasChromium)('/console/releases', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let problems: readonly string[];
  const ids: string[] = [];

  const admin = (method: string, path: string, body?: unknown) => adminOf(demo)(method, path, body);
  const isPublished = async (documentId: string | undefined) => (await admin('GET', `/articles/${documentId}`)).status === 200;
  const row = (text: string) => site.page.getByRole('row').filter({ hasText: text });
  const dialog = (name: string) => site.page.getByRole('dialog', { name });

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })]);
    for (const slug of ['spring-one', 'spring-two', 'spring-three']) {
      const { json } = await admin('POST', '/articles?status=draft', { data: { title: `A ${slug}`, slug, body: 'Words' } });
      ids.push(json.data.documentId);
    }
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open(`/content/articles/${ids[0]}`);
    await site.signIn({ username: 'editor', password: demo.editorPassword });
    await site.field('title').waitFor();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  it('takes a document from its form, and others from a list', async () => {
    const { page } = site;
    await page.getByText('More', { exact: true }).click();
    await site.button('Add to a release');
    await dialog('Add to a release').getByLabel('Name of the new release').fill('Spring');
    await site.button('Add');
    await site.notice('1 document was added to “Spring”.');
    await site.open('/content/articles?q=spring-t');
    await row('A spring-three').waitFor();
    for (const each of ['two', 'three']) await row(`A spring-${each}`).getByRole('checkbox').check();
    await site.button('Add to a release');
    await site.button('Add');
    await site.notice('2 documents were added to “Spring”.');
    await site.button('Show the release');
    for (const each of ['one', 'two', 'three']) await row(`A spring-${each}`).getByText('Draft').waitFor();
    // Single types have no documentId.
    await site.open('/content/homepage');
    await site.field('heading').fill('The Leeward in spring');
    await site.button('Save draft');
    await site.notice('Saved');
    await page.getByText('More', { exact: true }).click();
    await site.button('Add to a release');
    await site.button('Add');
    await site.notice('1 document was added to “Spring”.');
    // Once is enough.
    await site.open('/content/articles?q=spring-t');
    await row('A spring-three').getByRole('checkbox').check();
    await site.button('Add to a release');
    await site.button('Add');
    await dialog('Add to a release').getByRole('alert').getByText('There are two entries of').waitFor();
  });

  it('shows at its document what cannot be published, and publishes nothing then', async () => {
    const { page } = site;
    await admin('PATCH', `/articles/${ids[1]}?status=draft`, { data: { title: null } });
    await site.open('/releases');
    await site.page.getByRole('link', { name: 'Spring' }).click();
    await site.button('Check');
    await site.notice('1 document cannot be published.');
    const wrong = row('Title: ');
    await wrong.waitFor();
    expect(await site.page.locator('.problem.people-second').count()).toBe(1);
    await site.button('Publish now');
    await dialog('Publish the release?').getByRole('button', { name: 'Publish now' }).click();
    await site.page.locator('.notice', { hasText: '1 document cannot be published.' }).nth(1).waitFor();
    expect(await Promise.all(ids.map(isPublished))).toEqual([false, false, false]);
    await wrong.getByRole('button', { name: /^Remove/ }).click();
    await wrong.waitFor({ state: 'detached' });
    await site.notice('The document was removed from the release.');
    // What somebody else adds meanwhile is not published unseen.
    const [{ id }] = (await admin('GET', '/_releases')).json.data;
    const add = [{ publish: 'api::article.article', documentId: ids[1] }];
    await admin('PATCH', `/articles/${ids[1]}?status=draft`, { data: { title: 'A spring-two' } });
    const { entries } = (await admin('PATCH', `/_releases/${id}`, { add })).json.data;
    await site.button('Publish now');
    await dialog('Publish the release?').getByRole('button', { name: 'Publish now' }).click();
    await site.notice('The release has changed meanwhile.');
    await row('A spring-two').waitFor();
    expect(await Promise.all(ids.map(isPublished))).toEqual([false, false, false]);
    await admin('PATCH', `/_releases/${id}`, { remove: [entries.at(-1).id] });
    await page.reload();
    await row('A spring-three').waitFor();
  });

  it('takes a name and a time, and cancels the time', async () => {
    const { page } = site;
    const change = async (name: string, time: string) => {
      await site.button('Name and time');
      await dialog('Name and time').getByLabel('Name').fill(name);
      await dialog('Name and time').getByLabel('Publish at').fill(time);
      await site.button('Save');
      await page.getByRole('heading', { name, exact: true }).waitFor();
    };
    await change('Summer', '2034-06-21T09:00');
    await page.getByText('21 Jun 2034, 09:00').waitFor();
    await change('Spring', '');
    await page.getByText('Open', { exact: true }).waitFor();
    await site.button('Name and time');
    await dialog('Name and time').getByLabel('Publish at').fill('2001-01-01T09:00');
    await site.button('Save');
    await dialog('Name and time').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
  });

  it('publishes all of it', async () => {
    await site.button('Publish now');
    await dialog('Publish the release?').getByRole('button', { name: 'Publish now' }).click();
    await site.notice('The release is published.');
    await row('A spring-three').getByText('Published').waitFor();
    expect(await Promise.all(ids.map(isPublished))).toEqual([true, false, true]);
    await site.button('Delete');
    await dialog('Delete “Spring”?').getByRole('button', { name: 'Delete' }).click();
    await site.page.getByText('There is no release yet').waitFor();
    expect(problems.filter((each) => !/Failed to load resource: .* 400/.test(each))).toEqual([]);
  });

  it('is not offered to those who may not publish', async () => {
    const writer = await makeEditor(demo, 'writer', { 'api::article.article': ['find', 'findOne', 'findDraft', 'update'] });
    const context = await browser.context.browser()?.newContext({ locale: 'en-GB' });
    const page = await context?.newPage();
    if (page === undefined) throw new Error('the browser is open');
    const other = new ConsolePage(page, demo.base);
    await other.open(`/content/articles/${ids[0]}`);
    await other.signIn(writer);
    await other.field('title').waitFor();
    expect(await page.getByRole('link', { name: 'Releases' }).count()).toBe(0);
    await page.getByText('More', { exact: true }).click();
    expect(await page.getByRole('button', { name: 'Add to a release' }).count()).toBe(0);
    await other.open('/releases');
    await page.getByRole('heading', { name: 'There is no such page.' }).waitFor();
  });
});
