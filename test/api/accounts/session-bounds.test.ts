/** The cost of sessions is bounded, however often a user signs in and refreshes. */
import { describe, expect, it } from 'vitest';
import { ada, ben, signedInBy, signedToken, useAccounts } from '../../support/accounts.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { engines, untilNoticed } from '../../support/engines.ts';
import type { Json } from '../../support/served-project.ts';

const signed = (payload: Json) => {
  const now = Math.floor(Date.now() / 1000);
  return signedToken({ alg: 'HS256', typ: 'JWT' }, { ...payload, iat: now, exp: now + 600 });
};

describe.each(engines)('%s: sessions', (engine) => {
  const accounts = useAccounts(engine, { LECTERN_PROFILE: 'specification' });
  const refresh = (refreshToken: string) => accounts.post('/api/auth/refresh', { refreshToken });
  const rows = async () => Number((await accounts.query('SELECT count(*) FROM strapi_sessions'))[0]?.[0]);
  const me = (jwt: string) => accounts.as(jwt, 'GET', '/api/users/me');

  it('that have expired are deleted at the next sign-in', async () => {
    const { moment } = engineSql[engine];
    const [past, future] = [moment(1000), moment(Date.now() + 1e8)];
    const insert = (id: string, origin: string, expires: string, absolute: string) =>
      accounts.change(
        `INSERT INTO strapi_sessions (document_id, user_id, session_id, device_id, origin, expires_at, absolute_expires_at, status) VALUES ('${id}', '999', '${id}', 'd', '${origin}', ${expires}, ${absolute}, 'active')`,
      );
    await insert('over', 'admin', past, past);
    await insert('idle', 'users-permissions', past, future);
    await insert('theirs', 'admin', past, future);
    await accounts.signIn(ada);
    const left = await accounts.query("SELECT session_id FROM strapi_sessions WHERE device_id = 'd'");
    expect(left).toEqual([['theirs']]);
  });

  it('use one row for each login, however often they are refreshed, and refreshing is limited', async () => {
    const before = await rows();
    const first = await accounts.signIn(ben);
    let { refreshToken } = first;
    let refused = 0;
    for (let count = 0; count < 40 && refused === 0; count++) {
      const response = await refresh(refreshToken);
      if (response.status === 429) refused = count;
      else refreshToken = signedInBy(response).refreshToken;
    }
    expect(refused).toBe(30);
    expect(await rows()).toBe(before + 1);
    // The token from before all refreshes still stands, and a logout with it ends what came of it.
    expect((await me(first.jwt)).status).toBe(200);
    expect((await accounts.as(first.jwt, 'POST', '/api/auth/logout')).status).toBe(200);
    expect((await me(first.jwt)).status).toBe(401);
    expect(await rows()).toBe(before);
  });

  it('that Strapi began can be refreshed, and also stand for its former tokens', async () => {
    const userId = String(await accounts.userId('ada'));
    const [old, current] = ['0'.repeat(32), '1'.repeat(32)];
    const later = engineSql[engine].moment(Date.now() + 1e8);
    const insert = (id: string, status: string, child: string) =>
      accounts.change(
        `INSERT INTO strapi_sessions (document_id, user_id, session_id, device_id, origin, expires_at, absolute_expires_at, status, child_id) VALUES ('x${id.slice(8)}', '${userId}', '${id}', 'd', 'users-permissions', ${later}, ${later}, '${status}', ${child})`,
      );
    await insert(old, 'rotated', `'${current}'`);
    await insert(current, 'active', 'NULL');
    const access = signed({ userId, sessionId: old, type: 'access' });
    expect((await me(access)).status).toBe(200);
    const refreshed = signedInBy(await refresh(signed({ userId, sessionId: current, type: 'refresh' })));
    expect((await refresh(signed({ userId, sessionId: current, type: 'refresh' }))).status).toBe(401);
    for (const jwt of [access, refreshed.jwt]) expect((await me(jwt)).status).toBe(200);
    expect((await refresh(refreshed.refreshToken)).status).toBe(200);
    expect((await accounts.as(access, 'POST', '/api/auth/logout')).status).toBe(200);
    for (const jwt of [access, refreshed.jwt]) expect((await me(jwt)).status).toBe(401);
  });

  it('of one user are bounded: the oldest end', async () => {
    const oldest = await accounts.signIn(ada);
    const id = await accounts.userId('ada');
    const { moment, numbers } = engineSql[engine];
    const [now, later] = [moment(Date.now()), moment(Date.now() + 1e8)];
    await accounts.change(
      `INSERT INTO strapi_sessions (document_id, user_id, session_id, device_id, origin, expires_at, absolute_expires_at, status, type, created_at) SELECT 'd' || n, '${id}', 's' || n, 'd', 'users-permissions', ${later}, ${later}, 'active', 'refresh', ${now} FROM ${numbers(300)} AS numbers`,
    );
    expect((await me(oldest.jwt)).status).toBe(200);
    const newest = await accounts.signIn(ada);
    expect(await accounts.query(`SELECT count(*) FROM strapi_sessions WHERE user_id = '${id}'`)).toEqual([[200]]);
    await untilNoticed(engine);
    expect((await me(oldest.jwt)).status).toBe(401);
    expect((await me(newest.jwt)).status).toBe(200);
  });
});
