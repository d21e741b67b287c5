/** Signing in to the console with an OpenID provider, in a window of its own. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { jwtSecret } from '../../support/accounts.ts';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { clientSecret, startOidcServer } from '../../support/oidc-server.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { startServer } from '../../support/server.ts';

describe.skipIf(!hasChromium)('/console with a provider', () => {
  const own = (...actions: readonly string[]) => actions.map((action) => `plugin::users-permissions.${action}`);
  const api = useProject('sqlite', {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    public: own('auth.callback', 'auth.connect', 'auth.refresh'),
    authenticated: [
      ...['find', 'findOne', 'create', 'update'].map((action) => `api::note.note.${action}`),
      ...own('user.me', 'auth.logout'),
    ],
    env: { JWT_SECRET: jwtSecret },
  });
  let browser: OpenBrowser;
  beforeAll(async () => {
    browser = await openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  });
  afterAll(() => browser?.close());

  /** A provider that knows the person, a server, and its page. Accounts of other providers have other e-mail addresses. */
  async function open(mode: string, subject = 'unused'): Promise<Page> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const oidc = await startOidcServer([`${url}/api/connect/company/callback`]);
    onTestFinished(() => oidc.close());
    oidc.people.set(subject, { email: `${subject}@example.org`, email_verified: true, preferred_username: subject });
    oidc.people.set('nobody', { preferred_username: 'nobody' });
    const providers = { company: { issuer: oidc.issuer, clientId: 'client-0', label: 'Company account', callbacks: [`${url}/signed-in`] } };
    const env = {
      ...api.environment,
      PUBLIC_URL: url,
      LECTERN_AUTH_JWT_MANAGEMENT: mode,
      LECTERN_AUTH_PROVIDERS: JSON.stringify(providers),
      LECTERN_AUTH_PROVIDERS_COMPANY_CLIENT_SECRET: clientSecret,
    };
    const server = await startServer(api.project.dir, env, ['--port', String(port)]);
    onTestFinished(() => server.stop());
    const context = await browser.context.browser()?.newContext({ locale: 'en-GB' });
    if (context === undefined) throw new Error('the browser is open');
    onTestFinished(() => context.close());
    // The pages of the provider want a font.
    await context.route(/fonts\.googleapis\.com/, (route) => route.abort());
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${url}/console`);
    return page;
  }

  const begin = (page: Page) => page.getByRole('button', { name: 'Sign in with Company account' }).click();
  async function beginInWindow(page: Page): Promise<Page> {
    const [opened] = await Promise.all([page.waitForEvent('popup'), begin(page)]);
    opened.setDefaultTimeout(10_000);
    return opened;
  }
  /** What the provider asks for. */
  async function agree(page: Page, subject: string): Promise<void> {
    await page.locator('[name=login]').fill(subject);
    await page.locator('[name=password]').fill('any');
    await page.locator('[type=submit]').click();
    await page.getByText('Authorize').first().waitFor();
    await page.locator('[type=submit]').click();
  }

  const modes = [
    { mode: 'refresh', afterReload: 'Hello, ines-refresh' },
    // Without a cookie, the session is in the memory of the page.
    { mode: 'legacy-support', afterReload: 'Sign in' },
  ];
  describe.each(modes)('$mode', ({ mode, afterReload }) => {
    it('signs in, and goes on where the user is', async () => {
      const page = await open(mode, `ines-${mode}`);
      const opened = await beginInWindow(page);
      await agree(opened, `ines-${mode}`);
      await page.getByRole('heading', { name: `Hello, ines-${mode}` }).waitFor();
      await expect.poll(() => opened.isClosed()).toBe(true);
      await page.getByRole('link', { name: 'note', exact: true }).first().click();
      await page.getByRole('heading', { name: 'note' }).waitFor();
      await page.goto(page.url().replace(/\/content.*/, ''));
      await page.getByRole('heading', { name: afterReload }).waitFor();
    });

    it('signs in where the browser opens no windows', async () => {
      const page = await open(mode, `emrys-${mode}`);
      await page.evaluate(() => {
        window.open = () => null;
      });
      await begin(page);
      await agree(page, `emrys-${mode}`);
      await page.getByRole('heading', { name: `Hello, emrys-${mode}` }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console');
    });

    it('says in both windows why it failed', async () => {
      const page = await open(mode);
      const opened = await beginInWindow(page);
      await agree(opened, 'nobody');
      for (const each of [page, opened]) await each.getByText('Signing in with the provider failed: email_missing').waitFor();
    });
  });
});
