/** Rights that are restricted to some fields and some rows, through every door. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { essence, isRefused, type Limited, useLimited } from '../../support/limited.ts';
import { dataOf, type Json, ruleStatements } from '../../support/served-project.ts';

const note = (action: string) => `api::note.note.${action}`;
const namesOf = (response: HttpResponse): unknown[] => {
  const body = response.json() as Json;
  const list = Array.isArray(body) ? body : body.data;
  if (!Array.isArray(list)) throw new Error(`no list (status ${response.status}): ${response.text.slice(0, 500)}`);
  return list.map((entry: Json) => entry.title ?? entry.name ?? entry.text ?? entry.username);
};
const listOf = (response: HttpResponse) => (response.json() as { data: Json[] }).data;
const totalOf = (response: HttpResponse) => (response.json() as { meta: { pagination: { total: number } } }).meta.pagination.total;

describe.each(engines)('%s: restricted rights', (engine) => {
  const limited: Limited = useLimited(engine, { LECTERN_PROFILE: 'specification', LECTERN_CACHE_CONSISTENCY: 'exact' });
  const as: Limited['as'] = (...args) => limited.as(...args);
  // What does not depend on the database.
  const once = it.runIf(anyEngine.includes(engine));

  describe('rows that do not match a condition are as if they did not exist', () => {
    const finds: readonly (readonly [path: string, names: readonly string[]])[] = [
      ['/api/notes', ['ada one', 'ada two']],
      ['/api/notes?sort=rank:desc', ['ada two', 'ada one']],
      ['/api/notes?filters[title][$startsWith]=ben', []],
      ['/api/notes?filters[$or][0][title]=ben%20one&filters[$or][1][title]=ada%20one', ['ada one']],
      ['/api/notes?filters[owner][username]=ben', []],
      ['/api/notes?_q=hush', ['ada one', 'ada two']],
      ['/api/notes?filters[links][title]=ben%20one', []],
      ['/api/notes?filters[links][title][$ne]=ada%20two', []],
      ['/api/topics?filters[notes][id][$notNull]=true', ['shared']],
      ['/api/topics?filters[notes][id][$null]=true&sort=name', ['bens', 'empty']],
      ['/api/topics?filters[pinned][id][$null]=true&sort=name', ['bens', 'empty', 'shared']],
      ['/api/topics?filters[notes][owner][username]=ben', []],
      ['/api/users?sort=username', ['ada']],
    ];
    it.each(finds)('%s', async (path, names) => expect(namesOf(await as('ada', 'GET', path))).toEqual(names));

    it('are not counted', async () => {
      expect(totalOf(await as('ada', 'GET', '/api/notes'))).toBe(2);
      expect(totalOf(await as('ada', 'GET', '/api/notes?pagination[page]=2&pagination[pageSize]=1'))).toBe(2);
      const topics = await as('ada', 'GET', '/api/topics?sort=name&populate[notes][count]=true&populate[pinned][count]=true');
      expect(listOf(topics).map(({ name, notes, pinned }) => [name, notes, pinned])).toEqual([
        ['bens', { count: 0 }, { count: 0 }],
        ['empty', { count: 0 }, { count: 0 }],
        ['shared', { count: 1 }, { count: 0 }],
      ]);
      expect((await as('ada', 'GET', '/api/users/count')).json()).toBe(1);
    });

    it('are not populated, in either direction, nor by a relation of any type', async () => {
      const topics = await as('ada', 'GET', '/api/topics?sort=name&populate=*');
      expect(listOf(topics).map(({ notes, pinned }) => [(notes as Json[]).map(({ title }) => title), pinned])).toEqual([
        [[], null],
        [[], null],
        [['ada one'], null],
      ]);
      const linked = dataOf(await as('ada', 'GET', `/api/notes/${limited.id('ada one')}?populate[links][populate]=*`));
      expect((linked.links as Json[]).map(({ title }) => title)).toEqual(['ada two']);
      const remarks = await as('ada', 'GET', '/api/remarks?sort=text&populate=about');
      expect(listOf(remarks).map(({ about }) => (about as Json | null)?.title)).toEqual(['ada one', undefined]);
      const counted = await as('ada', 'GET', '/api/remarks?sort=text&populate[about][count]=true');
      expect(listOf(counted).map(({ about }) => about)).toEqual([{ count: 1 }, { count: 0 }]);
    });

    it('do not affect an order', async () => {
      // `bens` has a hidden note and `empty` none: equal, so that their ids decide.
      for (const direction of ['asc', 'desc']) {
        const names = namesOf(await as('ada', 'GET', `/api/topics?sort=notes.title:${direction}`)).filter((name) => name !== 'shared');
        expect(names).toEqual(['bens', 'empty']);
        const through = namesOf(await as('ada', 'GET', `/api/topics?sort=notes.owner.username:${direction}`));
        expect(through.filter((name) => name !== 'shared')).toEqual(['bens', 'empty']);
        const pinned = namesOf(await as('ada', 'GET', `/api/topics?sort=pinned.title:${direction}`));
        expect(pinned).toEqual(['shared', 'bens', 'empty']);
      }
    });

    it('are answered like missing documents', async () => {
      const missing = 'a'.repeat(24);
      for (const [method, data] of [
        ['GET', undefined],
        ['HEAD', undefined],
        ['PUT', { title: 'taken' }],
        ['PUT', { nope: 1 }],
        ['PATCH', { title: 'taken' }],
        ['DELETE', undefined],
      ] as const) {
        for (const headers of [{}, { 'If-Match': '*' }, { 'If-Match': '"x"' }, { 'If-None-Match': '*' }]) {
          const hidden = await as('ada', method, `/api/notes/${limited.id('ben one')}`, data, headers);
          const absent = await as('ada', method, `/api/notes/${missing}`, data, headers);
          expect(essence(hidden)).toEqual(essence(absent));
        }
      }
      expect(await limited.query(`SELECT title FROM notes WHERE title = 'ben one'`)).toHaveLength(1);
    });
  });

  describe('drafts take both conditions', () => {
    it('lists', async () => {
      expect(namesOf(await as('ada', 'GET', '/api/storys?sort=title'))).toEqual(['ada closed', 'ben open']);
      expect(namesOf(await as('ada', 'GET', '/api/storys?sort=title&status=draft'))).toEqual(['ada closed', 'ada draft', 'crossed']);
      expect((await as('ada', 'GET', `/api/storys/${limited.id('ben draft')}?status=draft`)).status).toBe(404);
      expect((await as('public', 'GET', '/api/storys?status=draft')).status).toBe(403);
    });

    it('reveals of other versions only what the caller may see', async () => {
      const finds = async (filter: string) =>
        namesOf(await as('ada', 'GET', `/api/storys?sort=title&status=draft&publicationFilter=${filter}`));
      // The published version of `crossed` is Ben's, and closed.
      expect(await finds('never-published')).toEqual(['ada draft', 'crossed']);
      expect(await finds('has-published-version')).toEqual(['ada closed']);
      // Each version is held against the cycle of its own status.
      const sheets = await as('ada', 'GET', '/api/sheets?status=draft&publicationFilter=has-published-version');
      expect(namesOf(sheets)).toEqual(['in cycle']);
    });

    it('do not reveal rows that a condition on published rows hides', async () => {
      for (const status of ['published', 'draft']) {
        expect(namesOf(await as('ada', 'GET', `/api/briefs?status=${status}`))).toEqual(['of ben open']);
      }
    });

    it('are published and unpublished by their owner, by a right that only Lectern has', async () => {
      const made = dataOf(
        await as('ada', 'POST', '/api/storys?status=draft', { title: 'to publish', open: false, owner: limited.userId('ada') }),
      );
      expect((await as('ada', 'POST', `/api/storys/${made.documentId}/actions/publish`)).status).toBe(200);
      expect((await as('ben', 'POST', `/api/storys/${made.documentId}/actions/unpublish`)).status).toBe(404);
      expect((await as('ada', 'POST', `/api/storys/${made.documentId}/actions/unpublish`)).status).toBe(204);
      expect((await as('ada', 'DELETE', `/api/storys/${made.documentId}`)).status).toBe(204);
      expect(await limited.query(`SELECT id FROM storys WHERE title = 'to publish'`)).toEqual([]);
    });
  });

  describe('fields that are not among those of the right', () => {
    it('are left out', async () => {
      const list = (await as('public', 'GET', '/api/notes?populate=*&sort=rank')).json() as { data: Json[] };
      expect(list.data.map((each) => Object.keys(each))).toEqual(list.data.map(() => ['id', 'documentId', 'title', 'rank', 'topic']));
      expect(list.data.map(({ title }) => title)).toEqual(['ada one', 'ben one']);
      const one = dataOf(await as('public', 'GET', `/api/notes/${limited.id('ada one')}?populate=*`));
      expect(Object.keys(one)).toEqual(['id', 'documentId', 'title']);
      const topics = (await as('public', 'GET', '/api/topics?sort=name&populate[notes][populate]=*')).json() as { data: Json[] };
      const notes = topics.data.flatMap((topic) => topic.notes as Json[]);
      expect(notes.map((each) => Object.keys(each).sort())).toEqual(notes.map(() => ['documentId', 'id', 'rank', 'title', 'topic']));
      expect(notes.length).toBe(2);
    });

    // Each refused parameter is in src/pipeline/authorise/authorise-read.test.ts.
    it('are not searched, and relations among them not populated', async () => {
      expect(namesOf(await as('public', 'GET', '/api/notes?_q=hush'))).toEqual([]);
      expect(namesOf(await as('public', 'GET', '/api/notes?_q=ada'))).toEqual(['ada one']);
      expect((await as('public', 'GET', '/api/notes?populate=owner,links')).text).not.toMatch(/owner|links/);
    });
  });

  describe('users', () => {
    it('see only the allowed fields of themselves, from the first response on', async () => {
      const me = (await as('ada', 'GET', '/api/users/me')).json() as Json;
      expect(Object.keys(me).sort()).toEqual(['documentId', 'id', 'motto', 'username']);
      const signedIn = await limited.send('public', {
        method: 'POST',
        path: '/api/auth/local',
        body: { identifier: 'ada', password: 'Ada-Pass-1' },
        from: '127.9.9.9',
      });
      expect(Object.keys((signedIn.json() as { user: Json }).user).sort()).toEqual(['documentId', 'id', 'motto', 'username']);
    });

    it('can write only themselves, and only the allowed fields', async () => {
      const own = `/api/users/${limited.userId('ada')}`;
      const other = `/api/users/${limited.userId('ben')}`;
      expect((await limited.bare('ada', 'PUT', own, { motto: 'onward' })).status).toBe(200);
      for (const body of [{ role: 1 }, { confirmed: true }, { email: 'new@example.org' }, { password: 'Other-Pass-1' }]) {
        isRefused(await limited.bare('ada', 'PUT', own, body), Object.keys(body)[0] ?? '');
      }
      for (const body of [{ motto: 'x' }, { username: 'ada' }, { email: 1 }, {}]) {
        const hidden = await limited.bare('ada', 'PUT', other, body);
        expect(essence(hidden)).toEqual(essence(await limited.bare('ada', 'PUT', '/api/users/999999', body)));
        expect(hidden.status).toBe(404);
      }
      const gone = await limited.bare('ada', 'DELETE', other);
      expect(essence(gone)).toEqual(essence(await limited.bare('ada', 'DELETE', '/api/users/999999')));
      expect((await as('ada', 'GET', other)).status).toBe(204);
      expect(await limited.query(`SELECT username FROM up_users WHERE username = 'ben'`)).toHaveLength(1);
    });

    it('see only themselves after a new password, even if the condition on `me` excludes them', async () => {
      // The same condition, so that nothing but the key of the restriction tells the two plans apart.
      await limited.change(...ruleStatements('authenticated', 'plugin::users-permissions.user.me', { where: { id: '$user.id' } }));
      const [[role] = []] = await limited.query(`SELECT id FROM up_roles WHERE type = 'authenticated'`);
      const cleo = { username: 'cleo', email: 'cleo@example.org', password: 'Cleo-Pass-1' };
      const made = (
        await limited.send('full', { method: 'POST', path: '/api/users', body: { ...cleo, role: Number(role) } })
      ).json() as Json;
      const post = async (path: string, body: Json, jwt?: string) => {
        const headers: Record<string, string> = jwt === undefined ? {} : { Authorization: `Bearer ${jwt}` };
        const response = await limited.send('public', { method: 'POST', path, body, headers, from: '127.9.9.8' });
        return (response.json() as { jwt: string }).jwt;
      };
      const first = await post('/api/auth/local', { identifier: 'cleo', password: cleo.password });
      const passwords = { currentPassword: cleo.password, password: 'Cleo-Pass-2', passwordConfirmation: 'Cleo-Pass-2' };
      const Authorization = `Bearer ${await post('/api/auth/change-password', passwords, first)}`;
      const seen = async (path: string) => (await limited.send('public', { path, headers: { Authorization } })).status;
      expect(await seen(`/api/users/${limited.userId('ben')}`)).toBe(204);
      expect(await seen(`/api/users/${Number(made.id)}`)).toBe(200);
      await limited.send('full', { method: 'DELETE', path: `/api/users/${Number(made.id)}` });
    });
  });

  describe('a missing or broken restriction grants nothing', () => {
    const atOnce = (role: string, action: string, rule: Parameters<typeof ruleStatements>[2]) =>
      limited.change(...ruleStatements(role, action, rule));
    const write = (body: Json) => limited.send('full', { method: 'PUT', path: `/api/users/${limited.userId('ada')}`, body });

    it('an attribute of the user without a value, until there is one', async () => {
      expect(namesOf(await as('ada', 'GET', '/api/teams'))).toEqual([]);
      await write({ squad: 'red' });
      expect(namesOf(await as('ada', 'GET', '/api/teams'))).toEqual(['red']);
      await write({ squad: '' });
      await atOnce('authenticated', 'api::team.team.find', { where: { name: { $startsWith: '$user.squad' } } });
      expect(namesOf(await as('ada', 'GET', '/api/teams'))).toEqual([]);
      await write({ squad: 'red' });
      expect(namesOf(await as('ada', 'GET', '/api/teams'))).toEqual(['red']);
      await atOnce('authenticated', 'api::team.team.find', { where: { $not: { name: '$user.squad' } } });
      expect(namesOf(await as('ada', 'GET', '/api/teams?sort=name'))).toEqual(['blue']);
      expect(namesOf(await as('ben', 'GET', '/api/teams'))).toEqual([]);
    });

    once.each<readonly [what: string, where: string | Json]>([
      ['no JSON', '{'],
      ['a list', '[]'],
      ['a text', '"name"'],
      ['an operator that there is not', { name: { $like: 'r%' } }],
      ['a relation that there is not', { owner: { id: 1 } }],
      ['an attribute of users that is no more', { name: '$user.gone' }],
      ['a secret of users', { name: '$user.password' }],
      ['a value of another type', { id: { $eq: '$user.username' } }],
      ['another than what no row is', { id: { $ne: '$user.username' } }],
      ['the opposite of what no row is', { $not: { id: { $in: ['1', 'ada'] } } }],
      ['the opposite of nothing', { $not: {} }],
      ['no value', { name: { $in: [] } }],
      ['no value of equality', { name: { $eq: [] } }],
    ])('%s', async (_, where) => {
      await atOnce('authenticated', 'api::team.team.find', { where });
      const response = await as('ada', 'GET', '/api/teams');
      expect(namesOf(response)).toEqual([]);
      expect(totalOf(response)).toBe(0);
    });

    it('a password', async () => {
      expect(namesOf(await as('ben', 'GET', '/api/notes'))).not.toEqual([]);
      await atOnce('authenticated', note('find'), { where: { owner: { password: { $startsWith: '$2' } } } });
      expect(namesOf(await as('ben', 'GET', '/api/notes'))).toEqual([]);
    });

    it('fields of an action on whole documents', async () => {
      await atOnce('authenticated', note('delete'), { fields: ['title'] });
      expect((await as('ben', 'DELETE', `/api/notes/${limited.id('ben two')}`)).status).toBe(403);
    });

    it('a missing table of rules', async () => {
      await limited.change('ALTER TABLE lectern_role_rules RENAME TO rules_moved');
      expect((await as('ben', 'GET', '/api/notes')).status).toBe(503);
      await limited.change('ALTER TABLE rules_moved RENAME TO lectern_role_rules');
      expect((await as('ben', 'GET', '/api/notes')).status).toBe(200);
    });

    it('an invalid list of fields', async () => {
      await atOnce('authenticated', 'api::team.team.find', { where: { name: { $notNull: true } }, fields: ['name'] });
      expect(namesOf(await as('ada', 'GET', '/api/teams')).sort()).toEqual(['blue', 'red']);
      await limited.change(`UPDATE lectern_role_rules SET fields = '{"name":true}' WHERE action = 'api::team.team.find'`);
      const { data } = (await as('ada', 'GET', '/api/teams')).json() as { data: Json[] };
      expect(data.map((each) => Object.keys(each))).toEqual(data.map(() => ['id', 'documentId']));
    });

    it('a restriction of an action that does not support it', async () => {
      expect((await as('ada', 'POST', '/api/auth/change-password')).status).toBe(400);
      await atOnce('authenticated', 'plugin::users-permissions.auth.changePassword', { where: { id: 1 } });
      expect((await as('ada', 'POST', '/api/auth/change-password')).status).toBe(403);
    });
  });
});
