/** Lectern in front of a real Strapi, on the same database file: its admin panel in Chromium, and what it writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openBrowser } from '../support/chromium.ts';
import { plainImage } from '../support/images.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type RunningStrapi, startStrapi, storedFiles, strapiFolder } from '../support/strapi.ts';

const account = { email: 'editor@example.org', password: 'Editor-of-tests-1' };

describe.skipIf(strapiFolder === '')('Strapi behind Lectern', () => {
  let strapi: RunningStrapi;
  let lectern: RunningServer;
  let apiToken = '';
  let session = '';

  beforeAll(async () => {
    strapi = await startStrapi({ note: { drafts: true, attributes: { title: { type: 'string', required: true } } } });
    lectern = await startServer(strapi.project.dir, { ...strapi.env, LECTERN_LOG_LEVEL: 'info' });
    const post = async (path: string, body: unknown, headers = {}) => {
      const response = await lectern.send({ method: 'POST', path, body, headers });
      expect(response.status, response.text).toBeLessThan(300);
      return (response.json() as { data: Readonly<Record<string, string>> }).data;
    };
    const { token } = await post('/admin/register-admin', { ...account, firstname: 'Edith', lastname: 'Editor' });
    const made = await post(
      '/admin/api-tokens',
      { name: 'tests', description: '', type: 'full-access', lifespan: null },
      { Authorization: `Bearer ${token}` },
    );
    apiToken = made.accessKey ?? '';
    session = token ?? '';
  }, 240_000);
  afterAll(async () => {
    await lectern?.stop();
    await strapi?.stop();
  });

  const titles = async (query = '') => {
    const response = await lectern.get(`/api/notes?fields=title&sort=title&pagination[pageSize]=100${query}`, {
      Authorization: `Bearer ${apiToken}`,
    });
    expect([response.status, response.headers['x-powered-by']], response.text).toEqual([200, 'Lectern']);
    return (response.json() as { data: readonly { title: string }[] }).data.map(({ title }) => title);
  };

  it.skipIf(!hasChromium)(
    'the panel: sign in, write, publish, change, upload',
    async () => {
      const browser = await openBrowser({ viewport: { width: 1280, height: 800 } });
      const page = await browser.context.newPage();
      const failed: string[] = [];
      page.on('pageerror', (error) => failed.push(String(error)));
      page.on('response', (response) => {
        if (response.status() >= 500) failed.push(`${response.status()} ${response.url()}`);
      });
      try {
        await page.goto(`${lectern.base}/admin`);
        await signIn(page);
        await page.goto(`${lectern.base}/admin/content-manager/collection-types/api::note.note/create`);
        await page.getByLabel(/^title/).fill('Written in the panel');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved document').waitFor();
        expect(await titles()).toEqual([]);
        expect(await titles('&status=draft')).toEqual(['Written in the panel']);

        await page.getByRole('button', { name: 'Publish' }).click();
        await page.getByText('Published document').waitFor();
        expect(await titles()).toEqual(['Written in the panel']);

        // The form takes no changes while it loads what was published.
        await page.reload();
        await page.getByRole('heading', { name: 'Written in the panel' }).waitFor();
        await page.getByLabel(/^title/).fill('Changed in the panel');
        const published = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/actions/publish'));
        await page.getByRole('button', { name: 'Publish' }).click();
        expect((await published).status()).toBe(200);
        expect(await titles()).toEqual(['Changed in the panel']);
        await page.getByRole('heading', { name: 'Changed in the panel' }).waitFor();
        await keepPicture(page, 'published');

        await page.goto(`${lectern.base}/admin/plugins/upload`);
        await upload(page);
        await keepPicture(page, 'uploaded');
        const [name = ''] = storedFiles(strapi.project);
        const file = await lectern.get(`/uploads/${name}`);
        expect([file.status, file.headers['x-powered-by']]).toEqual([200, 'Lectern']);
        expect(file.raw.equals(readFileSync(join(strapi.project.dir, 'public/uploads', name)))).toBe(true);
        expect(failed).toEqual([]);
      } catch (error) {
        await keepPicture(page, 'failed');
        throw error;
      } finally {
        await browser.close();
      }
    },
    120_000,
  );

  describe('both write into one SQLite file', () => {
    const write = (path: string, body: unknown, token: string) =>
      lectern.send({ method: 'POST', path, body, headers: { Authorization: `Bearer ${token}` } });
    const byStrapi = (title: string) => write('/content-manager/collection-types/api::note.note', { title }, session);
    const byLectern = (title: string) => write('/api/notes?status=draft', { data: { title } }, apiToken);
    const inLectern = (begin: string) => titles(`&status=draft&filters[title][$startsWith]=${begin}`);
    const inStrapi = async (begin: string) => {
      const path = `/content-manager/collection-types/api::note.note?pageSize=100&sort=title&filters[title][$startsWith]=${begin}`;
      const { results } = (await lectern.get(path, { Authorization: `Bearer ${session}` })).json() as {
        results: readonly { title: string }[];
      };
      return results.map(({ title }) => title);
    };

    it('in turn, and each sees at once what the other wrote', async () => {
      const written: string[] = [];
      for (const number of [1, 2, 3, 4, 5]) {
        expect((await byStrapi(`turn-${number}-a`)).status).toBe(201);
        written.push(`turn-${number}-a`);
        expect(await inLectern('turn')).toEqual(written);
        expect((await byLectern(`turn-${number}-b`)).status).toBe(201);
        written.push(`turn-${number}-b`);
        expect(await inStrapi('turn')).toEqual(written);
      }
    });

    it('at once: nothing that was confirmed is lost, and Lectern’s writes all succeed', async () => {
      const numbers = Array.from({ length: 30 }, (_, at) => String(at).padStart(2, '0'));
      const sent = numbers.flatMap((number) => [
        { title: `once-a${number}`, response: byStrapi(`once-a${number}`) },
        { title: `once-b${number}`, response: byLectern(`once-b${number}`) },
      ]);
      const confirmed: string[] = [];
      for (const { title, response } of sent) {
        const { status, headers, text } = await response;
        // Strapi does not repeat a transaction that another commit has come before.
        const isStrapiBusy = headers['x-powered-by'] !== 'Lectern' && status === 500;
        expect(status === 201 || isStrapiBusy, `${title}: ${status} ${text}`).toBe(true);
        if (status === 201) confirmed.push(title);
      }
      expect(await inLectern('once')).toEqual(confirmed.toSorted());
      expect(await inStrapi('once')).toEqual(confirmed.toSorted());
    });
  });
});

async function signIn(page: Page): Promise<void> {
  await page.getByLabel(/^Email/).fill(account.email);
  await page.getByLabel(/^Password/).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL((url) => !url.pathname.includes('/auth/'));
}

async function upload(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add assets' }).click();
  const buffer = await plainImage(64, 64).png().toBuffer();
  await (await chooser).setFiles({ name: 'square.png', mimeType: 'image/png', buffer });
  await page.getByText('square.png').first().waitFor();
}

/** Keeps a picture of the page in the folder that `LECTERN_TEST_PICTURES` names. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const { LECTERN_TEST_PICTURES: folder } = process.env;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}
