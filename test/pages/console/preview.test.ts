/** The preview beside a form, with a site that is made for Strapi's preview and with one that is not. */
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage } from './console-page.ts';
import { type PreviewSite, type Shown, startPreviewSite } from './preview-site.ts';

describe.skipIf(!hasChromium)('the preview of /console', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let page: Page;
  let preview: PreviewSite;
  /** Another site whose pages may be shown. */
  let strange: PreviewSite;
  let problems: readonly string[];
  let admin: ReturnType<typeof adminOf>;
  let one = '';
  let two = '';

  beforeAll(async () => {
    const shown = (): Shown => ({ base: demo.base, token: demo.token, other: two });
    [preview, strange, browser] = await Promise.all([
      startPreviewSite(shown),
      startPreviewSite(shown),
      openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' }),
    ]);
    const templates = {
      'api::article.article': `${preview.origin}/article/{documentId}/{slug}#{status}`,
      'api::category.category': `${strange.origin}/plain/{documentId}`,
    };
    demo = await startDemo({ LECTERN_CONSOLE_PREVIEW: JSON.stringify(templates) });
    admin = adminOf(demo);
    const [category] = (await admin('GET', '/categories')).json.data;
    const file = (await admin('GET', '/upload/files')).json.find(({ alternativeText }: { alternativeText?: string }) => alternativeText);
    const write = async (title: string) => {
      const data = {
        title,
        slug: title.toLowerCase(),
        summary: `About ${title}`,
        category: category.documentId,
        cover: file.id,
        links: [{ label: `First of ${title}` }, { label: `Second of ${title}` }],
        blocks: [{ __component: 'shared.quote', body: `Said of ${title}` }],
      };
      return (await admin('POST', '/articles?status=draft', { data })).json.data.documentId;
    };
    [one, two] = [await write('Fog'), await write('Rain')];
    await admin('PATCH', `/articles/${one}?status=draft&locale=fr`, { data: { title: 'Brume', slug: 'brume' } });
    page = await browser.context.newPage();
    page.setDefaultTimeout(10_000);
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open();
    await site.signIn({ username: 'editor', password: demo.editorPassword });
    await page.getByRole('heading', { name: 'Hello, editor' }).waitFor();
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), demo?.stop()]);
    for (const each of [preview, strange]) each?.close();
  });

  const inside = () => page.frameLocator('iframe.preview');
  const focused = () => page.evaluate(() => document.activeElement?.id);
  const marked = (selector: string) => inside().locator(`${selector}[data-strapi-source]`);
  /** The form with its preview, whose texts are marked. */
  const open = async () => {
    await site.open(`/content/articles/${one}`);
    await site.button('Preview beside');
    await marked('#summary').waitFor();
  };

  it('marks the texts, without the characters that say where they come from', async () => {
    await open();
    await expect.poll(() => marked('#summary').evaluate((text) => text.textContent)).toBe('About Fog');
    expect(
      await inside()
        .locator('main')
        .evaluate((main) => /[\u200b-\u200d\ufeff]/.test(main.outerHTML)),
    ).toBe(false);
    await marked('#summary').hover();
    await expect.poll(() => marked('#summary').evaluate((text) => getComputedStyle(text).outlineStyle)).toBe('solid');
    await expect.poll(() => marked('#other').evaluate((text) => getComputedStyle(text).outlineStyle)).toBe('none');
  });

  it.each([
    ['a text', '#summary', 'field-summary'],
    ['a text in a link, which is not followed', 'h1 a', 'field-title'],
    ['a text in a folded component', '#link-1', 'field-links.1.label'],
    ['another one of the list', '#link-0', 'field-links.0.label'],
    ['a text in a zone', '#block-0', 'field-blocks.0.body'],
    ['the alternative text of a file', 'img', 'field-cover'],
    ['the name of a linked document', '#category', 'field-category'],
  ])('a double click on %s leads to its field', async (_, selector, field) => {
    await marked(selector).dblclick();
    await expect.poll(async () => (await focused()) ?? '').toMatch(new RegExp(`^${field}(?:-|$)`));
    await expect.poll(() => page.locator(`[id="${field}"]`).evaluate((each) => each.getBoundingClientRect().top < innerHeight)).toBe(true);
  });

  it('says which document and which locale another text belongs to, and opens it', async () => {
    await marked('#other-link').dblclick();
    await site.notice('This text belongs to another document.');
    await marked('#french').dblclick();
    await site.notice('This text belongs to another locale: French (fr).');
    await expect.poll(() => page.locator('.notice').count()).toBe(1);
    await marked('#other').dblclick();
    await site.notice('This text belongs to another document (Article).');
    await page.locator('.notice').getByRole('button', { name: 'Open it' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/content/articles/${two}`);
    await expect.poll(() => site.field('title').inputValue()).toBe('Rain');
  });

  it('a site that listens is told of what was saved, and not loaded again', async () => {
    await open();
    const before = preview.requested.length;
    await site.field('summary').fill('A thick one');
    await site.button('Save draft');
    await expect.poll(() => marked('#summary').textContent()).toBe('A thick one');
    expect(preview.requested.length).toBe(before);
    await site.field('slug').fill('thick-fog');
    await site.button('Save draft');
    await expect.poll(() => preview.requested.slice(before)).toEqual([`/article/${one}/thick-fog`]);
    await marked('#summary').waitFor();
  });

  it('a page that does not listen is loaded again, also after one that did', async () => {
    await marked('h1 a').click();
    await expect.poll(() => preview.requested.at(-1)).toBe(`/plain/${one}`);
    await inside().getByText('A thick one').waitFor();
    await site.field('summary').fill('A thin one');
    await site.button('Save draft');
    await inside().getByText('A thin one').waitFor();
    await expect.poll(() => preview.requested.at(-1)).toBe(`/article/${one}/thick-fog`);
  });

  it('links to the page for visitors after publishing, and for as long as the draft is the same', async () => {
    const url = `${preview.origin}/article/${one}/thick-fog#published`;
    await site.button('Publish');
    expect(await page.locator('.notice', { hasText: 'Published.' }).getByRole('link').getAttribute('href')).toBe(url);
    const inForm = page.locator('.actions').getByRole('link', { name: 'View on the site' });
    expect(await inForm.getAttribute('href')).toBe(url);
    await site.field('summary').fill('A thick one again');
    await site.button('Save draft');
    await inForm.waitFor({ state: 'detached' });
  });

  describe('with a hostile page', () => {
    const source = (more: Readonly<Record<string, string>> = {}) =>
      new URLSearchParams({ documentId: one, model: 'api::article.article', path: 'title', ...more }).toString();
    const intent = (path: unknown) => ({ type: 'strapiFieldFocusIntent', payload: { path } });
    const frameOf = ({ origin }: PreviewSite): Frame => {
      const found = page.frames().find((each) => each.url().startsWith(origin));
      if (found === undefined) throw new Error('no frame of the site');
      return found;
    };
    /** Resolves when the console has received them. */
    const post = async (frame: Frame, messages: readonly unknown[]) => {
      const received = page.evaluate(
        () => new Promise((resolve) => addEventListener('message', ({ data }) => data === 'last' && setTimeout(resolve, 50))),
      );
      await frame.evaluate((each) => {
        for (const message of [...each, 'last']) parent.postMessage(message, '*');
      }, messages as unknown[]);
      await received;
    };
    const isInFrame = () => page.evaluate(() => document.activeElement?.tagName);

    it('only a known field, document and type has an effect, and none becomes markup or a URL', async () => {
      await open();
      await inside().locator('#summary').click();
      const markup = '<img src=x onerror="hacked=1">';
      await post(frameOf(preview), [
        null,
        'previewReady',
        { type: 'strapiFieldFocusIntent' },
        { type: 'strapiFieldFocusIntent', payload: null },
        ...[
          7,
          { path: 'title' },
          '',
          markup,
          `javascript:hacked=1`,
          source({ documentId: '..' }),
          source({ documentId: '../../users' }),
        ].map(intent),
        { type: 'strapiUpdate' },
        { type: 'strapiScript', payload: { script: 'hacked=1' } },
      ]);
      expect(await isInFrame()).toBe('IFRAME');
      await expect.poll(() => page.locator('.notice').count()).toBe(0);
      const unknown = { documentId: 'other', model: markup, locale: markup };
      await post(frameOf(preview), [intent(source(unknown)), intent(source({ ...unknown, path: `title.${markup}` }))]);
      await expect
        .poll(() => page.locator('.notice').allInnerTexts())
        .toEqual([expect.stringMatching(/^This text belongs to another document\.\s+✕$/)]);
      await post(frameOf(preview), [intent(source({ path: markup }))]);
      await site.notice('This form has no field for this text.');
      expect(await page.evaluate(() => 'hacked' in globalThis || document.querySelector('img[src=x]') !== null)).toBe(false);
    });

    it('the focus is not taken from the form', async () => {
      await site.field('summary').focus();
      await post(frameOf(preview), [intent(source())]);
      expect(await focused()).toBe('field-summary');
      await inside().locator('#summary').click();
      await post(frameOf(preview), [intent(source())]);
      await expect.poll(focused).toBe('field-title');
    });

    it('no other window is listened to, nor another site in the frame', async () => {
      await inside().locator('#summary').click();
      await post(page.mainFrame(), [intent(source())]);
      expect(await isInFrame()).toBe('IFRAME');
      await frameOf(preview).evaluate((url) => location.assign(url), `${strange.origin}/article/${one}`);
      await inside().locator('#summary').click();
      await post(frameOf(strange), [{ type: 'previewReady' }, intent(source())]);
      expect(await isInFrame()).toBe('IFRAME');
      // It got no script either.
      await expect.poll(() => inside().locator('[data-strapi-source]').count()).toBe(0);
    });
  });

  it('nothing was asked of other origins but the page of the site, and no policy was violated', () => {
    expect(problems.filter((each) => ![preview, strange].some(({ origin }) => each.includes(origin)))).toEqual([]);
  });
});
