/** The day of an editor: everything between signing in and the end of the browser, in its order, in one server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../../compatibility/scenarios.ts';
import { hasChromium } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage, endSessions } from './console-page.ts';
import { type KilledBrowser, keptInBrowser, useKilledBrowsers } from './killed-browser.ts';

describe.skipIf(!hasChromium)('a day in /console', () => {
  const start = useKilledBrowsers();
  let demo: Demo;
  let browser: KilledBrowser;
  let site: ConsolePage;
  let problems: readonly string[];
  let admin: ReturnType<typeof adminOf>;
  let documentId = '';

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), start()]);
    admin = adminOf(demo);
    await enter();
  });
  afterAll(() => demo?.stop());

  const editor = () => ({ username: 'editor', password: demo.editorPassword });
  async function enter(): Promise<void> {
    const { page } = browser;
    page.setDefaultTimeout(10_000);
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open();
  }
  const published = async (query = '') => {
    const response = await fetch(`${demo.base}/api/articles/${documentId}?${query}`);
    return (await response.json()).data;
  };
  const draft = async () => (await admin('GET', `/articles/${documentId}?status=draft`)).json.data;

  /** The browser notes each response that is an error. */
  const unexpected = () => problems.filter((each) => !/status of 40[014]|status of 412/.test(each));
  /** Nothing is on its way, and nothing is unsaved. */
  const idle = () => site.page.locator('.actions .status', { hasText: /Saved/ }).waitFor();

  it('begins with a wrong password and the right one, which leaves no token where scripts can read it', async () => {
    await site.signIn({ ...editor(), password: 'wrong-password' });
    await site.page.getByRole('alert').getByText('Invalid identifier or password').waitFor();
    await site.signIn(editor());
    await site.page.getByRole('heading', { name: 'Hello, editor' }).waitFor();
    await site.page.reload();
    await site.page.getByRole('heading', { name: 'Hello, editor' }).waitFor();
    const stored = await site.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
    expect(stored).not.toMatch(/eyJ|strapi_up_refresh/);
  });

  it('writes an article with an image, a relation and a zone, and publishes it', async () => {
    const { page } = site;
    await page.getByRole('link', { name: 'New: Article' }).click();
    await site.field('title').fill('Fog at the harbour mouth');
    await site.field('body').click();
    await page.keyboard.type('The keeper counted the boats twice.');
    const category = page.getByRole('combobox', { name: 'Search: Category' });
    await category.fill('Light');
    await page.getByRole('option', { name: 'Lighthouses', exact: true }).click();
    const cover = page.getByRole('group', { name: 'Cover' });
    await cover.getByRole('button', { name: 'Choose from the library' }).click();
    const library = page.getByRole('dialog', { name: 'Choose a file' });
    await library
      .locator('input[type=file]')
      .setInputFiles({ name: 'fog.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(fixture('wide.jpg')) });
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && request.url().includes('/api/upload') && sent.push(request.url()));
    await library.getByLabel('Alternative text of fog.jpg').pressSequentially('A harbour in fog');
    // At once: what was typed last is in the document all the same.
    await library.getByRole('button', { name: 'Insert', exact: true }).click();
    await expect.poll(() => cover.getByLabel('Alternative text of fog.jpg').inputValue()).toBe('A harbour in fog');
    // One for the whole text.
    await expect.poll(() => sent.length).toBe(1);
    const blocks = page.getByRole('group', { name: 'Blocks' });
    await blocks.getByRole('button', { name: 'Add to Blocks' }).click();
    await blocks.getByRole('button', { name: /^Quote/ }).click();
    await page.locator('[id="field-blocks.0.body"]').fill('Fog knows no hurry.');
    await site.button('Publish');
    await site.notice('Published.');
    expect(await page.locator('.notice', { hasText: 'Saved.' }).count()).toBe(0);
    documentId = /articles\/(\w+)/.exec(page.url())?.[1] ?? '';
  });

  it('is found through the API', async () => {
    await expect
      .poll(() => published('populate[category]=true&populate[cover]=true&populate[blocks]=true'))
      .toMatchObject({
        title: 'Fog at the harbour mouth',
        slug: 'fog-at-the-harbour-mouth',
        body: 'The keeper counted the boats twice.',
        category: { name: 'Lighthouses' },
        cover: { name: 'fog.jpg', alternativeText: 'A harbour in fog' },
        blocks: [{ __component: 'shared.quote', body: 'Fog knows no hurry.' }],
      });
  });

  it('is written in another locale, filled from the first one', async () => {
    const { page } = site;
    await page
      .getByRole('list', { name: 'Locales' })
      .getByRole('link', { name: /^French \(fr\)/ })
      .click();
    await page.getByText('Fill from…').click();
    await page
      .locator('details[open]')
      .getByRole('button', { name: /\(en\)$/ })
      .click();
    await expect.poll(() => site.field('title').inputValue()).toBe('Fog at the harbour mouth');
    await site.field('title').fill('Brume au port');
    await site.button('Publish');
    await expect.poll(() => published('locale=fr')).toMatchObject({ title: 'Brume au port' });
    expect((await published()).title).toBe('Fog at the harbour mouth');
  });

  it('is corrected in a draft, which visitors see once it is published', async () => {
    await site.open(`/content/articles/${documentId}`);
    await site.field('summary').fill('A calmer summary');
    await site.button('Save draft');
    await expect.poll(draft).toMatchObject({ summary: 'A calmer summary' });
    expect((await published()).summary).toBeNull();
    await site.button('Publish');
    await expect.poll(published).toMatchObject({ summary: 'A calmer summary' });
    await idle();
  });

  it('merges what somebody else has saved in other fields, and asks about the same ones', async () => {
    await site.field('title').fill('Fog at noon');
    await admin('PATCH', `/articles/${documentId}?status=draft`, { data: { contactEmail: 'desk@example.org' } });
    await site.button('Save draft');
    await expect.poll(draft).toMatchObject({ title: 'Fog at noon', contactEmail: 'desk@example.org' });
    await idle();
    await site.field('title').fill('Mine');
    await site.field('summary').fill('My summary');
    await admin('PATCH', `/articles/${documentId}?status=draft`, { data: { title: 'Theirs', summary: 'Their summary' } });
    await site.button('Save draft');
    const dialog = site.page.getByRole('dialog', { name: 'Somebody else has changed this meanwhile' });
    await dialog.getByRole('group', { name: 'Title' }).getByLabel('Saved by somebody else').check();
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await expect.poll(() => site.field('title').inputValue()).toBe('Theirs');
    expect(await draft()).toMatchObject({ title: 'Theirs', summary: 'Their summary' });
    await site.button('Save draft');
    await expect.poll(draft).toMatchObject({ title: 'Theirs', summary: 'My summary' });
    await idle();
  });

  it('goes on after the session has ended', async () => {
    await site.field('summary').fill('Typed before the session ended');
    await endSessions(demo, editor());
    // Whatever the page asks for by itself may have brought up the dialog already, which covers the button.
    await site.page.getByRole('button', { name: 'Save draft', exact: true, includeHidden: true }).dispatchEvent('click');
    await site.page.getByRole('dialog', { name: 'You have been signed out' }).waitFor();
    expect((await draft()).summary).toBe('My summary');
    await site.signIn(editor());
    await expect.poll(async () => (await draft()).summary).toBe('Typed before the session ended');
  });

  it('goes on after the browser was killed, with a document and a new one', async () => {
    await idle();
    await site.field('summary').fill('Typed just before the crash');
    await keptInBrowser(site.page, 'Typed just before the crash');
    await site.open('/content/articles/new');
    await site.field('title').pressSequentially('A new one, lost?');
    await keptInBrowser(site.page, 'A new one, lost?');
    expect(unexpected()).toEqual([]);
    await browser.kill();

    browser = await start();
    await enter();
    // The cookie of a session that is not kept ends with the browser.
    await site.signIn(editor());
    const unsaved = site.page.locator('.unsaved').getByRole('link');
    await expect.poll(() => unsaved.allInnerTexts()).toEqual(expect.arrayContaining(['A new one, lost?']));
    expect(await unsaved.count()).toBe(2);
    await unsaved.filter({ hasText: 'A new one, lost?' }).click();
    await site.page.getByText('Changes that were not saved have been restored').waitFor();
    await expect.poll(() => site.field('title').inputValue()).toBe('A new one, lost?');
    await site.button('Save draft');
    await site.notice('Saved.');
    const { json } = await admin('GET', '/articles?status=draft&filters[title]=A new one, lost?&fields=title');
    expect(json.data).toHaveLength(1);
    await site.open(`/content/articles/${documentId}`);
    await expect.poll(() => site.field('summary').inputValue()).toBe('Typed just before the crash');
    expect(unexpected()).toEqual([]);
  });
});
