/** On SQLite, readers hold the values that lists are searched by. What they find among these is what the database finds. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  note: {
    attributes: {
      title: { type: 'string' },
      body: { type: 'text' },
      code: { type: 'uid' },
      rank: { type: 'integer' },
      weight: { type: 'float' },
      at: { type: 'datetime' },
      facts: { type: 'json' },
    },
  },
});

/** Neighbours whose ends make up a searched text, characters of one to four bytes, those that patterns escape, and no text at all. */
const titles = [
  'ab',
  'cd',
  '',
  null,
  'Ä Straße',
  'ä straße',
  '😀 a😀b',
  'x*?[%_\\y',
  "it's",
  'ABab',
  'İstanbul',
  'a\u0000b',
  '12',
  'ﬁn',
  '\ufffd',
  'n\ufffd a',
];
const bodies = ['bc', null, 'a long text, '.repeat(40), 'ÄÖÜ'];
const literal = (value: string | number | null) =>
  typeof value === 'string' ? `CAST(X'${Buffer.from(value).toString('hex')}' AS TEXT)` : String(value);
const row = (number: number) =>
  [
    titles[number % titles.length] ?? null,
    bodies[number % bodies.length] ?? null,
    `code-${number}`,
    number % 7 === 0 ? null : (number % 11) - 5,
    number % 5 === 0 ? null : (number % 9) / 4,
    1_700_000_000_000 + (number % 13),
  ].map(literal);
const insert = (number: number) =>
  `INSERT INTO notes (document_id, title, body, code, rank, weight, at, facts, published_at) VALUES ('n${String(number).padStart(23, '0')}', ${row(number).join(', ')}, ${number % 3 === 0 ? 5 : `'{"a": ${number % 4}}'`}, 5)`;

/** Conditions on a text, with what is searched for left open. */
const conditions = [
  ...['$contains', '$containsi', '$notContains', '$notContainsi'].map((operator) => `filters[title][${operator}]=TEXT`),
  'filters[$not][title][$contains]=TEXT',
  '_q=TEXT',
  'filters[$or][0][title][$contains]=TEXT&filters[$or][1][body][$containsi]=TEXT',
  'filters[$or][0][title][$contains]=TEXT&filters[$or][1][rank][$gt]=1',
  ...['$gt', '$gte', '$lt', '$lte'].flatMap((operator) => [
    `filters[title][$containsi]=TEXT&filters[rank][${operator}]=2`,
    `filters[title][$notContains]=TEXT&filters[$not][weight][${operator}]=1.25`,
  ]),
  'filters[title][$contains]=TEXT&filters[rank][$between][0]=-2&filters[rank][$between][1]=3',
  'filters[title][$contains]=TEXT&filters[$not][weight][$between][0]=0.5&filters[$not][weight][$between][1]=1.5',
  'filters[title][$contains]=TEXT&filters[at][$gt]=2023-11-14T22:13:20.004Z',
  'filters[title][$contains]=TEXT&filters[code][$ne]=code-1',
  'filters[rank][$contains]=TEXT',
  'filters[weight][$notContains]=TEXT',
  'filters[facts][$contains]=TEXT',
];
const texts = [
  'a',
  'ab',
  'bc',
  'abcd',
  'Ä',
  'ä',
  'straße',
  '😀',
  'i',
  'x*?[%_\\y',
  '%',
  "'",
  'long text',
  '1',
  '.5',
  'ﬁ',
  '\ufffd',
  '\ufffd a',
  ' ',
];
const orders = ['pagination[pageSize]=100', 'sort=rank:desc,title&pagination[pageSize]=7&pagination[page]=2'];

interface Found {
  readonly data: readonly unknown[];
  readonly meta: { readonly pagination: { readonly total: number } };
}

describe.runIf(engines.includes('sqlite'))('a list that is searched by many texts', () => {
  const served = useProject('sqlite', {
    files,
    public: ['api::note.note.find'],
    env: { LECTERN_PROFILE: 'strapi', LECTERN_CACHE_BYTES: '0', LECTERN_DATABASE_READERS: '1' },
  });
  async function ask(condition: string, text: string, order: string): Promise<{ readonly found: Found; readonly statements: number }> {
    const path = `/api/notes?fields=title&${condition.replaceAll('TEXT', encodeURIComponent(text))}&${order}`;
    const response = await served.ask('public', 'GET', path);
    expect(response.status, path).toBe(200);
    const statements = Number(/statements;desc="(\d+)"/.exec(String(response.headers['server-timing']))?.[1]);
    return { found: response.json() as Found, statements };
  }
  let rows = 0;
  const add = (count: number) => served.change(...Array.from({ length: count }, () => insert(rows++)));
  let searches = 0;
  /** Searches for texts that were not searched for before, until the rows are found without a statement. */
  async function hold(condition: string, order: string): Promise<void> {
    for (let search = 1; search <= 1000; search++) {
      const { found, statements } = await ask(condition, `none ${++searches}`, order);
      // The rows are read by their ids.
      if (statements === (found.data.length === 0 ? 0 : 1)) return;
    }
    throw new Error(`${condition}&${order}: the database was searched each time`);
  }
  /** Without a total, the database finds the rows. */
  async function expectSame(condition: string, text: string, order: string): Promise<void> {
    const [{ found, statements }, other] = [
      await ask(condition, text, order),
      await ask(condition, text, `${order}&pagination[withCount]=false`),
    ];
    const what = `${condition.replaceAll('TEXT', text)}&${order}, ${statements} statements`;
    expect(found.data, what).toEqual(other.found.data);
    if (found.data.length < 100 && order === orders[0]) expect(found.meta.pagination.total, what).toBe(found.data.length);
  }

  it.each(conditions)('finds the same rows among held values as in the database: %s', async (condition) => {
    if (rows === 0) await add(90);
    for (const order of orders) {
      await hold(condition, order);
      for (const text of texts) await expectSame(condition, text, order);
    }
  });

  it('finds what was written a moment before', async () => {
    const [condition = '', , , , , search = ''] = conditions;
    const [order = ''] = orders;
    for (let round = 0; round < 20; round++) {
      const title = `written ${round}`;
      for (const each of [condition, search]) await ask(each, title, order);
      if (round % 2 === 0) await served.write('POST', '/api/notes', { title });
      else await served.change(`UPDATE notes SET title = '${title}' WHERE id = ${round}`);
      for (const each of [condition, search]) {
        expect((await ask(each, title, order)).found.meta.pagination.total).toBe(1);
        await expectSame(each, 'a', order);
      }
    }
  });

  it('finds texts beside bytes that are not UTF-8', async () => {
    const bytes = ['61FF62', 'E28261', 'F0C3A4', '80C384', '61EDA0BD62'];
    await served.change(...bytes.map((hex, index) => `UPDATE notes SET title = CAST(X'${hex}' AS TEXT) WHERE id = ${30 + index}`));
    for (const condition of conditions.slice(0, 2)) {
      for (const order of orders) {
        await hold(condition, order);
        for (const text of ['b', ...texts]) await expectSame(condition, text, order);
      }
    }
  });

  it('leaves a list with a number beyond 2^53 to the database', async () => {
    const condition = 'filters[title][$contains]=TEXT&filters[rank][$gt]=1';
    await served.change('UPDATE notes SET rank = 9007199254740993 WHERE id = 40');
    for (let search = 0; search < 50; search++) expect((await ask(condition, `nothing ${search}`, '')).statements).not.toBe(0);
  });
});
