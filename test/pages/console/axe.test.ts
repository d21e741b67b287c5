/** Every screen of the console, light and dark, in a wide window and on a phone: axe finds nothing, and nothing is wider than the window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grouped } from '../../../src/collections.ts';
import { fixture } from '../../compatibility/scenarios.ts';
import { jwtSecret } from '../../support/accounts.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { seedLocales } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';
import { ConsolePage } from './console-page.ts';
import { everyField, everyRight } from './every-field.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const carol = { username: 'carol', password: 'a-long-password' };
const managementToken = 'a-management-token-of-this-test-1234';
const own = (...actions: readonly string[]) => actions.map((action) => `plugin::users-permissions.auth.${action}`);
const rights = [
  ...everyRight,
  ...own('changePassword', 'getSessions', 'revokeSession'),
  'plugin::upload.content-api.destroy',
  'lectern::management.access',
];

interface Screen {
  readonly name: string;
  readonly path?: string;
  /** What a user does to see it; without a path on the screen before. */
  readonly open: (page: Page, site: ConsolePage) => Promise<unknown>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

const screens: readonly Screen[] = [
  { name: 'sign-in', path: '', open: (page) => page.getByRole('heading', { name: 'Sign in' }).waitFor() },
  {
    name: 'refused sign-in',
    open: async (page, site) => {
      await site.signIn({ ...carol, password: 'wrong-password' });
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'set a password', path: '/set-password#code=x', open: (page) => page.getByLabel('New password').waitFor() },
  {
    name: 'start',
    path: '',
    open: async (page, site) => {
      await site.signIn(carol);
      await page.getByText('entries').first().waitFor();
    },
  },
  {
    name: 'palette',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('fog');
      await page.getByRole('option', { name: /Fog over Skerra/ }).waitFor();
    },
  },
  {
    name: 'shortcuts',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'list with filters and chosen rows',
    path: '/content/things?where=size.anyOf.medium*visible.isTrue',
    open: (page) => page.getByRole('row').getByRole('checkbox').last().check(),
  },
  {
    name: 'list with what waits',
    open: async (page) => {
      await button(page, 'Delete').click();
      await button(page, 'Undo').waitFor();
    },
  },
  {
    name: 'filter',
    open: async (page) => {
      await button(page, 'Undo').click();
      await button(page, 'Filter').click();
      await page.getByRole('dialog').getByLabel('Field').selectOption({ label: 'Owner' });
      await page.getByRole('dialog').getByLabel('Ines Calloway').waitFor();
    },
  },
  {
    name: 'columns',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await button(page, 'Columns').click();
    },
  },
  { name: 'empty list', path: '/content/things?q=nothing-has-this', open: (page) => page.locator('.list-empty').waitFor() },
  {
    name: 'form',
    path: '/content/things/$THING',
    open: async (page) => {
      for (const id of ['field-steps.0', 'field-zone.0']) await page.locator(`[id="${id}"]`).click();
      for (const id of ['field-body', 'field-story', 'field-data']) await page.locator(`[id="${id}"]`).waitFor();
      await page.locator('[id="field-steps.0.label"]').first().waitFor();
    },
  },
  {
    name: 'form with errors',
    open: async (page) => {
      for (const [id, text] of [
        ['title', ''],
        ['count', '-5'],
        ['steps.0.label', ''],
      ])
        await page.locator(`[id="field-${id}"]`).fill(text ?? '');
      await button(page, 'Publish').click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'relation drawer',
    open: async (page) => {
      await page
        .locator('#field-tags')
        .getByRole('button', { name: /^Browse/ })
        .click();
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
    },
  },
  {
    name: 'menu',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByText('More', { exact: true }).click();
    },
  },
  {
    name: 'question',
    open: async (page) => {
      await button(page, 'Delete').click();
      await page.getByRole('dialog', { name: 'Delete this document?' }).waitFor();
    },
  },
  {
    name: 'add to a release',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByText('More', { exact: true }).click();
      await button(page, 'Add to a release').click();
      await page.getByRole('dialog').getByLabel('Name of the new release').fill('Spring');
    },
  },
  {
    name: 'files to choose',
    open: async (page) => {
      await button(page, 'Add').click();
      await button(page, 'Choose from the library').first().click();
      await page.locator('dialog .media-file').first().waitFor();
    },
  },
  {
    name: 'leaving',
    path: '/content/things/nothere',
    open: (page) => page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor(),
  },
  {
    name: 'missing document',
    open: async (page) => {
      await button(page, 'Leave').click();
      await page.getByText('This document does not exist').waitFor();
    },
  },
  { name: 'releases', path: '/releases', open: (page) => page.getByRole('link', { name: 'Spring' }).waitFor() },
  {
    name: 'release with a problem',
    open: async (page) => {
      await page.getByRole('link', { name: 'Spring' }).click();
      await button(page, 'Check').click();
      await page.locator('.notice').first().waitFor();
    },
  },
  {
    name: 'name and time of a release',
    open: async (page) => {
      await button(page, 'Name and time').click();
      await page.getByRole('dialog', { name: 'Name and time' }).waitFor();
    },
  },
  { name: 'media, grid', path: '/media?view=grid', open: (page) => page.locator('.media-file').first().waitFor() },
  { name: 'media, list', path: '/media?view=list', open: (page) => page.locator('.media-check').first().check() },
  {
    name: 'file',
    open: async (page) => {
      await page.locator('.media-open').first().click();
      await button(page, 'Crop…').waitFor();
    },
  },
  {
    name: 'crop',
    open: async (page) => {
      await button(page, 'Crop…').click();
      await page.locator('.media-box').waitFor();
    },
  },
  { name: 'account', path: '/account', open: (page) => page.getByText('Here', { exact: true }).waitFor() },
  { name: 'users', path: '/access', open: (page) => button(page, 'carol').waitFor() },
  {
    name: 'user',
    open: async (page) => {
      await button(page, 'carol').click();
      await page.getByRole('dialog', { name: 'carol' }).getByText('This is you').waitFor();
    },
  },
  {
    name: 'new user',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await button(page, 'New user').click();
    },
  },
  { name: 'roles', path: '/access/roles', open: (page) => page.getByRole('link', { name: 'Administrator' }).waitFor() },
  {
    name: 'role',
    open: async (page) => {
      await page.getByRole('link', { name: 'Administrator' }).click();
      await page.getByRole('checkbox', { name: 'Publish (thing)' }).waitFor();
    },
  },
  {
    name: 'new token',
    path: '/access/tokens',
    open: async (page) => {
      await button(page, 'New token').click();
      await page
        .getByRole('dialog')
        .getByLabel(/^Only what you choose/)
        .check();
    },
  },
  { name: 'webhooks', path: '/access/webhooks', open: (page) => page.getByRole('heading', { level: 1 }).waitFor() },
];

/** Only contrasts depend on both; all rules take a second on a long form. */
const looks = [
  { colorScheme: 'light', width: 1280, rules: undefined },
  { colorScheme: 'dark', width: 1280, rules: ['color-contrast'] },
  { colorScheme: 'light', width: 390, rules: ['color-contrast'] },
  { colorScheme: 'dark', width: 390, rules: undefined },
] as const;

describe.skipIf(!hasChromium)('the screens of /console', () => {
  const api = useProject('sqlite', {
    files: everyField,
    locales: seedLocales('en', 'de'),
    public: own('callback', 'refresh', 'forgotPassword', 'resetPassword'),
    env: { JWT_SECRET: jwtSecret, LECTERN_MANAGEMENT_TOKEN: managementToken },
  });
  let browser: OpenBrowser;
  let page: Page;
  let site: ConsolePage;
  let thing = '';

  beforeAll(async () => {
    // axe is a script of another origin to the page's policy, which other tests watch.
    browser = await openBrowser({ bypassCSP: true, locale: 'en-GB', reducedMotion: 'reduce' });
    const idOf = (made: string) => made.split('/').at(-1) ?? '';
    const owner = idOf(await api.make('/api/people', { name: 'Ines Calloway' }));
    const tags = [idOf(await api.make('/api/tags', { name: 'Fog' })), idOf(await api.make('/api/tags?status=draft', { name: 'Rain' }))];
    const cover = await upload();
    thing = idOf(
      await api.make('/api/things', {
        ...{ title: 'Fog over Skerra', slug: 'fog-over-skerra', summary: 'A calm day.', size: 'medium', visible: true },
        ...{ data: { a: [1] }, story: '# Fog\n\nA **text**.', body: [{ type: 'paragraph', children: [{ type: 'text', text: 'Fog.' }] }] },
        ...{ owner, tags, cover, pictures: [cover], seo: { metaTitle: 'Fog' } },
        steps: [{ label: 'Knead', minutes: 10, leaves: [{ name: 'Oak' }] }, { label: 'Rest' }],
        zone: [{ __component: 'part.quote', words: 'You keep the stairs.' }],
      }),
    );
    const owners = grouped(rights, (right) => right.slice(0, right.lastIndexOf('.')));
    const actions = [...owners].map(([owner, own]) => [owner, own.map((right) => right.slice(owner.length + 1))]);
    const { id } = await manage('roles', { name: 'Administrator', rights: Object.fromEntries(actions) });
    await manage('users', { ...carol, email: 'carol@example.org', role: id });
    page = await browser.context.newPage();
    page.setDefaultTimeout(10_000);
    site = new ConsolePage(page, api.server.base);
  });
  afterAll(() => browser?.close());

  /** As a link would: loading the page anew would load axe and ask for a session each time. */
  async function visit(path: string): Promise<void> {
    if (page.url() === 'about:blank') {
      await site.open(path);
      await page.evaluate(axe);
      return;
    }
    await page.evaluate((to) => {
      for (const dialog of document.querySelectorAll('dialog')) dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/console${path}`);
  }

  async function manage(path: string, data: object): Promise<{ readonly id: number }> {
    const response = await fetch(`${api.server.base}/api/_manage/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${managementToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ data }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text).data;
  }

  async function upload(): Promise<number> {
    const form = new FormData();
    form.append('fileInfo', JSON.stringify({ folder: null }));
    form.append('files', new Blob([new Uint8Array(fixture('wide.jpg'))], { type: 'image/jpeg' }), 'wide.jpg');
    const response = await fetch(`${api.server.base}/api/upload`, { method: 'POST', headers: api.authorization('full'), body: form });
    return (await response.json())[0].id;
  }

  it.each(screens)('$name', { timeout: 30_000 }, async ({ path, open }) => {
    await page.setViewportSize({ width: 1280, height: 844 });
    if (path !== undefined) await visit(path.replace('$THING', thing));
    await open(page, site);
    for (const shown of looks) {
      await page.emulateMedia({ colorScheme: shown.colorScheme });
      await page.setViewportSize({ width: shown.width, height: 844 });
      expect({ ...shown, ...(await look(page, shown.rules)) }).toEqual({ ...shown, violations: [], overflow: 0 });
    }
  });
});

function look(page: Page, rules: readonly string[] | undefined) {
  return page.evaluate(async (runOnly) => {
    const { axe: loaded } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await loaded.run(runOnly === undefined ? {} : { runOnly });
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`),
      overflow: scrollWidth - clientWidth,
    };
  }, rules);
}
