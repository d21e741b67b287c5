/** The console without a mouse: where the focus goes, and what screen readers are told. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { ConsolePage } from './console-page.ts';

describe.skipIf(!hasChromium)('/console by keyboard', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let page: Page;
  let site: ConsolePage;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })]);
    page = await browser.context.newPage();
    page.setDefaultTimeout(10_000);
    site = new ConsolePage(page, demo.base);
    await site.open();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  /** `H1 Article`, `BUTTON Publish`. */
  const focused = () =>
    page.evaluate(() => {
      const { tagName, id, innerText = '', ariaLabel } = (document.activeElement ?? document.body) as HTMLElement;
      return `${tagName} ${ariaLabel ?? (innerText.split('\n')[0] || id)}`;
    });
  const keys = async (...names: readonly string[]) => {
    for (const name of names) await page.keyboard.press(name);
  };

  it('leads to the heading of each page, which names the tab', async () => {
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('identifier');
    await page.keyboard.type('editor');
    await keys('Tab');
    await page.keyboard.type(demo.editorPassword);
    await keys('Enter');
    await expect.poll(focused).toBe('H1 Hello, editor');
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await keys('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('button', { name: 'Go to…' }).focus();
    await keys('Enter');
    await page.getByRole('combobox', { name: 'Go to…' }).waitFor();
    await page.keyboard.type('articl');
    await keys('Enter');
    await expect.poll(focused).toBe('H1 Article');
    await expect.poll(() => page.title()).toBe('Article · Lectern');
    await page.getByRole('row').nth(1).waitFor();
    await keys('n');
    await expect.poll(focused).toBe('H1 New: Article');
    await expect.poll(() => page.title()).toBe('New: Article · Lectern');
    await page.getByRole('link', { name: 'Skip to the form' }).waitFor();
    await keys('Tab', 'Enter', 'Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-title');
  });

  it('leads to the first problem of a document that cannot be published, and from it to the field', async () => {
    await site.field('readingMinutes').fill('900');
    await site.field('readingMinutes').press('Control+Enter');
    await expect.poll(focused).toBe('BUTTON Title');
    await expect
      .poll(() => page.getByRole('alert').getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/^Title/), expect.stringMatching(/^Reading minutes/)]);
    await keys('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-title');
    await expect.poll(() => site.field('title').getAttribute('aria-invalid')).toBe('true');
  });

  it('keeps the focus where it was after saving, publishing, menus and dialogs', async () => {
    await site.field('title').fill('By keyboard');
    await site.field('readingMinutes').fill('9');
    await page.getByRole('combobox', { name: 'Search: Author' }).focus();
    // At once, before anything is found.
    await page.keyboard.type('odi');
    await keys('Enter');
    await page.getByRole('group', { name: 'Author' }).getByRole('link', { name: 'Odile Kervadec' }).waitFor();
    await keys('Control+Enter');
    await site.notice('Published.');
    await expect.poll(focused).toBe('INPUT Search: Author');
    for (const [opener, first] of [
      ['Browse… – Author', 'INPUT '],
      ['Choose from the library', 'H2 Choose a file'],
    ] as const) {
      await page.getByRole('button', { name: opener }).first().focus();
      await keys('Enter');
      await page.getByRole('dialog').waitFor();
      await expect.poll(focused).toBe(first);
      await keys('Escape');
      await expect.poll(focused).toBe(`BUTTON ${opener}`);
    }
    await site.field('summary').fill('Changed');
    await page.getByRole('button', { name: 'Publish' }).focus();
    await keys('Enter');
    await page.getByRole('button', { name: 'Publish', disabled: true }).waitFor();
    await expect.poll(() => page.getByText('Modified', { exact: true }).count()).toBe(0);
    await expect.poll(focused).toBe('BUTTON Publish');
    await page.locator('summary', { hasText: 'More' }).focus();
    await keys('Enter', 'Tab', 'Escape');
    await expect.poll(focused).toBe('SUMMARY More');
    await expect.poll(() => page.locator('.actions details[open]').count()).toBe(0);
    await keys('Enter');
    await page.getByRole('button', { name: 'Delete', exact: true }).focus();
    await keys('Enter');
    const question = page.getByRole('dialog', { name: 'Delete this document?', description: /deleted for good/ });
    await question.waitFor();
    // Nothing is lost by pressing Enter once more.
    await expect.poll(focused).toBe('BUTTON Cancel');
    await keys('Enter');
    await question.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('SUMMARY More');
  });
});
