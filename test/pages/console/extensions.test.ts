/** What a project adds to the console: an editor of a custom field, and a panel beside the form. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { watchPage } from '../watch-page.ts';
import { ConsolePage } from './console-page.ts';

const example = new URL('../../../examples/newsroom/lectern/console/colour.ts', import.meta.url);
const files = {
  ...schemaFiles({
    note: {
      attributes: {
        title: { type: 'string' },
        tint: { type: 'customField', customField: 'plugin::color-picker.color' },
      },
    },
  }),
  'lectern/console/colour.ts': readFileSync(example, 'utf8').replace('global::colour', 'plugin::color-picker.color'),
  'lectern/console/length.ts': `
    import type { Panel } from 'lectern/console';
    import { words } from './parts/words.ts';
    export default {
      panel: 'Length',
      types: ['api::note.note'],
      mount(element, { values, fetch }) {
        const show = (title: unknown) => { element.textContent = words(title); };
        show(values.title);
        void fetch('GET', '/users/me').then((user) => element.setAttribute('data-user', (user as { username: string }).username));
        return { update: (shown) => show(shown.values.title) };
      },
    } satisfies Panel;`,
  'lectern/console/parts/words.ts': `export const words = (text: unknown): string => String(text ?? '').split(' ').filter(Boolean).length + ' words';`,
  'lectern/console/broken.ts': `export default { nothing: true };`,
  'lectern/console/notes.md': 'not code',
};

const note = 'api::note.note';
const users = 'plugin::users-permissions';

describe.skipIf(!hasChromium)('/console with additions of a project', () => {
  const api = useProject('sqlite', {
    files,
    users: [ada],
    public: [`${users}.auth.callback`, `${users}.auth.refresh`],
    authenticated: [...['find', 'findOne', 'create', 'update'].map((action) => `${note}.${action}`), `${users}.user.me`],
    env: { JWT_SECRET: jwtSecret },
  });
  let browser: OpenBrowser;
  let site: ConsolePage;
  let problems: readonly string[];
  let documentId = '';

  beforeAll(async () => {
    browser = await openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, api.server.base));
    site = new ConsolePage(page, api.server.base);
    documentId = String((await api.write('POST', '/api/notes', { title: 'Fog over Skerra', tint: '#112233' })).documentId);
    await site.open(`/content/notes/${documentId}`);
    await site.signIn(ada);
  });
  afterAll(() => browser?.close());

  it('names a module that it cannot use, and loads the others', async () => {
    await site.notice('broken.ts');
    await site.field('tint').waitFor();
  });

  it('edits a custom field with the editor of the project', async () => {
    const colour = site.field('tint');
    await expect.poll(() => colour.getAttribute('type')).toBe('color');
    await expect.poll(() => colour.inputValue()).toBe('#112233');
    await expect.poll(() => site.page.getByLabel('Tint').count()).toBe(1);
    await colour.fill('#445566');
    await site.button('Save');
    await site.notice('Saved.');
    expect((await api.read(`/api/notes/${documentId}`)).tint).toBe('#445566');
    await site.button('No colour');
    await expect.poll(() => colour.inputValue()).toBe('#ffffff');
  });

  it('shows a panel, which follows what is typed and asks as the user', async () => {
    const panel = site.page.getByRole('region', { name: 'Length' });
    await expect.poll(() => panel.innerText()).toContain('3 words');
    await panel.locator('[data-user="ada"]').waitFor();
    await site.field('title').fill('Fog');
    await expect.poll(() => panel.innerText()).toContain('1 words');
  });

  it('sends code and nothing else of that folder', async () => {
    const get = (path: string) => fetch(`${api.server.base}${path}`);
    const listed = (await (await get('/console/extensions')).json()).data;
    expect(listed).toEqual(['broken.ts', 'colour.ts', 'length.ts'].map((name) => `/console/extensions/${name}`));
    const script = await get('/console/extensions/parts/words.ts');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await script.text()).not.toContain('unknown');
    for (const path of ['notes.md', '..%2f..%2flectern.config.json', '../hooks/x.ts']) {
      const response = await get(`/console/extensions/${path}`);
      expect(response.headers.get('content-type') ?? '').not.toContain('javascript');
      expect(await response.text()).not.toContain('not code');
    }
    expect(problems).toEqual([]);
  });

  it('sends a module with a tag, and anew once its file has changed', async () => {
    const get = (tag = '') => fetch(`${api.server.base}/console/extensions/parts/words.ts`, { headers: { 'if-none-match': tag } });
    const first = await get();
    const tag = first.headers.get('etag') ?? '';
    expect([first.status, (await get(tag)).status, (await get('"other"')).status]).toEqual([200, 304, 200]);
    expect(await (await get()).text()).toBe(await first.text());
    writeFileSync(join(api.project.dir, 'lectern/console/parts/words.ts'), 'export const words = (): string => String(42);');
    const changed = await get(tag);
    expect([changed.status, await changed.text()]).toEqual([200, 'export const words = () => String(42);']);
  });
});
