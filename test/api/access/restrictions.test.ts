/** Rights that reach some fields and some rows only, through every door. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/http.ts';
import { type Limited, useLimited } from '../../support/limited.ts';
import { dataOf, errorOf, type Json, ruleStatement } from '../../support/served-project.ts';

const note = (action: string) => `api::note.note.${action}`;
const namesOf = (answer: Answer): unknown[] => {
  const body = answer.json() as Json;
  const list = Array.isArray(body) ? body : body.data;
  if (!Array.isArray(list)) throw new Error(`no list (status ${answer.status}): ${answer.text.slice(0, 500)}`);
  return list.map((entry: Json) => entry.title ?? entry.name ?? entry.text ?? entry.username);
};
const totalOf = (answer: Answer) => (answer.json() as { meta: { pagination: { total: number } } }).meta.pagination.total;
const isRefused = (answer: Answer, name: string) =>
  expect(errorOf(answer)).toMatchObject({ status: 400, message: expect.stringContaining(`Invalid key ${name}`) });
/** The parts of a response that do not depend on the time that it took. */
const essence = ({ status, text, headers }: Answer) => ({ status, text, etag: headers.etag });

describe.each(engines)('%s: rights within limits', (engine) => {
  const limited: Limited = useLimited(engine, { LECTERN_PROFILE: 'specification' });
  const as: Limited['as'] = (...args) => limited.as(...args);
  const rowsOf = async (title: string) => (await limited.query(`SELECT count(*) FROM notes WHERE title = '${title}'`))[0]?.map(Number)[0];

  describe('rows that do not match a condition are as if they did not exist', () => {
    const finds: readonly (readonly [path: string, names: readonly string[]])[] = [
      ['/api/notes', ['ada one', 'ada two']],
      ['/api/notes?sort=rank:desc', ['ada two', 'ada one']],
      ['/api/notes?filters[title][$startsWith]=ben', []],
      ['/api/notes?filters[$or][0][title]=ben%20one&filters[$or][1][title]=ada%20one', ['ada one']],
      ['/api/notes?filters[$not][title]=ada%20one', ['ada two']],
      ['/api/notes?filters[owner][username]=ben', []],
      ['/api/notes?_q=ben', []],
      ['/api/notes?_q=hush', ['ada one', 'ada two']],
      ['/api/notes?filters[links][title]=ben%20one', []],
      ['/api/notes?filters[links][title]=ada%20two', ['ada one']],
      ['/api/notes?filters[links][title][$ne]=ada%20two', []],
      ['/api/topics?filters[notes][title]=ben%20two', []],
      ['/api/topics?filters[notes][id][$notNull]=true', ['shared']],
      ['/api/topics?filters[notes][id][$null]=true&sort=name', ['bens', 'empty']],
      ['/api/topics?filters[pinned][id][$null]=true&sort=name', ['bens', 'empty', 'shared']],
      ['/api/topics?filters[notes][owner][username]=ben', []],
      ['/api/users?sort=username', ['ada']],
      ['/api/notes?filters[owner][username][$ne]=ada', []],
    ];
    it.each(finds)('%s', async (path, names) => expect(namesOf(await as('ada', 'GET', path))).toEqual(names));

    it('are not counted', async () => {
      expect(totalOf(await as('ada', 'GET', '/api/notes'))).toBe(2);
      expect(totalOf(await as('ada', 'GET', '/api/notes?pagination[page]=2&pagination[pageSize]=1'))).toBe(2);
      const topics = await as('ada', 'GET', '/api/topics?sort=name&populate[notes][count]=true&populate[pinned][count]=true');
      expect((topics.json() as { data: Json[] }).data.map(({ name, notes, pinned }) => [name, notes, pinned])).toEqual([
        ['bens', { count: 0 }, { count: 0 }],
        ['empty', { count: 0 }, { count: 0 }],
        ['shared', { count: 1 }, { count: 0 }],
      ]);
      expect((await as('ada', 'GET', '/api/users/count')).json()).toBe(1);
    });

    it('are not populated, in either direction, nor by a relation of any type', async () => {
      const topics = await as('ada', 'GET', '/api/topics?sort=name&populate=*');
      expect(
        (topics.json() as { data: Json[] }).data.map(({ notes, pinned }) => [(notes as Json[]).map(({ title }) => title), pinned]),
      ).toEqual([
        [[], null],
        [[], null],
        [['ada one'], null],
      ]);
      const linked = dataOf(await as('ada', 'GET', `/api/notes/${limited.id('ada one')}?populate[links][populate]=*`));
      expect((linked.links as Json[]).map(({ title }) => title)).toEqual(['ada two']);
      const remarks = await as('ada', 'GET', '/api/remarks?sort=text&populate=about');
      expect((remarks.json() as { data: Json[] }).data.map(({ about }) => (about as Json | null)?.title)).toEqual(['ada one', undefined]);
      const counted = await as('ada', 'GET', '/api/remarks?sort=text&populate[about][count]=true');
      expect((counted.json() as { data: Json[] }).data.map(({ about }) => about)).toEqual([{ count: 1 }, { count: 0 }]);
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
      expect(await rowsOf('ben one')).toBe(1);
    });

    it('are others for another user, at the same URL', async () => {
      for (let round = 0; round < 3; round++) {
        expect(namesOf(await as('ada', 'GET', '/api/notes?sort=title'))).toEqual(['ada one', 'ada two']);
        expect(namesOf(await as('ben', 'GET', '/api/notes?sort=title'))).toEqual(['ben one', 'ben two']);
        expect(namesOf(await limited.ask('full', 'GET', '/api/notes?sort=title'))).toHaveLength(4);
      }
      const tag = (await as('ben', 'GET', `/api/notes/${limited.id('ben one')}`)).headers.etag ?? '';
      expect((await as('ada', 'GET', `/api/notes/${limited.id('ben one')}`, undefined, { 'If-None-Match': tag })).status).toBe(404);
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
      expect(await limited.query(`SELECT count(*) FROM storys WHERE title = 'to publish'`).then(([row]) => Number(row?.[0]))).toBe(0);
    });
  });

  describe('a write', () => {
    it('creates only documents that match the condition', async () => {
      const made = await as('ada', 'POST', '/api/notes', { title: 'mine', owner: limited.userId('ada') });
      expect(made.status).toBe(201);
      for (const data of [{ title: 'not mine' }, { title: 'not mine', owner: null }, { title: 'not mine', owner: [] }]) {
        expect(errorOf(await as('ada', 'POST', '/api/notes', data)).status).toBe(403);
      }
      // Ben is nobody whom Ada may find.
      expect(errorOf(await as('ada', 'POST', '/api/notes', { title: 'not mine', owner: limited.userId('ben') })).status).toBe(400);
      expect(await rowsOf('not mine')).toBe(0);
      const path = `/api/notes/${dataOf(made).documentId}`;
      expect(errorOf(await as('ada', 'PATCH', path, { owner: null })).status).toBe(403);
      expect(errorOf(await as('ada', 'PATCH', path, { owner: { disconnect: [limited.userId('ada')] } })).status).toBe(403);
      expect((await as('ada', 'PATCH', path, { title: 'still mine' })).status).toBe(200);
      expect((await as('ada', 'DELETE', path)).status).toBe(204);
      expect(await rowsOf('still mine')).toBe(0);
    });

    it('publishes only what the right to publish allows', async () => {
      const made = await as('ada', 'POST', '/api/bulletins?status=draft', { title: 'early', ready: false });
      expect(made.status).toBe(201);
      const path = `/api/bulletins/${dataOf(made).documentId}`;
      expect(errorOf(await as('ada', 'PATCH', path, { title: 'too early' })).status).toBe(403);
      expect(errorOf(await as('ada', 'POST', '/api/bulletins', { title: 'at once', ready: false })).status).toBe(403);
      expect((await as('ada', 'PATCH', path, { title: 'later', ready: true })).status).toBe(200);
      expect(await limited.query('SELECT title FROM bulletins WHERE published_at IS NOT NULL')).toEqual([['later']]);
    });

    it('links to nothing that the caller may not find, as if it did not exist', async () => {
      const path = `/api/notes/${limited.id('ada two')}`;
      const hidden = limited.id('ben one');
      const missing = 'z'.repeat(24);
      const shapes = [
        (id: string) => ({ links: [id] }),
        (id: string) => ({ links: { connect: [id] } }),
        (id: string) => ({ links: { set: [{ documentId: id }] } }),
        (id: string) => ({ links: { disconnect: [id] } }),
        (id: string) => ({ links: { connect: [{ documentId: limited.id('ada one'), position: { before: id } }] } }),
      ];
      for (const shape of shapes) {
        const told = errorOf(await as('ada', 'PATCH', path, shape(hidden)));
        const absent = errorOf(await as('ada', 'PATCH', path, shape(missing)));
        expect({ ...told, message: told.message.replaceAll(hidden, '') }).toEqual({
          ...absent,
          message: absent.message.replaceAll(missing, ''),
        });
        expect(told.status).toBe(400);
      }
      const [[rowId]] = (await limited.query(`SELECT id FROM notes WHERE title = 'ben one'`)) as [[number]];
      const byRow = essence(await as('ada', 'PATCH', path, { links: [Number(rowId)] }));
      const noRow = essence(await as('ada', 'PATCH', path, { links: [999_999] }));
      expect({ status: byRow.status, text: byRow.text.replaceAll(String(rowId), '') }).toMatchObject({
        status: noRow.status,
        text: noRow.text.replaceAll('999999', ''),
      });
    });

    it('takes no document of others from the other side of a relation', async () => {
      // Ada may write topics, and through them she would change the notes that point at them.
      const path = `/api/topics/${limited.id('empty')}`;
      expect(errorOf(await as('ada', 'PATCH', path, { notes: [limited.id('ben two')] })).status).toBe(400);
      expect((await as('ada', 'PATCH', path, { notes: [limited.id('ada two')] })).status).toBe(200);
      expect((await as('ada', 'PATCH', path, { notes: [] })).status).toBe(200);
      // A draft takes the condition on drafts as well; to her it does not exist, by its row id either.
      const [[draftId]] = (await limited.query(`SELECT id FROM storys WHERE title = 'ben draft'`)) as [[number]];
      const byRow = async (id: number) =>
        (await as('ada', 'POST', '/api/cycles?status=draft', { name: 'cycle', stories: [id] })).text.replaceAll(String(id), '');
      expect(await byRow(Number(draftId))).toBe(await byRow(999_999));
      // She may find this story of Ben's, and not change it.
      const named = (title: string) => ({ name: 'cycle', stories: [limited.id(title)] });
      expect(errorOf(await as('ada', 'POST', '/api/cycles', named('ben open'))).status).toBe(403);
      expect((await as('ada', 'POST', '/api/cycles', named('ada closed'))).status).toBe(201);
    });

    it('changes no document of others by linking, unlinking or taking over targets', async () => {
      const own = `/api/notes/${limited.id('ada one')}`;
      const shared = `/api/topics/${limited.id('shared')}`;
      const bens = `/api/topics/${limited.id('bens')}`;
      const refused = [
        // A note of Ben's is among them, and would lose its topic.
        [shared, { notes: [] }],
        [shared, { notes: [limited.id('ada one')] }],
        [shared, { notes: null }],
        // Targets of Ben's note, which can have one source only.
        [own, { title: 'lost', next: limited.id('ada two') }],
        [own, { remarks: [limited.id('on ben')] }],
        [own, { remarks: { connect: [limited.id('on ben')] } }],
        // Her own note, which she could not write any more.
        [bens, { notes: { connect: [limited.id('ada two')] } }],
      ] as const;
      const read = async () => [
        await limited.read(`/api/notes/${limited.id('ben one')}?populate[topic]=true&populate[next]=true`),
        await limited.read(`/api/remarks/${limited.id('on ben')}?populate=about`),
        await limited.read(`/api/notes/${limited.id('ada two')}?populate=topic`),
      ];
      const before = await read();
      for (const [path, data] of refused) expect(errorOf(await as('ada', 'PATCH', path, data)).status).toBe(403);
      expect(errorOf(await as('ada', 'POST', '/api/notes', { owner: limited.userId('ada'), next: limited.id('ada two') })).status).toBe(
        403,
      );
      expect(await read()).toEqual(before);
      expect((await as('ada', 'PATCH', shared, { notes: { disconnect: [limited.id('ada one')] } })).status).toBe(200);
      expect((await as('ada', 'PATCH', shared, { notes: { connect: [limited.id('ada one')] } })).status).toBe(200);
      expect((await as('ada', 'PATCH', own, { remarks: [] })).status).toBe(200);
      expect((await as('ada', 'PATCH', own, { remarks: [limited.id('on ada')] })).status).toBe(200);
      expect((await as('ada', 'PATCH', own, { previous: limited.id('ada two') })).status).toBe(200);
      expect((await as('ada', 'PATCH', own, { previous: null })).status).toBe(200);
    });

    it('does not change a single type of another user', async () => {
      expect((await as('ada', 'GET', '/api/prefs')).status).toBe(404);
      expect((await as('ada', 'PUT', '/api/prefs', { color: 'blue' })).status).toBe(404);
      expect((await as('ada', 'DELETE', '/api/prefs')).status).toBe(204);
      expect(dataOf(await as('ben', 'GET', '/api/prefs')).color).toBe('red');
      expect(dataOf(await as('ben', 'PATCH', '/api/prefs', { color: 'green' })).color).toBe('green');
    });

    it('changes no locale that the condition hides, and adds no new one beside it', async () => {
      const own = `/api/pages/${limited.id('ada page')}`;
      const mixed = `/api/pages/${limited.id('mixed page')}`;
      expect((await as('ada', 'PUT', own, { title: 'changed', tone: 'loud' })).status).toBe(200);
      expect((await as('ada', 'PUT', `${mixed}?locale=de`, { title: 'geändert', tone: 'calm' })).status).toBe(404);
      expect((await as('ada', 'PUT', `/api/pages/${limited.id('ben page')}?locale=de`, { title: 'neu', tone: 'calm' })).status).toBe(404);
      expect(errorOf(await as('ada', 'PATCH', `/api/pages/${limited.id('locked page')}`, { tone: 'loud' })).status).toBe(403);
      expect((await as('ada', 'PATCH', mixed, { title: 'only mine' })).status).toBe(200);
      expect(errorOf(await as('ada', 'PATCH', mixed, { tone: 'loud' })).status).toBe(403);
      expect((await as('ada', 'DELETE', `${mixed}?locale=*`)).status).toBe(204);
      expect(await limited.query(`SELECT title, tone FROM pages WHERE holder = 'ben' ORDER BY title`)).toEqual([
        ['ben page', 'calm'],
        ['gemischt', 'calm'],
      ]);
      expect(await limited.query(`SELECT title FROM pages WHERE title = 'only mine'`)).toHaveLength(1);
    });

    it('names no attribute that is not among the fields', async () => {
      isRefused(await as('public', 'POST', '/api/notes', { title: 'a', secret: 'b' }), 'secret');
      isRefused(await as('public', 'POST', '/api/notes', { title: 'a', owner: 1 }), 'owner');
      isRefused(await as('ada', 'PATCH', `/api/pages/${limited.id('ada page')}`, { holder: 'ben' }), 'holder');
      const made = await as('public', 'POST', '/api/notes', { title: 'by the public', rank: 3 });
      expect(made.status).toBe(201);
      expect(Object.keys(dataOf(made)).sort()).toEqual(['documentId', 'id', 'title']);
      await limited.ask('full', 'DELETE', `/api/notes/${dataOf(made).documentId}`);
    });

    it('is answered without a body where the caller may not read what was written', async () => {
      const answer = await as('ada', 'POST', '/api/teams', { name: 'green' });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await limited.query(`SELECT name FROM teams WHERE name = 'green'`)).toHaveLength(1);
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

    const refused: readonly (readonly [query: string, name: string])[] = [
      ['/api/notes?fields=secret', 'secret'],
      ['/api/notes?fields[0]=title&fields[1]=createdAt', 'createdAt'],
      ['/api/notes?filters[secret][$startsWith]=h', 'secret'],
      ['/api/notes?filters[$or][0][secret]=x', 'secret'],
      ['/api/notes?filters[$not][secret]=x', 'secret'],
      ['/api/notes?filters[owner][id]=1', 'owner'],
      ['/api/notes?filters[links][id][$notNull]=true', 'links'],
      ['/api/notes?sort=secret', 'secret'],
      ['/api/notes?sort=owner.username', 'owner'],
      ['/api/topics?filters[notes][secret]=x', 'secret'],
      ['/api/topics?sort=notes.secret', 'secret'],
      ['/api/topics?populate[notes][fields]=secret', 'secret'],
      ['/api/topics?populate[notes][filters][secret]=x', 'secret'],
      ['/api/topics?populate[notes][sort]=secret', 'secret'],
    ];
    it.each(refused)('%s', async (path, name) => isRefused(await as('public', 'GET', path), name));

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
      // The same condition, so that nothing but the key of the limit tells the two plans apart.
      await limited.change(ruleStatement('authenticated', 'plugin::users-permissions.user.me', { where: { id: '$user.id' } }));
      const [[role] = []] = await limited.query(`SELECT id FROM up_roles WHERE type = 'authenticated'`);
      const cleo = { username: 'cleo', email: 'cleo@example.org', password: 'Cleo-Pass-1' };
      const made = (
        await limited.send('full', { method: 'POST', path: '/api/users', body: { ...cleo, role: Number(role) } })
      ).json() as Json;
      const post = async (path: string, body: Json, jwt?: string) => {
        const headers: Record<string, string> = jwt === undefined ? {} : { Authorization: `Bearer ${jwt}` };
        const answer = await limited.send('public', { method: 'POST', path, body, headers, from: '127.9.9.8' });
        return (answer.json() as { jwt: string }).jwt;
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
    const atOnce = async (role: string, action: string, rule: Parameters<typeof ruleStatement>[2]) => {
      await limited.change(ruleStatement(role, action, rule));
    };

    it('an attribute of the user without a value, until there is one', async () => {
      expect(namesOf(await as('ada', 'GET', '/api/teams'))).toEqual([]);
      await limited.bare('ada', 'PUT', `/api/users/${limited.userId('ada')}`, { motto: 'x' });
      await limited.send('full', { method: 'PUT', path: `/api/users/${limited.userId('ada')}`, body: { squad: 'red' } });
      expect(namesOf(await as('ada', 'GET', '/api/teams'))).toEqual(['red']);
      await limited.send('full', { method: 'PUT', path: `/api/users/${limited.userId('ada')}`, body: { squad: '' } });
      await atOnce('authenticated', 'api::team.team.find', { where: { name: { $startsWith: '$user.squad' } } });
      expect(namesOf(await as('ada', 'GET', '/api/teams'))).toEqual([]);
      await limited.send('full', { method: 'PUT', path: `/api/users/${limited.userId('ada')}`, body: { squad: 'red' } });
      expect(namesOf(await as('ada', 'GET', '/api/teams'))).toEqual(['red']);
      await atOnce('authenticated', 'api::team.team.find', { where: { $not: { name: '$user.squad' } } });
      expect(namesOf(await as('ada', 'GET', '/api/teams?sort=name'))).toEqual(['blue', 'green']);
      expect(namesOf(await as('ben', 'GET', '/api/teams'))).toEqual([]);
    });

    const broken: readonly (readonly [what: string, where: string | Json])[] = [
      ['no JSON', '{'],
      ['a list', '[]'],
      ['a text', '"name"'],
      ['an attribute that is no more', { gone: 1 }],
      ['an operator that there is not', { name: { $like: 'r%' } }],
      ['a relation that there is not', { owner: { id: 1 } }],
      ['an attribute of users that is no more', { name: '$user.gone' }],
      ['a secret of users', { name: '$user.password' }],
      ['a value of another type', { id: { $eq: '$user.username' } }],
      ['another than what no row is', { id: { $ne: '$user.username' } }],
      ['the opposite of what no row is', { $not: { id: { $in: ['1', 'ada'] } } }],
      ['alternatives without one', { $or: [] }],
      ['the opposite of nothing', { $not: {} }],
      ['no value', { name: { $in: [] } }],
      ['no value of equality', { name: { $eq: [] } }],
    ];
    it.each(broken)('%s', async (_, where) => {
      await atOnce('authenticated', 'api::team.team.find', { where });
      const answer = await as('ada', 'GET', '/api/teams');
      expect(namesOf(answer)).toEqual([]);
      expect(totalOf(answer)).toBe(0);
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
      const rename = async (from: string, to: string) => {
        await limited.change(`ALTER TABLE ${from} RENAME TO ${to}`);
      };
      await rename('lectern_role_rules', 'rules_moved');
      expect((await as('ben', 'GET', '/api/notes')).status).toBe(500);
      await rename('rules_moved', 'lectern_role_rules');
      expect((await as('ben', 'GET', '/api/notes')).status).toBe(200);
    });

    it('an invalid list of fields', async () => {
      await atOnce('authenticated', 'api::team.team.find', { where: { name: { $notNull: true } }, fields: ['name'] });
      expect(namesOf(await as('ada', 'GET', '/api/teams')).sort()).toEqual(['blue', 'green', 'red']);
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
