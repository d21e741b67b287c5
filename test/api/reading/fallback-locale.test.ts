/** `fallback`: each document in the first locale that it has. What a response must have follows from the rows that the same caller gets with `locale=*`. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SeedDocument } from '../../../src/demo-content/content.ts';
import { profilesOn } from '../../support/accounts.ts';
import { fromCache } from '../../support/cached-response.ts';
import { engines, versionedEngines } from '../../support/engines.ts';
import { randomFrom } from '../../support/random.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { dataOf, errorOf, idOf, type Json, ruleStatements, useProject } from '../../support/served-project.ts';

const text = { type: 'string', ...translated };
const words = { name: text, rank: { type: 'integer', ...translated }, open: { type: 'boolean', ...translated } };
const files = schemaFiles(
  {
    place: {
      drafts: true,
      localized: true,
      attributes: {
        ...words,
        slug: { type: 'uid', ...translated },
        kind: relation('manyToOne', 'kind', { inversedBy: 'places' }),
        near: relation('manyToMany', 'place'),
        box: component('box', translated),
      },
    },
    kind: { drafts: true, localized: true, attributes: { ...words, places: relation('oneToMany', 'place', { mappedBy: 'kind' }) } },
    // Without drafts and locales: its links lead to rows of every status and locale.
    tour: {
      attributes: {
        name: { type: 'string' },
        stops: relation('manyToMany', 'place'),
        first: relation('manyToOne', 'place'),
        about: { type: 'relation', relation: 'morphToOne' },
        things: { type: 'relation', relation: 'morphToMany' },
        box: component('box'),
        zone: { type: 'dynamiczone', components: ['part.box'] },
      },
    },
    front: { single: true, drafts: true, localized: true, attributes: { name: text } },
  },
  { box: { label: { type: 'string' }, places: relation('oneToMany', 'place') } },
);

const codes = ['en', 'de', 'fr'] as const;
const random = randomFrom(20_261_129);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Documents in every set of locales, with a published version in some of them. */
const seeded = (name: string, count: number, more: (at: number) => Json): SeedDocument[] =>
  Array.from({ length: count }, (_, at) => {
    const [first = 'en', ...others] = codes.filter((_code, bit) => (((at % 7) + 1) >> bit) % 2 === 1);
    const version = (locale: string) => ({
      locale,
      status: pick(['published', 'published', 'published', 'draft'] as const),
      data: {
        name: `${name} ${at % 5} ${locale}`,
        rank: Math.floor(random() * 6),
        open: random() < 0.6,
        ...more(at),
      } as SeedDocument['data'],
    });
    return { key: `${name}${at}`, ...version(first), translations: others.map(version) };
  });

const kinds = seeded('kind', 7, () => ({}));
const places = seeded('place', 28, (at) => ({ kind: `kind${at % 7}`, near: [`place${(at + 7) % 28}`, `place${(at + 14) % 28}`] }));

const french = { locale: 'fr', status: 'published' as const, data: { name: 'Avant' } };
const front = { key: 'front', status: 'published' as const, data: { name: 'Front' }, translations: [french] };

const find = ['place', 'kind', 'tour', 'front'].flatMap((type) =>
  ['find', 'findOne', 'findDraft'].map((action) => `api::${type}.${type}.${action}`),
);
const isOpen = { open: { $eq: true } };
/** What the visitor may see. */
const restrictions: readonly (readonly [what: string, place: Json, kind: Json])[] = [
  ['rows by a value', isOpen, isOpen],
  ['rows through a relation', { kind: isOpen }, {}],
  ['rows by their locale', { locale: { $ne: 'de' } }, isOpen],
];

type Row = Json & { readonly id: number; readonly documentId: string; readonly locale: string };
const rowsOf = (value: unknown): readonly Row[] =>
  value === null || value === undefined ? [] : ([value].flat() as unknown as readonly Row[]);

/** The row that stands for each document. */
function firsts(rows: readonly Row[], chain: readonly string[]): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const known = found.get(row.documentId);
    const rank = chain.indexOf(row.locale);
    if (rank >= 0 && (known === undefined || rank < chain.indexOf(known.locale))) found.set(row.documentId, row);
  }
  return found;
}

const byId = (a: Row, b: Row) => a.id - b.id;
const asc = (name: string) => (a: Row, b: Row) =>
  Number(a[name]) < Number(b[name]) ? -1 : Number(a[name]) > Number(b[name]) ? 1 : byId(a, b);

/** A query, and what it makes of the rows that stand for the documents. */
const questions: readonly (readonly [query: string, expected: (rows: readonly Row[]) => readonly Row[]])[] = [
  ['sort=id', (rows) => rows],
  ['', (rows) => rows],
  ['sort=rank,id', (rows) => rows.toSorted(asc('rank'))],
  ['sort=id&filters[rank][$gt]=2', (rows) => rows.filter(({ rank }) => Number(rank) > 2)],
  ['sort=id&filters[$not][rank]=2', (rows) => rows.filter(({ rank }) => rank !== 2)],
  ['sort=id&filters[locale]=en', (rows) => rows.filter(({ locale }) => locale === 'en')],
  ['sort=id&filters[name][$endsWith]=de', (rows) => rows.filter(({ name }) => String(name).endsWith(' de'))],
  ['sort=id&_q=2%20e', (rows) => rows.filter(({ name }) => String(name).includes('2 e'))],
  ['sort=rank:desc,id&filters[name][$contains]=e', (rows) => rows.toSorted((a, b) => Number(b.rank) - Number(a.rank) || byId(a, b))],
];

const chains: readonly (readonly string[])[] = [
  ['de', 'en'],
  ['de', 'fr', 'en'],
  ['fr', 'de'],
  ['en', 'de', 'fr'],
];
/** What a comparison asks in its turn: of the combinations of chains with something else, one of `parts`. The turns together ask all of them. */
const isAsked = (turn: number, parts: number, chain: readonly string[], other = 0) => (chains.indexOf(chain) + other + turn) % parts === 0;
const asked = ([first, ...others]: readonly string[]) => `locale=${first}&fallback=${others.join(',')}`;

describe.each(engines)('%s: fallback', (engine) => {
  describe.each(profilesOn(engine))('profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      locales: seedLocales(...codes),
      types: [
        { type: 'api::kind.kind', documents: kinds },
        { type: 'api::place.place', documents: places },
        { type: 'api::front.front', documents: [front] },
      ],
      public: find,
      env: {
        LECTERN_PROFILE: profile,
        LECTERN_API_DEFAULT_LIMIT: '100',
        LECTERN_CACHE_CONSISTENCY: 'exact',
        LECTERN_LOCALES_FALLBACK: '{"de": ["en"], "fr": ["de", "en"]}',
      },
    });
    const get = async (path: string, who = 'full') => {
      const response = await api.ask(who, 'GET', path);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
      return response.json() as { readonly data: unknown; readonly meta: { readonly pagination?: { readonly total: number } } };
    };
    /** All rows that the caller may see. */
    const allRows = async (who: string, status: string, type = 'places', more = ''): Promise<readonly Row[]> =>
      rowsOf((await get(`/api/${type}?locale=*&sort=id&status=${status}${more}`, who)).data);

    beforeAll(async () => {
      const at = (key: number, ...locales: readonly string[]) =>
        locales.map((locale) => ({ documentId: idOf('place', `place${key}`), locale }));
      const links = (keys: readonly number[]) =>
        keys.flatMap((key) => at(key, ...(places[key] === undefined ? [] : localesOf(places[key]))));
      for (const [name, keys] of [
        ['north', [6, 13, 2]],
        ['south', [5, 4, 20, 6]],
        ['none', []],
      ] as const) {
        const target = links(keys);
        const typed = target.map((each) => ({ ...each, __type: 'api::place.place' }));
        const box = { label: name, places: target };
        await api.write('POST', '/api/tours', {
          ...{ name, stops: { connect: target }, first: target[0] ?? null, about: typed.at(-1) ?? null, things: typed, box },
          zone: [{ __component: 'part.box', ...box }],
        });
      }
    });

    async function comparesLists(who: string, status: string, turn: number) {
      const rows = await allRows(who, status);
      for (const chain of chains) {
        const shown = [...firsts(rows, chain).values()].toSorted(byId);
        for (const [query, expected] of questions.filter((_, at) => isAsked(turn, 4, chain, at))) {
          const path = `/api/places?${asked(chain)}&status=${status}&${query}`;
          const { data, meta } = await get(path, who);
          const wanted = expected(shown);
          const ordered = query === '' ? rowsOf(data).toSorted(byId) : data;
          expect({ path, data: ordered, total: meta.pagination?.total }).toEqual({ path, data: wanted, total: wanted.length });
        }
        if (!isAsked(turn, 4, chain)) continue;
        const pages = await Promise.all(
          [1, 2, 3, 4].map((page) =>
            get(`/api/places?${asked(chain)}&status=${status}&sort=rank,id&pagination[page]=${page}&pagination[pageSize]=5`, who),
          ),
        );
        expect(pages.flatMap(({ data }) => data)).toEqual(shown.toSorted(asc('rank')).slice(0, 20));
      }
    }

    async function comparesDocuments(who: string, status: string, turn: number) {
      const rows = await allRows(who, status);
      for (const chain of chains) {
        const shown = firsts(rows, chain);
        // Each set of locales is among every fourth place.
        for (const { key } of places.filter((_, at) => isAsked(turn, 4, chain, at))) {
          const documentId = idOf('place', key);
          const path = `/api/places/${documentId}?${asked(chain)}&status=${status}`;
          const response = await api.ask(who, 'GET', path);
          expect({ path, data: response.status === 200 ? dataOf(response) : response.status }).toEqual({
            path,
            data: shown.get(documentId) ?? 404,
          });
        }
      }
    }

    async function comparesPopulated(who: string, status: string, turn: number) {
      const [published, draft] = [await allRows(who, 'published'), await allRows(who, 'draft')];
      const names = ['stops', 'first', 'about', 'things'] as const;
      const boxes = 'populate[box][populate]=places&populate[zone][on][part.box][populate]=places';
      const query = `status=${status}&sort=id&${boxes}&${names.map((name) => `populate[${name}]=true`).join('&')}`;
      const counts = `status=${status}&sort=id&populate[stops][count]=true&populate[things][count]=true`;
      const plain = rowsOf((await get(`/api/tours?${query}`, who)).data);
      for (const chain of chains.filter((each) => isAsked(turn, 2, each))) {
        const shown = { published: firsts(published, chain), draft: firsts(draft, chain) };
        // As without it, references by type and id lead to both statuses, unless drafts need a right: each to its own.
        const wanted = (links: unknown) => [
          ...new Set(
            rowsOf(links).flatMap(
              ({ documentId, publishedAt }) => shown[publishedAt === null ? 'draft' : 'published'].get(documentId)?.id ?? [],
            ),
          ),
        ];
        const linksOf = (tour: Json) => [
          ...names.map((name) => tour[name]),
          ...[tour.box, tour.zone].flat().map((box) => (box as Json).places),
        ];
        const isOne = (at: number) => names[at] === 'first' || names[at] === 'about';
        const found = rowsOf((await get(`/api/tours?${asked(chain)}&${query}`, who)).data);
        const counted = rowsOf((await get(`/api/tours?${asked(chain)}&${counts}`, who)).data);
        expect(found.map((tour) => linksOf(tour).map((list) => rowsOf(list).map(({ id }) => id)))).toEqual(
          plain.map((tour) => linksOf(tour).map((list, at) => (isOne(at) ? wanted(list).slice(0, 1) : wanted(list)))),
        );
        expect(counted.map(({ stops, things }) => [stops, things])).toEqual(
          found.map(({ stops, things }) => [{ count: rowsOf(stops).length }, { count: rowsOf(things).length }]),
        );
      }
      // Several rows of a document are linked, and it is shown once.
      expect(rowsOf(plain[0]?.stops).length).toBeGreaterThan(new Set(rowsOf(plain[0]?.stops).map(({ documentId }) => documentId)).size);
    }

    /** The relations of the shown row, whose targets are in the first locale that they have, and theirs. */
    async function comparesNested(who: string, status: string, turn: number) {
      const below = '&populate[kind]=true&populate[near][populate]=kind';
      const [rows, kindRows] = [await allRows(who, status, 'places', below), await allRows(who, status, 'kinds')];
      for (const chain of chains.filter((each) => isAsked(turn, 2, each))) {
        const [shown, shownKinds] = [firsts(rows, chain), firsts(kindRows, chain)];
        const kindOf = ({ kind }: Row) => rowsOf(kind).flatMap(({ documentId }) => shownKinds.get(documentId)?.id ?? [])[0];
        const nested = (row: Row) => ({ id: row.id, kind: kindOf(row) });
        const nearOf = ({ near }: Row) => [...new Set(rowsOf(near).flatMap(({ documentId }) => shown.get(documentId) ?? []))].map(nested);
        const { data } = await get(`/api/places?${asked(chain)}&status=${status}&sort=id${below}`, who);
        const idOfOne = (value: unknown) => rowsOf(value)[0]?.id;
        expect(
          rowsOf(data).map((row) => [
            row.id,
            idOfOne(row.kind),
            rowsOf(row.near).map((each) => ({ id: each.id, kind: idOfOne(each.kind) })),
          ]),
        ).toEqual([...shown.values()].toSorted(byId).map((row) => [row.id, kindOf(row), nearOf(row)]));
      }
    }

    describe.each(['published', 'draft'])('status %s', (status) => {
      const first = status === 'published' ? 0 : 1;
      // Rights are the same in every profile: in the second one, each restriction is tested with one status.
      const tested = restrictions.filter((_, at) => profile === 'specification' || at % 2 === first);
      it.each([
        ['lists', comparesLists],
        ['documents', comparesDocuments],
        ['populated', comparesPopulated],
        ['nested', comparesNested],
      ] as const)('%s', async (_, compare) => compare('full', status, first));

      it.each(tested)('for a caller who may see %s', async (what, place, kind) => {
        await api.change(
          ...['find', 'findOne'].flatMap((action) => ruleStatements('public', `api::place.place.${action}`, { where: place })),
          ...['find', 'findOne'].flatMap((action) => ruleStatements('public', `api::kind.kind.${action}`, { where: kind })),
        );
        const ids = async (who: string) => (await allRows(who, status)).map(({ id }) => id);
        expect((await ids('public')).length).toBeLessThan((await ids('full')).length);
        const turn = first + 1 + restrictions.findIndex(([each]) => each === what);
        for (const compare of [comparesLists, comparesDocuments, comparesPopulated, comparesNested]) await compare('public', status, turn);
      });
    });

    it('shows what `locale` alone would for single types, look-ups, and configured chains', async () => {
      const { documentId } = await api.write('POST', '/api/places', { name: 'Rome', slug: 'rome' });
      await api.write('PATCH', `/api/places/${documentId}?locale=fr`, { name: 'Rome', slug: 'rome-fr' });
      const same = [
        ['/api/front?locale=de&fallback=fr,en', '/api/front?locale=fr'],
        ['/api/front?locale=de&fallback[]=en&fallback[]=fr', '/api/front?locale=en'],
        ['/api/front?locale=de&fallback=true', '/api/front'],
        ['/api/front?locale=fr&fallback=en&status=draft', '/api/front?locale=fr&status=draft'],
        ['/api/front?locale=de&fallback=de', '/api/front?locale=de'],
        ['/api/front?fallback=fr', '/api/front?locale=en'],
        ['/api/front?locale=de&fallback=en&fields=name', '/api/front?fields=name,locale'],
        ['/api/places/by/slug/rome?locale=de&fallback=en', `/api/places/${documentId}`],
        ['/api/places/by/slug/rome-fr?locale=de&fallback=fr', `/api/places/${documentId}?locale=fr`],
        // The French row is shown, and it has another slug.
        ['/api/places/by/slug/rome?locale=fr&fallback=en', '/api/places/by/slug/rome?locale=fr'],
        ['/api/places?locale=de&fallback=true&sort=id', '/api/places?locale=de&fallback=en&sort=id'],
        ['/api/places?fallback=true&sort=id', '/api/places?sort=id'],
        ['/api/places?locale=de&fallback=false&sort=id', '/api/places?locale=de&sort=id'],
        ['/api/places?locale=de&fallback=&sort=id', '/api/places?locale=de&sort=id'],
        [
          `/api/places/${documentId}?locale=de&fallback=fr&populate[localizations][fields]=name`,
          `/api/places/${documentId}?locale=fr&populate[localizations][fields]=name`,
        ],
      ] as const;
      for (const [path, other] of same) {
        const [one, plain] = [await api.ask('full', 'GET', path), await api.ask('full', 'GET', other)];
        expect([path, one.status, one.json()]).toEqual([path, plain.status, plain.json()]);
      }
      const written = await api.write('PATCH', `/api/places/${documentId}?locale=de&fallback=en`, { name: 'Rom' });
      expect([written.name, written.locale]).toEqual(['Rom', 'de']);
    });

    it('refuses what says no order of locales', async () => {
      const codeOf = async (query: string) => {
        const response = await api.ask('full', 'GET', `/api/places?${query}`);
        return response.status === 400 ? (errorOf(response).code ?? 400) : response.status;
      };
      const isStrapi = profile === 'strapi';
      for (const [query, code] of [
        ['locale=*&fallback=en', 'fallback.one'],
        ['locale[]=de&locale[]=fr&fallback=en', 'fallback.one'],
        ['filters[locale]=de&fallback=en', 'fallback.one'],
        ['locale=1&fallback=en', 'locale.format'],
        ['locale=de&fallback=1', 'locale.format'],
        ['locale=de&fallback=*', 'locale.format'],
        ['locale=de&fallback=en,', 'locale.format'],
        ['locale=de&fallback[$ne]=en', 'locale.format'],
        ['locale=de&fallback=it', isStrapi ? 200 : 'locale.undefined'],
        ['locale=it&fallback=en', isStrapi ? 200 : 'locale.undefined'],
      ] as const)
        expect([query, await codeOf(query)]).toEqual([query, isStrapi && code !== 200 ? 400 : code]);
    });

    it('shows no locale to those who may not read it', async () => {
      await api.change(...ruleStatements('public', 'api::front.front.find', { fields: ['name'] }));
      const { data } = await get('/api/front?locale=de&fallback=fr&fields=name', 'public');
      expect(Object.keys(data as Json)).toEqual(['id', 'documentId', 'name']);
    });

    // The cache is the same in every profile.
    it.runIf(versionedEngines.includes(engine) && profile === 'specification')('cached responses follow the other locales', async () => {
      const through = { ...isOpen, kind: isOpen };
      await api.change(
        ...['find', 'findOne'].flatMap((action) => ruleStatements('public', `api::place.place.${action}`, { where: through })),
      );
      const uncached = await api.beside({ LECTERN_CACHE_BYTES: '0' });
      const kind = await api.make('/api/kinds', { name: 'Kind', open: true });
      const place = await api.make('/api/places', { name: 'Oslo', slug: 'oslo', rank: 9, open: true, kind: kind.split('/').at(-1) });
      const documentId = String(place.split('/').at(-1));
      await api.make('/api/tours', { name: 'To Oslo', stops: [documentId], about: { documentId, __type: 'api::place.place' } });
      const to = 'locale=de&fallback=en';
      const paths = [
        `${place}?${to}`,
        `/api/places?${to}&sort=rank:desc,id`,
        `/api/places?${to}&filters[slug]=oslo`,
        `/api/places?${to}&filters[documentId]=${documentId}`,
        `/api/tours?${to}&filters[name]=To%20Oslo&populate=stops`,
        `/api/tours?${to}&filters[name]=To%20Oslo&populate=about`,
        `/api/tours?${to}&filters[name]=To%20Oslo&populate[stops][count]=true`,
      ];
      const changes = [
        ['PATCH', `${kind}?locale=de`, { name: 'Art', open: true }],
        ['PATCH', `${place}?locale=de`, { name: 'Oslo', slug: 'oslo-de', open: true, kind: kind.split('/').at(-1) }],
        ['PATCH', `${place}?locale=de`, { rank: 8 }],
        ['PATCH', `${place}?locale=de`, { open: false }],
        ['PATCH', `${place}?locale=de`, { open: true }],
        ['PATCH', `${kind}?locale=de`, { open: false }],
        ['PATCH', `${kind}?locale=de`, { open: true }],
        ['POST', `${place}/actions/unpublish?locale=de`, undefined],
        ['POST', `${place}/actions/publish?locale=de`, undefined],
        ['DELETE', `${place}?locale=de`, undefined],
      ] as const;
      const seen = new Set<string>();
      for (const [at, [method, path, data]] of changes.entries()) {
        // Callers take turns: each asks by each path around every other change.
        const turns = paths.map((each, number) => [(at + number) % 2 === 0 ? 'full' : 'public', each] as const);
        for (const [who, each] of turns) await fromCache(() => api.ask(who, 'GET', each));
        await api.write(method, path, data);
        for (const [who, each] of turns) {
          const [now, fresh] = [await api.ask(who, 'GET', each), await uncached.send({ path: each, headers: api.authorization(who) })];
          expect([method, path, each, now.text]).toEqual([method, path, each, fresh.text]);
          seen.add(`${who} ${each} ${now.text}`);
        }
      }
      // Both callers saw both locales by each path.
      expect(seen.size).toBeGreaterThan(2 * 2 * paths.length);
    });
  });
});

const localesOf = ({ locale = 'en', translations = [] }: SeedDocument) => [locale, ...translations.flatMap((each) => each.locale ?? [])];
