/** What was typed into the console survives the end of the browser: `kill -9`, and no goodbye. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { ConsolePage, type Editor, keptWork, makeEditor } from './console-page.ts';
import { useKilledBrowsers } from './killed-browser.ts';

const article = 'qbw49k4x3qnhgw6ucvyfdo7o';

describe.skipIf(!hasChromium)('/console, when the browser is killed', () => {
  let demo: Demo;
  let editor: Editor;
  const open = useKilledBrowsers();

  beforeAll(async () => {
    demo = await startDemo();
    editor = await makeEditor(demo, 'eva', {
      'api::article.article': ['find', 'findOne', 'findDraft', 'create', 'update', 'publish'],
      'plugin::users-permissions.user': ['me'],
      'plugin::users-permissions.auth': ['logout', 'refresh'],
    });
  });
  afterAll(async () => {
    await demo?.stop();
  });

  it('offers what two tabs had typed into the same document', async () => {
    const before = await open();
    const first = new ConsolePage(before.page, demo.base);
    await first.open(`/content/articles/${article}`);
    await first.signIn(editor);
    await first.field('summary').fill('Typed in the first tab');
    await first.field('title').fill('First title');
    await stored(before.page, 'First title');
    const second = new ConsolePage(await before.page.context().newPage(), demo.base);
    await second.open(`/content/articles/${article}`);
    await second.page.getByText('open in another tab of this browser').waitFor();
    await second.field('readingMinutes').fill('42');
    await second.field('title').fill('Second title');
    await stored(second.page, 'Second title');
    await before.kill();

    const after = await open();
    const third = new ConsolePage(after.page, demo.base);
    await third.open();
    await third.signIn(editor);
    const unsaved = after.page.locator('.unsaved').getByRole('link');
    await unsaved.filter({ hasText: 'Second title' }).click();
    const dialog = after.page.getByRole('dialog', { name: 'You have typed this in two tabs' });
    await dialog.getByRole('group', { name: 'Title' }).getByLabel('Typed before').check();
    // Both versions are still on the disk: a second crash here loses neither.
    await stored(after.page, 'Second title');
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await expect.poll(() => third.field('title').inputValue()).toBe('First title');
    await expect.poll(() => third.field('summary').inputValue()).toBe('Typed in the first tab');
    await expect.poll(() => third.field('readingMinutes').inputValue()).toBe('42');
    await expect
      .poll(async () => JSON.parse(await keptWork(after.page)).map((work: { readonly changes: unknown }) => work.changes))
      .toEqual([{ title: 'First title', summary: 'Typed in the first tab', readingMinutes: 42 }]);
    await third.button('Save draft');
    await third.notice('Saved.');
    await expect.poll(() => keptWork(after.page)).toBe('[]');
  });
});

/** Waits until the browser has the text on its disk, which takes milliseconds after a key. */
const stored = (page: Page, text: string) => expect.poll(() => keptWork(page)).toContain(text);
