/** The page `/console`, as tests see it. */
import type { Locator, Page } from 'playwright-core';
import type { Demo } from '../../support/demo.ts';

export interface Editor {
  readonly username: string;
  readonly password: string;
}

export class ConsolePage {
  readonly page: Page;
  readonly base: string;

  constructor(page: Page, base: string) {
    this.page = page;
    this.base = base;
  }

  /** `/content/articles`. Loads the page anew. */
  async open(path = ''): Promise<void> {
    await this.page.goto(`${this.base}/console${path}`);
  }

  async signIn({ username, password }: Editor): Promise<void> {
    await this.page.getByLabel('User name or e-mail').fill(username);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** The control of a field, by the name of its attribute. */
  field(name: string): Locator {
    return this.page.locator(`[id="field-${name}"]`);
  }

  async button(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  notice(text: string): Promise<void> {
    return this.page.locator('.notice', { hasText: text }).first().waitFor();
  }
}

/** All unsaved work that the browser keeps, as JSON. */
export const keptWork = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('lectern-console');
        opening.onsuccess = () => {
          const asked = opening.result.transaction('work').objectStore('work').getAll();
          asked.onsuccess = () => {
            opening.result.close();
            resolve(JSON.stringify(asked.result));
          };
        };
      }),
  );

/** Requests with the demo's full-access token. */
export function adminOf({ base, token }: Pick<Demo, 'base' | 'token'>) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${base}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
}

/** Makes a role with these rights and a user in it. */
export async function makeEditor(demo: Demo, username: string, rights: Readonly<Record<string, readonly string[]>>): Promise<Editor> {
  const admin = adminOf(demo);
  const enabled = (actions: readonly string[]) => Object.fromEntries(actions.map((action) => [action, { enabled: true }]));
  const permissions = Object.fromEntries(
    Object.entries(rights).map(([owner, actions]) => {
      const [api = '', controller = ''] = owner.split('.');
      return [api, { controllers: { [controller]: enabled(actions) } }];
    }),
  );
  await admin('POST', '/users-permissions/roles', { name: username, description: 'A role of a test', permissions, users: [] });
  const { roles } = (await admin('GET', '/users-permissions/roles')).json;
  const role = roles.find((each: { readonly name: string }) => each.name === username);
  const password = 'a-long-password';
  await admin('POST', '/users', { username, email: `${username}@example.org`, password, role: role.id, confirmed: true });
  return { username, password };
}

/** At the server, as by somebody who signs out everywhere. */
export async function endSessions({ base }: Demo, { username, password }: Editor): Promise<void> {
  const post = (path: string, body: unknown, jwt?: string) =>
    fetch(`${base}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(jwt === undefined ? {} : { Authorization: `Bearer ${jwt}` }) },
      body: JSON.stringify(body),
    });
  const { jwt } = await (await post('local', { identifier: username, password })).json();
  await post('logout', { scope: 'all' }, jwt);
}
