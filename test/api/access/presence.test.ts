/** Users who edit a document see each other, and nobody else does. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newAddress, signedInBy } from '../../support/accounts.ts';
import { anyEngine, type EngineName, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { redisAnswers, startRedisRelay } from '../../support/redis-relay.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, type Json, type ServedOptions, useProject } from '../../support/served-project.ts';
import type { Environment, RunningServer } from '../../support/server.ts';

const text = { type: 'string' };
const people = ['ada', 'ben', 'reader'] as const;
type Person = (typeof people)[number];
const passwordOf = (who: Person) => `Pass-of-${who}-1`;
const where = { where: { title: { $ne: 'closed' } } };
const hasRedis = await redisAnswers();
if (!hasRedis) console.warn('NOT tested: editors that servers know together by a Redis (LECTERN_TEST_REDIS_URL)');

/** Called in the body of a `describe`. */
function usePeople(engine: EngineName, more: Pick<ServedOptions, 'ownProcess'> & { readonly env?: Environment } = {}) {
  const served = useProject(engine, {
    ownProcess: more.ownProcess === true,
    files: {
      ...schemaFiles({
        note: { drafts: true, localized: true, attributes: { title: { ...text, pluginOptions: { i18n: { localized: true } } } } },
        plain: { attributes: { title: text, memo: text, tint: { ...text, private: true } } },
        front: { single: true, attributes: { title: text } },
      }),
      'permissions.json': {
        roles: {
          authenticated: {
            rights: {
              note: { find: true, findOne: true, findDraft: true, update: { preset: 'drafts-only', ...where } },
              plain: { findOne: { fields: ['title'], ...where }, update: { fields: ['title'] } },
              front: ['find', 'update'],
            },
          },
          reader: { name: 'Reader', rights: { note: ['find', 'findOne', 'findDraft'], plain: ['update'] } },
        },
      },
    },
    locales: seedLocales('en', 'de'),
    users: people.map((username) => ({ username, email: `${username}@example.org`, password: passwordOf(username) })),
    public: ['plugin::users-permissions.auth.callback'],
    env: { JWT_SECRET: 'presence-jwt-secret-of-some-length', LECTERN_PROFILE: 'specification', ...more.env },
  });
  const tokens = new Map<Person, string>();
  beforeAll(async () => {
    await served.change(
      `UPDATE up_users_role_lnk SET role_id = (SELECT id FROM up_roles WHERE type = 'reader') WHERE user_id = (SELECT id FROM up_users WHERE username = 'reader')`,
    );
    for (const who of people) {
      const body = { identifier: who, password: passwordOf(who) };
      tokens.set(who, signedInBy(await served.send('public', { method: 'POST', path: '/api/auth/local', body, from: newAddress() })).jwt);
    }
  });
  const as = (
    who: Person,
    method: string,
    path: string,
    body: unknown = {},
    server: RunningServer = served.server,
  ): Promise<HttpResponse> =>
    server.send({
      method,
      path: `/api/_presence/${path}`,
      headers: { Authorization: `Bearer ${tokens.get(who)}` },
      ...(method === 'POST' ? { body } : {}),
    });
  const others = async (response: Promise<HttpResponse>) => {
    const { status, text: sent, json } = await response;
    expect(status, sent).toBe(200);
    return (json() as { readonly data: readonly Json[] }).data;
  };
  const made = async (type: string, path: string, data: object) => `${type}/${(await served.make(path, data)).split('/').at(-1)}`;
  return { served, as, others, made };
}

const statusOf = async (response: Promise<HttpResponse>) => (await response).status;

describe.each(engines)('%s: presence', (engine) => {
  const { served, as, others, made } = usePeople(engine);
  // What does not depend on the database.
  const once = it.runIf(anyEngine.includes(engine));

  it('shows the others with their place, until they leave', async () => {
    const path = await made('api::note.note', '/api/notes', { title: 'one' });
    const other = await made('api::note.note', '/api/notes', { title: 'two' });
    expect(await others(as('ada', 'POST', path, { locale: 'en', field: 'title[0].text' }))).toEqual([]);
    const [ada, ...more] = await others(as('ben', 'POST', path, { locale: 'de' }));
    expect([ada, more]).toEqual([
      {
        user: { id: expect.any(Number), username: 'ada' },
        locale: 'en',
        field: 'title[0].text',
        seenAt: expect.stringMatching(/^20.*Z$/),
      },
      [],
    ]);
    expect(Math.abs(Date.parse(String(ada?.seenAt)) - Date.now())).toBeLessThan(10_000);
    expect(await others(as('ada', 'POST', path))).toMatchObject([{ user: { username: 'ben' }, locale: 'de', field: null }]);
    expect(await others(as('ada', 'POST', other))).toEqual([]);
    expect(await statusOf(as('ben', 'DELETE', path))).toBe(204);
    expect(await others(as('ada', 'POST', path))).toEqual([]);
  });

  it('knows drafts, documents in other locales alone, types without drafts and single types', async () => {
    const german = await served.make('/api/notes?status=draft&locale=de', { title: 'nur deutsch' });
    await served.write('PUT', '/api/front', { title: 'front' });
    const { documentId } = await served.read('/api/front');
    const plain = await made('api::plain.plain', '/api/plains', { title: 'open' });
    for (const path of [`api::note.note/${german.split('/').at(-1)}`, `api::front.front/${documentId}`, plain]) {
      expect(await others(as('ada', 'POST', path))).toEqual([]);
      expect(await others(as('ben', 'POST', path))).toMatchObject([{ user: { username: 'ada' } }]);
    }
  });

  it('is for those who may read and update the document', async () => {
    const path = await made('api::note.note', '/api/notes', { title: 'open' });
    const closed = await made('api::note.note', '/api/notes', { title: 'closed' });
    const plain = await made('api::plain.plain', '/api/plains', { title: 'closed' });
    await as('ada', 'POST', path);
    // Some may only read, and some may only write.
    for (const each of [path, plain, 'api::nothing.nothing/a', 'plugin::users-permissions.user/1'])
      expect({ each, status: await statusOf(as('reader', 'POST', each)) }).toEqual({ each, status: 403 });
    // What is out of reach is as if it were missing.
    const missing = errorOf(await as('ada', 'POST', 'api::note.note/aaaaaaaaaaaaaaaaaaaaaaaa'));
    for (const each of [closed, plain]) expect(errorOf(await as('ada', 'POST', each))).toEqual(missing);
    expect(missing.status).toBe(404);
    expect(await statusOf(served.send('public', { method: 'POST', path: `/api/_presence/${path}`, body: {} }))).toBe(401);
    expect(await statusOf(served.send('full', { method: 'POST', path: `/api/_presence/${path}`, body: {} }))).toBe(403);
    expect(await statusOf(served.send('public', { method: 'DELETE', path: `/api/_presence/${path}` }))).toBe(401);
    // Leaving takes nobody else away.
    expect(await statusOf(as('reader', 'DELETE', path))).toBe(204);
    expect(await others(as('ben', 'POST', path))).toMatchObject([{ user: { username: 'ada' } }]);
  });

  once('names no attribute that the caller may not read', async () => {
    const path = await made('api::plain.plain', '/api/plains', { title: 'open' });
    // Ada may read the title alone.
    for (const [field, shown] of [
      ['title', 'title'],
      ['title[0].text', 'title[0].text'],
      ...['memo', 'memo.text', 'memo[0]', 'tint', 'nothing', '.title', '[0].title'].map((each) => [each, null]),
    ] as const) {
      await as('ben', 'POST', path, { field });
      expect({ field, others: await others(as('ada', 'POST', path)) }).toMatchObject({ field, others: [{ field: shown }] });
    }
  });

  once.each([
    { locale: 7 },
    { locale: 'x'.repeat(36) },
    { locale: '<b>' },
    { field: 'a'.repeat(201) },
    { field: '<img src=x>' },
    { field: ['title'] },
  ])('refuses %j', async (body) => {
    const path = await made('api::note.note', '/api/notes', { title: 'open' });
    expect(await statusOf(as('ada', 'POST', path, body))).toBe(400);
    expect(await statusOf(as('ada', 'POST', 'api::note.note/a%00b'))).toBe(400);
  });

  describe.runIf(hasRedis && anyEngine.includes(engine))('with a Redis', () => {
    it('servers know editors together, and each its own while Redis is away', async () => {
      const relay = await startRedisRelay();
      const env = { LECTERN_RATE_LIMIT_REDIS: relay.url };
      const [one, two] = [await served.beside(env), await served.beside(env)];
      const path = await made('api::note.note', '/api/notes', { title: 'shared' });
      expect(await others(as('ada', 'POST', path, { locale: 'en' }, one))).toEqual([]);
      expect(await others(as('ben', 'POST', path, { field: 'title' }, two))).toMatchObject([{ user: { username: 'ada' }, locale: 'en' }]);
      expect(await others(as('ada', 'POST', path, {}, one))).toMatchObject([{ user: { username: 'ben' }, field: 'title' }]);
      expect(await statusOf(as('ben', 'DELETE', path, {}, one))).toBe(204);
      await expect.poll(() => others(as('ada', 'POST', path, {}, two))).toEqual([]);
      await relay.hangUp();
      expect(await others(as('ben', 'POST', path, {}, two))).toMatchObject([{ user: { username: 'ada' } }]);
    });
  });
});

describe.each(engines.filter((engine) => engine !== 'sqlite'))('%s: presence with several workers', (engine) => {
  const { as, others, made } = usePeople(engine, { ownProcess: true, env: { LECTERN_WORKERS: '2' } });

  it('the processes know editors together', async () => {
    const path = await made('api::note.note', '/api/notes', { title: 'shared' });
    await as('ada', 'POST', path);
    // Connections of their own, which all processes take.
    const seen = await Promise.all(Array.from({ length: 12 }, () => others(as('ben', 'POST', path))));
    for (const each of seen) expect(each).toMatchObject([{ user: { username: 'ada' } }]);
    expect(await statusOf(as('ada', 'DELETE', path))).toBe(204);
    for (const each of await Promise.all(Array.from({ length: 12 }, () => others(as('ben', 'POST', path))))) expect(each).toEqual([]);
  });
});
