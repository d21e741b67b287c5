/** People and access in the console: what an administrator does, and what others see of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, type OpenBrowser, openBrowser } from '../../support/chromium.ts';
import { type Demo, startDemo } from '../../support/demo.ts';
import { watchPage } from '../watch-page.ts';
import { ConsolePage } from './console-page.ts';

const managementToken = 'a-management-token-of-this-test-1234';
const carol = { username: 'carol', password: 'a-long-password' };

describe.skipIf(!hasChromium)('/console/access', () => {
  let demo: Demo;
  let browser: OpenBrowser;
  let site: ConsolePage;
  let problems: readonly string[];

  const manage = async (method: string, path: string, data?: unknown) => {
    const response = await fetch(`${demo.base}/api/_manage${path}`, {
      method,
      headers: { Authorization: `Bearer ${managementToken}`, 'Content-Type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    return (await response.json()).data;
  };
  const signIn = async (identifier: string, password: string) =>
    (
      await fetch(`${demo.base}/api/auth/local`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ identifier, password }),
      })
    ).status;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([
      startDemo({ LECTERN_MANAGEMENT_TOKEN: managementToken }),
      openBrowser({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' }),
    ]);
    const role = await manage('POST', '/roles', {
      name: 'Administrator',
      rights: {
        'lectern::management': ['access'],
        'plugin::users-permissions.auth': ['logout', 'changePassword', 'getSessions', 'revokeSession'],
      },
    });
    await manage('POST', '/users', { ...carol, email: 'carol@example.org', role: role.id });
    await manage('POST', '/roles', {
      name: 'Guest author',
      rights: { 'api::article.article': { find: true, update: { fields: ['title'], where: { contactEmail: { $eq: '$user.email' } } } } },
    });
    const page = await browser.context.newPage();
    ({ problems } = await watchPage(page, demo.base));
    site = new ConsolePage(page, demo.base);
    await site.open('/access');
    await site.signIn(carol);
    await page.getByRole('table').waitFor();
  });
  afterAll(() => Promise.all([browser?.close(), demo?.stop()]));

  const dialog = (name: string | RegExp) => site.page.getByRole('dialog', { name });
  const row = (name: string) => site.page.getByRole('row').filter({ has: site.page.getByRole('button', { name, exact: true }) });

  it('creates a user with a link to set the password, which is shown once', async () => {
    await site.button('New user');
    const form = dialog('New user');
    await form.getByLabel('User name').fill('dora');
    await form.getByLabel('E-mail address').fill('dora@example.org');
    await form.getByLabel('Role').selectOption('Guest author');
    await form.getByRole('button', { name: 'Create the user' }).click();
    const link = await dialog('dora has been created').getByLabel('Link to set the password').inputValue();
    expect(link).toMatch(/\/console\/set-password#code=[0-9a-f]{128}\.\w+$/);
    await site.page.keyboard.press('Escape');
    await row('dora').getByText('Guest author').waitFor();
    const own = await browser.context.browser()?.newContext({ locale: 'en-GB' });
    const page = await own?.newPage();
    if (page === undefined) throw new Error('the browser is open');
    await page.goto(link);
    await page.getByLabel('New password').fill('dora-writes-1');
    await page.getByLabel('The same again').fill('dora-writes-1');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByRole('heading', { name: 'Hello, dora' }).waitFor();
    // Nothing of it for others.
    await expect.poll(() => page.getByRole('link', { name: 'Access' }).count()).toBe(0);
    await page.goto(`${demo.base}/console/access`);
    await page.getByText('Only administrators may see this').waitFor();
    await own?.close();
    expect(await signIn('dora', 'dora-writes-1')).toBe(200);
  });

  it('finds a user, ends the sessions, and blocks it after a question', async () => {
    await site.page.getByRole('searchbox').fill('DORA@');
    await expect.poll(() => site.page.locator('.people-list tbody tr').count()).toBe(1);
    await site.button('dora');
    const drawer = dialog('dora');
    await drawer.getByRole('button', { name: 'Sign out everywhere' }).click();
    await drawer.getByText('Nowhere at present.').waitFor();
    await drawer.getByRole('button', { name: 'Block', exact: true }).click();
    await dialog('Block dora?').getByRole('button', { name: 'Block', exact: true }).click();
    await drawer.getByText('Blocked', { exact: true }).waitFor();
    expect(await signIn('dora', 'dora-writes-1')).toBe(400);
    await drawer.getByRole('button', { name: 'Unblock' }).click();
    await site.notice('dora can sign in again.');
    expect(await signIn('dora', 'dora-writes-1')).toBe(200);
    await drawer.getByLabel('Role').selectOption('Editor');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await site.notice('Saved.');
    await site.page.keyboard.press('Escape');
    await row('dora').getByText('Editor').waitFor();
    await site.page.getByRole('searchbox').fill('');
    await row('carol').waitFor();
  });

  it('does not let administrators lock themselves out', async () => {
    await site.button('carol');
    const drawer = dialog('carol');
    await drawer.getByText('This is you').waitFor();
    await expect.poll(() => drawer.getByRole('button', { name: /Block|Delete/ }).count()).toBe(0);
    await expect.poll(() => drawer.getByLabel('Role').isDisabled()).toBe(true);
    await site.page.keyboard.press('Escape');
  });

  it('shows rights with their restrictions in words, and lists changes before it saves them', async () => {
    await site.page.getByRole('link', { name: 'Roles' }).click();
    await site.page.getByRole('link', { name: 'Guest author' }).click();
    await site.page.getByText('Change: only Title; only where Contact email is the user’s Email').waitFor();
    await site.page.getByRole('checkbox', { name: 'Create (Article)' }).check();
    await site.page.getByRole('checkbox', { name: 'List (Article)' }).uncheck();
    // Given again, it keeps its restriction.
    await site.page.getByRole('checkbox', { name: /^Change \(Article\)/ }).uncheck();
    await site.page.getByRole('checkbox', { name: 'Change (Article)' }).check();
    await site.button('Look over and save');
    const review = dialog('What changes for Guest author');
    await expect.poll(() => review.getByRole('listitem').allInnerTexts()).toEqual(['Article: Create', 'Article: List']);
    await review.getByRole('button', { name: 'Save' }).click();
    await site.notice('Saved.');
    const roles = await manage('GET', '/roles');
    expect(roles.find(({ name }: { readonly name: string }) => name === 'Guest author').rights['api::article.article']).toEqual({
      create: true,
      update: { fields: ['title'], where: { contactEmail: { $eq: '$user.email' } } },
    });
  });

  it('changes nothing of a role that a file rules, and never offers administration to everybody', async () => {
    await site.open('/access/roles');
    await site.page.getByRole('link', { name: 'Editor' }).click();
    await site.page.getByText('A file of the project, permissions.json').waitFor();
    await expect.poll(() => site.page.getByRole('checkbox', { name: 'Publish (Article)' }).isDisabled()).toBe(true);
    await expect.poll(() => site.page.getByRole('button', { name: 'Look over and save' }).count()).toBe(0);
    await site.open('/access/roles');
    await site.page.getByRole('link', { name: 'Public' }).click();
    await site.page.getByText('What everybody on the internet may do').waitFor();
    await expect.poll(() => site.page.getByRole('group', { name: 'Administration' }).count()).toBe(0);
  });

  it('creates an API token, shows its secret once, and deletes it', async () => {
    await site.page.getByRole('link', { name: 'API tokens' }).click();
    await site.button('New token');
    const form = dialog('New token');
    await form.getByLabel('Name').fill('importer');
    await form.getByLabel(/^Only what you choose/).check();
    await form.getByRole('checkbox', { name: 'List (Tag)' }).check();
    await form.getByRole('button', { name: 'Create the token' }).click();
    const secret = await dialog('The secret of importer').getByLabel('Secret').inputValue();
    const tags = () => fetch(`${demo.base}/api/tags`, { headers: { Authorization: `Bearer ${secret}` } });
    expect((await tags()).status).toBe(200);
    await site.page.keyboard.press('Escape');
    expect(await site.page.content()).not.toContain(secret);
    await site.page
      .getByRole('row', { name: /importer/ })
      .getByText('1 chosen right')
      .waitFor();
    await site.button('Delete importer');
    await dialog('Delete importer?').getByRole('button', { name: 'Delete', exact: true }).click();
    await site.notice('importer has been deleted.');
    expect((await tags()).status).toBe(401);
  });

  it('changes the own password and goes on; other sessions end', async () => {
    await signIn(carol.username, carol.password);
    await site.open('/account');
    await site.page.getByText('Here', { exact: true }).waitFor();
    await expect.poll(() => site.page.getByRole('button', { name: 'Sign out there' }).count()).toBeGreaterThan(0);
    await site.page.getByLabel('Present password').fill(carol.password);
    await site.page.getByLabel('New password').fill('another-long-one');
    await site.page.getByLabel('The same again').fill('another-long-one');
    await site.button('Save the password');
    await site.notice('Your password has been changed.');
    expect(await signIn(carol.username, carol.password)).toBe(400);
    await site.page.reload();
    await site.page.getByRole('heading', { name: 'Your account' }).waitFor();
    await expect.poll(() => site.page.getByRole('button', { name: 'Sign out there' }).count()).toBe(0);
  });

  it('signs out everywhere after a question', async () => {
    await site.open('/account');
    await site.button('Sign out everywhere');
    await dialog('Sign out everywhere?').getByRole('button', { name: 'Sign out everywhere' }).click();
    await site.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await site.page.reload();
    await site.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('asks nothing of other origins, and violates no policy', () => {
    expect(problems).toEqual([]);
  });
});
