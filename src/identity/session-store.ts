/** Rows of `strapi_sessions`: one for each login, whose refreshes change it. Strapi's session manager adds a row for each refresh; those are read too. */
import type { ColumnType, Connection, Database, Row, SqlValue } from '../dialects/dialect.ts';
import { newDocumentId } from '../text/document-id.ts';
import { loginOf } from './session-id.ts';

export interface NewSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly deviceId: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly absoluteExpiresAt: number;
}

export interface ActiveSession {
  readonly sessionId: string;
  readonly deviceId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

const origin = 'users-permissions';
/** In Strapi each refresh replaces a session, which then points at its successor. Finding a successor uses no index, so few are followed: access
 *  tokens end after ten minutes. */
const longestChain = 10;
/** Sessions of one user; beyond this, those refreshed longest ago end. */
const mostSessions = 200;
/** Rows that one clean-up deletes. */
const clearedRows = 1000;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** `tables` are those of the live database: `type` and `metadata` came with later releases of Strapi 5. */
export function createSessionStore(database: Database, tables: ReadonlyMap<string, ReadonlySet<string>>) {
  const { dialect } = database;
  const { quote } = dialect;
  const columnsThere = tables.get('strapi_sessions');
  const table = quote('strapi_sessions');
  const column = (name: string, type: ColumnType) => (columnsThere?.has(name) === true ? dialect.select(quote(name), type) : 'NULL');

  /** For a statement that is written from left to right: the placeholder of each value, and the values. */
  function statement() {
    const values: SqlValue[] = [];
    const bound = (value: SqlValue, type: ColumnType) => {
      values.push(dialect.bind(value, type));
      const placeholder = dialect.placeholder(values.length);
      // Other types follow from the column.
      return type === 'datetime' ? dialect.comparand(placeholder, type, 0) : placeholder;
    };
    return { values, bound };
  }

  const ofUser = (userId: number | string, bound: (value: SqlValue, type: ColumnType) => string) =>
    `${quote('user_id')} = ${bound(String(userId), 'string')} AND ${quote('origin')} = '${origin}'`;

  async function insert(session: NewSession, connection: Connection): Promise<void> {
    const cells: readonly (readonly [string, ColumnType, SqlValue])[] = [
      ['document_id', 'string', loginOf(session.sessionId) ?? newDocumentId()],
      ['user_id', 'string', session.userId],
      ['session_id', 'string', session.sessionId],
      ['device_id', 'string', session.deviceId ?? null],
      ['origin', 'string', origin],
      ['expires_at', 'datetime', session.expiresAt],
      ['absolute_expires_at', 'datetime', session.absoluteExpiresAt],
      ['status', 'string', 'active'],
      ['type', 'string', 'refresh'],
      ['metadata', 'json', JSON.stringify(session.metadata)],
      ['created_at', 'datetime', session.createdAt],
      ['updated_at', 'datetime', session.createdAt],
      ['published_at', 'datetime', session.createdAt],
    ];
    const { values, bound } = statement();
    const present = cells.filter(([name]) => columnsThere?.has(name) === true);
    const items = present.map(([, type, value]) => bound(value, type));
    await connection.query(
      `INSERT INTO ${table} (${present.map(([name]) => quote(name)).join(', ')}) VALUES (${items.join(', ')})`,
      values,
    );
  }

  /** The user's rows of a login, oldest first: one, or for a login at Strapi one for each refresh. */
  async function rowsOf(sessionId: string, userId: number, connection: Connection): Promise<Row[]> {
    const found: Row[] = [];
    let next: unknown = sessionId;
    while (typeof next === 'string' && found.length < longestChain) {
      const { values, bound } = statement();
      const login = loginOf(next);
      const condition =
        login === undefined ? `${quote('session_id')} = ${bound(next, 'string')}` : `${quote('document_id')} = ${bound(login, 'string')}`;
      const [row] = await connection.query(
        `SELECT ${quote('id')}, ${quote('status')}, ${column('absolute_expires_at', 'datetime')}, ${quote('child_id')} FROM ${table} WHERE ${condition} AND ${ofUser(userId, bound)}`,
        values,
      );
      if (row === undefined) break;
      found.push(row);
      next = row[3];
    }
    return found;
  }

  /** Expired sessions, Strapi's included, and sessions that were not refreshed in time. */
  async function clearExpired(now: number, connection: Connection): Promise<void> {
    const { values, bound } = statement();
    const over = `${quote('absolute_expires_at')} < ${bound(now, 'datetime')} OR (${quote('origin')} = '${origin}' AND ${quote('expires_at')} < ${bound(now, 'datetime')})`;
    await connection.query(
      `DELETE FROM ${table} WHERE ${quote('id')} IN (SELECT ${quote('id')} FROM ${table} WHERE ${over} LIMIT ${clearedRows})`,
      values,
    );
  }

  async function endOldest(userId: string, connection: Connection): Promise<void> {
    const { values, bound } = statement();
    await connection.query(
      `DELETE FROM ${table} WHERE ${quote('id')} IN (SELECT ${quote('id')} FROM ${table} WHERE ${ofUser(userId, bound)} ` +
        `ORDER BY ${quote('created_at')} DESC, ${quote('id')} DESC LIMIT ${clearedRows} OFFSET ${mostSessions})`,
      values,
    );
  }

  async function endAll(userId: number, deviceId: string | undefined, connection: Connection): Promise<void> {
    if (columnsThere === undefined) return;
    const { values, bound } = statement();
    const conditions = [ofUser(userId, bound), ...(deviceId === undefined ? [] : [`${quote('device_id')} = ${bound(deviceId, 'string')}`])];
    await connection.query(`DELETE FROM ${table} WHERE ${conditions.join(' AND ')}`, values);
  }

  return {
    /** Databases of the first releases of Strapi 5 have no table for sessions until somebody adds it. */
    available: columnsThere !== undefined,
    /** Whether the login that issued a token is still valid. */
    stands(sessionId: string, userId: number): Promise<boolean> {
      if (columnsThere === undefined) return Promise.resolve(false);
      return database.read(async (connection) => {
        const rows = await rowsOf(sessionId, userId, connection);
        const isOver = ([, , absolute]: Row) => absolute !== null && Number(absolute) <= Date.now();
        return rows.at(-1)?.[1] === 'active' && !rows.some(isOver);
      });
    },
    /** Adds the row that Strapi adds at a login, and ends the oldest sessions beyond the limit. */
    create(session: NewSession, options: { readonly clearExpired: boolean }): Promise<void> {
      return database.write(async (connection) => {
        await insert(session, connection);
        await endOldest(session.userId, connection);
        if (options.clearExpired) await clearExpired(session.createdAt, connection);
      });
    },
    /** Puts another session in the place of an active one; undefined when it is none, or is over. Of two who try at once, one succeeds. */
    rotate(
      { sessionId, userId, now }: { readonly sessionId: string; readonly userId: number; readonly now: number },
      successor: { readonly sessionId: string; readonly expiresAt: number },
    ): Promise<NewSession | undefined> {
      if (columnsThere === undefined) return Promise.resolve(undefined);
      return database.write(async (connection) => {
        const { values, bound } = statement();
        const login = loginOf(sessionId);
        const at = () => bound(now, 'datetime');
        const set =
          login === undefined
            ? `${quote('status')} = 'rotated', ${quote('child_id')} = ${bound(successor.sessionId, 'string')}, ${quote('updated_at')} = ${at()}`
            : `${quote('session_id')} = ${bound(successor.sessionId, 'string')}, ${quote('expires_at')} = ${bound(successor.expiresAt, 'datetime')}, ` +
              ['created_at', 'updated_at', 'published_at'].map((name) => `${quote(name)} = ${at()}`).join(', ');
        const absolute = quote('absolute_expires_at');
        const conditions = [
          ...(login === undefined ? [] : [`${quote('document_id')} = ${bound(login, 'string')}`]),
          `${quote('session_id')} = ${bound(sessionId, 'string')}`,
          ofUser(userId, bound),
          `${quote('status')} = 'active'`,
          `${quote('expires_at')} > ${at()}`,
          `(${absolute} IS NULL OR ${absolute} > ${at()})`,
        ];
        const [row] = await connection.query(
          `UPDATE ${table} SET ${set} WHERE ${conditions.join(' AND ')} RETURNING ${quote('device_id')}, ${column('metadata', 'json')}, ${column(
            'absolute_expires_at',
            'datetime',
          )}`,
          values,
        );
        if (row === undefined) return undefined;
        const [deviceId, metadata, absoluteExpiresAt] = row;
        const session: NewSession = {
          ...successor,
          userId: String(userId),
          deviceId: typeof deviceId === 'string' ? deviceId : undefined,
          metadata: metadataOf(metadata),
          createdAt: now,
          absoluteExpiresAt: absoluteExpiresAt === null ? successor.expiresAt : Number(absoluteExpiresAt),
        };
        if (login === undefined) await insert(session, connection);
        return session;
      });
    },
    /** Those that could still be refreshed. */
    list(userId: number, now: number): Promise<ActiveSession[]> {
      if (columnsThere === undefined) return Promise.resolve([]);
      return database.read(async (connection) => {
        const { values, bound } = statement();
        const conditions = `${ofUser(userId, bound)} AND ${quote('status')} = 'active' AND ${quote('expires_at')} > ${bound(now, 'datetime')}`;
        const rows = await connection.query(
          `SELECT ${quote('session_id')}, ${quote('device_id')}, ${column('metadata', 'json')}, ${column('created_at', 'datetime')} FROM ${table} ` +
            `WHERE ${conditions} ORDER BY ${quote('created_at')} DESC, ${quote('id')} DESC`,
          values,
        );
        return rows.map(([sessionId, deviceId, metadata, createdAt]) => ({
          sessionId: String(sessionId),
          deviceId: typeof deviceId === 'string' ? deviceId : null,
          metadata: metadataOf(metadata),
          createdAt: Number(createdAt),
        }));
      });
    },
    /** Ends a session of the user with all that came of it; false when there is none. */
    end(sessionId: string, userId: number): Promise<boolean> {
      if (columnsThere === undefined) return Promise.resolve(false);
      return database.write(async (connection) => {
        const rows = await rowsOf(sessionId, userId, connection);
        for (const [id] of rows) {
          const { values, bound } = statement();
          await connection.query(`DELETE FROM ${table} WHERE ${quote('id')} = ${bound(Number(id), 'id')}`, values);
        }
        return rows.length > 0;
      });
    },
    endAll: (userId: number, deviceId?: string): Promise<void> => database.write((connection) => endAll(userId, deviceId, connection)),
    /** The same as part of a transaction. */
    endAllIn: (connection: Connection, userId: number): Promise<void> => endAll(userId, undefined, connection),
  };
}

function metadataOf(text: unknown): Readonly<Record<string, unknown>> {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : text;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
