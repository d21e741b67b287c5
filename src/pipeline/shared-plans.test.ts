/** A plan that was made for one query, with the values of another, must equal the plan made for the
 *  other query. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../test/support/long.ts';
import { outcome, printError, ReadStages } from '../../test/support/stages/read-stages.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { postgres } from '../dialects/postgres.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { ApiError } from '../errors/api-error.ts';
import { rightsOfRole } from '../rights/rights.ts';
import type { Statement } from '../sql/statement.ts';
import type { CompiledRead } from './compile/types.ts';
import { unknownRowsKey } from './data-keys.ts';
import type { ParameterBindings } from './parse/plan-parameters.ts';

const dialects: readonly Dialect[] = [sqlite, postgres];
const stagesOf = { strapi: new ReadStages('strapi'), specification: new ReadStages('specification') };

/** All that a read sends to the database: the compiled read with values in its slots. */
function bound(compiled: CompiledRead, { values, pagination }: ParameterBindings): unknown {
  const isSlot = (value: object): value is { readonly kind: 'slot'; readonly index: number } => 'kind' in value && value.kind === 'slot';
  const resolved = (value: unknown): unknown => {
    if (value instanceof Map) return [...value].map(([key, each]) => [key, resolved(each)]);
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    if (isSlot(value)) return { kind: 'value', value: values[value.index] };
    // Of a statement, only its text and its parameters are sent.
    const { text, parameters } = value as Partial<Statement>;
    const sent = text !== undefined && parameters !== undefined ? { text, parameters } : value;
    return Object.fromEntries(Object.entries(sent).map(([key, each]) => [key, resolved(each)]));
  };
  return { read: resolved(compiled), pagination };
}

/** The tables that a text selects from. Only tables and columns are quoted; no column follows. */
const selectedFrom = (text: string) => [...text.matchAll(/\b(?:FROM|JOIN) \(*"(\w+)"/g)].map(([, table]) => table);

/** A response depends on each table that its statements read: none may be missing. */
function expectTables({ dependencies, statements, shape }: CompiledRead): void {
  const texts: string[] = [];
  JSON.stringify([statements, shape], (_, value: unknown) => {
    if (value instanceof Map) return [...value.values()];
    if (typeof value === 'object' && value !== null && 'text' in value) texts.push(String(value.text));
    return typeof value === 'bigint' ? String(value) : value;
  });
  const read = [...new Set(texts.flatMap(selectedFrom))].filter((table) => table !== undefined);
  expect(read.filter((table) => !dependencies.tables.includes(unknownRowsKey(table)))).toEqual([]);
}

type Profile = keyof typeof stagesOf;
interface Planned {
  readonly statements: unknown;
}

/** The read of the query alone, or its refusal. */
function alone(profile: Profile, query: string, dialect: Dialect): Planned | { readonly refused: string } {
  const stages = stagesOf[profile];
  try {
    const { pagination } = stages.plan({ query });
    return { statements: bound(stages.compile({ query }, dialect), { values: [], pagination }) };
  } catch (error) {
    if (error instanceof ApiError) return { refused: printError(error) };
    throw error;
  }
}

const nobody = new Map<string, string>();

/** Whether the plan of one query serves another one. */
function shares(one: string, other: string, dialect: Dialect, profile: Profile = 'strapi'): boolean {
  const { shape, fit } = stagesOf[profile].planned({ query: one }, dialect);
  const next = stagesOf[profile].shape({ query: other });
  return shape.shape !== undefined && fit.fitsShape && shape.shape === next.shape && fit.bindings(next.values, nobody) !== undefined;
}

describe('one plan serves', () => {
  it.each([
    ['texts', 'filters[title][$eq]=a', 'filters[title][$eq]=b'],
    ['keys with and without encoded brackets', 'filters[title]=a', 'filters%5Btitle%5D=b'],
    ['texts that are no number, and numbers, of a text', 'filters[title]=a', 'filters[title]=5'],
    ['numbers', 'filters[rating][$gt]=1&filters[price][$lt]=2', 'filters[rating][$gt]=-7&filters[price][$lt]=2.5e3'],
    ['booleans', 'filters[featured]=true', 'filters[featured]=0'],
    [
      'dates, times and instants',
      'filters[day]=2024-01-01&filters[opens]=12:00:00&filters[startsAt][$gt]=2024',
      'filters[day]=1999-12-31&filters[opens]=01:02:03.004&filters[startsAt][$gt]=1675382400000',
    ],
    ['row ids', 'filters[id]=1&filters[section]=2', 'filters[id]=3&filters[section]=4'],
    ['lists of one length', 'filters[id][$in]=1&filters[id][$in]=2', 'filters[id][$in]=7&filters[id][$in]=8'],
    [
      'ranges',
      'filters[rating][$between][0]=1&filters[rating][$between][1]=2',
      'filters[rating][$between][0]=3&filters[rating][$between][1]=4',
    ],
    ['patterns', 'filters[title][$containsi]=a&filters[body][$endsWith]=b', 'filters[title][$containsi]=ÄB&filters[body][$endsWith]=%25c'],
    [
      'filters of relations',
      'filters[tags][name]=a&filters[$or][0][section][name][$ne]=b',
      'filters[tags][name]=c&filters[$or][0][section][name][$ne]=d',
    ],
    ['filters of populated relations', 'populate[tags][filters][name]=a', 'populate[tags][filters][name]=b'],
    ['searches', '_q=a', '_q=b c'],
    ['searches for numbers', '_q=1', '_q=2.5'],
    ['pages', 'pagination[page]=1&pagination[pageSize]=5', 'pagination[page]=7&pagination[pageSize]=1000'],
    ['offsets', 'pagination[start]=1&pagination[limit]=5', 'pagination[start]=70&pagination[limit]=-1'],
  ])('%s', (_, one, other) => {
    for (const dialect of dialects) expect(shares(`articles?${one}`, `articles?${other}`, dialect)).toBe(true);
  });
});

const patterns = (text: string) => Array.from({ length: 11 }, (_, index) => `filters[$or][${index}][title][$contains]=${text}`).join('&');

describe('another plan is made for', () => {
  it.each([
    ['a list of another length', 'filters[id][$in]=1', 'filters[id][$in]=1&filters[id][$in]=2'],
    ['an empty value', 'filters[title]=a', 'filters[title]='],
    ['null', 'filters[title]=a', 'filters[title]'],
    ['another operator', 'filters[title][$eq]=a', 'filters[title][$ne]=a'],
    ['the word of $null', 'filters[title][$null]=true', 'filters[title][$null]=false'],
    ['a number instead of a text to search for', '_q=a', '_q=1'],
    ['no total', 'pagination[page]=1', 'pagination[page]=1&pagination[withCount]=false'],
    ['a row id that cannot exist', 'filters[id]=1', 'filters[id]=abc'],
    ['a wrong number', 'filters[rating]=1', 'filters[rating]=1e999'],
    ['a wrong date', 'filters[day]=2024-01-01', 'filters[day]=2024-02-30'],
    ['a wrong page', 'pagination[page]=1', 'pagination[page]=1.5'],
    ['a pattern that is too long', 'filters[title][$contains]=a', `filters[title][$contains]=${'é'.repeat(1001)}`],
    ['patterns that are too long together', patterns('a'), patterns('a'.repeat(1999))],
    ['a NUL', 'filters[title]=a', 'filters[title]=a%00'],
  ])('%s', (_, one, other) => {
    for (const dialect of dialects) expect(shares(`articles?${one}`, `articles?${other}`, dialect)).toBe(false);
  });

  it('a number that PostgreSQL compares as another type', () => {
    const numbers = ['5', '5.5', '9007199254740993', '-3', '1e300'];
    const fitting = (of: string, dialect: Dialect, name: string) =>
      numbers.filter((number) => shares(`articles?filters[${name}]=${of}`, `articles?filters[${name}]=${number}`, dialect));
    expect(fitting('5', sqlite, 'rating')).toEqual(numbers);
    expect(fitting('5', postgres, 'rating')).toEqual(['5', '-3']);
    expect(fitting('5.5', postgres, 'rating')).toEqual(['5.5', '9007199254740993', '1e300']);
    // 2^53 + 1 has 64 bits.
    expect(fitting('5', postgres, 'views')).toEqual(['5', '9007199254740993', '-3']);
    expect(fitting('5', postgres, 'price')).toEqual(numbers);
  });
});

describe('a plan fits one query only', () => {
  it.each([
    ['if a row id cannot exist', 'articles?filters[id]=abc&filters[title]=a'],
    ['if a value has no effect', 'articles/doc1?pagination[page]=2'],
    ['if qs drops a value', 'articles?filters[constructor]=a'],
    ['if a value of a list is the word of $null', 'articles?filters[title][$null][0]=true'],
  ])('%s', (_, query) => {
    const { fit } = stagesOf.strapi.planned({ query }, sqlite);
    expect(fit.fitsShape).toBe(false);
  });
});

it('binds a value once for each way in which it is used', () => {
  const { compiled, fit } = stagesOf.strapi.planned({ query: 'articles?_q=Ab&filters[tags][name][$endsWith]=Cd' }, sqlite);
  expect(fit.bindings(['Ef', 'Gh'], nobody)?.values).toEqual(['ef', 'gh', 'gh']);
  expect(JSON.stringify(compiled.statements).match(/"kind":"slot"/g)?.length).toBeGreaterThan(3);
});

describe('users with other values', () => {
  const find = 'api::article.article.find';
  const rightsWith = (conditions: Readonly<Record<string, unknown>>, user: Readonly<Record<string, string>>) =>
    rightsOfRole(
      {
        actions: Object.keys(conditions),
        rules: Object.entries(conditions).map(([action, condition]) => ({ action, fields: null, condition: JSON.stringify(condition) })),
      },
      new Map(Object.entries(user)),
    );
  const section = 'api::section.section.find';

  it.each([
    ['a number', { [find]: { rating: '$user.id' } }, 'articles', { id: '1' }, { id: '2' }, true],
    ['beside a value of the query', { [find]: { rating: '$user.id' } }, 'articles?filters[title]=a', { id: '1' }, { id: '2' }, true],
    ['a text in two places', { [find]: { $or: [{ title: '$user.a' }, { slug: '$user.a' }] } }, 'articles', { a: 'x' }, { a: 'y' }, true],
    ['a pattern', { [find]: { title: { $containsi: '$user.a' } } }, 'articles', { a: 'Ax' }, { a: 'by' }, true],
    ['items of a list', { [find]: { title: { $in: ['$user.a', 'b'] } } }, 'articles', { a: 'x' }, { a: 'y' }, true],
    ['through a relation', { [find]: { section: { editor: { id: '$user.id' } } } }, 'articles', { id: '1' }, { id: '2' }, true],
    [
      'of a populated path',
      { [find]: {}, [section]: { name: '$user.a' } },
      'articles?populate=section&sort=section.name',
      { a: 'x' },
      { a: 'y' },
      true,
    ],
    ['a value that cannot be compared, for one that can', { [find]: { rating: '$user.a' } }, 'articles', { a: 'x' }, { a: '1' }, false],
    ['a value that can be compared, for one that cannot', { [find]: { rating: '$user.a' } }, 'articles', { a: '1' }, { a: 'x' }, false],
    ['a value that decides what is asked', { [find]: { title: { $null: '$user.a' } } }, 'articles', { a: 'true' }, { a: 'false' }, false],
    ['a query without a shape', { [find]: { rating: '$user.id' } }, 'articles?filters[title]=%00', { id: '1' }, { id: '2' }, true],
  ])('%s', (_, conditions, query, one, other, shared) => {
    for (const dialect of dialects) {
      const [ones, others] = [rightsWith(conditions, one), rightsWith(conditions, other)];
      expect(ones.planKey).toBe(others.planKey);
      const own = stagesOf.strapi.planned({ query, rights: others }, dialect);
      const ownBindings = own.fit.bindings(own.shape.values, others.user);
      const { compiled, fit, shape } = stagesOf.strapi.planned({ query, rights: ones }, dialect);
      const bindings = fit.bindings(shape.values, others.user);
      expect(bindings !== undefined).toBe(shared);
      if (bindings !== undefined) expect(bound(compiled, bindings)).toEqual(ownBindings && bound(own.compiled, ownBindings));
      expect(fit.bindings(shape.values, nobody)).toBeUndefined();
    }
  });
});

describe('the plan of another query', () => {
  const keys = [
    'filters[title]',
    'filters[title][$eq]',
    'filters[title][$ne]',
    'filters[title][$in]',
    'filters[title][$in][]',
    'filters[title][$in][1]',
    'filters[title][$contains]',
    'filters[title][$notContainsi]',
    'filters[title][$endsWith]',
    'filters[title][$startsWithi]',
    'filters[title][$eqi]',
    'filters[title][$null]',
    'filters[title][$notNull][0]',
    'filters[title][$not]',
    'filters[title][$not][$contains]',
    'filters[$not][title][$lt]',
    'filters[rating]',
    'filters[rating][$gt]',
    'filters[rating][$between][0]',
    'filters[rating][$between][1]',
    'filters[rating][$in][]',
    'filters[rating][$notIn]',
    'filters[views]',
    'filters[views][$gte]',
    'filters[price]',
    'filters[price][$lt]',
    'filters[price][$contains]',
    'filters[featured]',
    'filters[day]',
    'filters[day][$lte]',
    'filters[opens]',
    'filters[startsAt]',
    'filters[startsAt][$gt]',
    'filters[mood]',
    'filters[extra]',
    'filters[extra][$contains]',
    'filters[id]',
    'filters[id][$ne]',
    'filters[id][$in][]',
    'filters[documentId]',
    'filters[locale]',
    'filters[section]',
    'filters[section][name]',
    'filters[section][$not]',
    'filters[section][$in]',
    'filters[tags][name][$contains]',
    'filters[cover][name]',
    'filters[seo][description][$containsi]',
    'filters[$or][0][title]',
    'filters[$or][1][rating]',
    'filters[$and][0][$not][views]',
    'filters[constructor]',
    'filters[nope]',
    'filters[title]x',
    'filters[][title]',
    'filters%5Btitle%5D%5B%24eq%5D',
    'filters',
    '_q',
    'pagination[page]',
    'pagination[pageSize]',
    'pagination[start]',
    'pagination[limit]',
    'pagination[withCount]',
    'start',
    'limit',
    'populate[tags][filters][name]',
    'populate[tags][filters][$or][0][id]',
    'populate[section][populate][articles][filters][rating][$gt]',
    'populate[blocks][on][part.hero][filters][heading][$eq]',
    'populate[filters][title]',
    'populate[comments][filters][text]',
    'populate[section][filters]',
    'populate[section][populate][filters][fields]',
    'populate',
    'sort',
    'status',
    'locale',
  ];
  const values = [
    '',
    'a',
    'Ab',
    'true',
    'false',
    '0',
    '1',
    '5',
    '5.5',
    '-1',
    '+7',
    '1e3',
    '1e999',
    '0x10',
    '9007199254740993',
    '99999999999999999999',
    'NaN',
    'null',
    '2024-01-01',
    '2024-02-30',
    '2024-01-01T10:00:00Z',
    '12:00:00',
    '12:00',
    'abc',
    '%20',
    '+',
    '%',
    '%zz',
    '%00',
    '%C3%A9',
    'é',
    'İ',
    'a]=b',
    'a=b',
    '[',
    '%5B',
    'title',
    'draft',
    'en',
    'x'.repeat(1990),
    '%C3%A9'.repeat(900),
    '*',
    '%EF%BF%BF',
    'a%26b',
  ];
  const value = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, fc.string({ maxLength: 5 }).map(encodeURIComponent));
  const parameter = fc.tuple(fc.constantFrom(...keys), value, value);
  const target = fc.constantFrom('articles', 'articles', 'articles', 'articles/doc1', 'users', 'homepage');
  const pairs = fc.tuple(target, fc.array(parameter, { minLength: 1, maxLength: 4 }));
  const text = (path: string, parameters: readonly (readonly [string, string])[]) =>
    `${path}?${parameters.map((each) => each.join('=')).join('&')}`;
  const figures = { shared: 0, refused: 0 };

  it.each(['strapi', 'specification'] as const)(
    'is bound to what its own plan would be (%s)',
    (profile) => {
      const stages = stagesOf[profile];
      fc.assert(
        fc.property(pairs, ([path, parameters]) => {
          const one = text(
            path,
            parameters.map(([key, first]) => [key, first]),
          );
          const other = text(
            path,
            parameters.map(([key, , second]) => [key, second]),
          );
          for (const dialect of dialects) {
            const expected = alone(profile, one, dialect);
            if ('refused' in expected) {
              figures.refused++;
              expect(outcome(() => stages.planned({ query: one }, dialect), String)).toBe(expected.refused);
              continue;
            }
            const { compiled, fit, shape } = stages.planned({ query: one }, dialect);
            expectTables(compiled);
            const own = fit.bindings(shape.values, nobody);
            expect(own && bound(compiled, own)).toEqual(expected.statements);
            const next = stages.shape({ query: other });
            const bindings =
              shape.shape !== undefined && shape.shape === next.shape && fit.fitsShape ? fit.bindings(next.values, nobody) : undefined;
            if (bindings === undefined) continue;
            figures.shared++;
            expect({ statements: bound(compiled, bindings) }).toEqual(alone(profile, other, dialect));
          }
        }),
        { seed: 13, numRuns: fuzzRuns },
      );
      // The property says something only if plans are shared.
      expect(figures.shared).toBeGreaterThan(fuzzRuns / 10);
    },
    60_000,
  );
});
