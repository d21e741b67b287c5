/** What a write through this server removes from the response cache: each response that it changes, and no other one. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { fromCache, isHit } from '../../support/cached-response.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { type EngineName, engines } from '../../support/engines.ts';
import { isLong } from '../../support/long.ts';
import { multipart } from '../../support/multipart.ts';
import { hasPostgresPrograms } from '../../support/own-postgres.ts';
import { randomFrom } from '../../support/random.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedDocuments, seedLocales } from '../../support/seeds.ts';
import { sendFiles } from '../../support/send-files.ts';
import { changeIn, idOf, type Json, type Served, useProject } from '../../support/served-project.ts';
import { startServer } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';
import { useOwnPostgres } from '../../support/use-own-postgres.ts';
import { words } from '../../support/words.ts';

const media = (more: object = {}) => ({ type: 'media', multiple: false, ...more });
const files = schemaFiles(
  {
    article: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...translated },
        slug: { type: 'uid', targetField: 'title', ...translated },
        rank: { type: 'integer' },
        tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
        category: relation('manyToOne', 'category', { inversedBy: 'articles' }),
        twin: relation('oneToOne', 'article', { inversedBy: 'twinOf' }),
        twinOf: relation('oneToOne', 'article', { mappedBy: 'twin' }),
        also: relation('oneToMany', 'tag'),
        cover: media(),
        seo: component('seo', translated),
        parts: component('seo', { repeatable: true, ...translated }),
        zone: { type: 'dynamiczone', components: ['part.quote', 'part.seo'], ...translated },
        remarks: relation('morphMany', 'remark', { morphBy: 'about' }),
      },
    },
    tag: {
      attributes: {
        name: { type: 'string' },
        code: { type: 'string', unique: true },
        articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
        remarks: relation('morphMany', 'remark', { morphBy: 'about' }),
      },
    },
    category: {
      drafts: true,
      attributes: { name: { type: 'string' }, articles: relation('oneToMany', 'article', { mappedBy: 'category' }) },
    },
    remark: { attributes: { text: { type: 'string' }, about: { type: 'relation', relation: 'morphToOne' } } },
    shelf: { attributes: { name: { type: 'string' }, first: relation('oneToOne', 'category'), all: relation('manyToMany', 'category') } },
    motto: { single: true, attributes: { text: { type: 'string' }, tag: relation('oneToOne', 'tag') } },
  },
  {
    seo: { text: { type: 'string' }, link: component('link') },
    link: { url: { type: 'string' }, tag: relation('oneToOne', 'tag') },
    quote: { text: { type: 'string' }, picture: media() },
  },
);

const types = ['article', 'tag', 'category', 'remark', 'shelf'] as const;
type Type = (typeof types)[number];
const plural = (type: Type) => (type === 'category' ? 'categorys' : `${type}s`);
const at = (type: Type, key: string, query = '') => `/api/${plural(type)}/${idOf(type, key)}${query}`;
const id = idOf;
const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
const lettered = (of: (key: string) => Json) => seedDocuments(Object.fromEntries(letters.map((key) => [key, of(key)])));
const data = (key: string) => ({ title: key, slug: `slug-${key}`, rank: letters.indexOf(key) });

/** A project with its server, and a second server without a cache. */
function useBoth(engine: EngineName) {
  // On a server of many test files, the transactions of others empty the cache.
  const database = engine === 'postgres' && hasPostgresPrograms ? useOwnPostgres() : undefined;
  const served = useProject(engine, {
    files,
    locales: seedLocales('en', 'de'),
    types: [
      { type: 'api::tag.tag', documents: lettered((key) => ({ name: key, code: `code-${key}` })) },
      {
        type: 'api::category.category',
        documents: letters.map((key) => ({ key, status: key === 'f' ? 'draft' : 'published', data: { name: key } })),
      },
      {
        type: 'api::article.article',
        documents: letters.map((key) => ({
          key,
          status: key === 'f' ? ('draft' as const) : ('published' as const),
          data: {
            ...data(key),
            tags: ['a'],
            category: 'a',
            seo: { text: `seo ${key}`, link: { url: key, tag: 'b' } },
            parts: [{ text: 'first' }, { text: 'second' }],
            zone: [{ __component: 'part.quote', text: 'quoted' }],
            ...(key === 'a' ? { twin: 'b' } : {}),
          },
          ...(key === 'd'
            ? { translations: [{ locale: 'de', status: 'published' as const, data: { title: 'de d', slug: 'slug-de-d' } }] }
            : {}),
        })),
      },
      {
        type: 'api::remark.remark',
        documents: lettered((key) => ({ text: key, ...(key === 'a' ? { about: { type: 'api::tag.tag', key: 'a' } } : {}) })),
      },
      { type: 'api::shelf.shelf', documents: lettered((key) => ({ name: key, first: 'f', all: ['a', 'f'] })) },
      { type: 'api::motto.motto', documents: seedDocuments({ only: { text: 'none' } }) },
    ],
    users: [ada],
    env: { LECTERN_CACHE_CONSISTENCY: '', JWT_SECRET: jwtSecret },
    // Recording the use of a token is a commit of another server.
    prepare: (project) => changeIn(project, `UPDATE strapi_api_tokens SET last_used_at = ${engineSql[engine].moment(Date.now())}`),
    ...(database === undefined ? {} : { database }),
  });
  const uploaded: Json[] = [];
  beforeAll(async () => {
    for (const name of ['one.txt', 'two.txt', 'three.txt']) {
      uploaded.push(...(await sendFiles(served, [{ name, type: 'text/plain', bytes: name }])).files);
    }
    // The first write starts the writing thread of SQLite, whose commits count as those of others until it is ready.
    await served.write('PATCH', at('remark', 'f'), { text: 'f' });
  });
  const plain = useMade(() => startServer(served.project.dir, { ...served.environment, LECTERN_CACHE_BYTES: '0' }));
  const get = (path: string) => served.ask('full', 'GET', path);
  const seen = async (path: string) => {
    const { status, text } = await get(path);
    return { path, status, text };
  };
  const fresh = async (path: string) => {
    const response = await plain().get(path, served.authorization('full'));
    expect(isHit(response)).toBe(false);
    return { path, status: response.status, text: response.text };
  };
  return {
    served,
    get,
    seen,
    fresh,
    fileId: (index: number) => Number(uploaded[index]?.id),
    isUndisturbed: engine === 'sqlite' || database !== undefined,
  };
}

interface Writing extends Pick<Served, 'write' | 'send' | 'ask'> {
  readonly fileId: (index: number) => number;
}

interface Case {
  readonly it: string;
  readonly write: (by: Writing) => Promise<unknown>;
  readonly removed: readonly string[];
  readonly stays: readonly string[];
}

const patch = (path: string, values: Json) => (by: Writing) => by.write('PATCH', path, values);
const remove = (path: string) => (by: Writing) => by.write('DELETE', path);
const act = (path: string, action: string) => (by: Writing) => by.write('POST', `${path}/actions/${action}`);
const draft = 'status=draft';
/** The paths of `tag/b?populate=articles`, where `{tag/b}` in a query is a documentId, or of anything below `/api`. `others`: nothing writes to them. */
const paths = (list: readonly string[]): readonly string[] =>
  list.flatMap((text) => {
    if (text === 'others') return paths(words`tag/e category/e shelf/e article/e?fields=title`);
    const query = (given: string) => given.replaceAll(/\{(\w+)\/(\w)\}/g, (_, type: string, key: string) => id(type, key));
    const [, type = '', key = '', rest = ''] = /^(tag|category|remark|shelf|article)\/(\w)(.*)$/.exec(text) ?? [];
    return type === '' ? `/api/${query(text)}` : at(type as Type, key, query(rest));
  });

const cases: readonly Case[] = [
  {
    it: 'a value of a document',
    write: patch(at('tag', 'b'), { name: 'b 2' }),
    removed: words`
      tag/b tags tags?filters[code][$eq]=code-b tags?_q=b%202
      articles?filters[tags][name][$ne]=b&sort=seo.link.tag.name&populate[seo][populate][link][populate]=tag
    `,
    stays: words`others tags?filters[code][$eq]=code-c tags?filters[code]=code-c&filters[name]=c categorys articles`,
  },
  {
    it: 'a value by which a list is chosen or sorted, and the lists that show it',
    write: patch(at('article', 'b'), { rank: 40 }),
    removed: words`article/b articles?sort=rank:desc&pagination[pageSize]=1 articles?filters[rank][$gt]=30`,
    stays: words`
      others articles?sort=title:desc&pagination[pageSize]=1 articles?filters[title][$contains]=c articles?filters[tags][name]=e
    `,
  },
  {
    it: 'a value that a list is named by',
    write: patch(at('tag', 'b'), { code: 'code-b2' }),
    removed: words`tags?filters[code][$eq]=code-b tags?filters[code]=code-b2 tags?filters[code][$in][0]=code-b2`,
    stays: words`others tags?filters[code][$eq]=code-c tags?filters[documentId]={tag/c}`,
  },
  {
    it: 'a new document',
    write: (by) => by.write('POST', '/api/tags', { name: 'new', code: 'code-new' }),
    removed: words`tags?pagination[pageSize]=50 tags?filters[code]=code-new tags?pagination[pageSize]=1`,
    stays: words`others tags?filters[code]=code-c articles?populate=* articles?filters[rank]=1`,
  },
  {
    it: 'a link, on both sides, and lists and numbers that go through it',
    write: patch(at('article', 'b'), { tags: { connect: [id('tag', 'c')] } }),
    removed: words`
      article/b?populate=tags tag/c?populate=articles articles?filters[tags][name]=c
      articles?filters[slug]=slug-b&populate[tags][count]=true tag/c?populate[articles][count]=true tags?filters[articles][title]=b
    `,
    stays: words`others article/c?populate=tags tag/a?fields=name tags?fields=name&filters[code]=code-e articles?filters[slug]=slug-c`,
  },
  {
    it: 'a list of links',
    write: patch(at('article', 'c'), { also: [id('tag', 'd'), id('tag', 'a')] }),
    removed: words`article/c?populate=also`,
    stays: words`others article/d?populate=also&fields=rank`,
  },
  {
    it: 'a target that is taken from another document',
    write: patch(at('article', 'c'), { twin: id('article', 'b') }),
    removed: words`
      article/a?populate=twin article/b?populate=twinOf article/c?populate=twin articles?filters[slug]=slug-a&filters[twin][title]=b
    `,
    stays: words`others article/d?fields=rank`,
  },
  {
    it: 'a component, one within it, and their links',
    write: patch(at('article', 'b'), { seo: { text: 'other', link: { url: 'other', tag: id('tag', 'd') } } }),
    removed: words`
      article/b?populate=seo article/b?populate[seo][populate]=link articles?filters[seo][text]=other
      articles?filters[slug]=slug-b&filters[seo][link][url]=other
      articles?sort=seo.link.tag.name&populate[seo][populate][link][populate]=tag
    `,
    stays: words`others article/c?populate=seo`,
  },
  {
    it: 'components in another order, and a zone',
    write: patch(at('article', 'b'), {
      parts: [{ text: 'third' }],
      zone: [
        { __component: 'part.seo', text: 'of the zone' },
        { __component: 'part.quote', text: 'quoted' },
      ],
    }),
    removed: words`article/b?populate=parts article/b?populate=zone article/b?populate[parts][count]=true`,
    stays: words`others article/c?populate=parts article/c?populate=zone`,
  },
  {
    it: 'a draft',
    write: patch(at('article', 'b', `?${draft}`), { title: 'drafted' }),
    removed: words`article/b?status=draft articles?status=draft articles?publicationFilter=modified`,
    stays: words`others article/c?status=draft articles?filters[slug]=slug-c`,
  },
  {
    it: 'a published draft',
    write: act(at('article', 'b'), 'publish'),
    removed: words`article/b tag/a?populate=articles articles articles?filters[slug]=slug-b articles?publicationFilter=modified`,
    stays: words`others article/c article/c?populate=tags`,
  },
  {
    it: 'a first publication, which links of others follow',
    write: act(at('category', 'f'), 'publish'),
    removed: words`
      category/f shelf/b?populate=first shelf/b?populate=all shelfs?filters[all][name]=f categorys shelf/b?populate[all][count]=true
    `,
    stays: words`others category/b`,
  },
  {
    it: 'a document that is no longer published',
    write: act(at('category', 'f'), 'unpublish'),
    removed: words`category/f shelf/b?populate=all shelfs?filters[all][name]=f categorys`,
    stays: words`tag/e shelf/e article/e?fields=title shelf/b`,
  },
  {
    it: 'the links of a draft',
    write: patch(at('article', 'c', `?${draft}`), { title: 'gone', tags: [] }),
    removed: words`article/c?status=draft&populate=tags articles?status=draft&filters[tags][name]=a`,
    stays: words`others article/d?fields=title article/d?populate=tags`,
  },
  {
    it: 'a draft that is discarded',
    write: act(at('article', 'c'), 'discard-draft'),
    removed: words`article/c?status=draft articles?status=draft&filters[slug]=slug-c`,
    stays: words`others article/d?status=draft&fields=rank`,
  },
  {
    it: 'a new locale',
    write: patch(at('article', 'c', '?locale=de'), { title: 'de c', slug: 'slug-b' }),
    removed: words`
      article/c?locale=de article/c?populate=localizations articles?locale=de articles?locale=*
      articles?locale=*&filters[documentId]={article/c} articles?filters[slug]=slug-b&locale=de
      tag/a?populate[articles][populate]=localizations
    `,
    stays: words`others article/d?populate=localizations&fields=rank`,
  },
  {
    it: 'a new locale of a draft, whose other locales stay as they are',
    write: patch(at('article', 'f', `?locale=de&${draft}`), { title: 'de f', slug: 'slug-de-f' }),
    removed: words`article/f?status=draft&populate=localizations articles?locale=*&status=draft&filters[documentId]={article/f}`,
    stays: words`others article/d?populate=localizations&fields=rank`,
  },
  {
    it: 'a first publication, in a list that names the document and was empty',
    write: act(at('article', 'f'), 'publish'),
    removed: words`article/f articles?filters[documentId]={article/f} articles?filters[slug]=slug-f`,
    stays: words`others articles?filters[documentId]={article/d}&fields=rank`,
  },
  {
    it: 'a locale of a document that is deleted',
    write: remove(at('article', 'c', '?locale=de')),
    removed: words`
      article/c?locale=de article/c?populate=localizations articles?locale=de
      articles?locale=*&filters[slug]=slug-b&pagination[pageSize]=1
    `,
    stays: words`tag/e category/e shelf/e`,
  },
  {
    it: 'an attribute that all locales share',
    write: patch(at('article', 'd'), { rank: 77 }),
    removed: words`article/d article/d?locale=de articles?filters[rank]=77 articles?locale=de`,
    stays: words`others article/b`,
  },
  {
    it: 'a reference to any type, from the side that stores it',
    write: patch(at('remark', 'b'), { about: { __type: 'api::tag.tag', documentId: id('tag', 'b') } }),
    removed: words`tag/b?populate=remarks remark/b?populate=about tags?filters[remarks][text]=b`,
    stays: words`others tag/d?populate=remarks remark/d`,
  },
  {
    it: 'a reference to any type, from its other side',
    write: patch(at('tag', 'c'), { remarks: [id('remark', 'a')] }),
    removed: words`tag/a?populate=remarks tag/c?populate=remarks remark/a?populate=about`,
    stays: words`others`,
  },
  {
    it: 'a deleted document, in all that shows it',
    write: remove(at('tag', 'd')),
    removed: words`tag/d tags article/b?populate[seo][populate][link][populate]=tag tags?filters[code]=code-d article/c?populate=also`,
    stays: words`category/e shelf/e article/e?fields=title categorys`,
  },
  {
    it: 'a single type, first its value and then its link',
    write: patch('/api/motto', { text: 'changed', tag: id('tag', 'c') }),
    removed: words`motto motto?populate=tag`,
    stays: words`others tags?filters[code]=code-e categorys`,
  },
  {
    it: 'a file of a document',
    write: (by) =>
      by.write('PATCH', at('article', 'b'), {
        cover: by.fileId(0),
        zone: [{ __component: 'part.quote', text: 'x', picture: by.fileId(1) }],
      }),
    removed: words`article/b?populate=cover article/b?populate[zone][populate]=* articles?filters[cover][name]=one.txt`,
    stays: words`others article/d?fields=title`,
  },
  {
    it: 'what is said of a file',
    write: async (by) => {
      const form = await multipart([{ name: 'fileInfo', value: JSON.stringify({ name: 'renamed.txt', caption: 'said' }) }]);
      const { status } = await by.send('full', { method: 'POST', path: `/api/upload?id=${by.fileId(0)}`, ...form });
      expect(status).toBe(200);
    },
    removed: words`article/b?populate=cover upload/files articles?filters[cover][name]=renamed.txt`,
    stays: [],
  },
  {
    it: 'a file that is linked by its upload',
    write: async (by) => {
      const { id: refId } = await by.write('GET', at('article', 'c'));
      const of = { ref: 'api::article.article', refId: String(refId), field: 'cover' };
      const form = await multipart([
        { name: 'files', file: 'linked', filename: 'linked.txt', type: 'text/plain' },
        ...Object.entries(of).map(([name, value]) => ({ name, value })),
      ]);
      expect((await by.send('full', { method: 'POST', path: '/api/upload', ...form })).status).toBe(201);
    },
    removed: words`article/c?populate=cover upload/files`,
    stays: [],
  },
  {
    it: 'a file that is deleted',
    write: async (by) => {
      expect((await by.send('full', { method: 'DELETE', path: `/api/upload/files/${by.fileId(0)}` })).status).toBe(200);
    },
    removed: words`article/b?populate=cover upload/files articles?filters[cover][name]=renamed.txt`,
    stays: [],
  },
  {
    it: 'a user',
    write: async (by) => {
      const [user] = (await by.ask('full', 'GET', '/api/users')).json() as readonly Json[];
      const changed = await by.send('full', { method: 'PUT', path: `/api/users/${String(user?.id)}`, body: { username: 'renamed' } });
      expect(changed.status).toBe(200);
    },
    removed: words`users users?filters[username]=renamed`,
    stays: words`others articles`,
  },
  {
    it: 'nothing, by a sign-in',
    write: async (by) => {
      const body = { identifier: ada.email, password: ada.password };
      expect((await by.send('public', { method: 'POST', path: '/api/auth/local', body })).status).toBe(200);
    },
    removed: [],
    stays: words`others tags articles`,
  },
  {
    it: 'nothing, where it finds nothing to do',
    write: async (by) => {
      expect((await by.ask('full', 'DELETE', at('tag', 'b').replace(id('tag', 'b'), 'nothing'))).status).toBe(204);
      const path = '/api/auth/email-confirmation?confirmation=nothing';
      expect((await by.send('public', { method: 'GET', path })).status).toBe(400);
    },
    removed: [],
    stays: words`tags tag/b`,
  },
  {
    it: 'nothing, where it is refused',
    write: async (by) => {
      expect((await by.ask('full', 'PATCH', at('tag', 'b'), { code: 'code-c' })).status).toBe(400);
      expect((await by.ask('full', 'PATCH', at('tag', 'b'), { articles: ['nothing'] })).status).toBe(400);
    },
    removed: [],
    stays: words`tags tag/b`,
  },
];

const milliseconds = Number(process.env.LECTERN_TEST_STALE_MILLISECONDS ?? (isLong ? 60_000 : 500));
const seed = Number(process.env.LECTERN_TEST_STALE_SEED ?? 20_260_101);
const everyPath = [...new Set(paths(cases.flatMap(({ removed, stays }) => [...removed, ...stays])))];

/** One of the writes, with values that `random` chooses. `ids`: the documents of each type, which the writes add to and take from. */
function randomWrite(random: () => number, ids: Map<Type, string[]>, fileIds: readonly number[]) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const document = (type: Type) => pick(ids.get(type) ?? []);
  const some = (type: Type) => [...new Set(letters.slice(0, Math.floor(random() * 4)).map(() => document(type)))];
  const text = () => pick(['one', 'two', 'three', ...letters]);
  const linked = (type: Type) => pick([some(type), { connect: some(type) }, { disconnect: some(type) }]);
  const seo = () => ({ text: text(), link: pick([null, { url: text(), tag: document('tag') }]) });
  const about = () => {
    const type = pick(['tag', 'article'] as const);
    return pick([null, { __type: `api::${type}.${type}`, documentId: document(type) }]);
  };
  const values: Record<Type, () => Json> = {
    article: () =>
      pick([
        { title: text(), rank: Math.floor(random() * 5) },
        { slug: `slug-${text()}` },
        { tags: linked('tag') },
        { category: pick([null, document('category')]) },
        { twin: pick([null, document('article')]) },
        { also: some('tag') },
        { seo: pick([null, seo()]), parts: [seo(), seo()].slice(Math.floor(random() * 3)) },
        {
          zone: pick([[], [{ __component: 'part.seo', ...seo() }], [{ __component: 'part.quote', text: text(), picture: pick(fileIds) }]]),
        },
        { cover: pick([null, ...fileIds]) },
        { remarks: some('remark') },
      ]),
    tag: () => pick<Json>([{ name: text() }, { code: `code-${text()}` }, { articles: linked('article') }, { remarks: some('remark') }]),
    category: () => pick<Json>([{ name: text() }, { articles: linked('article') }]),
    remark: () => pick<Json>([{ text: text() }, { about: about() }]),
    shelf: () => pick<Json>([{ name: text() }, { first: pick([null, document('category')]) }, { all: linked('category') }]),
  };
  const type = pick([...types, 'article', 'article', 'tag', 'category'] as const);
  const path = `/api/${plural(type)}/${document(type)}`;
  const query = type === 'article' ? pick(['', '', '?status=draft', '?locale=de', '?locale=de&status=draft']) : pick(['', '?status=draft']);
  const made = (ids.get(type) ?? []).slice(letters.length);
  const kind = random();
  if (kind < 0.15 && (type === 'article' || type === 'category')) {
    const action = pick(['publish', 'unpublish', 'discard-draft']);
    return { type, method: 'POST', path: `${path}/actions/${action}${type === 'article' ? pick(['', '?locale=de', '?locale=*']) : ''}` };
  }
  if (kind < 0.25) return { type, method: 'POST', path: `/api/${plural(type)}`, data: values[type]() };
  if (kind < 0.3 && type === 'article') return { type, method: 'DELETE', path: `${path}?locale=de` };
  if (kind < 0.35 && made.length > 0) {
    const gone = pick(made);
    ids.set(
      type,
      (ids.get(type) ?? []).filter((each) => each !== gone),
    );
    return { type, method: 'DELETE', path: `/api/${plural(type)}/${gone}` };
  }
  if (kind < 0.4) return { type, method: 'PATCH', path: '/api/motto', data: { text: text(), tag: pick([null, document('tag')]) } };
  return { type, method: 'PATCH', path: `${path}${query}`, data: values[type]() };
}

describe.each(engines)('%s: after a write', (engine) => {
  const { served, get, seen, fresh, fileId, isUndisturbed } = useBoth(engine);

  it.each(cases)('what it changes is read anew, and nothing else: $it', async ({ write, ...lists }) => {
    const [removed, stays] = [paths(lists.removed), paths(lists.stays)];
    const old = new Map<string, string>();
    for (const path of [...removed, ...stays]) {
      const response = await get(path);
      old.set(path, response.text);
      // Errors are not cached.
      if (isUndisturbed && response.status === 200 && !isHit(response)) await fromCache(() => get(path));
    }
    await write({ ...served, fileId });
    for (const path of stays) expect([path, isUndisturbed && isHit(await get(path))]).toEqual([path, isUndisturbed]);
    for (const path of removed) {
      const now = await seen(path);
      expect(now).toEqual(await fresh(path));
      expect([path, now.text === old.get(path)]).toEqual([path, false]);
    }
  });

  it(`and after random ones, each response is what a server without a cache reads (seed ${seed})`, {
    timeout: milliseconds + 120_000,
  }, async () => {
    const random = randomFrom(seed);
    const ids = new Map<Type, string[]>(types.map((type) => [type, letters.map((key) => id(type, key))]));
    const fileIds = [0, 1, 2].map(fileId);
    const done: unknown[] = [];
    let [written, hits] = [0, 0];
    const compare = async (path: string) => {
      const response = await get(path);
      if (isHit(response)) hits++;
      const { status, text } = response;
      const expected = await fresh(path);
      expect({ path, status, text, after: done.slice(-3) }).toEqual({ ...expected, after: done.slice(-3) });
    };
    // The first time only to have them in the cache: what is read of them is compared from the first write on.
    for (const response of await Promise.all(everyPath.map(get))) if (isHit(response)) hits++;
    // On a busy machine it takes longer until there is something to be compared.
    const isEnough = () => written >= 10 && hits > 100;
    for (const end = Date.now() + milliseconds; Date.now() < end || (!isEnough() && Date.now() < end + 60_000); ) {
      const { type, method, path, data } = randomWrite(random, ids, fileIds);
      done.push([method, path, data]);
      const { status, text } = await served.ask('full', method, path, data);
      expect([method, path, data, status < 500 ? 'understood' : text]).toEqual([method, path, data, 'understood']);
      if (status < 300) written++;
      if (status === 201) ids.get(type)?.push(String((JSON.parse(text) as { readonly data: Json }).data.documentId));
      const from = Math.floor(random() * everyPath.length);
      await Promise.all([...everyPath, ...everyPath].slice(from, from + 30).map(compare));
    }
    await Promise.all(everyPath.map(compare));
    // Otherwise the test would prove little.
    expect(isEnough()).toBe(true);
  });
});
