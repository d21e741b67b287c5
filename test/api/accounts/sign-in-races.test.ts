/** A sign-in or refresh that is under way while its user's sessions end, ends with them. */
import bcrypt from 'bcrypt';
import { describe, expect, it } from 'vitest';
import { newResetCode } from '../../../src/accounts/reset-code.ts';
import type { Database } from '../../../src/dialects/database.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { createSessionStore, lockSessions } from '../../../src/identity/session-store.ts';
import { createSessions } from '../../../src/identity/sessions.ts';
import { createUserRows } from '../../../src/identity/user-rows-store.ts';
import { columnsByTable } from '../../../src/sql/table-exists.ts';
import { type Accounts, jwtSecret, type SignedIn, signedInBy, signedToken, useAccounts } from '../../support/accounts.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { changeIn } from '../../support/served-project.ts';
import { withDatabase } from '../../support/with-database.ts';

interface Guest extends SignedIn {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

let names = 0;
async function newUser(accounts: Accounts): Promise<Guest> {
  names++;
  const user = { username: `racer${names}`, email: `racer${names}@example.org`, password: 'Guest-Pass-1' };
  const response = await accounts.post('/api/auth/local/register', user);
  return { ...user, id: await accounts.userId(user.username), ...signedInBy(response) };
}
const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const next = { password: 'Guest-Pass-2', passwordConfirmation: 'Guest-Pass-2' };
const changePassword = (accounts: Accounts, { jwt, password }: Guest) =>
  accounts.post('/api/auth/change-password', { currentPassword: password, ...next }, { jwt });
const manage = (accounts: Accounts, method: string, { id }: Guest, body?: object) =>
  accounts.send('full', { method, path: `/api/users/${id}`, ...(body === undefined ? {} : { body }) });

/** What signs the user in as it is now, at any later time. Returns the code of the error. */
async function signInOf({ id }: Guest, database: Database, endSessionsAtOnce = true) {
  const tables = await columnsByTable(database);
  const read = await database.read((connection) => createUserRows(tables).byId(connection, id));
  if (read === undefined) throw new Error('the user is gone');
  const lifespans = { accessTokenLifespan: 100, idleRefreshTokenLifespan: 100, maxRefreshTokenLifespan: 100 };
  const sessions = createSessions(createSessionStore(database, tables), jwtSecret, { ...lifespans, endSessionsAtOnce });
  return () =>
    sessions.start(read, { deviceId: undefined, deviceName: undefined }).then(
      () => 'begun',
      ({ code }: ApiError) => code,
    );
}

describe.each(engines)('%s: whose password was compared before', (engine) => {
  const accounts = useAccounts(engine);
  const withUser = <T>(work: (user: Guest, database: Database) => Promise<T>) =>
    withDatabase(accounts.project, async (database) => work(await newUser(accounts), database));

  const getsRole = async (user: Guest) => manage(accounts, 'PUT', user, { role: await accounts.roleId('public') });
  it.each<[what: string, change: (user: Guest) => Promise<unknown>, outcome: string, endSessionsAtOnce?: boolean]>([
    ['stays the same', async () => undefined, 'begun'],
    ['changes the password', (user) => changePassword(accounts, user), 'login.failed'],
    [
      'resets the password',
      async ({ id }) => {
        const code = newResetCode(true);
        await changeIn(accounts.project, `UPDATE up_users SET reset_password_token = '${code}' WHERE id = ${id}`);
        expect((await accounts.post('/api/auth/reset-password', { code, ...next })).status).toBe(200);
      },
      'login.failed',
    ],
    ['is given another password', (user) => manage(accounts, 'PUT', user, { password: next.password }), 'login.failed'],
    ['is deleted', (user) => manage(accounts, 'DELETE', user), 'login.failed'],
    ['is blocked', (user) => manage(accounts, 'PUT', user, { blocked: true }), 'login.blocked'],
    ['gets another role', getsRole, 'login.failed'],
    ['gets another role that ends no sessions', getsRole, 'begun', false],
  ])('a user who %s', async (_, change, outcome, endSessionsAtOnce) => {
    await withUser(async (user, database) => {
      const signIn = await signInOf(user, database, endSessionsAtOnce);
      await change(user);
      expect(await signIn()).toBe(outcome);
    });
  });

  it('a user whose password is being changed', async () => {
    await withUser(async (user, database) => {
      const signIn = await signInOf(user, database);
      const store = createSessionStore(database, await columnsByTable(database));
      let outcome: Promise<string> | undefined;
      await database.write(async (connection) => {
        await connection.query(`UPDATE up_users SET password = 'another' WHERE id = ${user.id}`, []);
        await store.endAllIn(connection, user.id);
        outcome = signIn();
        await Promise.race([outcome, after(100)]);
      });
      expect(await outcome).toBe('login.failed');
    });
  });
  it('a change of the password signs nobody in after another change', async () => {
    await withUser(async (user, database) => {
      const store = createSessionStore(database, await columnsByTable(database));
      let caller = user;
      for (let round = 0; round < 10; round++) {
        const changing = changePassword(accounts, caller);
        const password = `Other-Pass-${round}`;
        const hash = await bcrypt.hash(password, 4);
        await after(round % 5);
        // As another server does it.
        await database.write(async (connection) => {
          await connection.query(`UPDATE up_users SET password = '${hash}' WHERE id = ${user.id}`, []);
          await store.endAllIn(connection, user.id);
        });
        expect((await changing).status).toBeOneOf([200, 400, 401]);
        expect(await accounts.query(`SELECT session_id FROM strapi_sessions WHERE user_id = '${user.id}'`)).toEqual([]);
        caller = { ...user, password, ...(await accounts.signIn({ ...user, password })) };
      }
    });
  });
});

describe.each(engines)('%s: a session that Strapi began', (engine) => {
  const accounts = useAccounts(engine);
  const columns = 'document_id, user_id, session_id, device_id, origin, expires_at, absolute_expires_at, status, type';
  const later = engineSql[engine].moment(Date.now() + 1e8);
  const rowOf = ({ id }: Guest, session: string, device: string) =>
    `INSERT INTO strapi_sessions (${columns}) VALUES ('d-${session}', '${id}', '${session}', '${device}', 'users-permissions', ${later}, ${later}, 'active', 'refresh')`;
  const sessionIds = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16).repeat(31));

  it.each(['of the session', 'of its device', 'from everywhere'])(
    'a refresh that is under way does not outlive a logout %s',
    async (scope) => {
      const user = await newUser(accounts);
      await changeIn(accounts.project, rowOf(user, 'before', 'a device'));
      await withDatabase(accounts.project, async (database) => {
        const tables = await columnsByTable(database);
        const store = createSessionStore(database, tables);
        let ended: Promise<unknown> | undefined;
        await database.write(async (connection) => {
          // As a refresh does it.
          lockSessions(connection, user.id);
          if (scope === 'of the session') ended = store.end('before', user.id);
          else ended = store.endAll(user.id, scope === 'of its device' ? 'a device' : undefined);
          await Promise.race([ended, after(100)]);
          await connection.query("UPDATE strapi_sessions SET status = 'rotated', child_id = 'after' WHERE session_id = 'before'", []);
          await connection.query(rowOf(user, 'after', 'a device'), []);
        });
        await ended;
      });
      expect(await accounts.query("SELECT session_id FROM strapi_sessions WHERE device_id = 'a device'")).toEqual([]);
    },
  );

  it('no refresh outlives a logout of its device', async () => {
    const user = await newUser(accounts);
    const sessions = sessionIds(8);
    await changeIn(accounts.project, ...sessions.map((id, index) => rowOf(user, id, `device${index}`)));
    const now = Math.floor(Date.now() / 1000);
    for (const [index, sessionId] of sessions.entries()) {
      const payload = { userId: String(user.id), sessionId, type: 'refresh', iat: now, exp: now + 1000 };
      const refreshToken = signedToken({ alg: 'HS256', typ: 'JWT' }, payload);
      const refreshed = accounts.post('/api/auth/refresh', { refreshToken });
      await after(index % 4);
      expect((await accounts.as(user.jwt, 'POST', '/api/auth/logout', { deviceId: `device${index}` })).status).toBe(200);
      expect((await refreshed).status).toBeOneOf([200, 401]);
    }
    expect(await accounts.query("SELECT session_id FROM strapi_sessions WHERE device_id LIKE 'device%'")).toEqual([]);
  });
});

describe.each(anyEngine)('%s: while a password changes', (engine) => {
  // A comparison takes some fifty milliseconds, as with the usual rounds.
  const accounts = useAccounts(engine, {}, { rounds: 10 });
  const living = async (sessions: readonly SignedIn[]) => {
    const refreshed = await Promise.all(sessions.map(({ refreshToken }) => accounts.post('/api/auth/refresh', { refreshToken })));
    return refreshed.filter(({ status }) => status === 200).length;
  };

  it('no sign-in with the old one lives on', async () => {
    const user = await newUser(accounts);
    const begun: SignedIn[] = [];
    const signIn = async () => {
      const response = await accounts.post('/api/auth/local', { identifier: user.username, password: user.password });
      if (response.status === 200) begun.push(signedInBy(response));
      else expect(response.json()).toMatchObject({ error: { status: 400, message: 'Invalid identifier or password' } });
    };
    const signingIn = Array.from({ length: 10 }, (_, index) => after(index * 15).then(signIn));
    expect((await changePassword(accounts, user)).status).toBe(200);
    await Promise.all(signingIn);
    expect(await living(begun)).toBe(0);
  });
});
