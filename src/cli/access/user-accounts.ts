/** Users as the commands make, list and block them. */

import { readFields } from '../../accounts/read-body.ts';
import type { UserStore } from '../../accounts/user-store.ts';
import type { Config } from '../../config/config.ts';
import type { Database, Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { SessionStore } from '../../identity/session-store.ts';
import type { WriteUser } from '../../pipeline/call.ts';
import { manager } from '../../rights/rights.ts';

export interface AccountRow {
  readonly id: number;
  readonly documentId: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly provider: string | null;
  readonly confirmed: boolean;
  readonly blocked: boolean;
  readonly role: { readonly id: number; readonly type: string } | null;
}

/** Oldest first. A user type of the project's own may lack anything but the id of its documents. */
export async function accountList(database: Database): Promise<readonly AccountRow[]> {
  const { quote } = database.dialect;
  const q = (identifier: string) => identifier.split('.').map(quote).join('.');
  const tables = new Map((await database.tables()).map(({ name, columns }) => [name, columns]));
  const ofUsers = ['id', 'document_id', 'username', 'email', 'provider', 'confirmed', 'blocked'].map((column) =>
    tables.get('up_users')?.has(column) ? q(`u.${column}`) : 'NULL',
  );
  const hasRole = tables.get('up_users_role_lnk')?.has('role_id') === true;
  const ofRoles = hasRole ? [q('r.id'), q('r.type')] : ['NULL', 'NULL'];
  const roles = hasRole
    ? ` LEFT JOIN ${q('up_users_role_lnk')} l ON ${q('l.user_id')} = ${q('u.id')} LEFT JOIN ${q('up_roles')} r ON ${q('r.id')} = ${q('l.role_id')}`
    : '';
  const rows = await database.read((connection) =>
    connection.query(`SELECT ${[...ofUsers, ...ofRoles].join(', ')} FROM ${q('up_users')} u${roles} ORDER BY ${q('u.id')}`, []),
  );
  return rows.map(accountRow);
}

function accountRow([id, documentId, username, email, provider, confirmed, blocked, roleId, roleType]: Row): AccountRow {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    id: Number(id),
    documentId: String(documentId),
    username: text(username),
    email: text(email),
    provider: text(provider),
    confirmed: isTrue(confirmed),
    blocked: isTrue(blocked),
    role: roleId === null ? null : { id: Number(roleId), type: String(roleType ?? '') },
  };
}

const isTrue = (value: unknown) => value === true || value === 1;

export interface BlockParts {
  readonly config: Config;
  readonly writeUser: WriteUser;
  readonly sessionStore: SessionStore;
}

/** A blocked user is refused at the next request; with `policies.endSessionsAtOnce` what was signed in does not come back either. */
export async function setBlocked(
  { id, documentId }: Pick<AccountRow, 'id' | 'documentId'>,
  blocked: boolean,
  { config, writeUser, sessionStore }: BlockParts,
): Promise<void> {
  await writeUser({
    action: 'update',
    documentId,
    data: { blocked },
    actor: manager,
    restriction: undefined,
    async after(connection) {
      if (blocked && config.policies.endSessionsAtOnce) await sessionStore.endAllIn(connection, id);
    },
  });
}

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
    restriction: undefined,
    async before(connection) {
      if (await users.isIdentityTaken(connection, { email, username }, undefined)) throw ApiError.of('register.taken');
    },
  });
  if (id === undefined) throw new Error('a user who was just written is gone');
  return id;
}
