/** Documents by the client: every method, on a project with drafts, locales and rights. */
import { type ClientOptions, createClient } from '@lectern/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { relation, schemaFiles, translated } from '../support/schema-files.ts';
import { seedLocales } from '../support/seeds.ts';
import { useProject } from '../support/served-project.ts';
import { recordedFetch } from './recorded-fetch.ts';

const files = schemaFiles({
  story: {
    drafts: true,
    localized: true,
    attributes: {
      title: { type: 'string', required: true, ...translated },
      pages: { type: 'integer' },
      author: relation('manyToOne', 'author'),
    },
  },
  author: { attributes: { name: { type: 'string' }, born: { type: 'datetime' } } },
  motto: { single: true, drafts: true, attributes: { text: { type: 'string' } } },
  item: { attributes: { name: { type: 'string' }, secret: { type: 'string' }, maker: relation('manyToOne', 'author') } },
});

describe.each(anyEngine)('%s: the client', (engine) => {
  const served = useProject(engine, {
    files,
    locales: seedLocales('en', 'fr'),
    public: ['api::item.item.find', 'api::item.item.findOne'],
    rules: { public: { 'api::item.item.find': { fields: ['name'] } } },
  });
  const open = (who: string, more: Partial<ClientOptions> = {}) =>
    createClient({
      baseURL: `${served.server.base}/api`,
      token: served.authorization(who).Authorization?.slice('Bearer '.length),
      ...more,
    });
  const stories = () => open('full').collection('stories');
  const storys = () => open('full').collection('storys');

  it('creates, finds, changes and deletes a document', async () => {
    const authors = open('full').collection('authors');
    const born = new Date('1871-01-02T03:04:05Z');
    const created = await authors.create({ name: 'Ines', born }).orThrow();
    expect(created).toMatchObject({ data: { name: 'Ines', born: born.toISOString() }, meta: {}, etag: expect.any(String) });
    const { documentId } = created.data;
    expect((await authors.findOne(documentId, { fields: ['name'] })).data).toEqual({ id: created.data.id, documentId, name: 'Ines' });
    expect((await authors.find({ filters: { born: { $lte: born }, name: { $startsWith: 'In' } } })).data).toHaveLength(1);
    expect((await authors.find({ filters: { documentId: { $in: [] } } })).data).toEqual([]);
    const changed = await authors.update(documentId, { name: 'Emrys' }, { fields: ['name'] });
    expect(changed).toMatchObject({ data: { documentId, name: 'Emrys' } });
    expect(await authors.delete(documentId)).toEqual({ data: undefined });
    expect(await authors.findOne(documentId)).toMatchObject({
      data: null,
      error: { kind: 'not-found', status: 404, code: 'document.not-found' },
    });
  });

  it('publishes, unpublishes and discards drafts', async () => {
    const { data } = await storys().create({ title: 'One' }, { status: 'draft' }).orThrow();
    const { documentId } = data;
    const title = async (status: 'draft' | 'published') => (await storys().findOne(documentId, { status, fields: ['title'] })).data?.title;
    expect([await title('draft'), await title('published')]).toEqual(['One', undefined]);
    expect((await storys().publish(documentId, { fields: ['title'] })).data).toMatchObject({ title: 'One' });
    await storys().update(documentId, { title: 'Two' }, { status: 'draft' }).orThrow();
    expect([await title('draft'), await title('published')]).toEqual(['Two', 'One']);
    expect((await storys().discardDraft(documentId)).data).toMatchObject({ title: 'One' });
    expect(await title('draft')).toBe('One');
    expect(await storys().unpublish(documentId)).toEqual({ data: undefined });
    expect([await title('draft'), await title('published')]).toEqual(['One', undefined]);
  });

  it('reads and writes locales', async () => {
    const { data } = await storys().create({ title: 'Fog' }).orThrow();
    const { documentId } = data;
    await storys().update(documentId, { title: 'Brume' }, { locale: 'fr' }).orThrow();
    const titles = await storys()
      .find({ locale: '*', filters: { documentId }, sort: 'locale', fields: ['title', 'locale'] })
      .orThrow();
    expect(titles.data.map(({ title, locale }) => [locale, title])).toEqual([
      ['en', 'Fog'],
      ['fr', 'Brume'],
    ]);
    await storys().delete(documentId, { locale: 'fr' }).orThrow();
    expect((await storys().findOne(documentId, { locale: 'fr' })).error?.kind).toBe('not-found');
    expect((await storys().findOne(documentId)).error).toBeUndefined();
  });

  it('reads and writes single types', async () => {
    const motto = open('full').single('motto');
    expect((await motto.find()).error?.kind).toBe('not-found');
    expect((await motto.update({ text: 'Slowly' }, { status: 'draft' })).data).toMatchObject({ text: 'Slowly' });
    expect((await motto.publish()).data).toMatchObject({ text: 'Slowly' });
    expect((await motto.find({ fields: ['text'] })).data).toMatchObject({ text: 'Slowly' });
    await motto.update({ text: 'Fast' }, { status: 'draft' });
    expect((await motto.discardDraft()).data).toMatchObject({ text: 'Slowly' });
    expect(await motto.unpublish()).toEqual({ data: undefined });
    expect(await motto.delete()).toEqual({ data: undefined });
    expect((await motto.find({ status: 'draft' })).error?.kind).toBe('not-found');
  });

  it('refuses to overwrite what somebody else has changed', async () => {
    const authors = open('full').collection('authors');
    const { data, etag } = await authors.create({ name: 'a' }).orThrow();
    await authors.update(data.documentId, { name: 'b' }, {}, { ifMatch: etag }).orThrow();
    const { error } = await authors.update(data.documentId, { name: 'c' }, {}, { ifMatch: etag });
    expect(error).toMatchObject({ kind: 'conflict', code: 'document.changed' });
    expect((await authors.delete(data.documentId, {}, { ifMatch: etag })).error?.kind).toBe('conflict');
  });

  it('creates one document however often the request is sent', async () => {
    let first = true;
    /** The connection breaks after the server has done its work. */
    const breaking: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!first) return response;
      first = false;
      await response.arrayBuffer();
      throw new TypeError('the connection broke');
    };
    const authors = open('full', { fetch: breaking, retry: { delay: 1 } }).collection('authors');
    const { data } = await authors.create({ name: 'once' }).orThrow();
    expect((await authors.find({ filters: { name: 'once' } })).data).toMatchObject([{ documentId: data.documentId }]);
    const keyed = [1, 2].map(() => authors.create({ name: 'keyed' }, {}, { idempotencyKey: 'mine' }).orThrow());
    const [one, two] = await Promise.all(keyed);
    expect(one?.data.documentId).toBe(two?.data.documentId);
    expect((await authors.create({ name: 'other' }, {}, { idempotencyKey: 'mine' })).error).toMatchObject({ code: 'idempotency.reused' });
  });

  it.each([
    ['an unknown type', () => stories().find(), { kind: 'not-found', code: 'route.not-found' }],
    [
      'an unknown parameter',
      () => storys().find({ filters: { nope: 1 } }),
      { kind: 'invalid', code: 'query.invalid-key', details: { key: 'nope', source: 'query', param: 'filters' } },
    ],
    [
      'values that do not fit',
      () => storys().create({ title: 7, pages: 'many' }),
      { kind: 'invalid', code: 'body.values', details: { errors: [{ path: ['title'] }, { path: ['pages'] }] } },
    ],
    ['a missing right', () => open('public').collection('storys').find(), { kind: 'forbidden', code: 'access.forbidden', status: 403 }],
    ['a wrong token', () => open('public', { token: 'wrong' }).collection('items').find(), { kind: 'unauthorized', status: 401 }],
    ['an undefined locale', () => storys().find({ locale: 'de' }), { kind: 'invalid', code: 'locale.undefined' }],
  ])('gives an error for %s', async (_, send, expected) => {
    expect(await send()).toMatchObject({
      data: null,
      error: { ...expected, message: expect.stringMatching(/./), requestId: expect.any(String) },
    });
  });

  describe('pages', () => {
    const items = () => open('public').collection('items');
    const add = async (name: string) => (await open('full').collection('items').create({ name }).orThrow()).data.documentId;
    let ids: string[];
    beforeEach(async () => {
      await served.change('DELETE FROM items');
      ids = [];
      for (let each = 0; each < 7; each++) ids.push(await add(`item ${each}`));
    });

    it('come one after the other, as far as the loop goes', async () => {
      const { fetch, exchanges } = recordedFetch();
      const client = open('public', { fetch }).collection('items');
      const sizes = [];
      for await (const page of client.pages({ pagination: { pageSize: 3 }, fields: ['name'] })) sizes.push(page.length);
      expect(sizes).toEqual([3, 3, 1]);
      expect(exchanges).toHaveLength(3);
      for await (const { name } of client.all({ pagination: { pageSize: 3 } })) if (name === 'item 4') break;
      expect(exchanges).toHaveLength(5);
    });

    it('have each entry once while entries are added and deleted', async () => {
      const names: string[] = [];
      for await (const page of items().pages({ pagination: { pageSize: 2 } })) {
        names.push(...page.map(({ name }) => name));
        if (names.length === 2) {
          // With pages by number, these would move two entries out of the next page.
          for (const id of ids.slice(0, 2)) await open('full').collection('items').delete(id).orThrow();
          await add('added');
        }
      }
      expect(names).toEqual(['item 0', 'item 1', 'item 2', 'item 3', 'item 4', 'item 5', 'item 6', 'added']);
    });

    it('keep to a sort, and do not repeat what a new entry has moved', async () => {
      const names: string[] = [];
      for await (const page of items().pages({ sort: 'name:desc', pagination: { pageSize: 3 } })) {
        names.push(...page.map(({ name }) => name));
        if (names.length === 3) await add('item 9');
      }
      expect(names).toEqual(['item 6', 'item 5', 'item 4', 'item 3', 'item 2', 'item 1', 'item 0']);
    });

    it('keep to filters', async () => {
      const names = [];
      const filters = { $or: [{ name: 'item 1' }, { name: { $in: ['item 3', 'item 5'] } }] };
      for await (const { name } of items().all({ filters, pagination: { pageSize: 1 } })) names.push(name);
      expect(names).toEqual(['item 1', 'item 3', 'item 5']);
    });

    it('may populate, although the profile has no pages then', async () => {
      for (let each = 7; each < 60; each++) await add(`item ${each}`);
      const all = open('full').collection('items');
      expect((await all.find({ populate: 'maker', pagination: { page: 1 } })).error?.code).toBe('populate.with-pagination');
      const sizes = [];
      for await (const page of all.pages({ populate: 'maker' })) {
        expect(page.every(({ maker }) => maker === null)).toBe(true);
        sizes.push(page.length);
      }
      expect(sizes).toEqual([25, 25, 10]);
    });

    it('end in an error that is thrown', async () => {
      const loop = async () => {
        for await (const _ of items().all({ fields: ['secret'] }));
      };
      await expect(loop()).rejects.toMatchObject({ kind: 'invalid', code: 'query.invalid-key' });
    });
  });

  describe('a response that has not changed', () => {
    const used = () => {
      const { fetch, exchanges } = recordedFetch();
      return { items: open('full', { fetch }).collection('items'), exchanges };
    };
    const statuses = (exchanges: readonly { readonly status: number }[]) => exchanges.map(({ status }) => status);

    it('is not sent again, and no caller can change what another one gets', async () => {
      const { items, exchanges } = used();
      const { data } = await items.create({ name: 'kept' }).orThrow();
      const params = { filters: { name: 'kept' } };
      const first = await items.find(params).orThrow();
      Object.assign(first.data[0] ?? {}, { name: 'spoilt' });
      first.data.length = 0;
      const second = await items.find(params).orThrow();
      expect(second).toMatchObject({ data: [{ name: 'kept' }], meta: { pagination: { total: 1 } }, etag: first.etag });
      expect(exchanges[2]?.headers.get('if-none-match')).toBe(first.etag);
      expect(statuses(exchanges)).toEqual([201, 200, 304]);
      await items.update(data.documentId, { name: 'kept', secret: 'new' }).orThrow();
      expect((await items.find(params)).data).toMatchObject([{ secret: 'new' }]);
      expect(statuses(exchanges).at(-1)).toBe(200);
    });

    it('is another one for another query, token, header or client', async () => {
      const { fetch, exchanges } = recordedFetch();
      let who = 'full';
      const client = open('full', { fetch, token: () => served.authorization(who).Authorization?.slice('Bearer '.length) }).collection(
        'items',
      );
      await client.find();
      await client.find({ sort: 'id' });
      await client.find({}, { headers: { 'Strapi-Response-Format': 'v4' } });
      who = 'public';
      expect((await client.find()).error).toBeUndefined();
      expect(exchanges.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, null, null, null]);
      expect(exchanges.at(-1)?.headers.get('authorization')).toBeNull();
    });

    it('is forgotten when the cache is full, or switched off', async () => {
      for (const cache of [0, 50]) {
        const { fetch, exchanges } = recordedFetch();
        const items = open('full', { fetch, cache }).collection('items');
        for (let each = 0; each < 2; each++) await items.find();
        expect(statuses(exchanges)).toEqual([200, 200]);
      }
    });
  });
});
