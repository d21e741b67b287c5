/** On SQLite and PostgreSQL, readers hold the values that lists are searched by. What they find among these is what the database finds. */
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

/** How the rows are written into each engine. */
const dialects = {
  sqlite: {
    text: (hex: string) => `CAST(X'${hex}' AS TEXT)`,
    instant: String,
    storesNul: true,
  },
  postgres: {
    text: (hex: string) => `convert_from('\\x${hex}', 'UTF8')`,
    instant: (milliseconds: number) => `timestamp 'epoch' + ${milliseconds} * interval '1 millisecond'`,
    storesNul: false,
  },
};
type Dialect = (typeof dialects)[keyof typeof dialects];

const literal = (value: string | number | null, { text, storesNul }: Dialect) =>
  typeof value === 'string' ? text(Buffer.from(storesNul ? value : value.replaceAll('\0', '')).toString('hex')) : String(value);
const row = (number: number, dialect: Dialect) => [
  ...values(number).map((value) => literal(value, dialect)),
  dialect.instant(1_700_000_000_000 + (number % 13)),
];
const values = (number: number) => [
  titles[number % titles.length] ?? null,
  bodies[number % bodies.length] ?? null,
  `code-${number}`,
  number % 7 === 0 ? null : (number % 11) - 5,
  number % 5 === 0 ? null : (number % 9) / 4,
];
const insert = (number: number, dialect: Dialect) =>
  `INSERT INTO notes (document_id, title, body, code, rank, weight, at, facts, published_at) VALUES ('n${String(number).padStart(23, '0')}', ${row(number, dialect).join(', ')}, ${number % 3 === 0 ? "'5'" : `'{"a": ${number % 4}}'`}, ${dialect.instant(5)})`;

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
/** The same for equal values, which SQLite finds by itself. */
const equalities = [
  'filters[title][$eq]=TEXT',
  'filters[title]=TEXT&filters[rank]=2',
  'filters[title][$eq]=TEXT&filters[weight][$eq]=1.25&filters[body][$contains]=long',
  'filters[title][$eq]=TEXT&filters[$not][body][$contains]=long',
  'filters[$or][0][title][$eq]=TEXT&filters[$or][1][code][$eq]=code-7&filters[$or][2][rank][$eq]=-5',
  'filters[$or][0][code][$eq]=code-6&filters[$or][1][at][$gt]=2023-11-14T22:13:20.004Z&filters[title][$eq]=TEXT',
  'filters[$and][0][code][$ne]=code-1&filters[$and][1][title][$eq]=TEXT',
  'filters[code][$eqi]=CODE-9&filters[title][$eq]=TEXT',
];
const texts = [
  'a',
  'ab',
  'bc',
  'abcd',
  'Ä',
  'ä',
  'straße',
  'STRA',
  'AB',
  'ISTAN',
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

const withoutCache = { LECTERN_CACHE_BYTES: '0' };
const modes = { sqlite: { 'without a response cache': withoutCache }, postgres: { 'without a response cache': withoutCache } };
interface Case {
  readonly engine: keyof typeof modes;
  readonly env: Readonly<Record<string, string>>;
}
const casesOf = (engine: keyof typeof modes) => Object.entries(modes[engine]).map(([mode, env]) => ({ engine, mode, env }));
const metricsToken = 'a-token-for-the-metrics-of-held-lists';

function finds({ engine, env }: Case): void {
  const dialect = dialects[engine];
  const served = useProject(engine, {
    files,
    public: ['api::note.note.find'],
    env: { LECTERN_PROFILE: 'strapi', LECTERN_DATABASE_READERS: '1', LECTERN_METRICS_TOKEN: metricsToken, ...env },
  });
  async function ask(condition: string, text: string, order: string): Promise<{ readonly found: Found; readonly statements: number }> {
    const path = `/api/notes?fields=title&${condition.replaceAll('TEXT', encodeURIComponent(text))}&${order}`;
    const response = await served.ask('public', 'GET', path);
    expect(response.status, path).toBe(200);
    const statements = Number(/statements;desc="(\d+)"/.exec(String(response.headers['server-timing']))?.[1]);
    return { found: response.json() as Found, statements };
  }
  let rows = 0;
  const add = (count: number) => served.change(...Array.from({ length: count }, () => insert(rows++, dialect)));
  let searches = 0;
  const hits = async () => {
    const { text } = await served.server.get('/metrics', { authorization: `Bearer ${metricsToken}` });
    return Number(/lectern_cache_hits_total\{name="lists"\} (\d+)/.exec(text)?.[1]);
  };
  /** Whether the database did not search for a text that was not searched for before. SQLite reads the rows that are found by their ids. */
  async function isHeld(condition: string, order: string): Promise<boolean> {
    const before = engine === 'postgres' ? await hits() : 0;
    const { found, statements } = await ask(condition, `none ${++searches}`, order);
    return engine === 'postgres' ? (await hits()) > before : statements === (found.data.length === 0 ? 0 : 1);
  }
  /** Searches for texts that were not searched for before, until the values are held. */
  async function hold(condition: string, order: string): Promise<void> {
    for (let search = 1; search <= 1000; search++) {
      if (await isHeld(condition, order)) return;
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

  it.runIf(engine === 'postgres').each(equalities)(
    'finds the same rows by equality among held values as in the database: %s',
    async (condition) => {
      for (const order of orders) {
        await hold(condition, order);
        for (const text of ['', 'ABab', 'abab', 'code-9', 'CODE-9', ...texts]) await expectSame(condition, text, order);
      }
    },
  );

  it('finds what was written a moment before', async () => {
    const equal = 'filters[title][$eq]=TEXT';
    const [condition = '', , , , , search = ''] = conditions;
    const [order = ''] = orders;
    for (let round = 0; round < 20; round++) {
      const title = `written ${round}`;
      for (const each of [condition, search, equal]) await ask(each, title, order);
      if (round % 2 === 0) await served.write('POST', '/api/notes', { title });
      else await served.change(`UPDATE notes SET title = '${title}' WHERE id = ${round}`);
      for (const each of [condition, search, equal]) {
        expect((await ask(each, title, order)).found.meta.pagination.total).toBe(1);
        await expectSame(each, 'a', order);
      }
    }
  });

  it.runIf(engine === 'sqlite')('finds texts beside bytes that are not UTF-8', async () => {
    const bytes = ['61FF62', 'E28261', 'F0C3A4', '80C384', '61EDA0BD62'];
    await served.change(...bytes.map((hex, index) => `UPDATE notes SET title = CAST(X'${hex}' AS TEXT) WHERE id = ${30 + index}`));
    for (const condition of conditions.slice(0, 2)) {
      for (const order of orders) {
        await hold(condition, order);
        for (const text of ['b', ...texts]) await expectSame(condition, text, order);
      }
    }
  });

  it.runIf(engine === 'postgres')('compares numbers and texts of less usual columns as the database does', async () => {
    await served.change(
      'ALTER TABLE notes ALTER weight TYPE real, ALTER title TYPE character(20) USING left(title, 20)',
      'UPDATE notes SET weight = 0.1 WHERE id % 2 = 0',
    );
    for (const order of orders) {
      for (const condition of [
        'filters[title][$contains]=TEXT&filters[weight][$gt]=0.1',
        'filters[title][$notContains]=TEXT',
        'filters[title][$eq]=TEXT',
        'filters[$or][0][title][$eq]=TEXT&filters[$or][1][weight][$eq]=0.1',
      ]) {
        await hold(condition, order);
        for (const text of ['a', 'b ', 'ab', '1']) await expectSame(condition, text, order);
      }
    }
  });

  it.runIf(engine === 'postgres')('leaves equalities to the database if a column has a nondeterministic collation', async () => {
    await served.change(
      `CREATE COLLATION IF NOT EXISTS any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
      'ALTER TABLE notes ALTER code TYPE varchar(255) COLLATE any_case',
    );
    const before = await hits();
    for (let search = 0; search < 60; search++)
      await expectSame('filters[code][$eq]=TEXT', `CODE-${100 + search}`, 'pagination[pageSize]=100');
    const { found } = await ask('filters[code][$eq]=TEXT', 'CODE-9', 'pagination[pageSize]=100');
    expect(found.data).toHaveLength(1);
    expect(await hits()).toBe(before);
    await served.change('ALTER TABLE notes ALTER code TYPE varchar(255) COLLATE "default"');
  });

  it.runIf(engine === 'postgres')('sorts NaN behind all numbers', async () => {
    const condition = 'filters[title][$contains]=TEXT&filters[weight][$gt]=1.25';
    const [order = ''] = orders;
    await served.change(`UPDATE notes SET weight = 'NaN' WHERE id IN (3, 4)`, `UPDATE notes SET weight = 'Infinity' WHERE id IN (6, 7)`);
    for (let search = 0; search < 50; search++) await expectSame(condition, `${search % 3 === 0 ? 'a' : search}`, order);
  });

  it.runIf(engine === 'postgres')('leaves many conditions to the database, since the search would hold up other requests', async () => {
    const many = Array.from({ length: 80 }, (_, index) => `filters[$or][${index + 1}][rank][$gt]=${index}`).join('&');
    const condition = `filters[$or][0][title][$contains]=TEXT&${many}`;
    await served.change(...Array.from({ length: 20 }, () => `INSERT INTO notes (title, rank) SELECT title, rank FROM notes LIMIT 100`));
    const before = await hits();
    for (let search = 0; search < 60; search++) await expectSame(condition, `nothing ${search}`, '');
    expect(await hits()).toBe(before);
  });

  it.runIf(engine === 'sqlite')('leaves a list with a number beyond 2^53 to the database', async () => {
    const condition = 'filters[title][$contains]=TEXT&filters[rank][$gt]=1';
    await served.change('UPDATE notes SET rank = 9007199254740993 WHERE id = 40');
    for (let search = 0; search < 50; search++) expect((await ask(condition, `nothing ${search}`, '')).statements).not.toBe(0);
  });
}

const title = 'a list that is searched by many texts, on $engine $mode';
describe.runIf(engines.includes('sqlite')).each(casesOf('sqlite'))(title, finds);
describe.runIf(engines.includes('postgres')).each(casesOf('postgres'))(title, finds);
