/** The operators on every attribute type that can be compared: three entries with a value each, in ascending order, and one with null. */
import { describe, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, useLibrary } from '../../support/library/library.ts';

interface Comparable {
  readonly attribute: string;
  /** The values of entries a, b and c, as written in a query. */
  readonly values: readonly [a: string, b: string, c: string];
  /** A piece of the text form of b's value that neither a's nor c's has, from its start, its inside and its end. */
  readonly start?: string;
  readonly inside?: string;
  readonly end?: string;
  /** Attributes with the same column type share the cases: this one takes one case in `every`, beginning with number `first`. */
  readonly share?: readonly [first: number, every: number];
}

const comparable: readonly Comparable[] = [
  { attribute: 'str', values: ['alpha', 'beta', 'gamma'], start: 'bet', inside: 'et', end: 'eta' },
  { attribute: 'txt', values: ['alpha text', 'beta text', 'gamma text'], start: 'beta', inside: 'eta t', end: 'beta text', share: [0, 2] },
  {
    attribute: 'rich',
    values: ['alpha *rich*', 'beta *rich*', 'gamma *rich*'],
    start: 'beta',
    inside: 'eta *',
    end: 'beta *rich*',
    share: [1, 2],
  },
  {
    attribute: 'mail',
    values: ['alpha@x.example', 'beta@x.example', 'gamma@x.example'],
    start: 'beta@',
    inside: 'eta@',
    end: 'beta@x.example',
    share: [0, 3],
  },
  {
    attribute: 'handle',
    values: ['alpha-handle', 'beta-handle', 'gamma-handle'],
    start: 'beta',
    inside: 'eta-',
    end: 'beta-handle',
    share: [1, 3],
  },
  { attribute: 'level', values: ['high', 'low', 'mid'], start: 'lo', inside: 'o', end: 'ow', share: [2, 3] },
  { attribute: 'whole', values: ['-3', '7', '2147483647'], start: '7' },
  {
    attribute: 'big',
    values: ['-9223372036854775808', '9007199254740993', '9223372036854775807'],
    start: '9007',
    inside: '199254',
    end: '0993',
  },
  { attribute: 'flt', values: ['-2.5', '0.5', '1234.5'], start: '0.', inside: '0.', end: '0.5' },
  { attribute: 'dec', values: ['-1.25', '10.75', '99999999.25'], start: '10', inside: '0.7', end: '.75' },
  { attribute: 'day', values: ['1969-12-31', '2024-02-29', '9999-12-31'], start: '2024', inside: '-02-', end: '29' },
  { attribute: 'clock', values: ['08:00:00.000', '12:30:15.500', '23:59:59.999'], start: '12:30', inside: ':15.', end: '500' },
  { attribute: 'moment', values: ['1969-12-31T23:59:59.999Z', '2024-02-29T12:34:56.789Z', '2999-12-31T23:59:59.000Z'] },
  { attribute: 'stamp', values: ['1969-12-31T23:59:59.999Z', '2024-02-29T12:34:56.789Z', '2037-12-31T23:59:59.000Z'] },
];

const casesOf = ({ attribute, values: [a, b, c], start, inside, end }: Comparable): ApiCase[] => {
  const on = (operator: string, ...values: readonly string[]) =>
    values.length === 1
      ? `filters[${attribute}]${operator}=${values[0]}`
      : values.map((value, at) => `filters[${attribute}]${operator}[${at}]=${value}`).join('&');
  const text = (operator: string, value: string | undefined, finds: readonly string[]) =>
    value === undefined ? [] : [{ it: `${attribute} ${operator}`, query: on(`[${operator}]`, value), finds }];
  return [
    { it: `${attribute} without operator`, query: on('', b), finds: ['b'] },
    { it: `${attribute} $ne, which null never matches`, query: on('[$ne]', b), finds: ['a', 'c'] },
    { it: `${attribute} $lt`, query: on('[$lt]', b), finds: ['a'] },
    { it: `${attribute} $lte`, query: on('[$lte]', b), finds: ['a', 'b'] },
    { it: `${attribute} $gt`, query: on('[$gt]', b), finds: ['c'] },
    { it: `${attribute} $gte`, query: on('[$gte]', b), finds: ['b', 'c'] },
    { it: `${attribute} $in`, query: on('[$in]', a, c), finds: ['a', 'c'] },
    { it: `${attribute} $notIn, which null never matches`, query: on('[$notIn]', a, c), finds: ['b'] },
    { it: `${attribute} $between, both ends included`, query: on('[$between]', a, b), finds: ['a', 'b'] },
    { it: `${attribute} $between in the wrong order`, query: on('[$between]', c, a), finds: [] },
    { it: `${attribute} $null`, query: on('[$null]', 'true'), finds: ['n'] },
    { it: `${attribute} $null false`, query: on('[$null]', 'false'), finds: ['a', 'b', 'c'] },
    { it: `${attribute} $notNull`, query: on('[$notNull]', 'true'), finds: ['a', 'b', 'c'] },
    { it: `${attribute} $notNull false`, query: on('[$notNull]', 'false'), finds: ['n'] },
    { it: `${attribute} $not, which null never matches`, query: `filters[${attribute}][$not][$eq]=${b}`, finds: ['a', 'c'] },
    { it: `${attribute} two operators at once`, query: `${on('[$gte]', a)}&${on('[$lt]', c)}`, finds: ['a', 'b'] },
    ...text('$startsWith', start, ['b']),
    ...text('$startsWithi', start, ['b']),
    ...text('$contains', inside, ['b']),
    ...text('$containsi', inside, ['b']),
    ...text('$notContains', inside, ['a', 'c']),
    ...text('$notContainsi', inside, ['a', 'c']),
    ...text('$endsWith', end, ['b']),
    ...text('$endsWithi', end, ['b']),
    ...(inside === undefined
      ? []
      : [
          { it: `${attribute} $eqi`, query: on('[$eqi]', b), finds: ['b'] },
          { it: `${attribute} $nei`, query: on('[$nei]', b), finds: ['a', 'c'] },
        ]),
  ];
};

// Entries t1 to t8 hold texts that are easily got wrong; no other entry's text is like theirs. Wildcards are in test/api/security/spellings.test.ts.
const texts: readonly ApiCase[] = [
  { it: '$contains takes quotes literally', query: 'filters[str][$contains]=it\'s "quoted"', finds: ['t6'] },
  { it: '$eq is exact about letter case', query: 'filters[str]=éclair', finds: ['t3'] },
  { it: '$eq is exact about accents', query: 'filters[str]=eclair', finds: [] },
  { it: '$contains is exact about letter case', query: 'filters[str][$contains]=clair', finds: ['t3', 't8'] },
  { it: '$startsWith is exact about letter case', query: 'filters[str][$startsWith]=Éc', finds: ['t8'] },
  { it: '$endsWith is exact about letter case', query: 'filters[str][$endsWith]=AIR', finds: ['t2'] },
  {
    it: '$notContains is exact about letter case',
    query: 'filters[str][$notContains]=clair&filters[label][$startsWith]=t',
    finds: ['t1', 't2', 't4', 't5', 't6', 't7'],
  },
  { it: '$containsi ignores letter case by Unicode', query: 'filters[str][$containsi]=ÉCLAIR', finds: ['t2', 't3', 't8'] },
  { it: '$eqi ignores letter case by Unicode', query: 'filters[str][$eqi]=ÉcLaIr', finds: ['t2', 't3'] },
  {
    it: '$nei ignores letter case by Unicode',
    query: 'filters[str][$nei]=ÉcLaIr&filters[label][$startsWith]=t',
    finds: ['t1', 't4', 't5', 't6', 't7', 't8'],
  },
  { it: '$startsWithi ignores letter case by Unicode', query: 'filters[str][$startsWithi]=éC', finds: ['t2', 't3', 't8'] },
  { it: '$endsWithi ignores letter case', query: 'filters[str][$endsWithi]=AIR', finds: ['t2', 't3'] },
  {
    it: '$notContainsi ignores letter case',
    query: 'filters[str][$notContainsi]=ÉCLAIR&filters[label][$startsWith]=t',
    finds: ['t1', 't4', 't5', 't6', 't7'],
  },
  { it: '$contains is not cut short by a NUL', query: 'filters[str][$contains]=%00x', finds: [] },
  { it: '$eq with the empty text', query: 'filters[str][$eq]=', finds: ['t7'] },
  { it: 'the empty text is not null', query: 'filters[str][$notNull]=true&filters[label]=t7', finds: ['t7'] },
  {
    it: '$contains with several values is an or',
    query: 'filters[str][$contains][0]=%25&filters[str][$contains][1]=Straße',
    finds: ['t1', 't4'],
  },
  { it: '$in takes a comma as part of the value', query: 'filters[label][$in]=a,b', finds: [] },
  // As sort does: a reader who pages by `$gt` of the last value seen must not miss an entry.
  {
    it: 'compares by code point, whatever the collation: capitals before small letters',
    query: 'filters[str][$lt]=a&filters[str][$ne]=',
    finds: ['t1', 't4', 't5'],
  },
  { it: 'compares by code point, whatever the collation: accents after z', query: 'filters[str][$gt]=z', finds: ['t2', 't3', 't8'] },
];

describe.each(engines)('%s: filters', (engine) => {
  const library = useLibrary(engine);
  const check = (apiCase: ApiCase) =>
    library.check({ ...apiCase, query: `${encodeText(apiCase.query ?? '')}&sort=label&fields=label` }, '/api/specimens');
  // The entries with texts have null in every other attribute.
  const checkAmongFirst = (apiCase: ApiCase) =>
    check({ ...apiCase, query: `${apiCase.query}&${['a', 'b', 'c', 'n'].map((label) => `filters[label][$in][]=${label}`).join('&')}` });
  describe.each(comparable)('$attribute', (entry) => {
    const [first, every] = entry.share ?? [0, 1];
    it.each(casesOf(entry).filter((_, at) => at % every === first))('$it', checkAmongFirst);
  });
  describe('texts', () => it.each(texts)('$it', check));
});

/** Characters that HTTP does not accept unencoded; others stay as the case has them. */
const encodeText = (query: string) => query.replaceAll(/[^!-~]|["\\]/gu, encodeURIComponent);
