/** Two databases that differ in nothing but what a caller may not see. Every question that the model allows is put to both, and the answers have
 *  to be the same: status, body, headers with their tags. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SeedDocument } from '../../../src/demo-content/content.ts';
import { loadModel } from '../../../src/model/load/load-model.ts';
import { anyEngine, type EngineName, engines } from '../../support/engines.ts';
import { type Hidden, hiddenColumns, hiddenContent, hiddenFiles } from '../../support/hidden-content.ts';
import { type HttpResponse, type SentRequest, said } from '../../support/http.ts';
import { isLong } from '../../support/long.ts';
import { type Questions, questionsAbout } from '../../support/questions.ts';
import { component, relation, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedDocuments, seedLocales, seedNumbered } from '../../support/seeds.ts';
import { idOf, type Served, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const atOnce = 12;
const visibleIn = (response: HttpResponse) => JSON.stringify(said(response));

/** What is asked: the path of a GET, or another request that changes nothing. */
type Question = string | SentRequest;

/** The questions whose responses differ between the two. */
async function differences(who: string, paths: readonly Question[], [first, second]: readonly [Served, Served]) {
  const different: unknown[] = [];
  let succeeded = 0;
  const queue = [...paths];
  const work = async () => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const request = typeof path === 'string' ? { path } : path;
      const [one, other] = await Promise.all([first.send(who, request), second.send(who, request)]);
      if (one.status === 200) succeeded++;
      if (visibleIn(one) !== visibleIn(other)) different.push({ path, responses: [visibleIn(one), visibleIn(other)] });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { different, succeeded };
}

function useVersion(engine: EngineName, profile: string, hidden: Hidden): Served {
  const served = useProject(engine, {
    files: hiddenFiles,
    ...hiddenContent(hidden),
    env: { LECTERN_PROFILE: profile, LECTERN_HISTORY_VERSIONS: '9' },
  });
  beforeAll(async () => {
    // A former version of what may be seen, with values that may not.
    const sun = `/api/topics/${idOf('topic', 'sun')}`;
    await served.write('PATCH', sun, {
      name: 'Sun',
      hush: hidden.values,
      patron: idOf('person', hidden.entries === 'alpha' ? 'ada' : 'ben'),
    });
    await served.write('PATCH', sun, { name: 'The sun', hush: `${hidden.values} other`, patron: null });
    const at = '(SELECT MIN(created_at) FROM reports)';
    await served.change(
      ...hiddenColumns(hidden),
      `UPDATE topics SET updated_at = ${at}, published_at = ${at}`,
      `UPDATE lectern_history SET replaced_at = ${at}, written_at = ${at}`,
    );
  });
  return served;
}

/** One question in this many is asked of each kind: there are tens of thousands through relations (`far`). The numbers are primes, so that all operators
 *  and places of an attribute get their turn. `npm run test:long` asks all but those through relations, and a release asks these too
 *  (`LECTERN_TEST_ORACLE_EVERY=1`). */
const every = isLong ? { many: 1, few: 1, groups: 1, far: 10 } : { many: 23, few: 11, groups: 7, far: 1201 };
const everyFar = Number(process.env.LECTERN_TEST_ORACLE_EVERY ?? every.far);
/** Each engine and case asks other ones. */
const engineNames: readonly EngineName[] = ['sqlite', 'postgres', 'mariadb', 'mysql'];

/** Listing them takes longer than asking some of them, and they depend on the type alone. */
const listed = new Map<string, Questions>();

function allQuestions(served: Served, name: string): Questions {
  const known = listed.get(name);
  if (known !== undefined) return known;
  const loaded = loadModel(served.project.dir, { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error('the model does not load');
  const type = loaded.model.contentTypes.get(name === 'user' ? 'plugin::users-permissions.user' : `api::${name}.${name}`);
  if (type === undefined) throw new Error(`there is no type ${name}`);
  const made = questionsAbout(type, loaded.model);
  listed.set(name, made);
  return made;
}

function questions(served: Served, name: string, engine: EngineName, shift = 0): readonly string[] {
  const { near, far, groups } = allQuestions(served, name);
  const first = engineNames.indexOf(engine) + shift;
  const nth = (part: number) => (_: string, at: number) => at % part === first % part;
  const queries = [...near.filter(nth(near.length < 1000 ? every.few : every.many)), ...far.filter(nth(everyFar))];
  const document = `/api/${name}s/${name === 'user' ? '1' : idOf(name, documents[name] ?? '')}`;
  return [
    ...queries.map((query) => `/api/${name}s?${query}`),
    ...(name === 'user' ? [] : groups.filter(nth(every.groups)).map((query) => `/api/${name}s/_aggregate?${query}`)),
    ...queries.filter((_, at) => at % 7 === 0).map((query) => `${document}?${query}`),
  ];
}

/** What may be changed, asked for without changing it. */
function questionsOfWriters(): readonly Question[] {
  const post = (path: string, body: unknown, method = 'POST'): SentRequest => ({ method, path, body: body as SentRequest['body'] });
  const [one, sun, never, cyd] = [idOf('article', 'one'), idOf('topic', 'sun'), idOf('article', 'never'), idOf('person', 'cyd')];
  const [article, topic] = ['api::article.article', 'api::topic.topic'];
  const batches = [
    [{ create: article, data: { title: 'x', readers: [cyd] } }],
    [{ create: article, data: { title: 'x', author: 3 } }],
    [
      { create: topic, data: { name: 'x', hush: 'alpha value' } },
      { create: article, data: { title: 'x', topics: ['$0.documentId'], author: cyd } },
    ],
    [{ update: article, documentId: one, data: { title: 'x', hushTopic: sun } }],
    [
      { update: topic, documentId: sun, data: { patron: cyd } },
      { update: topic, documentId: cyd, data: { name: 'x' } },
    ],
    [{ connect: topic, documentId: sun, data: { patron: cyd } }],
    [{ connect: article, documentId: one, data: { about: { __type: 'api::person.person', documentId: cyd } } }],
    [
      { publish: article, documentId: never },
      { publish: article, documentId: one },
    ],
    [{ update: article, documentId: never, data: { title: 'x' }, status: 'draft' }],
    [{ update: topic, documentId: sun, data: { name: 'x' }, ifMatch: '"alpha"' }],
  ].map((operations) => post('/api/_batch', { operations, dryRun: true }));
  const filters = [
    'articles?filters[title][$contains]=e',
    'articles?filters[title][$contains]=e&status=published',
    'articles?filters[hush]=alpha value',
    'articles?filters[author][name]=alpha Ada',
    'articles?filters[createdBy][firstname]=Rita',
    'articles?filters[topics][hush]=alpha value&status=published',
    'articles?filters[updatedAt][$gt]=2001-01-01&status=published',
    'topics?filters[name][$contains]=s',
    'topics?filters[patron][name]=alpha Ada',
    'topics?filters[articles][title][$contains]=e',
    'topics?filters[articles][title]=alpha one',
    'topics?filters[children][hushNumber][$lt]=5',
  ];
  const changes = [{ data: { hush: 'x' } }, { delete: true }];
  const bulk = filters.flatMap((filter) =>
    changes.map((change) => post(encodeURI(`/api/${filter}`), { ...change, expected: 1, dryRun: true }, 'PATCH')),
  );
  const release = (documentId: string, uid: string = article) =>
    post('/api/_releases', { name: 'x', entries: [{ publish: uid, documentId }] });
  const call = (name: string, given: object) =>
    post('/api/_mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
  return [
    ...batches,
    ...bulk,
    ...[release(one), release(never), release(cyd, 'api::person.person')],
    ...['', '/1', '/2', '?status=draft'].map((end) => `/api/topics/${sun}/history${end}`),
    ...[one, never].flatMap((id) => [`/api/articles/${id}/history`, `/api/articles/${id}/schedule`]),
    ...['/api/_schedule', '/api/_releases', '/api/_releases/1'],
    ...[
      call('list_types', {}),
      call('describe_type', { type: article }),
      call('find', { type: article, filters: { title: { $contains: 'e' } } }),
    ],
    ...[call('find', { type: article, status: 'draft' }), call('find_one', { type: article, documentId: never })],
  ];
}

const documents: Readonly<Record<string, string>> = { article: 'one', topic: 'sea', report: 'first', place: 'two', tour: 'long' };

const cases = [
  {
    what: 'drafts, types that may not be read, creators, private values and passwords',
    profile: 'specification',
    who: 'users',
    names: ['article', 'topic', 'report', 'user'],
    second: { values: 'beta', entries: 'beta' },
  },
  {
    what: 'private values and passwords, to whom everything is open',
    profile: 'strapi',
    who: 'full',
    names: ['article', 'user'],
    second: { values: 'beta', entries: 'alpha' },
  },
] as const;

describe.each(engines)('%s: oracles', (engine) => {
  // Nothing is asked of the database in another way for the second one.
  describe.each(cases.slice(0, anyEngine.includes(engine) ? 2 : 1))('$what ($profile)', ({ profile, who, names, second }) => {
    const both = [useVersion(engine, profile, { values: 'alpha', entries: 'alpha' }), useVersion(engine, profile, second)] as const;

    it.each(names)('no request about %s distinguishes two databases', { timeout: 600_000 }, async (name) => {
      const paths = questions(both[0], name, engine, profile === 'strapi' ? 2 : 0);
      const { different, succeeded } = await differences(who, paths, both);
      expect(different.slice(0, 3)).toEqual([]);
      // Not all of it was refused, and what was not is worth the name.
      expect(paths.length).toBeGreaterThan(60);
      expect(succeeded).toBeGreaterThan(paths.length / 5);
    });

    it.runIf(profile === 'specification')('nor does what writers ask without changing anything', async () => {
      const asked = questionsOfWriters();
      const { different, succeeded } = await differences('editors', asked, both);
      expect(different.slice(0, 3)).toEqual([]);
      expect(succeeded).toBeGreaterThan(15);
    });

    it('a caller who may see the difference does see it', async () => {
      const path = profile === 'strapi' ? '/api/articles?status=draft' : '/api/articles?status=draft&populate=author';
      const [one, other] = [await both[0].ask('full', 'GET', path), await both[1].ask('full', 'GET', path)];
      expect(visibleIn(one) === visibleIn(other)).toBe(second.entries === 'alpha');
      const rows = await Promise.all(both.map((served) => served.query('SELECT hush FROM articles WHERE hush IS NOT NULL')));
      expect(rows[0]).not.toEqual(rows[1]);
    });
  });

  describe('rows of other locales that a restriction hides, with `fallback`', () => {
    const both = [useHiddenLocales(engine, false), useHiddenLocales(engine, true)] as const;

    it.each(['place', 'tour'])('no request about %s distinguishes two databases', { timeout: 600_000 }, async (name) => {
      const paths = questions(both[0], name, engine).map((path) => `${path}&locale=de&fallback=fr,en`);
      const { different, succeeded } = await differences('public', paths, both);
      expect(different.slice(0, 3)).toEqual([]);
      expect(paths.length).toBeGreaterThan(20);
      expect(succeeded).toBeGreaterThan(paths.length / 4);
    });

    it('a caller who may see the difference does see it', async () => {
      for (const path of ['/api/places?locale=de&fallback=en', '/api/tours?populate=stops&locale=de&fallback=en']) {
        const [one, other] = [await both[0].ask('full', 'GET', path), await both[1].ask('full', 'GET', path)];
        expect(visibleIn(one)).not.toBe(visibleIn(other));
      }
    });
  });
});

const localeFiles = schemaFiles({
  place: {
    localized: true,
    attributes: {
      name: { type: 'string', ...translated },
      rank: { type: 'integer', ...translated },
      open: { type: 'boolean', ...translated },
      near: relation('manyToMany', 'place'),
    },
  },
  tour: {
    attributes: { name: { type: 'string' }, stops: relation('manyToMany', 'place'), things: { type: 'relation', relation: 'morphToMany' } },
  },
});

/** Visitors may see open places. `hasHidden`: there are also closed versions and documents. */
function useHiddenLocales(engine: EngineName, hasHidden: boolean): Served {
  const isOpen = { where: { open: { $eq: true } } };
  const place = (rank: number) => ({ name: `alpha ${rank}`, rank, open: true });
  const served = useProject(engine, {
    files: localeFiles,
    locales: seedLocales('en', 'de', 'fr'),
    types: [
      {
        type: 'api::place.place',
        documents: seedDocuments({ one: place(1), two: { ...place(2), near: ['one'] }, three: { ...place(3), near: ['one', 'two'] } }),
      },
      { type: 'api::tour.tour', documents: seedDocuments({ long: { name: 'long' } }) },
    ],
    public: ['place', 'tour'].flatMap((name) => ['find', 'findOne'].map((action) => `api::${name}.${name}.${action}`)),
    rules: { public: { 'api::place.place.find': isOpen, 'api::place.place.findOne': isOpen } },
    env: { LECTERN_PROFILE: 'specification' },
  });
  const at = (key: string, locale: string) => ({ documentId: idOf('place', key), locale });
  beforeAll(async () => {
    await served.write('PATCH', `/api/places/${idOf('place', 'two')}?locale=fr`, { name: 'alpha deux', rank: 5, open: true });
    const stops = [at('one', 'en'), at('three', 'en'), at('two', 'en')];
    if (hasHidden) {
      const closed = { name: 'alpha value', rank: 9, open: false };
      for (const key of ['one', 'two']) await served.write('PATCH', `/api/places/${idOf('place', key)}?locale=de`, closed);
      const { documentId } = await served.write('POST', '/api/places?locale=fr', closed);
      // Also one whose other version may be seen: the link to the hidden one leads nowhere.
      stops.splice(1, 0, at('one', 'de'), at('two', 'de'), { documentId: String(documentId), locale: 'fr' });
    }
    const things = stops.map((stop) => ({ ...stop, __type: 'api::place.place' }));
    await served.write('PATCH', `/api/tours/${idOf('tour', 'long')}`, { stops: { set: stops }, things });
    for (const table of ['tours', 'places'])
      await served.change(`UPDATE ${table} SET created_at = NULL, updated_at = NULL, published_at = NULL`);
  });
  return served;
}

const searched = {
  ...schemaFiles(
    {
      article: {
        drafts: true,
        localized: true,
        attributes: {
          title: { type: 'string', ...translated },
          body: { type: 'text', ...translated },
          secret: { type: 'text', ...translated },
          kind: { type: 'string', ...shared },
          part: component('part'),
        },
      },
      note: { attributes: { title: { type: 'string' } } },
    },
    { part: { text: { type: 'text' }, hush: { type: 'text', private: true } } },
  ),
  'lectern.config.json': {
    search: { 'api::article.article': { secret: 9, title: 4, body: 2, part: 1 }, 'api::note.note': { title: 1 } },
  },
};

/** Versions that differ in drafts, in an attribute and in rows that a role may not read, in a private attribute of components, and in a type. */
function searchedContent(version: 'alpha' | 'beta') {
  const isFirst = version === 'alpha';
  const [many, few] = isFirst ? ['bread water', 'salt'] : ['salt wine', 'bread'];
  const article = (title: string, body: string, secret: string) => ({
    title,
    body,
    secret,
    kind: 'open',
    part: { text: `${body} roll`, hush: many },
  });
  const closed = Array.from({ length: isFirst ? 1 : 30 }, (_, index) => ({
    key: `closed${index}`,
    data: { ...article(`Bread ${many}`, many, many), kind: 'closed' },
  }));
  return [
    {
      type: 'api::article.article',
      documents: [
        { key: 'one', data: article('Bread and butter', 'water', many), draft: { title: `${version} bread`, body: few } },
        { key: 'two', data: article('Water and wine', 'bread bread', few), draft: { body: many } },
        {
          key: 'three',
          data: article('Salt', 'bread water salt', ''),
          translations: [{ locale: 'de', data: { title: 'Brot bread', body: '', secret: many } }],
        },
        { key: 'four', data: article('Butter', 'wine', `${many} ${few}`) },
        ...closed,
        { key: 'never', status: 'draft', data: article(`${version} bread wine`, many, few) },
      ].map((each) => ({ status: 'published' as const, ...each }) as SeedDocument),
    },
    { type: 'api::note.note', documents: seedNumbered(isFirst ? 1 : 20, () => ({ title: `${many} ${few}` })) },
  ];
}

describe.each(engines)('%s: oracles of full-text search', (engine) => {
  const useSearched = (version: 'alpha' | 'beta') =>
    useProject(engine, {
      files: searched,
      locales: seedLocales('en', 'de'),
      types: searchedContent(version),
      public: ['api::article.article.find'],
      rules: { public: { 'api::article.article.find': { fields: ['title', 'body', 'part', 'locale'], where: { kind: { $eq: 'open' } } } } },
      async prepare(project) {
        const { status, stderr } = await run(['search', 'build', '--dir', project.dir], project.env);
        if (status !== 0) throw new Error(stderr);
      },
    });
  const both = [useSearched('alpha'), useSearched('beta')] as const;
  const words = [
    ...['bread', 'bread ', 'water ', 'wine', 'salt ', 'butter', 'roll ', 'alpha', 'beta', 'b', 'closed', 'brot'],
    ...['"bread water"', '"salt wine"', 'bread water ', 'wine salt'],
  ];
  // Each engine asks for each word in a quarter of the forms.
  const paths = words
    .map(encodeURIComponent)
    .flatMap((search, word) =>
      [
        ...[
          '',
          '&sort=$rank',
          '&sort=$rank:asc',
          '&sort=$rank&pagination[pageSize]=1&pagination[page]=2',
          '&locale=*&sort=$rank',
          '&filters[title][$contains]=e',
        ].map((rest) => `/api/articles?filters[$search]=${search}${rest}`),
        ...['', '&types=articles', '&types=notes', '&locale=*', '&pagination[pageSize]=2', '&status=draft'].map(
          (rest) => `/api/_search?q=${search}${rest}`,
        ),
      ].filter((_, form) => isLong || (word + form + engineNames.indexOf(engine)) % 4 === 0),
    );

  it('no search distinguishes two databases: by entries, totals, order, ranks, highlights and counts', async () => {
    const { different, succeeded } = await differences('public', paths, both);
    expect(different.slice(0, 3)).toEqual([]);
    expect(succeeded).toBeGreaterThan(paths.length / 2);
  });

  it('a caller who may see the difference does see it', async () => {
    const { different } = await differences(
      'full',
      ['/api/_search?q=bread', '/api/articles?filters[$search]=wine&sort=$rank', '/api/notes?filters[$search]=salt'],
      both,
    );
    expect(different.length).toBe(3);
  });
});
