/** Libraries for front ends that others have written for Strapi 5, by the calls that their documentation shows: on the demo, with the settings that
 *  docs/front-ends.md names for them, and on a database that a Strapi made. `client.test.ts` has Strapi's own library. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type StrapiClientOptions } from '@kmariappan/strapi-client-js';
import { strapi } from '@strapi/client';
import sdkModule from 'strapi-sdk-js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startDemo } from '../support/demo.ts';
import { anyEngine, type EngineName } from '../support/engines.ts';
import { nuxtPage } from '../support/nuxt-composables.ts';
import { root } from '../support/packed.ts';
import { startServer } from '../support/server.ts';
import { credentials, recordedProject } from './recordings.ts';

/** Its types describe the CommonJS module, which has the class as `default`. */
const Strapi = sdkModule as unknown as typeof sdkModule.default;

interface Target {
  readonly url: string;
  /** A full-access API token. */
  readonly token: string;
  readonly user: { readonly identifier: string; readonly password: string };
  stop(): Promise<void>;
}

/** The settings that docs/front-ends.md names for client libraries, as variables. */
const page = readFileSync(join(root, 'docs/front-ends.md'), 'utf8').split('## Client libraries')[1] ?? '';
const { policies, auth } = JSON.parse(/^```json\n(.*?)^```$/ms.exec(page)?.[1] ?? '{}');
const settings = {
  LECTERN_POLICIES_PARTIAL_PUT: String(policies.partialPut),
  LECTERN_POLICIES_POPULATE_WITH_PAGINATION: String(policies.populateWithPagination),
  LECTERN_AUTH_ACCESS_TOKEN_LIFESPAN: String(auth.accessTokenLifespan),
};

async function demoTarget(): Promise<Target> {
  const demo = await startDemo(settings);
  return { ...demo, url: demo.base, user: { identifier: 'reader', password: demo.password } };
}

async function strapiTarget(engine: EngineName): Promise<Target> {
  const { secrets, tokens, users } = credentials;
  const project = await recordedProject(engine);
  const server = await startServer(project.dir, { ...project.env, ...secrets, LECTERN_PROFILE: 'strapi' });
  return {
    url: server.base,
    token: tokens.full ?? '',
    user: { identifier: users.reader?.identifier ?? '', password: users.reader?.password ?? '' },
    async stop() {
      await server.stop();
      await project.remove();
    },
  };
}

const targets: readonly (readonly [name: string, start: () => Promise<Target>])[] = [
  ['the demo', demoTarget],
  ...anyEngine.map((engine) => [`${engine}: a database of Strapi's`, () => strapiTarget(engine)] as const),
];

interface Article {
  readonly id: number;
  readonly documentId: string;
  readonly title: string;
  readonly slug: string;
  readonly author?: { readonly id: number; readonly name: string };
}

describe.each(targets)('%s', (name, start) => {
  let target: Target;
  /** By id, as the API lists them. */
  let articles: readonly Article[];
  let first: Article;
  beforeAll(async () => {
    target = await start();
    articles = await list('/api/articles?sort=id&populate[author]=true&pagination[pageSize]=100');
    first = articles.find(({ author }) => author != null) as Article;
  });
  afterAll(() => target?.stop());
  afterEach(() => vi.unstubAllGlobals());

  /** Without any library. */
  async function list(path: string): Promise<readonly Article[]> {
    const response = await fetch(target.url + path, { headers: { Authorization: `Bearer ${target.token}` } });
    expect(response.status).toBe(200);
    return ((await response.json()) as { data: Article[] }).data;
  }
  const ids = (found: readonly { readonly id?: unknown }[] | null | undefined) => found?.map(({ id }) => Number(id)) ?? [];
  const idsOf = async (query: string) => ids(await list(`/api/articles?${query}`));
  let names = 0;
  const newArticle = () => {
    names += 1;
    return { title: `Written by a library ${names}`, slug: `written-by-a-library-${names}` };
  };

  describe('strapi-sdk-js', () => {
    /** As in a browser, where it keeps the token of a user. */
    function sdk(token?: string) {
      const stored = new Map<string, string>();
      const localStorage = {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => void stored.set(key, value),
        removeItem: (key: string) => void stored.delete(key),
      };
      vi.stubGlobal('window', { localStorage, location: { search: '' } });
      const library = new Strapi({ url: target.url, store: { key: 'strapi_jwt', useLocalStorage: true, cookieOptions: { path: '/' } } });
      if (token !== undefined) library.setToken(token);
      return library;
    }

    it('reads', async () => {
      const library = sdk(target.token);
      const page = await library.find<Article>('articles', {
        fields: ['title', 'slug'],
        filters: { $or: [{ title: { $eq: first.title } }, { slug: { $in: ['nothing'] } }] },
        populate: { author: { fields: ['name'] } },
        sort: ['title:asc', 'id'],
        pagination: { page: 1, pageSize: 10 },
      } as never);
      expect(page).toMatchObject({
        data: [{ title: first.title, author: { name: first.author?.name } }],
        meta: { pagination: { page: 1, total: 1 } },
      });
      const all = await library.find<Article>('articles', { populate: '*', pagination: { start: 1, limit: 2 }, sort: 'id' } as never);
      expect(ids(all.data)).toEqual(ids(articles.slice(1, 3)));
      const one = await library.findOne<Article>('articles', first.documentId, { populate: ['author'] } as never);
      expect(one.data).toMatchObject({ documentId: first.documentId, author: { id: first.author?.id } });
      await expect(library.findOne('articles', 'nothing')).rejects.toMatchObject({
        data: null,
        error: { status: 404, name: 'NotFoundError' },
      });
    });

    it('writes', async () => {
      const library = sdk(target.token);
      const article = newArticle();
      const created = await library.create<Article>('articles', article, { fields: ['title'] } as never);
      const id = created.data.documentId;
      expect((await library.update<Article>('articles', id, { title: 'Changed' })).data).toMatchObject({
        title: 'Changed',
        slug: article.slug,
      });
      await library.delete('articles', id);
      await expect(library.findOne('articles', id)).rejects.toMatchObject({ error: { status: 404 } });
    });

    it('signs in and up, and keeps its user', async () => {
      const library = sdk();
      await expect(library.login({ ...target.user, password: 'wrong' })).rejects.toMatchObject({
        error: { status: 400, name: 'ValidationError' },
      });
      const { jwt, user } = await library.login(target.user);
      expect(user).toMatchObject({ username: target.user.identifier });
      expect(library.getToken()).toBe(jwt);
      expect(await library.fetchUser()).toMatchObject({ username: target.user.identifier });
      library.logout();
      expect(await library.fetchUser()).toBeNull();
      const person = { username: 'sdk-person', email: 'sdk@example.org', password: 'Person-Pass-1' };
      expect((await library.register(person)).user).toMatchObject({ username: person.username });
      expect(await library.fetchUser()).toMatchObject({ email: person.email });
      await expect(library.forgotPassword({ email: person.email })).resolves.toEqual({ ok: true });
    });
  });

  describe('@kmariappan/strapi-client-js', () => {
    const client = (options: Partial<StrapiClientOptions> = {}) =>
      createClient({ url: `${target.url}/api`, apiToken: target.token, normalizeData: true, ...options });
    const select = () => client().from<Article>('articles').select(['id', 'title', 'slug']);

    it('filters, sorts and pages', async () => {
      const [low = 0, high = 0] = [articles[1]?.id, articles[3]?.id];
      const byId = [{ field: 'id' as const, order: 'asc' as const }];
      const { data, meta } = await select()
        .sortBy([{ field: 'id', order: 'desc' }])
        .paginate(1, 2)
        .get();
      expect(ids(data)).toEqual(await idsOf('sort=id:desc&pagination[pageSize]=2'));
      expect(meta).toMatchObject({ pagination: { page: 1, pageSize: 2, total: articles.length } });
      const byOffset = await select().sortBy(byId).paginateByOffset(1, 2).get();
      expect(ids(byOffset.data)).toEqual(ids(articles.slice(1, 3)));
      expect(ids((await select().contains('title', first.title.toUpperCase()).get()).data)).toContain(first.id);
      const part = first.title.slice(0, 4);
      for (const [found, filter] of [
        [client().from<Article>('articles').selectManyByID([low, high]), `id][$in]=${low}&filters[id][$in]=${high}`],
        [select().between('id', [low, high]), `id][$between]=${low}&filters[id][$between]=${high}`],
        [select().containsCaseSensitive('title', part), `title][$contains]=${part}`],
        [select().notContains('title', part), `title][$notContainsi]=${part}`],
        [select().isNotNull('title', 'true'), 'title][$notNull]=true'],
      ] as const) {
        const result = await found.sortBy(byId).paginate(1, 100).get();
        expect({ filter, error: result.error, ids: ids(result.data) }).toEqual({
          filter,
          error: undefined,
          ids: await idsOf(`filters[${filter}&sort=id&pagination[pageSize]=100`),
        });
      }
    });

    it('filters by relations, and populates them', async () => {
      const name = first.author?.name ?? '';
      const by = await select().filterDeep('author.name', 'eq', name).get();
      expect(ids(by.data)).toContain(first.id);
      const author = { id: first.author?.id, name };
      const one = () => client().from<Article>('articles').select(['title']).equalTo('id', first.id);
      expect((await one().populate().get()).data).toMatchObject([{ title: first.title, author }]);
      expect((await one().populateWith<{ id: number; name: string }>('author', ['id', 'name'], true).get()).data).toMatchObject([
        { author },
      ]);
      const deep = [{ path: 'author', fields: ['name'], children: [{ key: 'articles', fields: ['title'] }] }];
      const [article] = (await one().populateDeep(deep).get()).data as unknown as { author: { articles: { title: string }[] } }[];
      expect(article?.author.articles.map(({ title }) => title)).toContain(first.title);
      expect((await select().setLocale('en').get()).data?.length).toBeGreaterThan(0);
    });

    it('writes', async () => {
      const from = client().from<Omit<Article, 'id' | 'documentId'>>('articles');
      const article = newArticle();
      const created = (await from.create(article)).data as unknown as Article;
      expect(created).toMatchObject(article);
      expect((await from.update(created.documentId, { title: 'Changed' })).data).toMatchObject({ title: 'Changed', slug: article.slug });
      const many = [newArticle(), newArticle()];
      expect(await from.createMany(many)).toEqual({ success: true });
      const made = await list(`/api/articles?filters[slug][$in]=${many[0]?.slug}&filters[slug][$in]=${many[1]?.slug}`);
      expect(made).toHaveLength(2);
      expect(await from.updateMany(made.map(({ documentId }) => ({ id: documentId, variables: { title: 'Both' } })))).toEqual({
        success: true,
      });
      expect(await list('/api/articles?filters[title]=Both')).toHaveLength(2);
      await from.deleteOne(created.documentId);
      expect(await from.deleteMany(made.map(({ documentId }) => documentId))).toEqual({ success: true });
      expect(await list('/api/articles?filters[slug][$startsWith]=written-by-a-library')).toEqual([]);
    });

    it('signs in and up', async () => {
      const { auth } = client({ apiToken: '' });
      const email = 'kmariappan@example.org';
      const { data, error } = await auth.signUp({ username: 'kmariappan', email, password: 'Person-Pass-1' });
      expect({ data, error }).toMatchObject({ data: { jwt: expect.any(String), user: { email } }, error: undefined });
      expect((await auth.signIn({ email, password: 'Person-Pass-1' })).data).toMatchObject({ user: { username: 'kmariappan' } });
      expect((await client({ apiToken: data?.jwt ?? '' }).auth.getMe()).data).toMatchObject({ email });
      expect((await auth.signIn({ email, password: 'wrong' })).error).toMatchObject({ status: 400, name: 'ValidationError' });
      expect(await auth.signOut()).toEqual({ error: null });
    });
  });

  describe('@nuxtjs/strapi', () => {
    it('reads and writes', async () => {
      const nuxt = await nuxtPage(target.url);
      nuxt.useStrapiToken().value = target.token;
      const { find, findOne, create, update, delete: remove } = nuxt.useStrapi();
      const { data, meta } = await find('articles', {
        fields: ['title'],
        filters: { $and: [{ slug: { $eq: first.slug } }, { title: first.title }] },
        populate: { author: { fields: ['name'] } },
        sort: ['title:asc'],
        pagination: { page: 1, pageSize: 5 },
      });
      expect(data).toMatchObject([{ title: first.title, author: { name: first.author?.name } }]);
      expect(meta).toMatchObject({ pagination: { page: 1, pageSize: 5, total: 1 } });
      expect((await findOne('articles', first.documentId, { populate: '*' })).data).toMatchObject({ author: { name: first.author?.name } });
      expect((await findOne('homepage')).data).toHaveProperty('documentId');
      const article = newArticle();
      const { documentId } = (await create('articles', article, { fields: ['title'] })).data;
      expect((await update('articles', String(documentId), { title: 'Changed' })).data).toMatchObject({
        title: 'Changed',
        slug: article.slug,
      });
      await remove('articles', String(documentId));
      await expect(findOne('articles', String(documentId))).rejects.toMatchObject({ error: { status: 404, name: 'NotFoundError' } });
      expect(nuxt.errors).toEqual([['strapi:error', expect.objectContaining({ data: null })]]);
      expect(nuxt.useStrapiMedia('/uploads/a.png')).toBe(`${target.url}/uploads/a.png`);
      expect(await nuxt.useStrapiClient()('/articles', { method: 'GET', params: { 'pagination[pageSize]': 1 } })).toMatchObject({
        data: [{ id: articles[0]?.id }],
      });
    });

    it('signs in, up and out', async () => {
      const nuxt = await nuxtPage(target.url);
      const auth = nuxt.useStrapiAuth();
      const { user } = await auth.login(target.user);
      expect(user.value).toMatchObject({ username: target.user.identifier });
      expect(nuxt.useStrapiUser().value).toMatchObject({ username: target.user.identifier });
      auth.logout();
      expect([nuxt.useStrapiUser().value, nuxt.useStrapiToken().value]).toEqual([null, null]);
      await auth.register({ username: 'nuxt-person', email: 'nuxt@example.org', password: 'Person-Pass-1' });
      expect((await auth.fetchUser()).value).toMatchObject({ username: 'nuxt-person' });
      auth.setToken('wrong');
      expect((await auth.fetchUser()).value).toBeNull();
    });

    it('gets 404 for GraphQL, with a message outside of profile strapi', async () => {
      const nuxt = await nuxtPage(target.url);
      const query = nuxt.useStrapiGraphQL() as unknown as (text: string) => Promise<unknown>;
      // In profile `strapi` the error is Strapi's, as recorded: without details.
      const told = expect.stringContaining('Lectern has no GraphQL');
      const error = name === 'the demo' ? { message: told } : { message: 'Not Found', details: {} };
      await expect(query('{ articles { title } }')).rejects.toMatchObject({ error: { status: 404, ...error } });
    });
  });

  it('strapi-community-astro-loader: pages of a collection, by the library that it calls', async () => {
    const collection = strapi({ baseURL: `${target.url}/api`, auth: target.token }).collection('articles');
    const found: number[] = [];
    let [page, pageCount] = [1, 1];
    do {
      const { data, meta } = await collection.find({
        populate: { author: { fields: ['name'] } },
        sort: 'id',
        pagination: { page, pageSize: 3 },
      });
      found.push(...ids(data as unknown as Article[]));
      pageCount = meta.pagination && 'pageCount' in meta.pagination ? meta.pagination.pageCount : 0;
      page += 1;
    } while (page <= pageCount);
    expect(found).toEqual(ids(articles));
  });
});
