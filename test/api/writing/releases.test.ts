/** `/api/_releases`: documents that are published together, now or at a time. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, ben, jwtSecret, signedInBy } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { component, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, type Json, useProject } from '../../support/served-project.ts';

const page = 'api::page.page';
const memo = 'api::memo.memo';
const home = 'api::home.home';
const later = '2035-01-01T00:00:00Z';
const files = schemaFiles(
  {
    page: {
      drafts: true,
      localized: true,
      attributes: { title: { type: 'string', required: true, unique: true, ...translated }, owner: { type: 'string' } },
    },
    memo: {
      drafts: true,
      attributes: { title: { type: 'string', required: true }, owner: { type: 'string' }, lines: component('line', { repeatable: true }) },
    },
    home: { single: true, drafts: true, attributes: { title: { type: 'string' } } },
    tag: { attributes: { name: { type: 'string' } } },
  },
  { line: { text: { type: 'string', required: true } } },
);

interface Entry extends Json {
  readonly id: number;
  readonly documentId: string | null;
  readonly status: string;
}

interface Release extends Json {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly problem?: string;
  readonly entries: readonly Entry[];
}

interface Problem extends Json {
  readonly entry: number;
  readonly code: string;
}

describe.each(engines)('%s', (engine) => {
  const api = useProject(engine, {
    files,
    locales: seedLocales('en', 'de'),
    tokens: { editor: [`${memo}.publish`], pages: [`${page}.publish`], writer: [`${memo}.update`] },
    public: [`${memo}.publish`, 'plugin::users-permissions.auth.callback'],
    authenticated: [`${page}.publish`, `${memo}.publish`],
    users: [ada, ben],
    rules: { authenticated: { [`${memo}.publish`]: { where: { owner: 'users' } } } },
    env: { JWT_SECRET: jwtSecret, LECTERN_LIMITS_BATCH: '4' },
  });
  const headersOf = new Map<string, Record<string, string>>();
  beforeAll(async () => {
    for (const { username: identifier, password } of [ada, ben]) {
      const login = await api.send('public', { method: 'POST', path: '/api/auth/local', body: { identifier, password } });
      headersOf.set(identifier, { Authorization: `Bearer ${signedInBy(login).jwt}` });
    }
  });
  const send = (method: string, path: string, body?: unknown, who = 'full') => {
    const headers = headersOf.get(who);
    return api.send(headers === undefined ? who : 'public', {
      method,
      path: `/api/_releases${path}`,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
  };
  const made = async (body: unknown, who = 'full'): Promise<Release> => {
    const response = await send('POST', '', body, who);
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    return (response.json() as { data: Release }).data;
  };
  const of = async (id: number, who = 'full'): Promise<Release> =>
    ((await send('GET', `/${id}`, undefined, who)).json() as { data: Release }).data;
  const stateOf = async (id: number) => (await of(id)).state;
  const listed = async (query: string, who = 'full') =>
    (await send('GET', query, undefined, who)).json() as { data: Release[]; meta: { pagination: Json } };
  const problemsOf = (response: { json(): unknown }) =>
    (response.json() as { error: { details: { errors: Problem[] } } }).error.details.errors.map(({ entry, code }) => [entry, code]);
  /** The documentId of a new draft. */
  const draft = async (data: Json, path = '/api/memos?status=draft') => (await api.make(path, data)).split('/').at(-1) ?? '';
  const statusOf = async (path: string) => (await api.send('full', { path })).status;
  const soon = (milliseconds = 300) => new Date(Date.now() + milliseconds).toISOString();
  const eventsOf = async (documentId: string | number) =>
    (await api.query(`SELECT type FROM lectern_events WHERE document_id = '${documentId}' ORDER BY id`)).map(([type]) => type);

  it('publishes and unpublishes all of its entries at once, and once', async () => {
    const [first, second] = [await draft({ title: 'one' }), await draft({ title: 'Eins' }, '/api/pages?status=draft&locale=de')];
    const gone = await draft({ title: 'old' }, '/api/memos');
    await api.write('PUT', '/api/home?status=draft', { title: 'Home' });
    const { id, entries, ...release } = await made({
      name: 'Spring',
      entries: [
        { publish: memo, documentId: first },
        { publish: page, documentId: second, locale: 'de' },
        { unpublish: memo, documentId: gone },
        { publish: home },
      ],
    });
    expect(release).toMatchObject({ name: 'Spring', state: 'open', publishAt: null, by: { kind: 'token' } });
    expect(entries).toMatchObject([
      { publish: memo, documentId: first, locale: null, status: 'draft' },
      { publish: page, documentId: second, locale: 'de', status: 'draft' },
      { unpublish: memo, documentId: gone, status: 'published' },
      { publish: home, documentId: null, status: 'draft' },
    ]);
    expect((await send('POST', `/${id}/publish`, { dryRun: true })).json()).toEqual({ data: { valid: true, errors: [] } });
    expect(await statusOf(`/api/memos/${first}`)).toBe(404);
    const responses = await Promise.all([send('POST', `/${id}/publish`), send('POST', `/${id}/publish`)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await stateOf(id)).toBe('done');
    expect(await statusOf(`/api/memos/${first}`)).toBe(200);
    expect(await statusOf(`/api/pages/${second}?locale=de`)).toBe(200);
    expect(await statusOf(`/api/memos/${gone}`)).toBe(404);
    expect(await statusOf('/api/home')).toBe(200);
    expect(await eventsOf(first)).toEqual(['create', 'publish']);
    expect(await eventsOf(gone)).toEqual(['publish', 'unpublish']);
    expect(errorOf(await send('PATCH', `/${id}`, { name: 'Other' })).status).toBe(409);
    await api.write('PATCH', `/api/memos/${first}?status=draft`, { title: 'two' });
    expect((await of(id)).entries.map(({ status }) => status)).toEqual(['modified', 'published', 'draft', 'published']);
  });

  it('publishes nothing if an entry cannot be published, and says which', async () => {
    await draft({ title: 'taken' }, '/api/pages');
    const [fine, empty, twice] = [
      await draft({ title: 'fine' }),
      await draft({ title: null }),
      await draft({ title: 'taken' }, '/api/pages?status=draft'),
    ];
    const entries = [
      { publish: memo, documentId: fine },
      { publish: memo, documentId: empty },
      { publish: page, documentId: twice },
    ];
    const { id, entries: stored } = await made({ name: 'Wrong', entries });
    const expected = [
      [1, 'body.values'],
      [2, 'body.values'],
    ];
    const dry = (await send('POST', `/${id}/publish`, { dryRun: true })).json() as { data: { valid: boolean; errors: Problem[] } };
    expect(dry.data.valid).toBe(false);
    expect(dry.data.errors.map(({ entry, code }) => [entry, code])).toEqual(expected);
    expect(dry.data.errors.map(({ id: of }) => of)).toEqual([stored[1]?.id, stored[2]?.id]);
    const response = await send('POST', `/${id}/publish`, {});
    expect(errorOf(response)).toMatchObject({ status: 400 });
    expect(problemsOf(response)).toEqual(expected);
    expect(await statusOf(`/api/memos/${fine}`)).toBe(404);
    expect(await stateOf(id)).toBe('open');
    // The same at its time, where it can be seen.
    await send('PATCH', `/${id}`, { publishAt: soon() });
    await expect.poll(() => stateOf(id)).toBe('failed');
    expect((await of(id)).problem).toContain(`entry 1 (${memo} ${empty}): title`);
    expect(await eventsOf(id)).toEqual(['release.failed']);
    await api.write('PATCH', `/api/memos/${empty}?status=draft`, { title: 'mended' });
    const last = (await of(id)).entries[2]?.id;
    await send('PATCH', `/${id}`, { remove: [last], publishAt: soon() });
    await expect.poll(() => stateOf(id)).toBe('done');
    expect(await statusOf(`/api/memos/${fine}`)).toBe(200);
  });

  it('is published once by one of two servers', async () => {
    await api.beside();
    const documents = [await draft({ title: 'a' }), await draft({ title: 'b' })];
    const { id } = await made({
      name: 'Timed',
      publishAt: soon(),
      entries: documents.map((documentId) => ({ publish: memo, documentId })),
    });
    await expect.poll(() => stateOf(id)).toBe('done');
    for (const documentId of documents) expect(await eventsOf(documentId)).toEqual(['create', 'publish']);
  });

  it('is published with the rights of then, also if it was due before', async () => {
    const owned = await draft({ title: 'owned', owner: 'users' });
    const { id } = await made({ name: 'Of Ben', publishAt: later, entries: [{ publish: memo, documentId: owned }] }, 'ben');
    const [user] = (await api.send('full', { path: '/api/users?filters[username]=ben' })).json() as { id: number }[];
    await api.send('full', { method: 'PUT', path: `/api/users/${user?.id}`, body: { blocked: true } });
    await api.change(`UPDATE lectern_releases SET publish_at = created_at WHERE id = ${id}`);
    await expect.poll(() => stateOf(id)).toBe('failed');
    expect(await statusOf(`/api/memos/${owned}`)).toBe(404);
  });

  it('loses documents that are deleted, as what is scheduled for them does', async () => {
    const [kept, lost] = [await draft({ title: 'kept' }), await draft({ title: 'lost' })];
    const { id } = await made({
      name: 'Later',
      publishAt: later,
      entries: [kept, lost].map((documentId) => ({ publish: memo, documentId })),
    });
    const schedule = { method: 'POST', path: `/api/memos/${lost}/schedule`, body: { data: { publishAt: later } } };
    expect((await api.send('full', schedule)).status).toBe(200);
    await api.send('full', { method: 'DELETE', path: `/api/memos/${lost}` });
    expect((await of(id)).entries.map(({ documentId }) => documentId)).toEqual([kept]);
    expect(await api.query(`SELECT id FROM lectern_schedule WHERE document_id = '${lost}'`)).toEqual([]);
    expect(await stateOf(id)).toBe('waiting');
    await send('PATCH', `/${id}`, { publishAt: null });
    expect(await stateOf(id)).toBe('open');
  });

  it('is shown to its maker, and to whoever may publish all of it', async () => {
    const [theirs, other, news] = [
      await draft({ title: 'theirs', owner: 'users' }),
      await draft({ title: 'other', owner: 'others' }),
      await draft({ title: 'news' }, '/api/pages?status=draft'),
    ];
    const both = await made({
      name: 'Both',
      entries: [
        { publish: memo, documentId: theirs },
        { publish: page, documentId: news },
      ],
    });
    const memos = await made({ name: 'Memos', entries: [{ publish: memo, documentId: other }] });
    const empty = await made({ name: 'Empty' });
    const own = await made({ name: 'Own', entries: [{ publish: memo, documentId: theirs }] }, 'ada');
    const seenBy = async (who: string) => {
      const { data, meta } = await listed('?state=open&pagination[pageSize]=100', who);
      expect(meta.pagination.total).toBe(data.length);
      const ids = [both.id, memos.id, empty.id, own.id];
      return data.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
    };
    expect(await seenBy('full')).toEqual(['Own', 'Empty', 'Memos', 'Both']);
    expect(await seenBy('editor')).toEqual(['Own', 'Memos']);
    expect(await seenBy('pages')).toEqual([]);
    expect(await seenBy('ada')).toEqual(['Own']);
    for (const [method, path, body] of [
      ['GET', `/${both.id}`, undefined],
      ['PATCH', `/${both.id}`, { name: 'Mine' }],
      ['DELETE', `/${both.id}`, undefined],
      ['POST', `/${both.id}/publish`, {}],
    ] as const)
      expect((await send(method, path, body, 'editor')).status).toBe(404);
    // Nobody but its maker could see it then.
    const shared = await made({ name: 'News', entries: [{ publish: page, documentId: news }] });
    const [only] = shared.entries;
    for (const body of [{ add: [{ publish: memo, documentId: theirs }] }, { remove: [only?.id] }])
      expect(errorOf(await send('PATCH', `/${shared.id}`, body, 'ada'))).toMatchObject({ status: 403, code: 'release.unseen' });
    expect((await of(shared.id, 'ada')).entries).toEqual([only]);
    // The right that she had to the entry is gone.
    await api.write('PATCH', `/api/memos/${theirs}?status=draft`, { owner: 'others' });
    expect((await of(own.id, 'ada')).entries).toEqual([]);
    expect((await send('POST', `/${own.id}/publish`, {}, 'ada')).status).toBe(403);
    expect((await send('DELETE', `/${own.id}`, undefined, 'ada')).status).toBe(204);
    expect((await send('GET', `/${own.id}`)).status).toBe(404);
    expect((await listed('?pagination[page]=2&pagination[pageSize]=1')).data).toHaveLength(1);
    const refused = await send('POST', '', { name: 'x', entries: [{ publish: memo, documentId: other }] }, 'ada');
    expect(problemsOf(refused)).toEqual([[0, 'document.not-found']]);
    expect(problemsOf(await send('PATCH', `/${memos.id}`, { add: [{ publish: page, documentId: news }] }, 'editor'))).toEqual([
      [0, 'access.forbidden'],
    ]);
  });

  it('refuses what the caller may not publish after more mistakes than an error lists', async () => {
    const wrong = await draft({ title: 'wrong', owner: 'users', lines: Array.from({ length: 101 }, () => ({})) });
    const [theirs, news] = [await draft({ title: 'x', owner: 'others' }), await draft({ title: 'more news' }, '/api/pages?status=draft')];
    const entryOf = (uid: string, documentId: string) => ({ publish: uid, documentId });
    const refusals = [
      ['ada', entryOf(memo, theirs), 'document.not-found'],
      ['editor', entryOf(page, news), 'access.forbidden'],
      ['editor', entryOf('api::tag.tag', 'none'), 'access.forbidden'],
    ] as const;
    for (const [who, entry, code] of refusals) {
      const { id } = await made({ name: 'Wrong first', entries: [entryOf(memo, wrong)] }, who);
      expect(problemsOf(await send('PATCH', `/${id}`, { add: [entry] }, who))).toEqual([[0, code]]);
      expect(problemsOf(await send('PATCH', `/${id}`, { add: [entry], publishAt: later }, who))).toEqual([[1, code]]);
      expect(problemsOf(await send('POST', '', { name: 'x', entries: [entryOf(memo, wrong), entry] }, who))).toEqual([[1, code]]);
      expect((await of(id, who)).entries).toHaveLength(1);
    }
  });

  it('makes one release of requests with the same key, and reads no list that is longer than limits.batch', async () => {
    const documentId = await draft({ title: 'once' });
    const body = { name: 'Once', entries: [{ publish: memo, documentId }] };
    const post = (key: string, sent: unknown = body, who = 'full') =>
      api.send(who, { method: 'POST', path: '/api/_releases', body: sent, headers: { 'Idempotency-Key': key } });
    const [first, second] = await Promise.all([post('a'), post('a')]);
    expect([first?.status, second?.status, second?.text]).toEqual([201, 201, first?.text]);
    // What it was about is gone.
    await api.send('full', { method: 'DELETE', path: `/api/memos/${documentId}` });
    const third = await post('a');
    expect([third.text, third.headers['idempotent-replayed']]).toEqual([first?.text, 'true']);
    expect((await post('a', { name: 'Other' })).status).toBe(422);
    expect((await post('a', { name: 'Other' }, 'editor')).status).toBe(201);
    expect((await post('b')).status).toBe(400);
    const { id } = (third.json() as { data: Release }).data;
    expect(errorOf(await send('PATCH', `/${id}`, { remove: Array.from({ length: 5 }, () => 1) }))).toMatchObject({ code: 'limit.batch' });
    expect((await listed('?state=open&pagination[pageSize]=100')).data.filter(({ name }) => name === 'Once')).toHaveLength(1);
  });

  it.each<[string, unknown, number, string?]>([
    ['visitors', { name: 'x' }, 401, 'public'],
    ['no name', { entries: [] }, 400],
    ['an unknown key', { name: 'x', at: later }, 400],
    ['the past', { name: 'x', publishAt: '2020-01-01T00:00:00Z', entries: [{ publish: home }] }, 400],
    ['a time without entries', { name: 'x', publishAt: later }, 400],
    ['another action', { name: 'x', entries: [{ delete: memo, documentId: 'a' }] }, 400],
    ['an unknown locale', { name: 'x', entries: [{ publish: page, documentId: 'a', locale: 'xx' }] }, 400],
    ['a missing document', { name: 'x', entries: [{ publish: memo, documentId: 'none' }] }, 400],
    ['a type without drafts', { name: 'x', entries: [{ publish: 'api::tag.tag', documentId: 'none' }] }, 400],
    ['the same document twice', { name: 'x', entries: [{ publish: home }, { unpublish: home }] }, 400],
    ['more than limits.batch', { name: 'x', entries: ['a', 'b', 'c', 'd', 'e'].map((documentId) => ({ publish: memo, documentId })) }, 400],
    ['a right that is missing', { name: 'x', entries: [{ publish: memo, documentId: 'a' }] }, 400, 'writer'],
  ])('refuses %s', async (_, body, status, who) => {
    const { total } = (await listed('')).meta.pagination;
    expect((await send('POST', '', body, who)).status).toBe(status);
    expect((await listed('')).meta.pagination.total).toBe(total);
  });
});
