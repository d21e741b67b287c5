/** Costly writes by callers without credentials: passwords, stored responses, and writes whose client has disconnected. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const files = schemaFiles(
  {
    vault: {
      attributes: {
        name: { type: 'string' },
        rank: { type: 'integer' },
        text: { type: 'text' },
        ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`pin${index}`, { type: 'password', encryption: { rounds: 9 } }])),
        parts: component('part', { repeatable: true }),
      },
    },
  },
  { part: { label: { type: 'string' } } },
);
const pins = (count: number, seed: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`pin${index}`, `${seed} ${index}`]));
const user = { username: 'ada', email: 'ada@example.org', password: 'Ada-Pass-1' };

describe.each(engines)('%s: costly writes', (engine) => {
  const api = useProject(engine, {
    files,
    public: words`
      api::vault.vault.create api::vault.vault.delete api::vault.vault.find api::vault.vault.findOne
      plugin::users-permissions.auth.callback plugin::users-permissions.auth.register plugin::users-permissions.user.me
    `,
    users: [user],
    // Each address in a body is counted apart, so registering is as good as not limited.
    env: { JWT_SECRET: 'costly-writes-jwt-secret', LECTERN_POLICIES_RATE_LIMIT_PER_EMAIL: 'true' },
  });
  const post = (from: string, data: object, headers: Readonly<Record<string, string>> = {}) =>
    api.send('public', { method: 'POST', path: '/api/vaults', body: { data }, from, headers });

  it('long responses are not stored, and still repeated', async () => {
    const text = 'long '.repeat(20_000);
    const headers = { 'Idempotency-Key': 'long' };
    const first = await post('127.7.0.5', { text }, headers);
    const again = await post('127.7.0.5', { text }, headers);
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(again.json()).toEqual(first.json());
    expect(Number((await api.query('SELECT MAX(LENGTH(body)) FROM lectern_idempotency_keys'))[0]?.[0])).toBeLessThan(20_000);
  });

  it('a long response whose document was deleted is a 410, and nothing is created again', async () => {
    const headers = { 'Idempotency-Key': 'deleted' };
    const data = { name: 'deleted', text: 'long '.repeat(20_000) };
    const first = await post('127.7.0.5', data, headers);
    expect(first.status).toBe(201);
    const path = `/api/vaults/${(first.json() as { data: { documentId: string } }).data.documentId}`;
    expect((await api.send('public', { method: 'DELETE', path })).status).toBe(204);
    expect(errorOf(await post('127.7.0.5', data, headers))).toMatchObject({ status: 410, name: 'GoneError' });
    expect(Number((await api.query("SELECT COUNT(*) FROM vaults WHERE name = 'deleted'"))[0]?.[0])).toBe(0);
  });

  it('at most 5,000 responses of one caller are stored, and those of others stay', async () => {
    const headers = { 'Idempotency-Key': 'first' };
    expect((await post('127.7.0.9', { name: 'other' }, headers)).status).toBe(201);
    expect((await post('127.7.0.10', { name: 'first' }, headers)).status).toBe(201);
    const newest = '(SELECT key_hash FROM lectern_idempotency_keys ORDER BY id DESC LIMIT 1)';
    const [own, other] = (await api.query('SELECT key_hash FROM lectern_idempotency_keys ORDER BY id DESC LIMIT 2')).map(([key]) =>
      String(key).slice(0, 16),
    );
    expect(own).not.toBe(other);
    await api.change(`INSERT INTO lectern_idempotency_keys (key_hash, request_hash, status, created_at)
      SELECT substr(k.key_hash, 1, 16) || '${'0'.repeat(42)}' || (100000 + n), 'x', 201, k.created_at
      FROM ${engineSql[engine].numbers(6000)} AS numbers, lectern_idempotency_keys k WHERE k.key_hash = ${newest}`);
    for (let index = 0; index < 100; index++) {
      expect((await post('127.7.0.10', { name: 'more' }, { 'Idempotency-Key': `more ${index}` })).status).toBe(201);
    }
    const stored = async (caller: string | undefined) =>
      Number((await api.query(`SELECT COUNT(*) FROM lectern_idempotency_keys WHERE key_hash LIKE '${caller}%'`))[0]?.[0]);
    expect(await stored(own)).toBeLessThan(5100);
    expect(await stored(own)).toBeGreaterThanOrEqual(5000);
    expect(await stored(other)).toBe(1);
    // The oldest was deleted, so its key is as good as new.
    const again = await post('127.7.0.10', { name: 'first' }, headers);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  describe.runIf(anyEngine.includes(engine))('before the database is asked', () => {
    it('a body sets at most five passwords', async () => {
      expect((await post('127.0.0.1', pins(5, 'a'))).status).toBe(201);
      expect(errorOf(await post('127.0.0.1', pins(6, 'b')))).toMatchObject({
        status: 400,
        message: expect.stringContaining('limits.passwords'),
      });
    });

    it('passwords are hashed one after another, few wait, and a sign-in does not wait for them', async () => {
      const flood = Array.from({ length: 40 }, (_, index) => post('127.7.0.1', pins(1, `flood ${index}`)));
      const signIn = api.send('public', {
        method: 'POST',
        path: '/api/auth/local',
        body: { identifier: 'ada', password: user.password },
        from: '127.7.0.2',
      });
      const first = await Promise.race([signIn.then(() => 'sign-in'), Promise.all(flood).then(() => 'flood')]);
      expect(first).toBe('sign-in');
      expect((await signIn).status).toBe(200);
      // A request of another caller is served between theirs.
      const other = post('127.7.0.3', pins(1, 'other'));
      expect((await other).status).toBe(201);
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([201, 503]));
    });

    it('a client that registers users endlessly does not prevent others from registering', async () => {
      const register = (username: string, from: string) => {
        const body = { username, email: `${username}@example.org`, password: 'Long-enough-1' };
        return api.send('public', { method: 'POST', path: '/api/auth/local/register', body, from });
      };
      const flood = Array.from({ length: 60 }, (_, index) => register(`flood${index}`, '127.7.0.8'));
      const others = await Promise.all([1, 2, 3].map((index) => register(`other${index}`, `127.7.1.${index}`)));
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([200, 503]));
    });

    it('a body with wrong values costs no hashes', async () => {
      const responses = await Promise.all(
        Array.from({ length: 30 }, (_, index) => post('127.7.0.4', { ...pins(5, `w ${index}`), rank: 'x' })),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
    });

    it('a write is not begun if its client has left', async () => {
      const large = JSON.stringify({ data: { name: 'left', parts: Array.from({ length: 4000 }, () => ({ label: 'x' })) } });
      const leave = () =>
        new Promise<void>((resolve) => {
          const sent = request({ port: api.server.port, host: '127.0.0.1', method: 'POST', path: '/api/vaults', agent: false });
          sent.setHeader('content-type', 'application/json');
          sent.on('error', () => resolve());
          sent.end(large, () => setTimeout(() => sent.destroy(), 20));
          sent.on('close', () => resolve());
        });
      await Promise.all(Array.from({ length: 12 }, leave));
      // A write that waits comes after them all.
      expect((await post('127.7.0.8', { name: 'after' })).status).toBe(201);
      if (engine !== 'sqlite') return;
      const made = Number((await api.query("SELECT COUNT(*) FROM vaults WHERE name = 'left'"))[0]?.[0]);
      expect(made).toBeLessThan(12);
    });
  });
});
