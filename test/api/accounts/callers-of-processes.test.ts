/** What one process of a server has ended or taken away is refused by the other ones as well, whatever is cached. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type SignedIn, signedInBy, useAccounts } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';

/** On connections of their own, which all processes take. */
const statusApart = (port: number, jwt: string) =>
  new Promise<number>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/api/users/me', agent: false, headers: { Authorization: `Bearer ${jwt}` } });
    asked.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
    asked.end();
  });

const visitor = { username: 'visitor', email: 'visitor@example.org', password: 'Visitor-Pass-1' };

describe.each(engines)('%s: with `exact` and without cached responses', (engine) => {
  const accounts = useAccounts(engine, { LECTERN_CACHE_BYTES: '0', LECTERN_CACHE_CONSISTENCY: 'exact' });

  it('the other server refuses a caller at the next request', async () => {
    const other = await accounts.beside();
    const first = signedInBy(await accounts.post('/api/auth/local/register', visitor));
    const id = await accounts.userId(visitor.username);
    const path = `/api/users/${id}`;
    const managed = async (body: object) => expect((await accounts.send('full', { method: 'PUT', path, body })).status).toBe(200);
    const seen = async ({ jwt }: SignedIn) =>
      (await other.send({ path: '/api/users/me', headers: { Authorization: `Bearer ${jwt}` } })).status;

    expect(await seen(first)).toBe(200);
    await accounts.as(first.jwt, 'POST', '/api/auth/logout', {});
    expect(await seen(first)).toBe(401);

    const again = await accounts.signIn(visitor);
    expect(await seen(again)).toBe(200);
    await managed({ blocked: true });
    expect(await seen(again)).toBe(401);

    await managed({ blocked: false });
    const third = await accounts.signIn(visitor);
    expect(await seen(third)).toBe(200);
    const role = await accounts.roleId('authenticated');
    const body = { name: 'Authenticated', description: '', permissions: {} };
    const changed = await accounts.send('full', { method: 'PUT', path: `/api/users-permissions/roles/${role}`, body });
    expect(changed.status).toBe(200);
    expect(await seen(third)).toBe(403);
  });
});

describe.each(engines.filter((engine) => engine !== 'sqlite'))('%s: with several workers', (engine) => {
  const env = { LECTERN_WORKERS: '2', LECTERN_CACHE_CONSISTENCY: '60000' };
  const accounts = useAccounts(engine, env, { ownProcess: true });

  it('an ended session is over at the next request, which any of them may get', async () => {
    const seen: number[] = [];
    for (let round = 0; round < 4; round++) {
      const user = { username: `worker${round}`, email: `worker${round}@example.org`, password: 'Worker-Pass-1' };
      const { jwt } = signedInBy(await accounts.post('/api/auth/local/register', user));
      const ask = () => Promise.all(Array.from({ length: 8 }, () => statusApart(accounts.server.port, jwt)));
      expect(new Set(await ask())).toEqual(new Set([200]));
      expect((await accounts.as(jwt, 'POST', '/api/auth/logout', {})).status).toBe(200);
      seen.push(...(await ask()));
    }
    expect(new Set(seen)).toEqual(new Set([401]));
  });
});
