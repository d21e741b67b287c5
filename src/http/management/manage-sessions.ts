/** How users get in: links to set a password, and their sessions. */
import { linkDays, newPasswordLink, noPasswordPage, passwordPage } from '../../accounts/password-link.ts';
import type { Account } from '../../accounts/user-store.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import { rowIdOf, rowIdParameter } from '../endpoints/rows.ts';
import type { EndpointCall } from '../send-response.ts';
import { type ManagementRoute, sendData } from './management-route.ts';

/** A page of a list. */
const maxIds = 100;

export function managedSessions({ config, store, users, sessionStore, usersChanged }: Accounts): readonly ManagementRoute[] {
  async function account({ request }: EndpointCall): Promise<Account> {
    const id = rowIdParameter(request, 'id');
    const found = id === undefined ? undefined : await users.byId(id);
    if (found === undefined) throw ApiError.of('user.not-found');
    return found;
  }

  return [
    [
      'POST',
      '/users/:id/password-link',
      async (call) => {
        const { id, blocked } = await account(call);
        if (blocked) throw ApiError.of('management.no-link', { problem: 'The user is blocked, so that no link would be accepted' });
        const page = await passwordPage(config, store);
        if (page === undefined) throw ApiError.of('management.no-link', { problem: noPasswordPage });
        const expiresAt = new Date(Date.now() + linkDays * 86_400_000).toISOString();
        return sendData({ url: await newPasswordLink(id, page, users), expiresAt }, 201);
      },
    ],
    [
      'GET',
      '/users/:id/sessions',
      async (call) => {
        const sessions = await sessionStore.list((await account(call)).id, Date.now());
        return sendData(
          sessions.map(({ metadata, createdAt }) => ({
            deviceName: typeof metadata.deviceName === 'string' ? metadata.deviceName : null,
            loginAt: typeof metadata.loginAt === 'string' ? metadata.loginAt : null,
            lastActiveAt: new Date(createdAt).toISOString(),
          })),
        );
      },
    ],
    [
      'DELETE',
      '/users/:id/sessions',
      async (call) => {
        await sessionStore.endAll((await account(call)).id);
        usersChanged();
        return { status: 204, body: null };
      },
    ],
    [
      'GET',
      '/users/last-active',
      async ({ query }) => {
        const written = (new URLSearchParams(query).get('ids') ?? '').split(',');
        const ids = written.slice(0, maxIds).flatMap((text) => rowIdOf(text) ?? []);
        const last = await sessionStore.lastActive(ids);
        return sendData([...last].map(([id, time]) => ({ id, lastActiveAt: new Date(time).toISOString() })));
      },
    ],
  ];
}
