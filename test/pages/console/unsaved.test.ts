/** Unsaved work in the console: in several tabs, on documents that are gone, and without passwords. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { ConsolePage, keptWork } from './console-page.ts';

const files = schemaFiles(
  {
    note: {
      drafts: true,
      attributes: {
        title: { type: 'string' },
        summary: { type: 'text' },
        mood: { type: 'string', default: 'calm' },
        pin: { type: 'password' },
        door: component('door'),
        zone: { type: 'dynamiczone', components: ['part.door'] },
      },
    },
  },
  { door: { name: { type: 'string' }, code: { type: 'password' }, lock: component('lock') }, lock: { secret: { type: 'password' } } },
);
const actions = ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'];

describe.skipIf(!hasChromium)('unsaved work in /console', () => {
  const api = useProject('sqlite', {
    files,
    authenticated: [
      ...actions.map((action) => `api::note.note.${action}`),
      'plugin::users-permissions.user.me',
      'plugin::users-permissions.auth.logout',
      'plugin::users-permissions.auth.refresh',
    ],
    users: [ada],
    env: { JWT_SECRET: jwtSecret },
  });
  let browser: OpenBrowser;
  let site: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
    page = await browser.context.newPage();
    site = new ConsolePage(page, api.server.base);
    await site.open();
    await site.signIn(ada);
    await page
      .getByRole('heading', { name: 'Start' })
      .or(page.getByRole('heading', { name: 'Hello' }))
      .waitFor();
  });
  afterAll(() => browser?.close());

  const make = async (title: string) =>
    (await api.make('/api/notes?status=draft', { title, summary: 'As it was' })).replace('/api', '/content');
  const tab = async (path: string) => {
    const opened = new ConsolePage(await browser.context.newPage(), api.server.base);
    await opened.open(path);
    return opened;
  };
  const records = async () =>
    JSON.parse(await keptWork(page)) as { readonly key: string; readonly id: string; readonly changes: unknown }[];
  /** Leaves by a link, so that the form closes and its work stays. */
  const leave = async (from: ConsolePage) => {
    await from.page.getByRole('link', { name: 'Start' }).click();
    await from.button('Leave');
    await from.page.getByRole('heading', { name: 'Unsaved work' }).waitFor();
  };

  it('has a record for each tab, says so, and offers the work of a tab that was closed', async () => {
    const path = await make('Two tabs');
    await site.open(path);
    const other = await tab(path);
    await site.field('summary').fill('Of the first');
    const elsewhere = other.page.getByText('open in another tab of this browser');
    await elsewhere.waitFor();
    await other.field('title').fill('Of the second');
    await expect
      .poll(async () => (await records()).map(({ changes }) => changes))
      .toEqual(expect.arrayContaining([{ summary: 'Of the first' }, { title: 'Of the second' }]));
    await expect.poll(() => other.field('summary').inputValue()).toBe('As it was');
    // What is saved in one tab is no unsaved work for the other one.
    await site.button('Save draft');
    await site.notice('Saved.');
    await elsewhere.waitFor({ state: 'detached' });
    await site.field('summary').fill('Of the first, later');
    await elsewhere.waitFor();
    await page.goto('about:blank');
    await other.page.getByText('has left unsaved changes').waitFor();
    await other.button('Take these changes over');
    await expect.poll(() => other.field('summary').inputValue()).toBe('Of the first, later');
    await expect.poll(() => other.field('title').inputValue()).toBe('Of the second');
    await other.button('Save draft');
    await other.notice('Saved.');
    expect(await api.read(`${path.replace('/content', '/api')}?status=draft`)).toMatchObject({
      title: 'Of the second',
      summary: 'Of the first, later',
    });
    await other.page.close();
    await site.open();
    await expect.poll(records).toEqual([]);
  });

  it('is of a document of its own in a duplicated tab of a new one', async () => {
    await site.open('/content/notes/new');
    await site.field('title').fill('First tab');
    const other = new ConsolePage(await browser.context.newPage(), api.server.base);
    await other.page.goto(page.url());
    await other.field('title').fill('Second tab');
    expect(other.page.url()).not.toBe(page.url());
    const third = await tab('');
    await third.page.getByRole('listitem').filter({ hasText: 'First tab' }).getByText('open in another tab').waitFor();
    expect(await third.page.getByRole('link', { name: 'First tab' }).count()).toBe(0);
    await third.page.close();
    for (const each of [site, other]) {
      await each.button('Save draft');
      await each.notice('Saved.');
    }
    expect(await other.field('title').inputValue()).toBe('Second tab');
    expect(other.page.url()).not.toBe(page.url());
    await other.page.close();
  });

  it('is found again after a reload, also in a record of an earlier version', async () => {
    const path = await make('Reloaded');
    await site.open(path);
    await site.field('summary').fill('Before the reload');
    await expect.poll(async () => (await records()).length).toBe(1);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Changes that were not saved have been restored').waitFor();
    await expect.poll(() => site.field('summary').inputValue()).toBe('Before the reload');
    await leave(site);
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('lectern-console');
          opening.onsuccess = () => {
            const change = opening.result.transaction('work', 'readwrite');
            const store = change.objectStore('work');
            const asked = store.getAll();
            asked.onsuccess = () => {
              for (const { id, key, ...work } of asked.result) {
                store.delete(key);
                store.put({ ...work, key: key.slice(0, -id.length - 1) });
              }
            };
            change.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
    );
    await page.locator('.unsaved').getByRole('link', { name: 'Reloaded' }).click();
    await expect.poll(() => site.field('summary').inputValue()).toBe('Before the reload');
    await expect.poll(async () => (await records()).map(({ id }) => typeof id)).toEqual(['string']);
    await site.button('Drop these changes');
    await expect.poll(records).toEqual([]);
  });

  it('of a deleted document becomes a new one, or is discarded', async () => {
    for (const choice of ['Make a new document of it', 'Discard it']) {
      const path = await make(`Gone: ${choice}`);
      await site.open(path);
      await site.field('summary').fill('Written for nothing?');
      await expect.poll(async () => (await records()).length).toBe(1);
      await leave(site);
      await api.ask('full', 'DELETE', path.replace('/content', '/api'));
      await page
        .locator('.unsaved')
        .getByRole('link', { name: `Gone: ${choice}` })
        .click();
      await page.getByRole('heading', { name: 'This document does not exist' }).waitFor();
      await page.getByText('A new document begins with the fields that you changed: summary.').waitFor();
      await site.button(choice);
      if (choice === 'Discard it') await page.getByRole('dialog').getByRole('button', { name: choice }).click();
      else {
        await expect.poll(() => site.field('summary').inputValue()).toBe('Written for nothing?');
        await expect.poll(() => site.field('title').inputValue()).toBe(`Gone: ${choice}`);
        await expect.poll(() => site.field('mood').inputValue()).toBe('calm');
        await site.button('Save draft');
        await site.notice('Saved.');
        const title = encodeURIComponent(`Gone: ${choice}`);
        const found = await api.ask('full', 'GET', `/api/notes?status=draft&filters[title]=${title}&fields=summary`);
        expect(found.json()).toMatchObject({ data: [{ summary: 'Written for nothing?' }] });
      }
      await expect.poll(records).toEqual([]);
      await page.getByText('Your unsaved changes are still').waitFor({ state: 'detached' });
    }
  });

  it('has no password, at any depth', async () => {
    await site.open(await make('Secrets'));
    await site.field('pin').fill('Sesame-1');
    await site.field('door').getByRole('button', { name: /^Add/ }).click();
    await site.field('door.name').fill('Hall');
    await site.field('door.code').fill('Sesame-2');
    await site.field('door.lock').getByRole('button', { name: /^Add/ }).click();
    await site.field('door.lock.secret').fill('Sesame-3');
    await site.field('zone').getByRole('button', { name: /^Add/ }).click();
    await site.field('zone').getByRole('button', { name: 'door', exact: true }).click();
    await site.field('zone.0.code').fill('Sesame-4');
    await site.field('zone.0.name').fill('Attic');
    await expect.poll(() => keptWork(page)).toContain('Attic');
    expect(await keptWork(page)).toContain('Hall');
    expect(await keptWork(page)).not.toContain('Sesame');
    await leave(site);
  });
});
