/** `pages()` of lists that are sorted and populated, in both profiles: `specification` refuses pages of populated lists. */

import { createClient } from '@lectern/client';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { relation, schemaFiles } from '../support/schema-files.ts';
import { seedDocuments } from '../support/seeds.ts';
import { useProject } from '../support/served-project.ts';
import { recordedFetch } from './recorded-fetch.ts';

const count = 60;
const titleOf = (at: number) => `T${String((at * 7) % count).padStart(2, '0')}`;
const articles = Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, { title: titleOf(at), author: 'ada' }]));

describe.each(anyEngine)('%s: pages of a populated list', (engine) => {
  describe.each([
    // The refused one, two pages of ids, and their documents in portions: 25 and 5, or 4 at the most.
    ['specification', '25', [1, 1 + 2 + 2 * 2]],
    ['specification', '4', [1, 1 + 2 + 2 * 8]],
    ['strapi', '25', [0, 2]],
  ])('in profile %s, with api.defaultLimit %s', (profile, limit, requests) => {
    const api = useProject(engine, {
      files: schemaFiles({
        article: { drafts: true, attributes: { title: { type: 'string' }, author: relation('manyToOne', 'author') } },
        author: { attributes: { name: { type: 'string' } } },
      }),
      types: [
        { type: 'api::author.author', documents: seedDocuments({ ada: { name: 'Ada' } }) },
        { type: 'api::article.article', documents: seedDocuments(articles) },
      ],
      tokens: { reader: ['api::article.article.find', 'api::article.article.findDraft', 'api::author.author.find'] },
      env: { LECTERN_PROFILE: profile, LECTERN_API_DEFAULT_LIMIT: limit },
    });
    const open = (fetch?: typeof globalThis.fetch) =>
      createClient({
        baseURL: `${api.server.base}/api`,
        token: String(api.authorization('reader').Authorization).slice('Bearer '.length),
        ...(fetch === undefined ? {} : { fetch }),
      }).collection('articles');

    it.each<[params: object, pageSize: number]>([
      [{ populate: 'author' }, Number(limit)],
      [{ sort: 'title', populate: 'author' }, Number(limit)],
      [{ populate: 'author', pagination: { pageSize: 10 } }, 10],
      [{ sort: 'title:desc', populate: { author: { fields: ['name'] } }, pagination: { pageSize: 7 }, status: 'draft' }, 7],
      [{ sort: 'author.name', filters: { title: { $gte: 'T10' } }, populate: 'author', pagination: { pageSize: 40 } }, 40],
    ])('%j', async (params, pageSize) => {
      const seen: { title: string; publishedAt: string | null; author?: { name: string } }[] = [];
      const sizes: number[] = [];
      for await (const page of open().pages(params as never)) {
        seen.push(...(page as never[]));
        sizes.push(page.length);
      }
      const titles = seen.map(({ title }) => title);
      const all = Object.values(articles).map(({ title }) => title);
      const wanted = 'filters' in params ? all.filter((title) => title >= 'T10') : all;
      if ('sort' in params && params.sort !== 'author.name') wanted.sort();
      if ('status' in params) wanted.reverse();
      expect(titles).toEqual(wanted);
      expect(Math.max(...sizes)).toBe(pageSize);
      expect(seen.filter(({ author }) => author?.name !== 'Ada')).toEqual([]);
      expect(seen.filter(({ publishedAt }) => (publishedAt === null) !== 'status' in params)).toEqual([]);
    });

    it('are asked for in two steps only where that is needed', async () => {
      const { fetch, exchanges } = recordedFetch();
      for await (const _ of open(fetch).pages({ sort: 'title', populate: 'author', pagination: { pageSize: 30 } } as never));
      const refused = exchanges.filter(({ status }) => status === 400).length;
      expect([refused, exchanges.length]).toEqual(requests);
    });
  });
});
