/** The command palette of the console, where types have a full-text search. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';
import { ConsolePage } from './console-page.ts';

const title = { type: 'string' } as const;
const files = {
  ...schemaFiles({
    note: { drafts: true, attributes: { title, body: { type: 'text' } } },
    place: { attributes: { title } },
    memo: { attributes: { title } },
  }),
  'lectern.config.json': JSON.stringify({ search: { 'api::note.note': { title: 2, body: 1 }, 'api::place.place': { title: 1 } } }),
};
const rights = ['note', 'place', 'memo'].flatMap((name) =>
  ['find', 'findOne', 'findDraft', 'create'].map((action) => `api::${name}.${name}.${action}`),
);

describe.skipIf(!hasChromium)('the command palette', () => {
  const api = useProject('sqlite', {
    files,
    users: [ada],
    public: ['auth.callback', 'auth.refresh'].map((action) => `plugin::users-permissions.${action}`),
    authenticated: [...rights, 'plugin::users-permissions.user.me'],
    env: { JWT_SECRET: jwtSecret },
    async prepare({ dir, env }) {
      expect((await run(['search', 'build', '--dir', dir], env)).status).toBe(0);
    },
  });
  let browser: OpenBrowser;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
    page = await browser.context.newPage();
    page.setDefaultTimeout(10_000);
    await api.make('/api/notes?status=draft', { title: 'Fog', body: 'It came from the harbour.' });
    await api.make('/api/notes', { title: 'The harbour master' });
    await api.make('/api/places', { title: 'Harbour of Skerra' });
    await api.make('/api/memos', { title: 'harbour dues' });
    const site = new ConsolePage(page, api.server.base);
    await site.open('/content/memos');
    await site.signIn(ada);
    await page.getByRole('heading', { level: 1, name: 'memo' }).waitFor();
  });
  afterAll(() => browser?.close());

  const type = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
  };
  const options = async () => (await page.locator('.palette-option').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

  it('finds documents of all types by their words, the best ones first, and others by their titles', async () => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await type('harb');
    await expect
      .poll(options)
      .toEqual(
        ['The harbour master note', 'Fog note', 'Harbour of Skerra place', 'harbour dues memo'].map((each) =>
          expect.stringMatching(new RegExp(each, 'i')),
        ),
      );
    // Once for types with drafts, once for those without, and not for each key.
    expect(requests.filter((url) => url.includes('/api/_search'))).toHaveLength(2);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The harbour master' }).waitFor();
  });

  it('finds them by their titles as long as there is no index', async () => {
    expect((await run(['search', 'drop', '--dir', api.project.dir], api.project.env)).status).toBe(0);
    await type('arbour mas');
    await expect.poll(options).toEqual([expect.stringMatching(/^The harbour master note$/i)]);
  });
});
