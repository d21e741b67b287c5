/** `rateLimit.redis`: several processes count together, and each for itself while Redis does not respond. */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ada, newAddress } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { type RedisRelay, redisAnswers, startRedisRelay } from '../../support/redis-relay.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { type RunningServer, startServer } from '../../support/server.ts';

vi.setConfig({ testTimeout: 30_000 });

const max = 4;
const path = '/api/notes';
const hasRedis = await redisAnswers();
// A Redis that the environment names has to be tested.
const requiredRedis = process.env.LECTERN_TEST_REDIS_URL;
if (!hasRedis && requiredRedis !== undefined)
  throw new Error(`LECTERN_TEST_REDIS_URL names a Redis that does not respond: ${new URL(requiredRedis).host}`);
if (!hasRedis) console.warn('NOT tested: rateLimit.redis with a Redis that answers (LECTERN_TEST_REDIS_URL)');

describe.each(anyEngine)('%s: rateLimit.redis', (engine) => {
  const find = ['api::note.note.find'];
  const served = useProject(engine, {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    public: [...find, 'plugin::users-permissions.auth.callback'],
    users: [ada],
    tokens: { one: find },
  });

  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  async function start(url: string, secret: string, env: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
    const server = await startServer(served.project.dir, {
      ...served.environment,
      JWT_SECRET: secret,
      LECTERN_LOG_LEVEL: 'info',
      LECTERN_RATE_LIMIT_MAX: String(max),
      LECTERN_RATE_LIMIT_REDIS: url,
      ...env,
    });
    cleanUps.push(() => server.stop());
    return server;
  }
  async function relay(): Promise<RedisRelay> {
    const made = await startRedisRelay();
    cleanUps.push(() => made.hangUp().catch(() => undefined));
    return made;
  }
  const newSecret = () => randomBytes(16).toString('hex');
  const list = async (server: RunningServer, from: string, who = 'public') =>
    (await server.send({ path, from, headers: served.authorization(who) })).status;
  const statuses = async (servers: readonly RunningServer[], from: string, who?: string) => {
    const responses: number[] = [];
    for (const server of servers) responses.push(await list(server, from, who));
    return responses;
  };
  const login = (server: RunningServer, from: string) =>
    server.send({ method: 'POST', path: '/api/auth/local', body: { identifier: ada.email, password: 'Wrong-Pass-1' }, from });
  const logins = async (servers: readonly RunningServer[], times: number) => {
    const from = newAddress();
    const responses: number[] = [];
    for (let round = 0; round < times; round++) for (const server of servers) responses.push((await login(server, from)).status);
    return responses;
  };
  const warnings = ({ output }: RunningServer) => output.stderr.match(/Redis does not respond/g)?.length ?? 0;

  describe.skipIf(!hasRedis)('with a working Redis', () => {
    it('processes share the count of a caller', async () => {
      const { url } = await relay();
      const secret = newSecret();
      const [a, b] = [await start(url, secret), await start(url, secret)];
      const from = newAddress();
      expect(await statuses([a, b, a, b, a, b], from)).toEqual([200, 200, 200, 200, 429, 429]);
      expect(await statuses([a, b, a, b, b, a], newAddress(), 'one')).toEqual([200, 200, 200, 200, 429, 429]);
      expect(warnings(a) + warnings(b)).toBe(0);
      // A project with another secret counts for itself.
      expect(await list(await start(url, newSecret()), from)).toBe(200);
    });

    it('processes share the count of sign-in attempts, whatever the general limit', async () => {
      const { url } = await relay();
      const secret = newSecret();
      const off = { LECTERN_RATE_LIMIT_MAX: '' };
      const [a, b] = [await start(url, secret, off), await start(url, secret, off)];
      expect(await logins([a, b], 6)).toEqual([...Array(10).fill(400), 429, 429]);
    });

    it('the window ends for all of them', async () => {
      const { url } = await relay();
      const env = { LECTERN_RATE_LIMIT_WINDOW: '1' };
      const a = await start(url, newSecret(), env);
      const from = newAddress();
      expect(await statuses([a, a, a, a, a], from)).toEqual([200, 200, 200, 200, 429]);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      expect(await list(a, from)).toBe(200);
    });

    it('Redis receives no IP address, e-mail address or token', async () => {
      const made = await relay();
      const server = await start(made.url, newSecret(), { LECTERN_PROFILE: 'strapi' });
      const from = newAddress();
      await list(server, from, 'one');
      await list(server, from);
      await login(server, from);
      await server.send({ method: 'POST', path: '/api/auth/forgot-password', body: { email: ada.email }, from });
      expect(made.sent).toMatch(/lectern:rate:[\w-]{43}\r\n/);
      for (const secret of [from, ada.email, ada.username, 'example.org', served.authorization('one').Authorization?.slice(7, 40) ?? '']) {
        expect(made.sent).not.toContain(secret);
      }
    });

    it('without a Redis that hangs up the server continues, warns once, and uses it again when it is back', async () => {
      const made = await relay();
      const server = await start(made.url, newSecret());
      const from = newAddress();
      expect(await statuses([server, server], from)).toEqual([200, 200]);
      await made.hangUp();
      // The process keeps its own counts.
      expect(await statuses([server, server, server, server], from)).toEqual([200, 200, 429, 429]);
      expect(await statuses(Array(6).fill(server), newAddress())).toEqual([200, 200, 200, 200, 429, 429]);
      await vi.waitFor(() => expect(warnings(server)).toBe(1), 2000);
      await made.restore();
      await vi.waitFor(
        async () => {
          await list(server, newAddress());
          expect(server.output.stderr).toContain('Redis responds again');
        },
        { timeout: 10_000, interval: 200 },
      );
      expect(warnings(server)).toBe(1);
    });

    it('a Redis that falls silent does not delay requests for long', async () => {
      const made = await relay();
      const server = await start(made.url, newSecret());
      const from = newAddress();
      expect(await list(server, from)).toBe(200);
      made.silence();
      const began = performance.now();
      expect(await statuses(Array(5).fill(server), from)).toEqual([200, 200, 200, 429, 429]);
      expect(performance.now() - began).toBeLessThan(2000);
      expect(await logins([server], 12)).toEqual([...Array(max).fill(400), ...Array(12 - max).fill(429)]);
    });
  });

  it('starts without Redis, and still applies limits', async () => {
    const began = Date.now();
    const server = await start('redis://127.0.0.1:1', newSecret());
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(await statuses(Array(6).fill(server), newAddress())).toEqual([200, 200, 200, 200, 429, 429]);
    expect(warnings(server)).toBe(1);
  });

  it('attempts to sign in are limited without Redis', async () => {
    const server = await start('redis://127.0.0.1:1', newSecret(), { LECTERN_RATE_LIMIT_MAX: '' });
    expect(await logins([server], 11)).toEqual([...Array(10).fill(400), 429]);
  });

  it('no message repeats the password of a URL', async () => {
    const server = await start('redis://user:secret-of-redis@127.0.0.1:1', newSecret());
    await list(server, newAddress());
    expect(`${server.output.stdout}${server.output.stderr}`).not.toContain('secret-of-redis');
    await expect(start('http://user:secret-of-redis@127.0.0.1:1', newSecret())).rejects.toThrow(
      /^(?![\s\S]*secret-of-redis)[\s\S]*LECTERN_RATE_LIMIT_REDIS is set to a value that is not shown, but must be a URL like redis/,
    );
  });
});
