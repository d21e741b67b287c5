/** `…/schedule`: publishing and unpublishing at a time, with the rights of then. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, ben, jwtSecret, profilesOn, signedInBy } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, type Json, useProject } from '../../support/served-project.ts';

const files = {
  'lectern/hooks/page.mjs': `
    import { defineHooks } from 'lectern';
    export default defineHooks('api::page.page', {
      before: { publish: ({ document }) => { if (document.title === 'throws') throw new Error('a mistake'); } },
    });
  `,
  ...schemaFiles({
    page: {
      drafts: true,
      localized: true,
      attributes: { title: { type: 'string', required: true, ...translated }, owner: { type: 'string' } },
    },
    home: { single: true, drafts: true, attributes: { title: { type: 'string' } } },
    tag: { attributes: { name: { type: 'string' } } },
  }),
};
const page = 'api::page.page';

interface Scheduled {
  readonly action: string;
  readonly locale: string | null;
  readonly state: string;
  readonly problem?: string;
  readonly documentId: string | null;
}

describe.each(engines)('%s', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      locales: seedLocales('en', 'de'),
      tokens: { publisher: [`${page}.publish`, `${page}.find`], writer: [`${page}.update`, `${page}.find`] },
      public: [`${page}.publish`, 'plugin::users-permissions.auth.callback'],
      authenticated: [`${page}.publish`, `${page}.update`],
      users: [ada, ben],
      rules: { authenticated: { [`${page}.publish`]: { where: { owner: 'users' } } } },
      env: { LECTERN_PROFILE: profile, JWT_SECRET: jwtSecret },
    });
    const headersOf = new Map<string, object>();
    beforeAll(async () => {
      for (const { username: identifier, password } of [ada, ben]) {
        const login = await api.send('public', { method: 'POST', path: '/api/auth/local', body: { identifier, password } });
        headersOf.set(identifier, { Authorization: `Bearer ${signedInBy(login).jwt}` });
      }
    });
    const as = (who: string) => (headersOf.has(who) ? (['public', headersOf.get(who)] as const) : ([who, {}] as const));
    const plan = (path: string, data: Json, who = 'full') => {
      const [token, headers] = as(who);
      return api.send(token, { method: 'POST', path: `${path}/schedule`, body: { data }, headers: { ...headers } });
    };
    const soon = (milliseconds = 300) => new Date(Date.now() + milliseconds).toISOString();
    const later = '2035-01-01T00:00:00+01:00';
    const listed = async (path: string): Promise<readonly Scheduled[]> => {
      const response = await api.send('full', { path });
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      return (response.json() as { data: Scheduled[] }).data;
    };
    const brief = async (path: string) =>
      (await listed(`${path}/schedule`)).map(({ action, locale, state }) => `${action} ${locale} ${state}`);
    const statusOf = async (path: string) => (await api.send('full', { path })).status;

    it('publishes and unpublishes when it is due, and nothing else', async () => {
      const path = await api.make('/api/pages?status=draft', { title: 'Soon' });
      await api.write('PATCH', `${path}?status=draft&locale=de`, { title: 'Bald' });
      expect((await plan(path, { publishAt: soon(), locale: 'de' })).status).toBe(200);
      await expect.poll(() => statusOf(`${path}?locale=de`)).toBe(200);
      expect(await statusOf(path)).toBe(404);
      await expect.poll(() => brief(path)).toEqual(['publish de done']);
      await plan(path, { unpublishAt: soon(), locale: 'de' });
      await expect.poll(() => statusOf(`${path}?locale=de`)).toBe(404);
      expect(await statusOf(`${path}?status=draft&locale=de`)).toBe(200);
      await api.write('PUT', '/api/home?status=draft', { title: 'Home' });
      await plan('/api/home', { publishAt: soon() });
      await expect.poll(() => statusOf('/api/home')).toBe(200);
    });

    it('is changed, listed and cancelled', async () => {
      const path = await api.make('/api/pages?status=draft', { title: 'Later' });
      await plan(path, { publishAt: later, unpublishAt: '2036-01-01T00:00:00Z' });
      await plan(path, { publishAt: '2035-06-01T00:00:00Z' });
      expect((await brief(path)).sort()).toEqual(['publish en waiting', 'unpublish en waiting']);
      const all = await listed('/api/_schedule');
      expect(all.filter(({ documentId }) => documentId === path.split('/').at(-1))).toHaveLength(2);
      await plan(path, { unpublishAt: null });
      expect(await brief(path)).toEqual(['publish en waiting']);
      expect((await api.send('full', { method: 'DELETE', path: `${path}/schedule` })).status).toBe(204);
      expect(await brief(path)).toEqual([]);
    });

    it('fails where it can be seen, if what was scheduled cannot be published any more', async () => {
      const wrong = await api.make('/api/pages?status=draft', { title: null });
      await plan(wrong, { publishAt: soon() });
      await expect.poll(() => brief(wrong)).toEqual(['publish en failed']);
      const problemOf = async (path: string) =>
        (await listed('/api/_schedule?state=failed')).find(({ documentId }) => documentId === path.split('/').at(-1))?.problem;
      await expect.poll(() => problemOf(wrong)).toMatch(/title/);
      const events = `SELECT type, caller_kind FROM lectern_events WHERE document_id = '${wrong.split('/').at(-1)}' ORDER BY id`;
      expect(await api.query(events)).toEqual([
        ['create', 'token'],
        ['schedule.failed', 'token'],
      ]);
    });

    it('goes on after one that a mistake in a hook prevents', async () => {
      const [first = '', second = ''] = await Promise.all(
        ['throws', 'after it'].map((title) => api.make('/api/pages?status=draft', { title })),
      );
      await plan(first, { publishAt: soon(500) });
      await plan(second, { publishAt: soon(700) });
      await expect.poll(() => brief(second)).toEqual(['publish en done']);
      expect(await brief(first)).toEqual(['publish en waiting']);
      expect((await api.send('full', { method: 'DELETE', path: `${first}/schedule` })).status).toBe(204);
    });

    it('has the rights of then', async () => {
      const [kept, lost] = await Promise.all(['a', 'b'].map((title) => api.make('/api/pages?status=draft', { title, owner: 'users' })));
      expect((await plan(kept ?? '', { publishAt: soon(1200) }, 'ada')).status).toBe(200);
      expect((await plan(lost ?? '', { publishAt: soon(1200) }, 'ben')).status).toBe(200);
      const [user] = (await api.send('full', { path: '/api/users?filters[username]=ben' })).json() as { id: number }[];
      await api.send('full', { method: 'PUT', path: `/api/users/${user?.id}`, body: { blocked: true } });
      await expect.poll(() => brief(lost ?? '')).toEqual(['publish en failed']);
      await expect.poll(() => brief(kept ?? '')).toEqual(['publish en done']);
      const theirs = await api.make('/api/pages?status=draft', { title: 'c', owner: 'others' });
      expect((await plan(theirs, { publishAt: later }, 'ada')).status).toBe(404);
      expect((await plan(theirs, { publishAt: later }, 'writer')).status).toBe(403);
      expect((await plan(theirs, { publishAt: later }, 'public')).status).toBe(401);
      expect((await plan(theirs, { publishAt: later }, 'publisher')).status).toBe(200);
      const [token, headers] = as('ada');
      expect((await api.send(token, { path: '/api/_schedule', headers: { ...headers } })).json()).toEqual({ data: [] });
      expect((await plan(`${theirs}x`, { publishAt: later })).status).toBe(404);
    });

    it.runIf(anyEngine.includes(engine)).each([
      ['the past', { publishAt: '2020-01-01T00:00:00Z' }],
      ['no zone', { publishAt: '2035-01-01T00:00:00' }],
      ['no time', { publishAt: 'tomorrow' }],
      ['nothing', {}],
      ['another key', { at: later }],
      ['an end before the beginning', { publishAt: later, unpublishAt: '2034-01-01T00:00:00Z' }],
      ['an unknown locale', { publishAt: later, locale: 'xx' }],
      ['a time too far away', { publishAt: '2999-01-01T00:00:00Z' }],
    ])('refuses %s', async (_, data) => {
      const path = await api.make('/api/pages?status=draft', { title: 'x' });
      expect(errorOf(await plan(path, data)).status).toBe(400);
      expect(await brief(path)).toEqual([]);
    });
  });
});
