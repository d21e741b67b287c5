/** Rows of `strapi_sessions`: one for each login, changed by its refreshes. Strapi's session
 *  manager adds a row for each refresh; those are read too. */
import type { ColumnType } from '../dialects/column-type.ts';
import type { Connection, Database } from '../dialects/database.ts';
import type { Row, SqlValue } from '../dialects/dialect.ts';
import { writeUnshown } from '../dialects/retry-conflicts.ts';
import { ApiError } from '../errors/api-error.ts';
import { Rows } from '../sql/rows.ts';
import { run } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { newDocumentId } from '../text/document-id.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { loginOf } from './session-id.ts';
import { createUserRows, type User } from './user-rows-store.ts';

export interface NewSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly deviceId: string | undefined;
  readonly metadata: JsonObject;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly absoluteExpiresAt: number;
}

export interface ActiveSession {
  readonly sessionId: string;
  readonly deviceId: string | null;
  readonly metadata: JsonObject;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Who signs in, as read before the password was compared or when it was written. */
export type SigningIn = Pick<User, 'id' | 'password' | 'roleId'>;

interface Rotation {
  readonly sessionId: string;
  readonly userId: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Undefined: this refresh may not be repeated, and repeats no other. */
  readonly repeatableSince: number | undefined;
}

interface CreateOptions {
  /** Whether a change of the role ends what began before it. */
  readonly sameRole: boolean;
  readonly clearExpired: boolean;
}

/** In Strapi each refresh replaces a session, which then points to its successor. Finding a
 *  successor uses no index, so few are followed: access tokens expire after ten minutes. */
const maxChainLength = 10;
/** Sessions of one user; beyond this number those refreshed longest ago are ended. */
const maxSessions = 200;
/** Rows that one clean-up deletes. */
const clearedRows = 1000;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** `tables` are those of the live database: `type` and `metadata` came with
 *  later releases of Strapi 5. */
export function createSessionStore(database: Database, tables: ReadonlyMap<string, ReadonlySet<string>>) {
  const columnsThere = tables.get('strapi_sessions');
  const users = createUserRows(tables);
  const column = (name: string, type: ColumnType) => (columnsThere?.has(name) === true ? sql.read(sql.id(name), type) : sql`NULL`);

  async function insert(session: NewSession, connection: Connection): Promise<void> {
    const cells: readonly (readonly [string, ColumnType, SqlValue])[] = [
      ['document_id', 'string', loginOf(session.sessionId) ?? newDocumentId()],
      ['user_id', 'string', session.userId],
      ['session_id', 'string', session.sessionId],
      ['device_id', 'string', session.deviceId ?? null],
      ['origin', 'string', 'users-permissions'],
      ['expires_at', 'datetime', session.expiresAt],
      ['absolute_expires_at', 'datetime', session.absoluteExpiresAt],
      ['status', 'string', 'active'],
      ['type', 'string', 'refresh'],
      ['metadata', 'json', JSON.stringify(session.metadata)],
      ['created_at', 'datetime', session.createdAt],
      ['updated_at', 'datetime', session.createdAt],
      ['published_at', 'datetime', session.createdAt],
    ];
    const present = cells.filter(([name]) => columnsThere?.has(name) === true);
    const names = sql.join(present.map(([name]) => sql.id(name)));
    const values = sql.join(present.map(([, type, value]) => sql.stored(value, type)));
    await run(connection, sql`INSERT INTO strapi_sessions (${names}) VALUES (${values})`);
  }

  const metadataChange = (metadata: JsonObject): Sql =>
    columnsThere?.has('metadata') === true ? sql`, metadata = ${sql.stored(JSON.stringify(metadata), 'json')}` : sql.empty;

  /** The user's rows of a login, oldest first: one, or for a login at
   *  Strapi one for each refresh. */
  async function rowsOf(sessionId: string, userId: number, connection: Connection): Promise<Row[]> {
    const found: Row[] = [];
    let next: unknown = sessionId;
    while (typeof next === 'string' && found.length < maxChainLength) {
      const login = loginOf(next);
      const isRow = login === undefined ? sql`session_id = ${next}` : sql`document_id = ${login}`;
      const [row] = await run(
        connection,
        sql`SELECT id, status, ${column('absolute_expires_at', 'datetime')}, child_id FROM strapi_sessions WHERE ${isRow} AND ${ofUser(userId)}`,
      );
      if (row === undefined) break;
      found.push(row);
      next = row[3];
    }
    return found;
  }

  /** Deletes expired sessions, Strapi's included, and sessions that were not refreshed in time. */
  async function clearExpired(now: number, connection: Connection): Promise<void> {
    const at = moment(now);
    await run(
      connection,
      sql`DELETE FROM strapi_sessions WHERE id IN (SELECT id FROM (SELECT id FROM strapi_sessions WHERE absolute_expires_at < ${at} OR (origin = 'users-permissions' AND expires_at < ${at}) LIMIT ${sql.integer(clearedRows)}) expired)`,
    );
  }

  async function endOldest(userId: string, connection: Connection): Promise<void> {
    const range = sql`LIMIT ${sql.integer(clearedRows)} OFFSET ${sql.integer(maxSessions)}`;
    await run(
      connection,
      sql`DELETE FROM strapi_sessions WHERE id IN (SELECT id FROM (SELECT id FROM strapi_sessions WHERE ${ofUser(userId)} ORDER BY created_at DESC, id DESC ${range}) oldest)`,
    );
  }

  async function endAll(userId: number, deviceId: string | undefined, connection: Connection): Promise<void> {
    if (columnsThere === undefined) return;
    lockSessions(connection, userId);
    const ofDevice = deviceId === undefined ? sql.empty : sql` AND device_id = ${deviceId}`;
    await run(connection, sql`DELETE FROM strapi_sessions WHERE ${ofUser(userId)}${ofDevice}`);
  }

  return {
    /** Databases of the first releases of Strapi 5 have no table for sessions. */
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
    /** Adds the row that Strapi adds at a login, and ends the oldest sessions beyond the limit.
     *  Comparing a password takes long: refuses a user that has changed meanwhile, since that
     *  change ended only the sessions that existed then. */
    create(session: NewSession, signingIn: SigningIn, options: CreateOptions): Promise<void> {
      return writeUnshown(database, async (connection) => {
        lockSessions(connection, signingIn.id);
        const user = await users.byId(connection, signingIn.id);
        if (user === undefined || user.password !== signingIn.password) throw ApiError.of('login.failed');
        if (options.sameRole && user.roleId !== signingIn.roleId) throw ApiError.of('login.failed');
        if (user.blocked) throw ApiError.of('login.blocked');
        await insert(session, connection);
        await endOldest(session.userId, connection);
        if (options.clearExpired) await clearExpired(session.createdAt, connection);
      });
    },
    /** Replaces an active session; undefined when it is not active, or its user is blocked or gone.
     *  When two try at once, one succeeds, or both if it was replaced by this successor after
     *  `repeatableSince`, by a refresh that may be repeated. */
    rotate(
      { sessionId, userId, now, repeatableSince }: Rotation,
      successor: { readonly sessionId: string; readonly expiresAt: number },
    ): Promise<NewSession | undefined> {
      if (columnsThere === undefined) return Promise.resolve(undefined);
      return writeUnshown(database, async (connection) => {
        lockSessions(connection, userId);
        const user = await users.byId(connection, userId);
        if (user === undefined || user.blocked) return undefined;
        const login = loginOf(sessionId);
        const at = moment(now);
        const isRepeatable = repeatableSince !== undefined;
        const changes = (metadata: JsonObject) =>
          login === undefined
            ? sql`status = 'rotated', child_id = ${successor.sessionId}, updated_at = ${at}`
            : sql`session_id = ${successor.sessionId}, expires_at = ${moment(successor.expiresAt)}, created_at = ${at}, updated_at = ${at}, published_at = ${at}${metadataChange(metadata)}`;
        const ofLogin = login === undefined ? sql.empty : sql`document_id = ${login} AND `;
        const isActive = sql`status = 'active' AND expires_at > ${at} AND (absolute_expires_at IS NULL OR absolute_expires_at > ${at})`;
        const returned = sql.join([sql`device_id`, column('metadata', 'json'), column('absolute_expires_at', 'datetime')]);
        const [row] = await run(
          connection,
          sql`SELECT id, ${returned} FROM strapi_sessions WHERE ${ofLogin}session_id = ${sessionId} AND ${ofUser(userId)} AND ${isActive}`,
        );
        const [repeated] =
          row !== undefined || login === undefined || !isRepeatable
            ? []
            : await run(
                connection,
                sql`SELECT id, ${returned} FROM strapi_sessions WHERE ${ofLogin}session_id = ${successor.sessionId} AND updated_at > ${moment(repeatableSince)} AND ${ofUser(userId)} AND ${isActive}`,
              );
        const found = row ?? repeated;
        if (found === undefined) return undefined;
        const [id, deviceId, stored, absoluteExpiresAt] = found;
        // Otherwise a thief of a used token could repeat it for a client that never asks for that.
        if (row === undefined && metadataOf(stored).isRepeatable !== true) return undefined;
        const metadata = { ...metadataOf(stored), isRepeatable };
        if (row !== undefined) await run(connection, sql`UPDATE strapi_sessions SET ${changes(metadata)} WHERE id = ${Number(id)}`);
        const session: NewSession = {
          ...successor,
          userId: String(userId),
          deviceId: typeof deviceId === 'string' ? deviceId : undefined,
          metadata,
          createdAt: now,
          absoluteExpiresAt: absoluteExpiresAt === null ? successor.expiresAt : Number(absoluteExpiresAt),
        };
        if (login === undefined) await insert(session, connection);
        return session;
      });
    },
    /** Sessions that can still be refreshed. */
    list(userId: number, now: number): Promise<ActiveSession[]> {
      if (columnsThere === undefined) return Promise.resolve([]);
      return database.read(async (connection) => {
        const columns = sql.join([sql`session_id`, sql`device_id`, column('metadata', 'json'), column('created_at', 'datetime')]);
        const isActive = sql`status = 'active' AND expires_at > ${moment(now)}`;
        const rows = await run(
          connection,
          sql`SELECT ${columns} FROM strapi_sessions WHERE ${ofUser(userId)} AND ${isActive} ORDER BY created_at DESC, id DESC`,
        );
        return rows.map(([sessionId, deviceId, metadata, createdAt]) => ({
          sessionId: String(sessionId),
          deviceId: typeof deviceId === 'string' ? deviceId : null,
          metadata: metadataOf(metadata),
          createdAt: Number(createdAt),
        }));
      });
    },
    /** When these users were last active, in milliseconds, as far as sessions are stored. */
    async lastActive(userIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
      if (columnsThere === undefined || userIds.length === 0) return new Map();
      const ids = sql.join(userIds.map((id) => sql`${String(id)}`));
      const last = sql.read(sql`max(created_at)`, 'datetime');
      const rows = await database.read((connection) =>
        run(
          connection,
          sql`SELECT user_id, ${last} FROM strapi_sessions WHERE user_id IN (${ids}) AND origin = 'users-permissions' GROUP BY user_id`,
        ),
      );
      return new Map(rows.map(([userId, time]) => [Number(userId), Number(time)]));
    },
    /** Ends a session of the user with all its refreshes; false when there is none. */
    end(sessionId: string, userId: number): Promise<boolean> {
      if (columnsThere === undefined) return Promise.resolve(false);
      return writeUnshown(database, async (connection) => {
        lockSessions(connection, userId);
        const rows = await rowsOf(sessionId, userId, connection);
        for (const [id] of rows) await run(connection, sql`DELETE FROM strapi_sessions WHERE id = ${Number(id)}`);
        return rows.length > 0;
      });
    },
    endAll: (userId: number, deviceId?: string): Promise<void> =>
      writeUnshown(database, (connection) => endAll(userId, deviceId, connection)),
    /** The same as part of a transaction. */
    endAllIn: (connection: Connection, userId: number): Promise<void> => endAll(userId, undefined, connection),
  };
}

/** A transaction that writes sessions of a user begins with this lock: otherwise a change of the
 *  user would miss the session that another transaction begins meanwhile. */
export const lockSessions = (connection: Connection, userId: number): void =>
  new Rows(connection, connection.dialect).lock([`sessions of user ${userId}`]);

const ofUser = (userId: number | string): Sql => sql`user_id = ${String(userId)} AND origin = 'users-permissions'`;
const moment = (milliseconds: number): Sql => sql.value(milliseconds, 'datetime');

function metadataOf(text: unknown): JsonObject {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : text;
  return isObject(value) ? value : {};
}
