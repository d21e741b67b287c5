/** Creates, changes and deletes users for the commands. */

import { readFields } from '../../accounts/read-body.ts';
import type { ListedAccount, UserStore } from '../../accounts/user-store.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { manager } from '../../identity/actor.ts';
import type { SessionStore } from '../../identity/session-store.ts';
import type { WriteUser } from '../../pipeline/call.ts';
import type { JsonObject } from '../../text/json.ts';

export interface AccountParts {
  readonly config: Config;
  readonly writeUser: WriteUser;
  readonly sessionStore: SessionStore;
}

type Subject = Pick<ListedAccount, 'id' | 'documentId'>;

/** Changes a user, and with `endsSessions` ends all its sessions in the same transaction. */
async function change(
  { id, documentId }: Subject,
  data: JsonObject,
  { writeUser, sessionStore }: AccountParts,
  endsSessions: boolean,
): Promise<void> {
  await writeUser({
    action: 'update',
    documentId,
    data,
    actor: manager,
    restriction: undefined,
    async after(connection) {
      if (endsSessions) await sessionStore.endAllIn(connection, id);
    },
  });
}

/** Requests of a blocked user fail. With `policies.endSessionsAtOnce`, the sessions end too. */
export const setBlocked = (user: Subject, blocked: boolean, parts: AccountParts): Promise<void> =>
  change(user, { blocked }, parts, blocked && parts.config.policies.endSessionsAtOnce);

/** `role` is a row id. With `policies.endSessionsAtOnce` all sessions of the user end. */
export const setRole = (user: Subject, role: number, parts: AccountParts): Promise<void> =>
  change(user, { role }, parts, parts.config.policies.endSessionsAtOnce);

/** Like a forgotten password: ends all sessions and makes links in earlier mails invalid. */
export function setPassword(user: Subject, newPassword: string, parts: AccountParts): Promise<void> {
  const { password } = readFields({ password: newPassword }, { password: 'newPassword' });
  return change(user, { password, resetPasswordToken: null }, parts, true);
}

/** Also deletes the user's relations, identities at providers and sessions, in one transaction. */
export async function deleteAccount({ id, documentId }: Subject, { writeUser, sessionStore }: AccountParts): Promise<void> {
  await writeUser({
    action: 'delete',
    documentId,
    data: {},
    actor: manager,
    restriction: undefined,
    before: (connection) => sessionStore.endAllIn(connection, id),
  });
}

const fields = { email: 'email', username: 'text', password: 'newPassword' } as const;

/** `body` has `username`, `email` and `password`, which are checked as in a registration. `role` is
 *  a row id. Returns the user's row id. */
export async function createAccount(body: unknown, role: number, users: UserStore, writeUser: WriteUser): Promise<number> {
  const { email: writtenEmail, username, password } = readFields(body, fields);
  const email = writtenEmail.toLowerCase();
  const id = await writeUser({
    action: 'create',
    documentId: undefined,
    data: { username, email, password, provider: 'local', confirmed: true, blocked: false, role },
    actor: manager,
    restriction: undefined,
    async before(connection) {
      if (await users.isIdentityTaken(connection, { email, username }, undefined)) throw ApiError.of('register.taken');
    },
  });
  if (id === undefined) throw new Error('the user that was just written has no row id');
  return id;
}
