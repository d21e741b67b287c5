/** The rows of users as the endpoints for accounts need them: look-ups, and the tokens in mails. */
import type { Connection, Database } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import { writeRetried } from '../dialects/retry-conflicts.ts';
import type { DocumentEvent, EventCaller } from '../events/document-event.ts';
import { insertEvents } from '../events/event-store.ts';
import { userUid } from '../model/built-in-types.ts';
import { areForAdministrators } from '../rights/administrators-store.ts';
import { roleIdsOfType } from '../rights/role-store.ts';
import { isTrue } from '../sql/is-true.ts';
import { Rows } from '../sql/rows.ts';
import { read, run } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';

/** The columns of users that every reader of accounts needs. */
interface AccountRow {
  readonly id: number;
  readonly documentId: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly provider: string | null;
  readonly confirmed: boolean;
  readonly blocked: boolean;
}

/** In the order in which `accountRow` reads them. */
const accountColumns = ['id', 'document_id', 'username', 'email', 'provider', 'confirmed', 'blocked'] as const;

function accountRow([id, documentId, username, email, provider, confirmed, blocked]: Row): AccountRow {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    id: Number(id),
    documentId: String(documentId),
    username: text(username),
    email: text(email),
    provider: text(provider),
    confirmed: isTrue(confirmed),
    blocked: isTrue(blocked),
  };
}

export interface Account extends AccountRow {
  /** A bcrypt hash. */
  readonly password: string | undefined;
}

/** The names that identify an account. */
export interface AccountNames {
  readonly email: string | undefined;
  readonly username: string | undefined;
}

export type UserStore = ReturnType<typeof createUserStore>;

/** `keepsEvents`: whether changes of users leave events. */
export function createUserStore(database: Database, keepsEvents: boolean) {
  async function find(condition: Sql): Promise<Account | undefined> {
    const columns = sql.join([...accountColumns, 'password'].map((column) => sql.id(column)));
    const [row] = await read(database, sql`SELECT ${columns} FROM up_users WHERE ${condition} ORDER BY id LIMIT 1`);
    return row && account(row);
  }

  function setToken(column: 'reset_password_token' | 'confirmation_token', id: number, token: string): Promise<void> {
    const changes = sql`${sql.id(column)} = ${token}, ${changeTimes()}`;
    return writeRetried(database, async (connection) => {
      await run(connection, sql`UPDATE up_users SET ${changes} WHERE ${isRow(id)}`);
    });
  }

  /** Whether one of the texts is in one of the columns of another user's row. */
  async function isTaken(
    connection: Connection,
    wanted: readonly (readonly [column: string, value: string | undefined])[],
    other: { readonly exceptId?: number; readonly provider?: string },
  ): Promise<boolean> {
    const known = wanted.filter((each): each is readonly [string, string] => each[1] !== undefined && each[1] !== '');
    if (known.length === 0) return false;
    const alternatives = sql.join(
      known.map(([column, value]) => sql`${sql.id(column)} = ${sql.value(value, 'string')}`),
      ' OR ',
    );
    const except = other.exceptId === undefined ? sql.empty : sql` AND id <> ${sql.value(other.exceptId, 'id')}`;
    const provider = other.provider === undefined ? sql.empty : sql` AND provider = ${other.provider}`;
    const found = await run(connection, sql`SELECT 1 FROM up_users WHERE (${alternatives})${except}${provider} LIMIT 1`);
    return found.length > 0;
  }

  /** Locks the row: another program may be changing it. */
  async function textIn(column: string, connection: Connection, id: number): Promise<string | undefined> {
    const [row] = await run(connection, sql`SELECT ${sql.id(column)} FROM up_users WHERE ${isRow(id)}${sql.rowLock}`);
    return typeof row?.[0] === 'string' && row[0] !== '' ? row[0] : undefined;
  }

  return {
    byId: (id: number) => find(isRow(id)),
    /** E-mails are stored in lower case. */
    byEmail: (email: string) => find(sql.equals(sql`email`, sql.value(email.toLowerCase(), 'email'), 'email', 'names')),
    byResetToken: (token: string) => find(sql.equals(sql`reset_password_token`, sql.value(token, 'string'), 'string', 'names')),
    setResetToken: (id: number, token: string) => setToken('reset_password_token', id, token),
    setConfirmationToken: (id: number, token: string) => setToken('confirmation_token', id, token),
    /** Confirms the e-mail of the user with this token, which can be used once. */
    confirm(token: string, caller: EventCaller): Promise<boolean> {
      return writeRetried(database, async (connection) => {
        const changes = sql`confirmed = ${true}, confirmation_token = NULL, ${changeTimes()}`;
        const isOfToken = sql.equals(sql`confirmation_token`, sql.value(token, 'string'), 'string', 'names');
        const found = await run(connection, sql`SELECT document_id FROM up_users WHERE ${isOfToken}${sql.rowLock}`);
        if (found.length === 0) connection.changes([], []);
        else await run(connection, sql`UPDATE up_users SET ${changes} WHERE ${isOfToken}`);
        const events = found.map(([documentId]) => ({ ...confirmation, documentId: String(documentId) }));
        if (keepsEvents) insertEvents(events, caller, Date.now(), new Rows(connection, database.dialect));
        return found.length > 0;
      });
    },
    /** Runs inside a transaction. A user name may not be another user's e-mail either. */
    isIdentityTaken: (connection: Connection, { email, username }: AccountNames, provider: string | undefined): Promise<boolean> =>
      isTaken(
        connection,
        [
          ['email', email],
          ['username', email],
          ['username', username],
          ['email', username],
        ],
        provider === undefined ? {} : { provider },
      ),
    isEmailTaken: (connection: Connection, email: string, exceptId?: number): Promise<boolean> =>
      isTaken(connection, [['email', email]], exceptId === undefined ? {} : { exceptId }),
    isUsernameTaken: (connection: Connection, username: string, exceptId: number): Promise<boolean> =>
      isTaken(
        connection,
        [
          ['username', username],
          ['email', username],
        ],
        { exceptId },
      ),
    /** Runs inside a transaction: the stored hash. */
    passwordIn: (connection: Connection, id: number): Promise<string | undefined> => textIn('password', connection, id),
    resetTokenIn: (connection: Connection, id: number): Promise<string | undefined> => textIn('reset_password_token', connection, id),
    async roleIn(connection: Connection, id: number): Promise<number | undefined> {
      const [row] = await run(connection, sql`SELECT role_id FROM up_users_role_lnk WHERE user_id = ${sql.value(id, 'id')}`);
      return row === undefined ? undefined : Number(row[0]);
    },
    /** Runs inside a transaction: whether a role of the user makes it an administrator. */
    isAdministratorIn: (connection: Connection, id: number): Promise<boolean> =>
      areForAdministrators(connection, sql`SELECT role_id FROM up_users_role_lnk WHERE user_id = ${sql.value(id, 'id')}`),
    /** Runs inside a transaction. */
    isForAdministrators: (connection: Connection, role: number): Promise<boolean> =>
      areForAdministrators(connection, sql.value(role, 'id')),
    /** The oldest role of that type. */
    async roleOfType(type: string): Promise<number | undefined> {
      const [id] = await database.readAtOnce((connection) => roleIdsOfType(connection, type));
      return id;
    },
  };
}

const confirmation = {
  ...{ type: 'update', uid: userUid, locale: null, status: 'published', isNew: false, paths: ['confirmed'] },
} as const satisfies Omit<DocumentEvent, 'documentId'>;

const isRow = (id: number): Sql => sql`id = ${sql.value(id, 'id')}`;
/** Strapi changes both at each change of a user. */
function changeTimes(): Sql {
  const now = sql.value(Date.now(), 'datetime');
  return sql`updated_at = ${now}, published_at = ${now}`;
}

/** An empty text is no name and no password. */
function account(row: Row): Account {
  const { username, email, provider, ...rest } = accountRow(row);
  const password = row[accountColumns.length];
  return {
    ...rest,
    username: username || null,
    email: email || null,
    provider: provider || null,
    password: typeof password === 'string' && password !== '' ? password : undefined,
  };
}

/** Users with their roles, as commands list them. */
export interface ListedAccount extends AccountRow {
  readonly role: { readonly id: number; readonly type: string } | null;
}

/** Oldest first. A user type of the project's own may lack anything but the id of its documents. */
export async function accountList(database: Database): Promise<readonly ListedAccount[]> {
  const tables = new Map((await database.tables()).map(({ name, columns }) => [name, columns]));
  const ofUsers = accountColumns.map((column) => (tables.get('up_users')?.has(column) ? sql.id('u', column) : sql`NULL`));
  const hasRole = tables.get('up_users_role_lnk')?.has('role_id') === true;
  const ofRoles = hasRole ? sql`r.id, r.type` : sql`NULL, NULL`;
  const roles = hasRole ? sql` LEFT JOIN up_users_role_lnk l ON l.user_id = u.id LEFT JOIN up_roles r ON r.id = l.role_id` : sql.empty;
  const rows = await read(database, sql`SELECT ${sql.join([...ofUsers, ofRoles])} FROM up_users u${roles} ORDER BY u.id`);
  return rows.map(listedAccount);
}

function listedAccount(row: Row): ListedAccount {
  const [roleId, roleType] = row.slice(accountColumns.length);
  return { ...accountRow(row), role: roleId === null ? null : { id: Number(roleId), type: String(roleType ?? '') } };
}
