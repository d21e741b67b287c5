/** Search, groups, batches, history and schedule by the client. */
import { createClient } from '@lectern/client';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { relation, schemaFiles } from '../support/schema-files.ts';
import { useProject } from '../support/served-project.ts';
import { run } from '../support/server.ts';
import { recordedFetch } from './recorded-fetch.ts';

const story = 'api::story.story';
const author = 'api::author.author';
const settings = { history: { versions: 5 }, search: { [story]: { title: 2 }, [author]: { name: 1 } } };

describe.each(anyEngine)('%s: the client', (engine) => {
  const served = useProject(engine, {
    files: {
      ...schemaFiles({
        story: {
          drafts: true,
          attributes: { title: { type: 'string', required: true }, pages: { type: 'integer' }, author: relation('manyToOne', 'author') },
        },
        author: { attributes: { name: { type: 'string', required: true } } },
        motto: { single: true, drafts: true, attributes: { text: { type: 'string' } } },
      }),
      'lectern.config.json': JSON.stringify(settings),
    },
    async prepare({ dir, env }) {
      expect((await run(['search', 'build', '--dir', dir], env)).status).toBe(0);
    },
  });
  const { fetch, exchanges } = recordedFetch();
  const open = () =>
    createClient({
      baseURL: `${served.server.base}/api`,
      token: served.authorization('full').Authorization?.slice('Bearer '.length),
      fetch,
    });
  const stories = () => open().collection('storys');
  const create = async (data: Record<string, unknown>) => (await stories().create(data).orThrow()).data.documentId;

  it('makes several writes at once, all of them or none', async () => {
    const operations = [
      { create: author, data: { name: 'Ines' } },
      { create: story, data: { title: 'Fog bank', pages: 3, author: '$0.documentId' } },
    ];
    const { data } = await open().batch(operations).orThrow();
    expect(data).toHaveLength(2);
    const made = await stories().findOne(data[1]?.documentId ?? '', { populate: 'author' });
    expect(made.data?.author.name).toBe('Ines');
    const { error } = await open().batch([
      { create: author, data: { name: 'Emrys' } },
      { create: story, data: {} },
    ]);
    expect(error?.kind === 'invalid' && error.details.errors).toMatchObject([{ operation: 1, path: ['title'], status: 400 }]);
    expect((await open().collection('authors').find()).data).toHaveLength(1);
    const dryRun = await open()
      .batch([{ create: story, data: { pages: 1 } }], { dryRun: true })
      .orThrow();
    expect(dryRun.data).toMatchObject({ valid: false, errors: [{ operation: 0, path: ['title'] }] });
    const keyed = await Promise.all([1, 2].map(() => open().batch(operations, { idempotencyKey: 'two' }).orThrow()));
    expect(keyed[0]?.data).toEqual(keyed[1]?.data);
  });

  it('searches several types, and ranks lists', async () => {
    await open().collection('authors').create({ name: 'Harbour master' }).orThrow();
    await create({ title: 'The harbour' });
    const { data, meta } = await open()
      .search({ q: 'harbour', types: ['storys', author] })
      .orThrow();
    expect(data.map(({ type, rank }) => [type, rank])).toEqual([
      [story, 2],
      [author, 1],
    ]);
    expect(data[0]?.highlights.title).toEqual(['The <mark>harbour</mark>']);
    expect([meta.types, meta.pagination.total]).toEqual([{ [story]: 1, [author]: 1 }, 2]);
    expect(
      (
        await open()
          .search({ q: 'harbour', pagination: { page: 2, pageSize: 1 } })
          .orThrow()
      ).data,
    ).toHaveLength(1);
    expect(
      (
        await stories()
          .find({ filters: { $search: 'harb' }, sort: '$rank' })
          .orThrow()
      ).data,
    ).toHaveLength(1);
    // Ranks have no cursors: these pages go by number.
    const titles = [];
    for await (const { title } of stories().all({ filters: { $search: 'harbour' }, sort: '$rank' })) titles.push(title);
    expect(titles).toEqual(['The harbour']);
  });

  it('pages by cursors, with an estimate of the total, and through all pages of a sorted list', async () => {
    for (const title of ['p3', 'p1', 'p4', 'p2', 'p5']) await create({ title });
    const filters = { title: { $startsWith: 'p' } };
    const params = { filters, sort: 'title', fields: ['title'] };
    const first = await stories()
      .find({ ...params, pagination: { cursor: true, limit: 3 } })
      .orThrow();
    const { next } = first.meta.pagination;
    const second = await stories()
      .find({ ...params, pagination: { after: String(next), limit: 3 } })
      .orThrow();
    expect([...first.data, ...second.data].map(({ title }) => title)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
    expect(second.meta.pagination).toEqual({ limit: 3, next: null });
    expect(
      (
        await stories()
          .find({ filters, pagination: { withCount: 'estimate' } })
          .orThrow()
      ).meta.pagination.total,
    ).toBe(5);
    const before = exchanges.length;
    const seen = [];
    for await (const page of stories().pages({ ...params, pagination: { pageSize: 2 } })) {
      seen.push(page.map(({ title }) => title));
      // By number, this would move an entry into the next page.
      if (seen.length === 1) await create({ title: 'p0' });
    }
    expect(seen).toEqual([['p1', 'p2'], ['p3', 'p4'], ['p5']]);
    expect(exchanges.length - before).toBe(4);
  });

  it('finds related documents', async () => {
    const author = (await open().collection('authors').create({ name: 'Wren' }).orThrow()).data.documentId;
    const [one = '', other = ''] = [await create({ title: 'r1', author }), await create({ title: 'r2', author })];
    await create({ title: 'r3' });
    const { data, meta } = await stories()
      .related(one, { via: ['author'], fields: ['title'], pagination: { limit: 5 } })
      .orThrow();
    expect(data).toMatchObject([{ documentId: other, title: 'r2' }]);
    expect(meta.pagination.total).toBe(1);
    expect((await stories().related(one, { via: 'title' })).error?.kind).toBe('invalid');
  });

  it('counts in groups', async () => {
    for (const pages of [10, 20]) await create({ title: 'group', pages });
    const { data, meta } = await stories()
      .aggregate({ groupBy: ['title'], count: true, avg: 'pages', max: ['pages'], filters: { title: 'group' }, sort: 'key' })
      .orThrow();
    expect(data).toEqual([{ key: { title: 'group' }, count: 2, avg: { pages: 15 }, max: { pages: 20 } }]);
    expect(meta).toEqual({ limit: 100, more: false });
    expect((await stories().aggregate({ sum: 'title' })).error?.kind).toBe('invalid');
  });

  it('lists, reads and restores former versions', async () => {
    const documentId = await create({ title: 'One' });
    await stories().update(documentId, { title: 'Two' }, { status: 'draft' }).orThrow();
    const { data } = await stories()
      .history(documentId, { status: 'draft', pagination: { pageSize: 1 } })
      .orThrow();
    const version = data[0]?.version ?? 0;
    expect(data[0]).toMatchObject({ status: 'draft', replacedBy: { paths: ['title'] } });
    expect((await stories().formerVersion(documentId, version).orThrow()).data).toMatchObject({ documentId, title: 'One' });
    const restored = await stories().restore(documentId, version).orThrow();
    expect(restored).toMatchObject({ data: { title: 'One' }, meta: { restored: { version, leftOut: [] } } });
    expect((await stories().restore(documentId, version, { ifMatch: '"other"' })).error?.kind).toBe('conflict');
    expect((await open().single('motto').history()).data).toEqual([]);
  });

  it('schedules, lists and cancels', async () => {
    const documentId = await create({ title: 'Soon' });
    const publishAt = new Date(Date.now() + 3_600_000);
    const made = await stories()
      .schedule(documentId, { publishAt, unpublishAt: new Date(+publishAt + 1000) })
      .orThrow();
    expect(made.data.map(({ action }) => action).sort()).toEqual(['publish', 'unpublish']);
    const changed = await stories().schedule(documentId, { unpublishAt: null }).orThrow();
    expect(changed.data).toMatchObject([{ action: 'publish', at: publishAt.toISOString(), state: 'waiting' }]);
    expect((await stories().scheduled(documentId)).data).toEqual(changed.data);
    expect((await open().schedules({ state: 'waiting' })).data).toMatchObject([{ documentId }]);
    expect(await stories().unschedule(documentId)).toEqual({ data: undefined });
    expect((await open().schedules()).data).toEqual([]);
  });
});
