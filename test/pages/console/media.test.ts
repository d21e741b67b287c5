/** The media library of the console, in a browser: what an editor does with files, and what strangers put into them. */
import type { Locator, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../../compatibility/scenarios.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { adminOf, ConsolePage, makeEditor } from './console-page.ts';

const article = 'qbw49k4x3qnhgw6ucvyfdo7o';
const text = (name: string, content = 'words') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
const picture = (name: string) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.from(fixture('wide.jpg')) });
/** What a script in it would do. */
const hostile = `<img src=x onerror="document.body.dataset.hacked='yes'">`;

interface StoredFile {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly alternativeText: string | null;
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
  readonly width: number;
  readonly height: number;
}

describe.skipIf(!hasChromium)('the media library', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let problems: readonly string[];
  let admin: ReturnType<typeof adminOf>;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo(), openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })]);
    admin = adminOf(demo);
    const editor = await makeEditor(demo, 'mia', {
      'api::article.article': ['find', 'findOne', 'findDraft', 'update'],
      'plugin::upload.content-api': ['find', 'findOne', 'upload', 'destroy'],
      'plugin::users-permissions.user': ['me'],
      'plugin::users-permissions.auth': ['logout', 'refresh'],
    });
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open('/media');
    await site.signIn(editor);
    await site.page.locator('.media-file').first().waitFor();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  const files = async (query = ''): Promise<readonly StoredFile[]> => (await admin('GET', `/upload/files?${query}`)).json;
  const named = async (name: string): Promise<StoredFile | undefined> => (await files(`filters[name]=${encodeURIComponent(name)}`))[0];
  const item = (name: string): Locator => site.page.locator('.media-file', { hasText: name });
  const chooseFiles = (sent: Parameters<Locator['setInputFiles']>[0]) =>
    site.page.locator('main input[type=file]').first().setInputFiles(sent);
  const makeFolder = async (name: string) => {
    await site.button('New folder');
    await site.page.getByLabel('Name', { exact: true }).fill(name);
    await site.page.keyboard.press('Enter');
    await site.page.locator('.media-folder', { hasText: name }).waitFor();
  };

  it('uploads into the folder that is shown, and asks what a picture shows', async () => {
    await makeFolder('Harbour');
    await site.page.locator('.media-folder-open', { hasText: 'Harbour' }).click();
    await site.page.getByText('There are no files here yet.').waitFor();
    expect(new URL(site.page.url()).search).toMatch(/^\?folder=\d+$/);
    await chooseFiles([picture('boats.jpg'), text('notes.txt')]);
    await item('notes.txt').waitFor();
    await item('boats.jpg').getByText('No alternative text').waitFor();
    await site.page.getByLabel('Alternative text of boats.jpg').fill('Three boats at low tide');
    await site.page.keyboard.press('Tab');
    await item('boats.jpg').getByText('No alternative text').waitFor({ state: 'detached' });
    expect((await named('boats.jpg'))?.alternativeText).toBe('Three boats at low tide');
    await site.button('Clear finished');
  });

  it('sends three at once, cancels, says why one failed, and tries it again', async () => {
    const held: Route[] = [];
    let isOpen = false;
    const hold = (route: Route) => (isOpen ? route.continue() : void held.push(route));
    const isUpload = (url: URL) => url.pathname === '/api/upload';
    await site.page.route(isUpload, hold);
    await chooseFiles(Array.from({ length: 20 }, (_, index) => text(`many-${index + 1}.txt`)));
    await expect.poll(() => held.length).toBe(3);
    await site.page.getByRole('button', { name: 'Cancel: many-2.txt' }).click();
    await expect.poll(() => held.length).toBe(4);
    await held[0]?.abort();
    await site.page.locator('.media-upload.failed', { hasText: 'many-1.txt' }).getByText('The server did not respond.').waitFor();
    isOpen = true;
    for (const route of held.slice(2)) await route.continue();
    await site.page.getByRole('status').getByText('1 upload failed').waitFor();
    await expect.poll(() => site.page.locator('.media-upload.done').count()).toBe(18);
    await site.page.getByRole('button', { name: 'Try again: many-1.txt' }).click();
    await site.page.getByRole('status').getByText('19 of 19 done').waitFor();
    await site.page.unroute(isUpload, hold);
    expect((await files('filters[name][$startsWith]=many-')).map(({ name }) => name)).not.toContain('many-2.txt');
    await chooseFiles({ ...picture('torn.jpg'), buffer: Buffer.from('no picture') });
    await site.page.getByText('The file is damaged, or is not what its name says.').waitFor();
    await site.page.getByRole('button', { name: 'Hide: torn.jpg' }).click();
    await site.button('Clear finished');
  });

  it('takes what is dropped and pasted', async () => {
    for (const kind of ['drop', 'paste']) {
      await site.page.evaluate((event) => {
        const data = new DataTransfer();
        data.items.add(new File(['x'], `${event}.txt`, { type: 'text/plain' }));
        const target = event === 'drop' ? document.querySelector('.media-drop') : document.body;
        const init = { bubbles: true, cancelable: true };
        target?.dispatchEvent(
          event === 'drop'
            ? new DragEvent('drop', { ...init, dataTransfer: data })
            : new ClipboardEvent('paste', { ...init, clipboardData: data }),
        );
      }, kind);
      await item(`${kind}.txt`).waitFor();
    }
    await site.button('Clear finished');
  });

  it('searches all folders, filters by kind and sorts, all in the location', async () => {
    await site.open('/media');
    await site.page.getByLabel('Search names and texts').fill('LOW TIDE');
    await item('boats.jpg').waitFor();
    await expect.poll(() => site.page.locator('.media-file').count()).toBe(1);
    await site.page.getByLabel('Kind').selectOption('Other files');
    await site.page.getByText('No file matches.').waitFor();
    await site.button('Show all files');
    await item('lamp-room.png').waitFor();
    await site.page.getByLabel('Order').selectOption('Name A–Z');
    await expect.poll(() => site.page.locator('.media-file .media-name').first().innerText()).toBe('contour-sheet.png');
    expect(new URL(site.page.url()).searchParams.get('sort')).toBe('name:asc');
    await site.page.reload();
    await expect.poll(() => site.page.locator('.media-file .media-name').first().innerText()).toBe('contour-sheet.png');
    await site.page.goBack();
    await expect.poll(() => site.page.getByLabel('Order').inputValue()).toBe('createdAt:desc');
  });

  it('changes texts and the focal point by keyboard, and gives the focus back', async () => {
    const { page } = site;
    await site.open('/media');
    const first = page.locator('.media-open').first();
    await first.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('slider', { name: 'Focal point' }).focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await expect
      .poll(() => page.getByRole('slider').getAttribute('aria-valuetext'))
      .toBe('48 percent from the left, 60 percent from the top');
    await page.getByLabel('Caption').fill('Drawn in 2024');
    await page.keyboard.press('Escape');
    await page.getByText('The changes to this file are not saved yet.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Caption').focus();
    await page.keyboard.press('Control+s');
    // Within the dialog: what is beneath it can be neither reached nor heard.
    await page.locator('dialog .notice', { hasText: 'Saved.' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await first.evaluate((element) => element === document.activeElement)).toBe(true);
    const name = await first.locator('.media-name').innerText();
    expect(await named(name)).toMatchObject({ caption: 'Drawn in 2024', focalPoint: { x: 48, y: 60 } });
  });

  it('crops a picture and replaces a file, which keeps its URL', async () => {
    const { page } = site;
    const before = await named('lighthouse-at-dusk.png');
    await item('lighthouse-at-dusk.png').locator('.media-open').click();
    await site.button('Crop…');
    await page.getByLabel('Shape').selectOption('1:1');
    await page.getByRole('button', { name: /^Section of 800 × 800 pixels/ }).press('ArrowLeft');
    await page.getByRole('button', { name: 'Replace the file' }).click();
    await site.notice('The file is replaced.');
    const after = await named('lighthouse-at-dusk.png');
    expect(after).toMatchObject({ id: before?.id, url: before?.url, width: 800, height: 800, alternativeText: before?.alternativeText });
    await page.locator('dialog input[type=file]').setInputFiles(picture('storm.jpg'));
    await page.getByRole('heading', { name: 'storm.jpg' }).waitFor();
    expect(await named('storm.jpg')).toMatchObject({ id: before?.id, url: before?.url, width: 1200 });
    await page.keyboard.press('Escape');
  });

  it('says where a file is used, and warns before it is deleted', async () => {
    const { page } = site;
    await site.open('/media');
    await item('loaf-on-board.png').locator('.media-open').click();
    await page.getByRole('link', { name: 'Article · Cover' }).waitFor();
    await site.button('Delete');
    const question = page.getByRole('dialog', { name: 'Delete “loaf-on-board.png”?' });
    await question.getByText(/Still used in \d+ places?, which will lack it\./).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await named('loaf-on-board.png')).toBeDefined();
  });

  it('moves and deletes several files, and says so before', async () => {
    const { page } = site;
    await site.open('/media?sort=name:asc');
    await page.getByLabel('Choose harbour-chart.png').check();
    await page.getByLabel('Choose lamp-room.png').check();
    await site.button('Move…');
    await page.getByRole('radio', { name: 'Harbour' }).check();
    await site.button('Move here');
    await site.notice('Moved 2 files to Harbour.');
    await page.locator('.media-folder-open', { hasText: 'Harbour' }).click();
    await page.getByLabel('Choose many-1.txt').check();
    await page.getByLabel('Choose many-19.txt').click({ modifiers: ['Shift'] });
    await page.getByText('11 files chosen').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 11 files?' });
    await dialog.getByText('This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await site.notice('Deleted 11 files.');
    expect(await named('many-10.txt')).toBeUndefined();
  });

  it('renames and deletes folders, but none with files', async () => {
    const { page } = site;
    await site.open('/media');
    await makeFolder('Old');
    await page.getByLabel('Actions for the folder Old').click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('New');
    await page.keyboard.press('Enter');
    await page.locator('.media-folder', { hasText: 'New' }).waitFor();
    await page.getByLabel('Actions for the folder New').click();
    await page.locator('.media-folder', { hasText: 'New' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.media-folder', { hasText: 'New' }).waitFor({ state: 'detached' });
    await page.getByLabel('Actions for the folder Harbour').click();
    await page.locator('.media-folder', { hasText: 'Harbour' }).getByRole('button', { name: 'Delete' }).click();
    await site.notice('is not empty');
  });

  it('fills a field: chosen, uploaded, put in order and removed', async () => {
    const { page } = site;
    await site.open(`/content/articles/${article}`);
    const field = page.locator('.media-field', { has: page.getByRole('list', { name: 'Gallery' }) });
    const names = () => field.locator('.media-picked .media-name').allInnerTexts();
    await field.waitFor();
    const before = await names();
    await field.getByRole('button', { name: 'Choose from the library' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose files' });
    // Where the last upload went.
    await dialog.getByRole('navigation', { name: 'Folder' }).getByText('Harbour').waitFor();
    await dialog.locator('.media-open', { hasText: 'boats.jpg' }).click();
    await dialog.getByRole('button', { name: 'Insert 1 file' }).click();
    await field.locator('input[type=file]').setInputFiles(picture('quay.jpg'));
    await expect.poll(names).toEqual([...before, 'boats.jpg', 'quay.jpg']);
    await expect.poll(() => field.locator('> [role=status]').innerText()).toBe('Added: quay.jpg');
    const { data: folders } = (await admin('GET', '/upload/_folders')).json;
    const harbour = folders.find(({ name }: { readonly name: string }) => name === 'Harbour');
    expect((await files(`folder=${harbour.id}`)).map(({ name }) => name)).toContain('quay.jpg');
    // No folder was used: at the top.
    await page.evaluate(() => localStorage.removeItem('lectern-console-folder'));
    await field.locator('input[type=file]').setInputFiles(picture('pier.jpg'));
    await expect.poll(names).toEqual([...before, 'boats.jpg', 'quay.jpg', 'pier.jpg']);
    expect((await files('folder=root')).map(({ name }) => name)).toContain('pier.jpg');
    await field.getByRole('button', { name: 'Move quay.jpg up' }).press('Enter');
    await field.getByRole('button', { name: `Remove ${before[0]}` }).click();
    const wanted = [...before.slice(1), 'quay.jpg', 'boats.jpg', 'pier.jpg'];
    await expect.poll(names).toEqual(wanted);
    await field.getByLabel('Alternative text of quay.jpg').fill('The quay');
    await page.keyboard.press('Tab');
    await site.notice('The text is saved with the file.');
    await page.keyboard.press('Control+s');
    await site.notice('Saved.');
    const { data } = (await admin('GET', `/articles/${article}?status=draft&populate=gallery`)).json;
    expect(data.gallery.map(({ name }: StoredFile) => name)).toEqual(wanted);
  });

  it('shows names and texts of strangers as text', async () => {
    const { page } = site;
    await admin('POST', `/upload?id=${(await named('oven-mouth.png'))?.id}`, {
      fileInfo: { name: hostile, alternativeText: hostile, caption: hostile },
    });
    await admin('POST', '/upload/_folders', { name: hostile.replaceAll('/', '') });
    await site.open('/media');
    await item(hostile).locator('.media-open').click();
    await page.getByRole('heading', { name: hostile }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.media-folder-open', { hasText: 'onerror' }).click();
    await page.getByText('There are no files here yet.').waitFor();
    expect(await page.evaluate(() => document.body.dataset.hacked)).toBeUndefined();
  });

  it('offers only what the rights are for', async () => {
    const reader = await makeEditor(demo, 'ray', {
      'plugin::upload.content-api': ['find'],
      'plugin::users-permissions.auth': ['logout', 'refresh'],
    });
    const other = await openBrowser({ locale: 'en-GB' });
    const page = await other.context.newPage();
    const asked: string[] = [];
    page.on('request', (request: Request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const theirs = new ConsolePage(page, demo.base);
    await theirs.open('/media');
    await theirs.signIn(reader);
    await page.locator('.media-open', { hasText: 'boats.jpg' }).click();
    await page.getByRole('button', { name: 'Copy URL' }).waitFor();
    for (const name of ['Upload', 'New folder', 'Delete', 'Replace…', 'Crop…', 'Save'])
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    expect(asked.filter((each) => each.includes('_folders'))).toEqual([]);
    await other.close();
  });

  it('asked nothing of other hosts, and kept to its policy', () => {
    // Browsers report each response with an error: one upload was refused, and one was cut off.
    expect(problems.filter((problem) => !problem.startsWith('console: Failed to load resource'))).toEqual([]);
  });
});
