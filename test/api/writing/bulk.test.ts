/** `PATCH /api/tags?filters…`: one write for all documents that a filter matches. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret, signedInBy } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  page: {
    drafts: true,
    localized: true,
    attributes: { title: { type: 'string', required: true, maxLength: 10, ...translated }, topic: { type: 'string', ...translated } },
  },
  tag: {
    attributes: {
      name: { type: 'string', unique: true },
      note: { type: 'string' },
      owner: { type: 'string' },
      isOpen: { type: 'boolean' },
      secret: { type: 'string', private: true },
      hidden: relation('manyToOne', 'hidden'),
    },
  },
  hidden: { attributes: { name: { type: 'string' } } },
});
const page = 'api::page.page';
const tag = 'api::tag.tag';

describe.each(engines)('%s', (engine) => {
  const api = useProject(engine, {
    files,
    locales: seedLocales('en', 'de'),
    tokens: {
      writer: [`${tag}.find`, `${tag}.update`, `${page}.find`, `${page}.findDraft`, `${page}.update`],
      blind: [`${tag}.update`],
      publisher: [`${page}.find`, `${page}.update`],
    },
    public: [`${tag}.find`, `${tag}.update`, 'plugin::users-permissions.auth.callback'],
    authenticated: [`${tag}.find`, `${tag}.update`, `${tag}.delete`],
    users: [ada],
    rules: { authenticated: { [`${tag}.find`]: { where: { isOpen: true } }, [`${tag}.update`]: { where: { owner: 'mine' } } } },
    env: { JWT_SECRET: jwtSecret, LECTERN_HISTORY_VERSIONS: '5', LECTERN_LIMITS_BULK: '120', LECTERN_API_DEFAULT_LIMIT: '2' },
  });
  const send = (path: string, body: Json, who = 'full', headers: Readonly<Record<string, string>> = {}) =>
    api.send(who, { method: 'PATCH', path: `/api/${path}`, body, headers });
  /** `200`, or the status and code of an error. */
  const outcome = async (path: string, body: Json, who?: string, headers?: Readonly<Record<string, string>>) => {
    const response = await send(path, body, who, headers);
    const { data, error } = response.json() as { data: Json | null; error?: { code: string; message: string; details: Json } };
    return { status: response.status, code: error?.code, data, error };
  };
  const read = async (path: string) => ((await api.send('full', { path: `/api/${path}` })).json() as { data: readonly Json[] }).data;
  const make = async (type: string, values: readonly Json[], query = '') => {
    const ids: string[] = [];
    for (const data of values) ids.push(String((await api.write('POST', `/api/${type}s${query}`, data)).documentId));
    return ids;
  };
  const noted = (note: string) => `tags?filters[note]=${note}`;
  let signedIn = {};
  beforeAll(async () => {
    const { username: identifier, password } = ada;
    const login = { method: 'POST', path: '/api/auth/local', body: { identifier, password } };
    signedIn = { Authorization: `Bearer ${signedInBy(await api.send('public', login)).jwt}` };
  });

  it('changes all documents that the filter matches, on however many pages, and keeps what they were', async () => {
    const [a = '', b = '', c = ''] = await make('tag', [{ note: 'many' }, { note: 'many' }, { note: 'many' }]);
    await make('tag', [{ note: 'other' }]);
    const { status, data } = await outcome(noted('many'), { data: { note: 'changed' }, expected: 3 });
    expect([status, data]).toEqual([200, { count: 3, documentIds: [a, b, c] }]);
    expect((await read('tags?filters[note]=changed&pagination[pageSize]=9')).map(({ documentId }) => documentId)).toEqual([a, b, c]);
    expect(await read(noted('other'))).toHaveLength(1);
    const [former] = await read(`tags/${a}/history`);
    await api.write('POST', `/api/tags/${a}/history/${former?.version}/restore`);
    expect((await read(noted('many'))).map(({ documentId }) => documentId)).toEqual([a]);
  });

  it('changes nothing if the number is another one, and says which', async () => {
    await make('tag', [{ note: 'two' }, { note: 'two' }]);
    const { status, code, error } = await outcome(noted('two'), { data: { note: 'x' }, expected: 3 });
    expect([status, code, error?.details]).toEqual([409, 'bulk.count', { count: 2 }]);
    expect(await read(noted('two'))).toHaveLength(2);
  });

  it('changes nothing if one document is refused, and names it', async () => {
    const [first = '', second = ''] = await make('tag', [{ note: 'same' }, { note: 'same' }]);
    const { status, code, error } = await outcome(noted('same'), { data: { name: 'only one' }, expected: 2 });
    expect([status, code, error?.details]).toEqual([
      400,
      'bulk.refused',
      { errors: [expect.objectContaining({ documentId: second, status: 400, code: 'body.values', path: ['name'] })] },
    ]);
    const dry = await outcome(noted('same'), { data: { name: 'only one' }, expected: 2, dryRun: true });
    expect([dry.status, dry.data]).toEqual([
      200,
      { count: 2, documentIds: [first, second], valid: false, errors: [expect.objectContaining({ documentId: second })] },
    ]);
    const fine = await outcome(noted('same'), { data: { note: 'x' }, expected: 2, dryRun: true });
    expect(fine.data).toEqual({ count: 2, documentIds: [first, second], valid: true, errors: [] });
    expect(await read(noted('same'))).toHaveLength(2);
  });

  it('takes $0.documentId in a relation as a text', async () => {
    await make('tag', [{ note: 'plain' }]);
    expect((await outcome(noted('plain'), { data: { hidden: '$0.documentId' }, expected: 1 })).code).toBe('bulk.refused');
  });

  it('changes drafts in one locale, and publishes, unpublishes and deletes', async () => {
    const pages = await make(
      'page',
      [
        { title: 'A', topic: 'sea' },
        { title: 'B', topic: 'sea' },
      ],
      '?status=draft',
    );
    await api.write('PATCH', `/api/pages/${pages[0]}?locale=de&status=draft`, { title: 'Ä', topic: 'sea' });
    const sea = 'pages?filters[topic]=sea';
    const titles = async (query: string) => (await read(`pages?filters[topic]=sea&sort=title&${query}`)).map(({ title }) => title);
    expect((await outcome(`${sea}&status=draft`, { data: { title: 'C' }, expected: 2 })).status).toBe(200);
    expect([await titles('status=draft'), await titles('locale=de&status=draft'), await titles('')]).toEqual([['C', 'C'], ['Ä'], []]);
    expect((await outcome(`${sea}&locale=de`, { data: { title: 'D' }, expected: 1 })).status).toBe(200);
    expect(await titles('locale=de&status=draft')).toEqual(['D']);
    expect((await outcome(`${sea}&locale=*`, { data: { title: 'D' }, expected: 3 })).code).toBe('locale.one');
    expect((await outcome(sea, { publish: true, expected: 2 })).status).toBe(200);
    expect(await titles('')).toEqual(['C', 'C']);
    expect((await outcome(`${sea}&status=published`, { data: { title: 'E' }, expected: 2 })).status).toBe(200);
    expect(await titles('')).toEqual(['E', 'E']);
    expect((await outcome(sea, { unpublish: true, expected: 2 })).status).toBe(200);
    expect([await titles(''), await titles('status=draft')]).toEqual([[], ['E', 'E']]);
    expect((await outcome(sea, { delete: true, expected: 2 })).status).toBe(200);
    expect([await titles('status=draft'), await titles('locale=de&status=draft')]).toEqual([[], ['D']]);
  });

  it('is for the documents that the caller may both list and change', async () => {
    const values = ['mine', 'theirs'].flatMap((owner) => [true, false].map((isOpen) => ({ note: 'shared', owner, isOpen })));
    const [open = ''] = await make('tag', values);
    const asAda = (body: Json) => outcome(noted('shared'), body, 'public', signedIn);
    expect((await asAda({ data: { note: 'x' }, expected: 4 })).error?.details).toEqual({ count: 1 });
    // The right to delete has no restriction.
    expect((await asAda({ delete: true, expected: 4 })).error?.details).toEqual({ count: 2 });
    expect((await asAda({ data: { note: 'taken' }, expected: 1 })).data).toEqual({ count: 1, documentIds: [open] });
    expect(await read(`${noted('shared')}&pagination[pageSize]=9`)).toHaveLength(3);
  });

  it.each([
    ['without the right to list', 'blind', { data: { note: 'x' } }, 'access.forbidden'],
    ['without the right to delete', 'writer', { delete: true }, 'access.forbidden'],
    ['of a visitor', 'public', { data: { note: 'x' } }, 'session.no-user'],
  ])('refuses a write %s', async (_, who, body, code) => {
    expect((await outcome(noted('none'), { ...body, expected: 1 }, who)).code).toBe(code);
  });

  it('needs the right to drafts, which it looks at', async () => {
    expect((await outcome('pages?filters[topic]=x', { data: { topic: 'y' }, expected: 1 }, 'publisher')).code).toBe('access.drafts');
  });

  it.each([
    ['no filter', 'tags', 'bulk.filter'],
    ['a filter without a condition', 'tags?filters[$and]=', 'filter.group'],
    ['an unknown attribute', 'tags?filters[nope]=1', 'query.invalid-key'],
    ['a private attribute', 'tags?filters[secret]=1', 'query.invalid-key'],
    ['a type that the caller may not read', 'tags?filters[hidden][name]=1', 'query.invalid-key'],
    ['a page', 'tags?filters[note]=x&pagination[pageSize]=1', 'bulk.shape'],
    ['another parameter', 'tags?filters[note]=x&sort=note', 'bulk.shape'],
    ['an unknown status', 'pages?filters[title]=x&status=old', 'status.value'],
  ])('refuses a query with %s', async (_, path, code) => {
    expect((await outcome(path, { data: { note: 'x' }, expected: 1 }, 'writer')).code).toBe(code);
  });

  it.each([
    ['no expected number', { data: { note: 'x' } }, 'bulk.shape'],
    ['no document', { data: { note: 'x' }, expected: 0 }, 'bulk.shape'],
    ['more than the limit', { data: { note: 'x' }, expected: 121 }, 'limit.bulk'],
    ['no change', { expected: 1 }, 'bulk.shape'],
    ['two changes', { data: { note: 'x' }, delete: true, expected: 1 }, 'bulk.shape'],
    ['no values', { data: {}, expected: 1 }, 'bulk.shape'],
    ['a change that is not true', { delete: false, expected: 1 }, 'bulk.shape'],
    ['another key', { data: { note: 'x' }, expect: 1 }, 'bulk.shape'],
    ['a publication of a type without drafts', { publish: true, expected: 1 }, 'bulk.shape'],
  ])('refuses a body with %s', async (_, body, code) => {
    expect((await outcome(noted('x'), body)).code).toBe(code);
  });
});
