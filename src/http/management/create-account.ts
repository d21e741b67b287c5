/** A new local user, made by who manages users and not by registering. */

import type { Actor } from '../../access/actor.ts';
import { fullRights } from '../../access/rights.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { WriteUser } from '../../pipeline/call.ts';
import { readFields } from '../../users/read-body.ts';
import type { UserStore } from '../../users/user-store.ts';

/** May link to everything, and is no user: nobody is noted as the creator. */
export const manager: Actor = { kind: 'token', tokenId: 0, rights: fullRights };

const fields = { email: 'email', username: 'text', password: 'newPassword' } as const;

/** `body` has `username`, `email` and `password`, by the rules for registering; `role` is a row id. Answers the row id of the user. */
export async function createAccount(body: unknown, role: number, users: UserStore, writeUser: WriteUser): Promise<number> {
  const { email: given, username, password } = readFields(body, fields);
  const email = given.toLowerCase();
  const id = await writeUser({
    action: 'create',
    documentId: undefined,
    data: { username, email, password, provider: 'local', confirmed: true, blocked: false, role },
    actor: manager,
    limit: undefined,
    async before(connection) {
      if (await users.isIdentityTaken(connection, { email, username }, undefined)) throw ApiError.of('register.taken', undefined);
    },
  });
  if (id === undefined) throw new Error('a user who was just written is gone');
  return id;
}
