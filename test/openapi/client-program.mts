/** A program that a user of Lectern might write, with types of the document of the demo: `client.test.ts` checks its types and runs it. */
import createClient from 'openapi-fetch';
import { stringify } from 'qs';
import type { components, paths } from './api.ts';

type Article = components['schemas']['Article'];

export async function runClient(baseUrl: string, token: string) {
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${token}` },
    querySerializer: (query) => stringify(query, { encodeValuesOnly: true }),
  });

  const list = await client.GET('/api/articles', {
    params: {
      query: {
        filters: { title: { $containsi: 'the' }, $not: { category: { name: { $null: true } } } },
        fields: ['title'],
        populate: { category: { fields: ['name'] }, cover: true, blocks: { on: { 'shared.quote': { fields: ['body'] } } } },
        sort: ['title:desc'],
      },
    },
  });
  const titles: (string | null | undefined)[] | undefined = list.data?.data.map((article: Article) => article.title);
  const category: string | null | undefined = list.data?.data[0]?.category?.name;

  const page = await client.GET('/api/articles', { params: { query: { pagination: { pageSize: 2, page: 1 } } } });
  const first = page.data?.data[0]?.documentId ?? '';
  const one = await client.GET('/api/articles/{documentId}', { params: { path: { documentId: first }, query: { populate: '*' } } });

  const created = await client.POST('/api/categories', {
    body: { data: { name: 'Typed', position: 9, articles: { connect: [{ documentId: first, position: { start: true } }] } } },
  });
  const changed = await client.PATCH('/api/categories/{documentId}', {
    params: { path: { documentId: created.data?.data.documentId ?? '' } },
    body: { data: { name: 'Typed again' } },
  });

  const missing = await client.GET('/api/articles/{documentId}', { params: { path: { documentId: 'nope' } } });
  // The codes of the catalogue, so that a misspelt one does not compile.
  const isMissing = missing.error?.error.code === 'document.not-found';
  // @ts-expect-error No operation has this code.
  const isMisspelt = missing.error?.error.code === 'document.notfound';

  const article = one.data?.data;
  const zone = article?.blocks?.map((block) => (block.__component === 'shared.quote' ? block.body : block.__component));

  // @ts-expect-error There is no such path.
  await client.GET('/api/nopes', {});
  // @ts-expect-error The type has no such attribute.
  const nope = list.data?.data[0]?.nope;
  // @ts-expect-error The attribute is a text.
  const wrong = await client.POST('/api/categories', { body: { data: { name: 5 } } });
  // @ts-expect-error Such an attribute cannot be named.
  const refused = await client.GET('/api/articles', { params: { query: { fields: ['nope'] } } });

  return {
    titles,
    category,
    pagination: page.data?.meta.pagination,
    populated: one.data?.data.category?.documentId,
    created: created.response.status,
    renamed: changed.data?.data.name,
    isMissing,
    isMisspelt,
    zone: zone?.length,
    nope,
    wrong: wrong.error?.error.name,
    refused: refused.error?.error.status,
  };
}
