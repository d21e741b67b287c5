/** What was typed into the console survives the end of the browser: `kill -9`, and no goodbye. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hasChromium } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { adminOf, ConsolePage, type Editor, keptWork, makeEditor } from './console-page.ts';

const article = 'qbw49k4x3qnhgw6ucvyfdo7o';

describe.skipIf(!hasChromium)('/console, when the browser is killed', () => {
  const home = mkdtempSync(join(tmpdir(), 'lectern-crash-'));
  let demo: Demo;
  let editor: Editor;
  const started: Awaited<ReturnType<typeof startBrowser>>[] = [];

  beforeAll(async () => {
    demo = await startDemo();
    editor = await makeEditor(demo, 'eva', {
      'api::article.article': ['find', 'findOne', 'findDraft', 'create', 'update', 'publish'],
      'plugin::users-permissions.user': ['me'],
      'plugin::users-permissions.auth': ['logout', 'refresh'],
    });
  });
  afterAll(async () => {
    for (const each of started) await each.kill();
    await demo?.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  async function open(): Promise<{ readonly page: Page; readonly kill: () => Promise<void> }> {
    const browser = await startBrowser(home);
    started.push(browser);
    return browser;
  }

  it('offers the changes of a document and of a new one when one comes back', async () => {
    const before = await open();
    const first = new ConsolePage(before.page, demo.base);
    await first.open(`/content/articles/${article}`);
    await first.signIn(editor);
    await first.field('summary').fill('');
    await first.field('summary').pressSequentially('Typed just before the crash');
    await stored(before.page, 'Typed just before the crash');
    await first.open('/content/articles/new');
    await first.field('title').pressSequentially('A new one, lost?');
    await stored(before.page, 'A new one, lost?');
    await before.kill();

    const after = await open();
    const second = new ConsolePage(after.page, demo.base);
    await second.open();
    // The cookie of a session that is not kept ends with the browser.
    await second.signIn(editor);
    const unsaved = after.page.locator('.unsaved').getByRole('link');
    await unsaved.first().waitFor();
    await expect.poll(() => unsaved.count()).toBe(2);
    await unsaved.filter({ hasText: 'A new one, lost?' }).click();
    await after.page.getByText('Changes that were not saved have been restored').waitFor();
    await expect.poll(() => second.field('title').inputValue()).toBe('A new one, lost?');
    await second.button('Save draft');
    await second.notice('Saved.');
    const { json } = await adminOf(demo)('GET', '/articles?status=draft&filters[title]=A new one, lost?&fields=title');
    expect(json.data).toHaveLength(1);
    await second.open(`/content/articles/${article}`);
    await expect.poll(() => second.field('summary').inputValue()).toBe('Typed just before the crash');
    await second.button('Drop these changes');
    await expect.poll(() => keptWork(after.page)).toBe('[]');
    await after.kill();
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

/** A browser whose process can be killed; Playwright ends those that it starts in an orderly way. */
async function startBrowser(home: string) {
  const child = spawn(
    inject('chromium'),
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${home}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, HOME: home } },
  );
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
      const [, found] = /DevTools listening on (ws:\S+)/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`the browser ended: ${text}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the browser has no window');
  const page = await context.newPage();
  return {
    page,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = once(child, 'exit');
      // With all its processes.
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
