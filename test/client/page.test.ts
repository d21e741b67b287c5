/** The built client in a page of another origin, in Chromium: CORS, the cookie of a session, tabs that share it. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import type { Client, createClient as create } from '@lectern/client';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anHourLater } from '../support/an-hour-later.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../support/chromium.ts';
import { type Demo, startDemo } from '../support/demo.ts';
import { listen } from '../support/listen.ts';
import { root } from '../support/packed.ts';
import { type PlayedServer, startPlayedServer } from './played-server.ts';

declare global {
  var client: Client;
  var createClient: typeof create;
}

describe.skipIf(!hasChromium)('in a page of another origin', () => {
  let demo: Demo;
  let api: string;
  let browser: OpenBrowser;
  let origin: string;
  let page: Page;
  let elsewhere: PlayedServer;
  const site = http.createServer((request, response) => {
    if (request.url?.startsWith('/api/moved')) {
      response.writeHead(302, { location: `${elsewhere.base}/api/articles` }).end();
      return;
    }
    const isCode = request.url === '/client.js';
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html');
    const start = `import { createClient } from '/client.js'; window.createClient = createClient; window.client = createClient({ baseURL: '${api}', auth: { cookie: true } });`;
    response.end(
      isCode
        ? readFileSync(join(root, 'client/dist/index.js'))
        : `<!doctype html><title>Page</title><script type="module">${start}</script>`,
    );
  });
  const openPage = async () => {
    const opened = await browser.context.newPage();
    await opened.goto(origin);
    await opened.waitForFunction(() => globalThis.client !== undefined);
    return opened;
  };
  const me = (of: Page) => of.evaluate(async () => (await client.auth.me()).data?.username);

  beforeAll(async () => {
    elsewhere = await startPlayedServer();
    // The same site, two origins.
    origin = `http://localhost:${await listen(site)}`;
    [demo, browser] = await Promise.all([startDemo({ LECTERN_CORS_ORIGINS: origin, LECTERN_CORS_CREDENTIALS: 'true' }), openBrowser()]);
    api = `${demo.base.replace('127.0.0.1', 'localhost')}/api`;
    page = await openPage();
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), demo?.stop(), elsewhere?.close()]);
    site.close();
  });

  it('reads content, and the second time only asks whether it has changed', async () => {
    const responses: Response[] = [];
    const listener = (response: Response) => responses.push(response);
    page.on('response', listener);
    const read = () => page.evaluate(async () => (await client.collection('articles').find({ fields: ['title'], sort: 'title' })).data);
    const first = await read();
    expect(first?.length).toBe(10);
    expect(await read()).toEqual(first);
    page.off('response', listener);
    const sent = responses.filter((response) => response.request().method() === 'GET');
    expect(sent.map((response) => response.status())).toEqual([200, 304]);
    expect(await sent[1]?.request().headerValue('if-none-match')).toBe(await sent[0]?.headerValue('etag'));
  });

  it('signs in, stays so when the token expires, when the page is loaded again, and in two tabs at once', async () => {
    expect(await page.evaluate(async () => (await client.auth.refresh()).data)).toBe(false);
    const login = { identifier: 'reader', password: demo.password };
    expect(await page.evaluate(async (body) => (await client.auth.login(body)).data?.user.username, login)).toBe('reader');
    expect(await page.evaluate(() => `${document.cookie}${JSON.stringify(localStorage)}`)).toBe('{}');

    const tab = await openPage();
    expect(await tab.evaluate(async () => (await client.auth.refresh()).data)).toBe(true);
    // Both access tokens expire, and the refresh token, which can be used once, is in a cookie that both tabs share.
    anHourLater();
    expect(await Promise.all([me(page), me(tab), me(page), me(tab)])).toEqual(['reader', 'reader', 'reader', 'reader']);

    await page.reload();
    await page.waitForFunction(() => globalThis.client !== undefined);
    expect(await page.evaluate(async () => (await client.auth.refresh()).data)).toBe(true);
    expect(await me(page)).toBe('reader');
    expect(await page.evaluate(async () => (await client.auth.logout()).error)).toBeUndefined();
    expect(await page.evaluate(async () => (await client.auth.refresh()).data)).toBe(false);
    expect((await browser.context.cookies()).filter(({ name }) => name === 'strapi_up_refresh')).toEqual([]);
    await tab.close();
  });

  it('takes a path of the own origin as baseURL, and follows no redirect', async () => {
    const error = await page.evaluate(async () => {
      const outcome = await createClient({ baseURL: '/api', token: 'secret' }).collection('moved').find();
      return { kind: outcome.error?.kind, message: outcome.error?.message };
    });
    expect(error).toEqual({
      kind: 'unexpected',
      message: 'The server redirects; redirects are not followed, so set baseURL to the final URL',
    });
    expect(elsewhere.requests).toEqual([]);
  });
});
