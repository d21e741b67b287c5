/** Signing in to the console with an OpenID provider, in a window of its own. */
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jwtSecret } from '../../support/accounts.ts';
import { hasChromium, openBrowser } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { clientSecret, startOidcServer } from '../../support/oidc-server.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { startServer } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

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
  /** A provider, and a server that knows it. Called in the body of a `describe`. Returns what opens its page for somebody with an account at the
   *  provider; accounts of other providers have other e-mail addresses. */
  function useProvider(mode: string): (subject: string) => Promise<Page> {
    const oidc = useMade(async () => {
      const port = await freePort();
      return Object.assign(await startOidcServer([`http://127.0.0.1:${port}/api/connect/company/callback`]), { port });
    });
    useMade(() => {
      const { issuer, port } = oidc();
      const callbacks = [`http://127.0.0.1:${port}/signed-in`];
      const env = {
        ...api.environment,
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        LECTERN_AUTH_JWT_MANAGEMENT: mode,
        LECTERN_AUTH_PROVIDERS: JSON.stringify({ company: { issuer, clientId: 'client-0', label: 'Company account', callbacks } }),
        LECTERN_AUTH_PROVIDERS_COMPANY_CLIENT_SECRET: clientSecret,
      };
      return startServer(api.project.dir, env, ['--port', String(port)]);
    });
    return async (subject) => {
      oidc().people.set(subject, { email: `${subject}@example.org`, email_verified: true, preferred_username: subject });
      oidc().people.set('nobody', { preferred_username: 'nobody' });
      const { context, close } = await openBrowser({ locale: 'en-GB' });
      onTestFinished(close);
      // The pages of the provider want a font.
      await context.route(/fonts\.googleapis\.com/, (route) => route.abort());
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(`http://127.0.0.1:${oidc().port}/console`);
      return page;
    };
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
    const open = useProvider(mode);

    it('signs in, and goes on where the user is', async () => {
      const page = await open(`ines-${mode}`);
      const opened = await beginInWindow(page);
      await agree(opened, `ines-${mode}`);
      await page.getByRole('heading', { name: `Hello, ines-${mode}` }).waitFor();
      await expect.poll(() => opened.isClosed()).toBe(true);
      await page.getByRole('link', { name: 'note', exact: true }).first().click();
      await page.getByRole('heading', { name: 'note' }).waitFor();
      await page.goto(page.url().replace(/\/content.*/, ''));
      await page.getByRole('heading', { name: afterReload }).waitFor();
    });

    // The page does the same in both modes.
    it.runIf(mode === 'refresh')('signs in where the browser opens no windows', async () => {
      const page = await open(`emrys-${mode}`);
      await page.evaluate(() => {
        window.open = () => null;
      });
      await begin(page);
      await agree(page, `emrys-${mode}`);
      await page.getByRole('heading', { name: `Hello, emrys-${mode}` }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console');
    });

    it.runIf(mode === 'legacy-support')('says in both windows why it failed', async () => {
      const page = await open('unused');
      const opened = await beginInWindow(page);
      await agree(opened, 'nobody');
      for (const each of [page, opened]) await each.getByText('Signing in with the provider failed: email_missing').waitFor();
    });
  });
});
