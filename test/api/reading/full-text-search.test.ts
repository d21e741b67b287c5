/** `filters[$search]` and `sort=$rank`, with indexes that triggers keep: in the state that `search build` found, and after each kind of write. */
import { describe, expect, it } from 'vitest';
import { engines, speaksMysql } from '../../support/engines.ts';
import { component, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedDocuments, seedLocales } from '../../support/seeds.ts';
import { errorOf, idOf, type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';
import { withDatabase } from '../../support/with-database.ts';

const article = 'api::article.article';
const search = {
  [article]: { title: 4, body: 1, secret: 3, blocks: 1, seo: 2, parts: 1 },
  'api::page.page': { name: 2, intro: 1 },
  'api::note.note': { name: 1 },
};

const files = {
  ...schemaFiles(
    {
      article: {
        drafts: true,
        localized: true,
        attributes: {
          title: { type: 'string', ...translated },
          body: { type: 'richtext', ...translated },
          secret: { type: 'text', ...translated },
          year: { type: 'integer', ...shared },
          blocks: { type: 'blocks', ...translated },
          seo: component('seo'),
          parts: { type: 'dynamiczone', components: ['part.quote', 'part.box'] },
        },
      },
      page: { attributes: { name: { type: 'string' }, intro: { type: 'text' } } },
      note: { attributes: { name: { type: 'string' } } },
      other: { attributes: { name: { type: 'string' } } },
    },
    {
      seo: { description: { type: 'text' }, hidden: { type: 'string', private: true } },
      quote: { text: { type: 'text' }, number: { type: 'integer' } },
      box: { heading: { type: 'string' }, quotes: component('quote', { repeatable: true }) },
    },
  ),
  'lectern.config.json': { search },
};

const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }];
const articles = {
  bread: { title: 'Sour dough bread', body: 'Flour, water and *salt*. Crème brûlée is no bread.', secret: 'walrus', year: 2001 },
  oven: { title: 'An oven', body: 'Bread bakes in an OVEN; dough that is sour rises.', secret: 'bread', year: 2002 },
  soup: {
    title: 'Soup',
    body: 'It needs salt — and to be hot: don’t freeze it. 한국어 हिन्दी',
    blocks: paragraph('Eat it\nwith "toast" \\ C:\\new'),
    year: 2003,
  },
  seo: { title: 'Nothing', seo: { description: 'pancake recipe', hidden: 'waffle' }, year: 2004 },
  zone: {
    title: 'Zoned',
    parts: [
      { __component: 'part.box', heading: 'Boxed', quotes: [{ text: 'first marmalade' }, { text: 'second' }] },
      { __component: 'part.quote', text: 'quoted jam' },
    ],
  },
  wild: { title: '100% _under_ (NEAR) "quoted"', body: 'a*b c:d a_b', year: 2005 },
};

describe.each(engines)('%s: full-text search', (engine) => {
  const api = useProject(engine, {
    files,
    locales: seedLocales('en', 'de'),
    types: [
      { type: article, documents: seedDocuments(articles) },
      {
        type: 'api::page.page',
        documents: seedDocuments({ one: { name: 'Bread <board>', intro: 'To cut & serve bread' }, two: { name: 'Salt' } }),
      },
      { type: 'api::note.note', documents: seedDocuments({ one: { name: 'bread' } }) },
    ],
    public: [`${article}.find`, 'api::page.page.find', 'api::other.other.find'],
    authenticated: [],
    rules: {
      public: {
        [`${article}.find`]: { fields: ['title', 'body', 'blocks', 'seo', 'parts', 'locale'], where: { title: { $ne: 'Secret' } } },
      },
    },
    async prepare(project) {
      const { status, stdout, stderr } = await run(['search', 'build', article, 'api::page.page', '--dir', project.dir], project.env);
      if (status !== 0) throw new Error(stdout + stderr);
    },
  });
  const found = async (text: string, query = 'sort=$rank', who = 'public') => {
    const response = await api.ask(who, 'GET', `/api/articles?filters[$search]=${encodeURIComponent(text)}&${query}`);
    if (response.status !== 200) throw new Error(response.text);
    const { data, meta } = response.json() as { data: readonly Json[]; meta: { pagination: { total: number } } };
    expect(meta.pagination.total).toBe(data.length);
    return data.map(({ title }) => title);
  };

  it.each([
    ['one word', 'flour ', ['Sour dough bread']],
    ['the beginning of the last word', 'flo', ['Sour dough bread']],
    ['not the beginning of a word before it', 'flo salt ', []],
    ['all words, in any attributes together, by rank', 'sour bread ', ['Sour dough bread', 'An oven']],
    ['letter case and diacritics do not matter', 'CREME brulee', ['Sour dough bread']],
    ['nor do those of the search', 'ÓVEN ', ['An oven']],
    ['a phrase', '"sour dough"', ['Sour dough bread']],
    ['no phrase from the end of one attribute to the beginning of the next', '"bread flour"', []],
    ['short and frequent words', 'to be it', ['Soup']],
    ['words at apostrophes and dashes', 'don t salt and ', ['Soup']],
    ['words of other scripts', '한국 ', []],
    ['a word of Hangul', '한국어 ', ['Soup']],
    ['a word with marks', 'हिन्दी ', ['Soup']],
    ['texts of blocks', 'toast new ', ['Soup']],
    ['words at line breaks in blocks', 'with ', ['Soup']],
    ['no types of blocks', 'paragraph ', []],
    ['components', 'pancake', ['Nothing']],
    ['no private attributes of components', 'waffle', []],
    ['zones', 'jam ', ['Zoned']],
    ['components in components of zones', 'marmalade boxed ', ['Zoned']],
    ['no attributes that the caller may not filter by', 'walrus', []],
    [
      'characters of patterns and of the syntax of engines are separators',
      "%_*:()+-&|!<>~@\\' NEAR under",
      ['100% _under_ (NEAR) "quoted"'],
    ],
    ['words that are operators elsewhere', 'near and or not ', []],
    ['a quote that nothing closes', '"quoted under', ['100% _under_ (NEAR) "quoted"']],
  ])('%s', async (_, text, titles) => {
    expect(await found(text)).toEqual(titles);
  });

  it('finds more, and ranks otherwise, for a caller with more rights', async () => {
    expect(await found('walrus', 'sort=$rank', 'full')).toEqual(['Sour dough bread']);
    // Of equal rank, the first one comes first; the attribute with the weight 3 decides only for those who may read it.
    expect(await found('bread ', 'sort=$rank:asc')).toEqual(['An oven', 'Sour dough bread']);
    expect(await found('dough bread ', 'sort=$rank', 'full')).toEqual(['Sour dough bread', 'An oven']);
  });

  it('is one condition among others', async () => {
    expect(await found('salt ', 'sort=$rank,title:desc')).toEqual(['Sour dough bread', 'Soup']);
    expect(await found('salt ', 'sort=title:desc')).toEqual(['Sour dough bread', 'Soup']);
    expect(await found('salt ', 'sort=$rank:asc&filters[title][$ne]=Sour%20dough%20bread')).toEqual(['Soup']);
    expect(await found('salt ', 'locale=de')).toEqual([]);
    expect(await found('salt ', 'status=draft', 'full')).toEqual(['Sour dough bread', 'Soup']);
    const page = await api.ask('public', 'GET', '/api/articles?filters[$search]=salt&sort=$rank&pagination[page]=2&pagination[pageSize]=1');
    expect(page.json()).toMatchObject({ data: [{ title: 'Soup' }], meta: { pagination: { total: 2, pageCount: 2 } } });
    const one = await api.ask('full', 'GET', `/api/articles/${idOf('article', 'soup')}?filters[$search]=flour`);
    expect(one.status).toBe(404);
  });

  it.each([
    ['an empty search', 'filters[$search]=', 'search.words'],
    ['a search without words', 'filters[$search]=!?', 'search.words'],
    ['an operator', 'filters[$search][$eq]=a', 'filter.value'],
    ['too many words', `filters[$search]=${'a+'.repeat(17)}`, 'limit.budget'],
    ['too many bytes', `filters[$search]=${'a'.repeat(2001)}`, 'limit.pattern'],
    ['a rank without a search', 'sort=$rank', 'sort.rank'],
    ['a wrong order', 'filters[$search]=a&sort=$rank:up', 'sort.order'],
    ['a search in a group', 'filters[$or][0][$search]=a', 'query.invalid-key'],
    ['a search in an attribute', 'filters[title][$search]=a', 'query.invalid-key'],
  ])('%s is a 400', async (_, query, code) => {
    const response = await api.ask('public', 'GET', `/api/articles?${query}`);
    expect([response.status, errorOf(response).code]).toEqual([400, code]);
  });

  it('is an unknown key for a type without it, and a 503 for a type without its index', async () => {
    const without = await api.ask('full', 'GET', '/api/others?filters[$search]=a');
    expect([without.status, errorOf(without).code]).toEqual([400, 'query.invalid-key']);
    const unbuilt = await api.ask('full', 'GET', '/api/notes?filters[$search]=a');
    expect(errorOf(unbuilt)).toMatchObject({
      status: 503,
      code: 'search.no-index',
      message: expect.stringContaining('lectern search build'),
    });
  });

  it('has each write at once: of the row, of its components, of their components, of versions and locales', async () => {
    const path = await api.make('/api/articles?status=published', {
      title: 'Kettle',
      body: 'tea',
      parts: [{ __component: 'part.box', heading: 'top', quotes: [{ text: 'herbal' }] }],
    });
    expect(await found('kettle herbal top ')).toEqual(['Kettle']);
    const { parts } = (await api.read(`${path}?status=draft&populate[parts][populate]=*`)) as {
      parts: readonly { id: number; quotes: readonly { id: number }[] }[];
    };
    const [box] = parts;
    await api.write('PATCH', `${path}?status=draft`, {
      parts: [{ __component: 'part.box', id: box?.id, quotes: [{ id: box?.quotes[0]?.id, text: 'minty' }] }],
    });
    expect(await found('minty ', 'status=draft', 'full')).toEqual(['Kettle']);
    expect(await found('minty ')).toEqual([]);
    await api.write('POST', `${path}/actions/publish`);
    expect(await found('minty ')).toEqual(['Kettle']);
    expect(await found('herbal ')).toEqual([]);
    await api.write('PUT', `${path}?locale=de&status=published`, {
      title: 'Kessel',
      body: 'Tee',
      secret: null,
      year: null,
      blocks: null,
      seo: null,
      parts: [],
    });
    expect(await found('kessel ', 'locale=de')).toEqual(['Kessel']);
    await api.write('PATCH', `${path}?status=published`, { parts: [], body: null });
    expect([await found('minty '), await found('tea '), await found('kettle ')]).toEqual([[], [], ['Kettle']]);
    await api.write('POST', `${path}/actions/unpublish`);
    expect([await found('kettle '), await found('kettle ', 'status=draft', 'full')]).toEqual([[], ['Kettle']]);
    await api.write('DELETE', path);
    expect(await found('kettle ', 'status=draft', 'full')).toEqual([]);
  });

  it('has what other programs write', async () => {
    await api.change(`UPDATE articles SET body = 'porridge' WHERE title = 'Soup'`);
    await expect.poll(() => found('porridge')).toEqual(['Soup']);
    await api.change(`UPDATE components_part_quotes SET text = 'honey' WHERE text = 'first marmalade'`);
    await expect.poll(() => found('honey boxed')).toEqual(['Zoned']);
    await api.change(`DELETE FROM articles_cmps WHERE field = 'seo'`);
    await expect.poll(() => found('pancake')).toEqual([]);
    await api.change(`UPDATE articles SET body = 'It needs salt' WHERE title = 'Soup'`);
    await expect.poll(() => found('porridge')).toEqual([]);
  });

  const all = async (query: string, who = 'public') => {
    const response = await api.ask(who, 'GET', `/api/_search?${query}`);
    if (response.status !== 200) return [response.status, errorOf(response).code];
    const { data, meta } = response.json() as { data: readonly Json[]; meta: Json };
    return { data, meta };
  };

  it('searches several types, with ranks, highlights and counts', async () => {
    expect(await all('q=bread')).toEqual({
      data: [
        {
          type: article,
          documentId: idOf('article', 'bread'),
          locale: 'en',
          title: 'Sour dough bread',
          rank: 4,
          highlights: {
            title: ['Sour dough <mark>bread</mark>'],
            body: ['Flour, water and *salt*. Crème brûlée is no <mark>bread</mark>.'],
          },
        },
        {
          type: 'api::page.page',
          documentId: idOf('page', 'one'),
          locale: null,
          title: 'Bread <board>',
          rank: 2,
          highlights: { name: ['<mark>Bread</mark> &lt;board&gt;'], intro: ['To cut &amp; serve <mark>bread</mark>'] },
        },
        expect.objectContaining({ type: article, title: 'An oven', rank: 1 }),
      ],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 3 }, types: { [article]: 2, 'api::page.page': 1 } },
    });
    expect(await all('q=second+quoted')).toMatchObject({
      data: [{ title: 'Zoned', highlights: { parts: ['<mark>quoted</mark> jam', '<mark>second</mark>'] } }],
    });
    expect(await all('q=toast')).toMatchObject({
      data: [{ title: 'Soup', highlights: { blocks: [expect.stringContaining('<mark>toast</mark>')] } }],
    });
  });

  it('takes types, locales, statuses and pages', async () => {
    const titles = async (query: string, who = 'public') => {
      const found = await all(query, who);
      return 'data' in found ? found.data.map(({ title }) => title) : found;
    };
    expect(await titles('q=salt&types=pages')).toEqual(['Salt']);
    expect(await titles('q=salt&types=page,api::article.article')).toEqual(['Salt', 'Sour dough bread', 'Soup']);
    expect(await titles('q=salt&pagination[pageSize]=2&pagination[page]=2')).toEqual(['Soup']);
    expect(await titles('q=salt&locale=de')).toEqual(['Salt']);
    expect(await titles('q=salt&types=articles&status=draft', 'full')).toEqual(['Sour dough bread', 'Soup']);
  });

  it.each([
    ['', 'public', 400, 'search.words'],
    ['q=!', 'public', 400, 'search.words'],
    ['q=a&size=1', 'public', 400, 'query.invalid-key'],
    ['q=a&types=others', 'public', 400, 'search.type'],
    ['q=a&types=notes', 'public', 400, 'search.type'],
    ['q=a&locale=fr', 'public', 400, 'locale.undefined'],
    ['q=a&status=draft', 'public', 403, 'access.drafts'],
    ['q=a&pagination[page]=0', 'public', 400, 'pagination.page'],
    ['q=a&pagination[page]=41', 'public', 400, 'search.page'],
    ['q=a', 'full', 503, 'search.no-index'],
  ])('_search?%s of %s is a %i', async (query, who, status, code) => {
    expect(await all(query, who)).toEqual([status, code]);
  });

  it('is built, described and removed while the server runs', async () => {
    const lectern = async (...args: readonly string[]) => {
      const { status, stdout, stderr } = await run([...args, '--dir', api.project.dir], api.project.env);
      return [status, (stdout + stderr).trim().split('\n')];
    };
    const shown = `title 4, secret 3, seo 2, body 1, blocks 1, parts 1`;
    expect(await lectern('search', 'status')).toEqual([
      3,
      [`${article}: built (${shown})`, 'api::page.page: built (name 2, intro 1)', 'api::note.note: not built (name 1)'],
    ]);
    const notes = async () => (await api.ask('full', 'GET', '/api/notes?filters[$search]=bread')).status;
    expect(await lectern('search', 'build', 'api::note.note')).toEqual([0, ['Built the index of api::note.note: 1 row.']]);
    await expect.poll(notes).toBe(200);
    expect(await lectern('search', 'build')).toEqual([
      0,
      [expect.stringMatching(/article: \d+ rows\.$/), expect.stringContaining('page: 2 rows'), expect.stringContaining('note: 1 row')],
    ]);
    expect((await lectern('search', 'status'))[0]).toBe(0);
    expect(await lectern('check', '--database')).toEqual([0, expect.anything()]);
    // A trigger that is gone, as after Strapi has made the table anew.
    const [[trigger, table] = []] = await api.query(
      speaksMysql(engine)
        ? "SELECT TRIGGER_NAME, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() AND EVENT_OBJECT_TABLE = 'notes'"
        : engine === 'sqlite'
          ? "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'notes'"
          : "SELECT tgname::text, 'notes' FROM pg_trigger WHERE tgrelid = 'notes'::regclass AND NOT tgisinternal",
    );
    await api.change(`DROP TRIGGER "${String(trigger)}"${engine === 'postgres' ? ` ON "${String(table)}"` : ''}`);
    expect(await lectern('search', 'status')).toEqual([
      3,
      [`${article}: built (${shown})`, 'api::page.page: built (name 2, intro 1)', 'api::note.note: outdated (name 1)'],
    ]);
    await expect.poll(notes).toBe(503);
    expect(await lectern('search', 'drop', 'api::note.note')).toEqual([0, ['Removed api::note.note.']]);
    expect(await lectern('search', 'drop', 'api::other.other')).toEqual([1, [expect.stringContaining('does not name')]]);
    expect(await lectern('search', 'drop')).toEqual([0, [`Removed ${article}, api::page.page, api::note.note.`]]);
    await expect.poll(async () => (await api.ask('full', 'GET', '/api/articles?filters[$search]=a')).status).toBe(503);
    await api.make('/api/articles', { title: 'Written after all', parts: [{ __component: 'part.quote', text: 'a' }] });
    const remains = (
      await withDatabase(api.project, async (database) => [...(await database.tables()), ...(await database.indexes())])
    ).map(({ name }) => name);
    expect(remains.filter((name) => name.startsWith('lectern_search_'))).toEqual([]);
  });
});
