/** The rows of users, as far as the endpoints for accounts need them: look-ups by what a caller knows, and the tokens that mails carry. */
import type { ColumnType, Connection, Database, Row, SqlValue } from '../dialects/dialect.ts';

export interface Account {
  readonly id: number;
  readonly documentId: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly provider: string | null;
  /** A bcrypt hash. */
  readonly password: string | undefined;
  readonly confirmed: boolean;
  readonly blocked: boolean;
}

/** What a new or changed account would be known by. */
export interface Identity {
  readonly email: string | undefined;
  readonly username: string | undefined;
}

export type UserStore = ReturnType<typeof createUserStore>;

export function createUserStore(database: Database) {
  const { dialect } = database;
  const { quote } = dialect;
  const users = quote('up_users');
  const columns = ['id', 'document_id', 'username', 'email', 'provider', 'password', 'confirmed', 'blocked'].map(quote).join(', ');

  /** For a statement that is written from left to right. */
  function statement() {
    const values: SqlValue[] = [];
    const bound = (value: SqlValue, type: ColumnType) => {
      const stored = dialect.bind(value, type);
      values.push(stored);
      return dialect.comparand(dialect.placeholder(values.length), type, stored);
    };
    return { values, bound };
  }

  async function find(column: string, value: SqlValue, type: ColumnType): Promise<Account | undefined> {
    const { values, bound } = statement();
    const text = `SELECT ${columns} FROM ${users} WHERE ${quote(column)} = ${bound(value, type)} ORDER BY ${quote('id')} LIMIT 1`;
    const [row] = await database.read((connection) => connection.query(text, values));
    return row && account(row);
  }

  function setToken(column: 'reset_password_token' | 'confirmation_token', id: number, token: string): Promise<void> {
    return database.write(async (connection) => {
      const { values, bound } = statement();
      await connection.query(
        `UPDATE ${users} SET ${quote(column)} = ${bound(token, 'string')}, ${quote('updated_at')} = ${bound(Date.now(), 'datetime')} WHERE ${quote(
          'id',
        )} = ${bound(id, 'id')}`,
        values,
      );
    });
  }

  /** Whether one of the texts is in one of the columns of somebody else's row. */
  async function isTaken(
    connection: Connection,
    wanted: readonly (readonly [column: string, value: string | undefined])[],
    other: { readonly exceptId?: number; readonly provider?: string },
  ): Promise<boolean> {
    const { values, bound } = statement();
    const known = wanted.filter((each): each is readonly [string, string] => each[1] !== undefined && each[1] !== '');
    if (known.length === 0) return false;
    const alternatives = known.map(([column, value]) => `${quote(column)} = ${bound(value, 'string')}`).join(' OR ');
    const except = other.exceptId === undefined ? '' : ` AND ${quote('id')} <> ${bound(other.exceptId, 'id')}`;
    const provider = other.provider === undefined ? '' : ` AND ${quote('provider')} = ${bound(other.provider, 'string')}`;
    const found = await connection.query(`SELECT 1 FROM ${users} WHERE (${alternatives})${except}${provider} LIMIT 1`, values);
    return found.length > 0;
  }

  async function textIn(column: string, connection: Connection, id: number): Promise<string | undefined> {
    const { values, bound } = statement();
    const [row] = await connection.query(`SELECT ${quote(column)} FROM ${users} WHERE ${quote('id')} = ${bound(id, 'id')}`, values);
    return typeof row?.[0] === 'string' && row[0] !== '' ? row[0] : undefined;
  }

  return {
    byId: (id: number) => find('id', id, 'id'),
    /** E-mail addresses are stored in lower case. */
    byEmail: (email: string) => find('email', email.toLowerCase(), 'string'),
    byResetToken: (token: string) => find('reset_password_token', token, 'string'),
    setResetToken: (id: number, token: string) => setToken('reset_password_token', id, token),
    setConfirmationToken: (id: number, token: string) => setToken('confirmation_token', id, token),
    /** Confirms the address of the user with this token, which is good for that once. */
    confirm(token: string): Promise<boolean> {
      return database.write(async (connection) => {
        const { values, bound } = statement();
        const set = `${quote('confirmed')} = ${bound(true, 'boolean')}, ${quote('confirmation_token')} = NULL, ${quote('updated_at')} = ${bound(
          Date.now(),
          'datetime',
        )}`;
        const rows = await connection.query(
          `UPDATE ${users} SET ${set} WHERE ${quote('confirmation_token')} = ${bound(token, 'string')} RETURNING ${quote('id')}`,
          values,
        );
        return rows.length > 0;
      });
    },
    /** As part of a transaction: whether somebody signs in by one of these already. A name may not be another one's address either. */
    isIdentityTaken: (connection: Connection, { email, username }: Identity, provider: string | undefined): Promise<boolean> =>
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
    /** As part of a transaction: what the user's row says now. */
    passwordIn: (connection: Connection, id: number): Promise<string | undefined> => textIn('password', connection, id),
    resetTokenIn: (connection: Connection, id: number): Promise<string | undefined> => textIn('reset_password_token', connection, id),
    async roleIn(connection: Connection, id: number): Promise<number | undefined> {
      const { values, bound } = statement();
      const [row] = await connection.query(
        `SELECT ${quote('role_id')} FROM ${quote('up_users_role_lnk')} WHERE ${quote('user_id')} = ${bound(id, 'id')}`,
        values,
      );
      return row === undefined ? undefined : Number(row[0]);
    },
    /** The oldest role of that type. */
    async roleOfType(type: string): Promise<number | undefined> {
      const { values, bound } = statement();
      const text = `SELECT ${quote('id')} FROM ${quote('up_roles')} WHERE ${quote('type')} = ${bound(type, 'string')} ORDER BY ${quote('id')} LIMIT 1`;
      const [row] = await database.read((connection) => connection.query(text, values));
      return row === undefined ? undefined : Number(row[0]);
    },
  };
}

function account([id, documentId, username, email, provider, password, confirmed, blocked]: Row): Account {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    id: Number(id),
    documentId: String(documentId),
    username: text(username),
    email: text(email),
    provider: text(provider),
    password: text(password) ?? undefined,
    confirmed: isTrue(confirmed),
    blocked: isTrue(blocked),
  };
}

const isTrue = (value: unknown) => value === true || value === 1;
