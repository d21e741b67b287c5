/** Pages by cursors: on every order, each row once, whatever others insert and delete meanwhile. */
import { describe, expect, it } from 'vitest';
import type { SeedData, SeedDocument } from '../../../src/demo-content/content.ts';
import { profilesOn } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  item: {
    attributes: {
      title: { type: 'string' },
      size: { type: 'integer' },
      big: { type: 'biginteger' },
      weight: { type: 'float' },
      price: { type: 'decimal' },
      open: { type: 'boolean' },
      day: { type: 'date' },
      time: { type: 'time' },
      at: { type: 'datetime' },
      extra: { type: 'json' },
      secret: { type: 'integer', private: true },
      shelf: relation('manyToOne', 'shelf'),
      labels: relation('manyToMany', 'label', { inversedBy: 'items' }),
    },
  },
  shelf: { plural: 'shelves', attributes: { name: { type: 'string' }, labels: relation('manyToMany', 'label') } },
  label: { attributes: { name: { type: 'string' }, items: relation('manyToMany', 'item', { mappedBy: 'labels' }) } },
});

const count = 23;
const each = <T>(values: readonly T[], number: number): T | null => values[number % values.length] ?? null;

/** Every attribute repeats values, and lacks some. */
const dataOf = (number: number): SeedData => ({
  title: each(['b', 'B', 'é', 'e', 'a', null, '', 'z"\\x'], number),
  size: each([3, -1, null, 0, 3], number),
  big: each(['9007199254740993', '9007199254740992', null, '-5'], number),
  weight: each([0.1, 0.30000000000000004, null, 1e21, -2.5], number),
  price: each([10.01, 10.1, null], number),
  open: each([true, null, false], number),
  day: each(['2024-02-29', null, '1999-01-01'], number),
  time: each(['10:00:00.123', null, '09:59:59.000'], number),
  at: each(['2024-01-01T00:00:00.001Z', '2024-01-01T00:00:00.002Z', null, '1969-12-31T23:59:59.999Z'], number),
  ...(number % 4 === 0 ? {} : { shelf: number % 3 === 0 ? 'low' : 'high' }),
  labels: number % 5 === 0 ? [] : number % 2 === 0 ? ['x', 'y'] : ['y'],
});
const entry = (key: string, data: SeedData): SeedDocument => ({ key, status: 'published', data });

const types = [
  { type: 'api::label.label', documents: [entry('x', { name: 'x' }), entry('y', { name: 'y' })] },
  { type: 'api::shelf.shelf', documents: [entry('low', { name: 'low' }), entry('high', { name: null })] },
  { type: 'api::item.item', documents: Array.from({ length: count }, (_, number) => entry(`item-${number}`, dataOf(number))) },
];

const orders = [
  '',
  ...['title', 'size', 'big', 'weight', 'price', 'open', 'day', 'time', 'at', 'createdAt', 'documentId', 'id'].flatMap((name) => [
    `sort=${name}`,
    `sort=${name}:desc`,
  ]),
  'sort=open:desc,size,title:desc',
  'sort=size:desc&sort=price:asc',
  'sort=shelf.name',
  'sort=shelf.name:desc,title',
  'sort=labels.name:desc',
];

interface Page {
  readonly data: readonly { readonly documentId: string; readonly title: string | null }[];
  readonly meta: { readonly pagination: { readonly limit: number; readonly next: string | null } };
}

describe.each(engines)('%s: cursors', (engine) => {
  describe.each(profilesOn(engine))('profile %s', (profile) => {
    const find = 'api::item.item.find';
    const api = useProject(engine, {
      files,
      types,
      tokens: { reader: [find] },
      public: [find],
      rules: { public: { [find]: { fields: ['title', 'size'], where: { size: { $gte: 0 } } } } },
      env: { LECTERN_PROFILE: profile, JWT_SECRET: 'cursor-secret-of-some-length' },
    });
    const page = async (query: string, after: string | null, who = 'full'): Promise<Page> => {
      const from = after === null ? 'pagination[cursor]=true' : `pagination[after]=${after}`;
      const response = await api.ask(who, 'GET', `/api/items?${query}&${from}`);
      expect([response.status, response.text.slice(0, 300)]).toEqual([200, expect.anything()]);
      return response.json() as Page;
    };
    /** All pages; `between` is called after each. */
    async function walk(query: string, between: (seen: readonly string[]) => Promise<void> = async () => undefined, who = 'full') {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const { data, meta }: Page = await page(`${query}&pagination[limit]=4`, after, who);
        expect(data.length).toBe(meta.pagination.next === null ? data.length : 4);
        seen.push(...data.map(({ documentId }) => documentId));
        after = meta.pagination.next;
        await between(seen);
      } while (after !== null);
      return seen;
    }
    const all = async (query: string, who = 'full') =>
      ((await api.ask(who, 'GET', `/api/items?${query}&pagination[limit]=100`)).json() as Page).data.map(({ documentId }) => documentId);

    // What is the same in every profile.
    const once = it.runIf(profile === 'specification');

    // In the second profile the orders are the same: some of each kind are enough.
    it.each(orders.filter((_, at) => profile === 'specification' || at % 4 === 0))('%s: the pages are the list', async (order) => {
      const list = await all(order);
      expect(list).toHaveLength(count);
      expect(await walk(order)).toEqual(list);
    });

    it.runIf(engine !== 'sqlite')('by moments that other programs have written with more digits', async () => {
      await api.change("UPDATE items SET at = '2024-01-01 00:00:00.001234' WHERE id % 2 = 0");
      for (const sort of ['sort=at', 'sort=at:desc']) expect(await walk(sort)).toEqual(await all(sort));
    });

    it('with conditions, and with other values of these', async () => {
      for (const value of [0, 3])
        expect(await walk(`sort=title&filters[size]=${value}`)).toEqual(await all(`sort=title&filters[size]=${value}`));
      const populated = profile === 'strapi' ? '&populate=labels' : '';
      const { data, meta } = await page(`fields=title&sort=title&pagination[limit]=2${populated}`, null);
      expect(data[0]).toMatchObject(profile === 'strapi' ? { labels: expect.any(Array) } : {});
      expect(meta.pagination).toEqual({ limit: 2, next: expect.any(String) });
    });

    once('each other document comes once, whatever is inserted and deleted meanwhile', async () => {
      const query = 'sort=size:desc,title';
      const before = await all(query);
      const extra: string[] = [];
      const seen = await walk(query, async (so) => {
        const last = so.at(-1) ?? '';
        // Before, at and after the place of the cursor; the row of the cursor itself goes.
        for (const size of so.length % 8 === 0 ? [99, 0] : [3, -99])
          extra.push(String((await api.write('POST', '/api/items', { title: 'new', size })).documentId));
        if (extra.length < 9 && before.includes(last)) {
          const { size, title } = (await api.read(`/api/items/${last}`)) as { size: number | null; title: string | null };
          await api.ask('full', 'DELETE', `/api/items/${last}`);
          extra.push(String((await api.write('POST', '/api/items', { title, size })).documentId));
        }
      });
      const old = seen.filter((id) => !extra.includes(id));
      expect(old).toEqual(before);
      expect(new Set(seen).size).toBe(seen.length);
      for (const id of extra) await api.ask('full', 'DELETE', `/api/items/${id}`);
    });

    once('are of one type and one order, and cannot be made', async () => {
      const { next } = (await page('sort=size&pagination[limit]=2', null)).meta.pagination;
      const changed = `${next?.slice(0, -3)}${next?.endsWith('AAA') ? 'BBB' : 'AAA'}`;
      const plain = Buffer.from(JSON.stringify({ values: [1], id: 1 })).toString('base64url');
      for (const query of [
        `sort=size:desc&pagination[after]=${next}`,
        `sort=title&pagination[after]=${next}`,
        `pagination[after]=${next}`,
        ...[changed, plain, '', 'x', '%00', '%C3%A4'].map((cursor) => `sort=size&pagination[after]=${cursor}`),
        `sort=size&pagination[after][0]=${next}`,
        `sort=size&pagination[after]=${next}&pagination[after]=${next}`,
      ]) {
        const response = await api.ask('full', 'GET', `/api/items?${query}`);
        expect([query, response.status, errorOf(response).message]).toEqual([query, 400, expect.stringContaining('pagination[after]')]);
      }
      // Nothing in them can be read, and equal pages have equal ones.
      expect(Buffer.from(next ?? '', 'base64url').toString('latin1')).not.toMatch(/values|id/);
      expect((await page('sort=size&pagination[limit]=2', null)).meta.pagination.next).toBe(next);
    });

    once('show a restricted caller its rows, and no order by what it may not read', async () => {
      const query = 'sort=size:desc';
      expect(await walk(query, undefined, 'public')).toEqual(await all(query, 'public'));
      for (const [who, sort] of [
        ['public', 'price'],
        ['reader', 'secret'],
        ['reader', 'shelf.name'],
      ] as const) {
        const response = await api.ask(who, 'GET', `/api/items?sort=${sort}&pagination[cursor]=true`);
        expect([sort, response.status, errorOf(response).message]).toEqual([sort, 400, expect.stringContaining('Invalid key')]);
      }
      // A cursor of a caller who sees more leads to no hidden row.
      const { next } = (await page('sort=size&pagination[limit]=1', null)).meta.pagination;
      const mine = await all('sort=size', 'public');
      const { data } = await page('sort=size&pagination[limit]=100', next, 'public');
      expect(mine).toEqual(expect.arrayContaining(data.map(({ documentId }) => documentId)));
    });

    it.each([
      { query: 'sort=extra', message: 'cannot be sorted by extra' },
      { query: 'sort=shelf.labels.name', message: 'cannot be sorted by shelf.labels.name' },
      { query: 'pagination[page]=2', message: 'no pagination[page]' },
      { query: 'pagination[start]=2', message: 'no pagination[start]' },
      { query: 'pagination[withCount]=true', message: 'no pagination[withCount]' },
    ])('refuses $query', async ({ query, message }) => {
      const response = await api.ask('full', 'GET', `/api/items?${query}&pagination[cursor]=true`);
      expect([response.status, errorOf(response).message]).toEqual([400, expect.stringContaining(message)]);
    });

    it('a list without one is as it was', async () => {
      const { meta } = (await api.ask('full', 'GET', '/api/items?pagination[cursor]=false&pagination[limit]=1')).json() as Page;
      expect(meta.pagination).toEqual({ start: 0, limit: 1, total: (await all('')).length });
    });
  });
});
