import { describe, expect, it } from 'vitest';
import { canonicalRows, contradictions, onlyReachable, type Row, type Rows, readRowSchema, unreachable } from './rows.ts';
import { recordedRows, scenarios, schemaFiles, startDatabase } from './scenarios.ts';

const schema = readRowSchema(startDatabase, schemaFiles);
const playedRows = [...recordedRows].filter(([name]) => scenarios.some(({ scenario }) => scenario === name));

/** A book with a draft and a published row, two publishers, offers with a discount, and a cover. */
const content: Rows = {
  books: [
    {
      id: 1,
      document_id: 'a'.repeat(24),
      title: 'One',
      available: 1,
      data: '{"a":[1]}',
      event: 1714979289123,
      published_at: null,
      locale: 'en',
    },
    {
      id: 4,
      document_id: 'a'.repeat(24),
      title: 'One',
      available: 1,
      data: '{"a":[1]}',
      event: 1714979289123,
      published_at: 5,
      locale: 'en',
    },
    { id: 2, document_id: 'b'.repeat(24), title: 'Two', available: 0, data: null, event: null, published_at: null, locale: 'en' },
  ],
  publishers: [
    { id: 1, document_id: 'c'.repeat(24), name: 'P', published_at: null, locale: null },
    { id: 2, document_id: 'd'.repeat(24), name: 'Q', published_at: null, locale: null },
  ],
  books_publisher_lnk: [
    { id: 1, book_id: 1, publisher_id: 1, book_ord: 1 },
    { id: 2, book_id: 2, publisher_id: 1, book_ord: 2 },
  ],
  books_similar_lnk: [
    { id: 1, book_id: 1, inv_book_id: 2, book_ord: 1 },
    { id: 2, book_id: 1, inv_book_id: 1, book_ord: 2 },
  ],
  books_cmps: [
    { id: 1, entity_id: 1, cmp_id: 1, component_type: 'shop.offer', field: 'offers', order: 1 },
    { id: 2, entity_id: 1, cmp_id: 2, component_type: 'shop.offer', field: 'offers', order: 2 },
  ],
  components_shop_offers: [
    { id: 1, label: 'first' },
    { id: 2, label: 'second' },
  ],
  components_shop_offers_cmps: [{ id: 1, entity_id: 2, cmp_id: 7, component_type: 'shop.discount', field: 'discount', order: null }],
  components_shop_discounts: [{ id: 7, percent: 5 }],
  files: [{ id: 3, document_id: 'e'.repeat(24), name: 'red.png', hash: 'red_0123456789', size: 1.5, published_at: 5, locale: null }],
  files_related_mph: [{ id: 1, file_id: 3, related_id: 4, related_type: 'api::book.book', field: 'cover', order: 1 }],
};

const canonical = (rows: Rows) => canonicalRows(rows, schema);
/** The content with other rows in a table. */
const changed = (table: string, change: (rows: readonly Row[]) => readonly Row[]): Rows => ({
  ...content,
  [table]: change(content[table] ?? []),
});
const every = (table: string, change: Row) => changed(table, (rows) => rows.map((row) => ({ ...row, ...change })));
const at = (table: string, index: number, change: Row) =>
  changed(table, (rows) => rows.map((row, each) => (each === index ? { ...row, ...change } : row)));

describe('names of rows', () => {
  it('give the position of a row', () => {
    expect(Object.fromEntries(Object.entries(canonical(content)).map(([table, rows]) => [table, Object.keys(rows)]))).toEqual({
      books: ['books 1 draft en', 'books 1 published en', 'books 2 draft en'],
      publishers: ['publishers 1 draft', 'publishers 2 draft'],
      books_publisher_lnk: ['books 1 draft en → publishers 1 draft', 'books 2 draft en → publishers 1 draft'],
      books_similar_lnk: ['books 1 draft en → books 2 draft en', 'books 1 draft en → books 1 draft en'],
      books_cmps: ['books 1 draft en.offers[1]', 'books 1 draft en.offers[2]'],
      components_shop_offers: ['books 1 draft en.offers[1]', 'books 1 draft en.offers[2]'],
      components_shop_offers_cmps: ['books 1 draft en.offers[2].discount[1]'],
      components_shop_discounts: ['books 1 draft en.offers[2].discount[1]'],
      files: ['files 1 published'],
      files_related_mph: ['books 1 published en.cover[1]'],
    });
  });
  it('count the mentioned ids of a table that was not recorded', () => {
    const { publishers: _, ...others } = content;
    expect(Object.keys(canonical(others).books_publisher_lnk ?? {})).toEqual([
      'books 1 draft en → publishers ~1',
      'books 2 draft en → publishers ~1',
    ]);
  });
});

describe('rows that count as equal', () => {
  const cases: readonly [it: string, rows: Rows][] = [
    ['other times', at('books', 1, { published_at: 6 })],
    ['order values of equal rank', at('books_publisher_lnk', 1, { book_ord: 17.5 })],
    ['NULL or 1 as the order of a single component', every('components_shop_offers_cmps', { order: 1 })],
    [
      'another document id',
      changed('books', (rows) => rows.map((row) => ({ ...row, document_id: String(row.document_id).replaceAll('a', 'z') }))),
    ],
    ['the id of a link', at('books_publisher_lnk', 1, { id: 99 })],
    ['a boolean as PostgreSQL writes it', at('books', 2, { available: 'f' })],
    ['JSON as PostgreSQL writes it', at('books', 0, { data: '{"a": [1]}' })],
    ['a date-time as PostgreSQL writes it', at('books', 0, { event: '2024-05-06 07:08:09.123' })],
    ['the random part of a file name', every('files', { hash: 'red_abcdefabcd' })],
  ];
  it.each(cases)('%s', (_, rows) => {
    expect(canonical(rows)).toEqual(canonical(content));
  });

  it.each(playedRows)('other row ids: %s', (_, rows) => {
    expect(canonical(shifted(rows))).toEqual(canonical(rows));
  });
});

describe('rows that count as different', () => {
  const cases: readonly [it: string, rows: Rows][] = [
    ['another value', at('books', 1, { title: 'Two' })],
    ['draft and published rows of different documents', at('books', 1, { document_id: 'z'.repeat(24) })],
    ['something else than a document id', at('publishers', 0, { document_id: 'x' })],
    ['another status', at('books', 2, { published_at: 5 })],
    ['another locale', at('books', 2, { locale: 'fr' })],
    [
      'a row more',
      changed('publishers', (rows) => [...rows, { id: 9, document_id: 'f'.repeat(24), name: 'R', published_at: null, locale: null }]),
    ],
    ['the same row twice', changed('publishers', (rows) => [...rows, { ...rows[1], id: 9 }])],
    ['a link to another row', at('books_publisher_lnk', 0, { publisher_id: 2 })],
    ['links in another order', at('books_publisher_lnk', 0, { book_ord: 3 })],
    ['links of a type to itself in another order', at('books_similar_lnk', 0, { book_ord: 3 })],
    [
      'equal order values with ids in another order',
      changed('books_publisher_lnk', (rows) => rows.map((row) => ({ ...row, id: 9 - Number(row.id), book_ord: 1 }))),
    ],
    ['components in another order', at('books_cmps', 0, { order: 3 })],
    ['a component of another row', at('books_cmps', 1, { entity_id: 4 })],
    ['a component in another field', at('books_cmps', 1, { field: 'sections' })],
    ['a component in another component', every('components_shop_offers_cmps', { entity_id: 1 })],
    ['one component used twice', at('books_cmps', 1, { cmp_id: 1 })],
    ['a file of another row', every('files_related_mph', { related_id: 1 })],
    ['a file of another field', every('files_related_mph', { field: 'files' })],
    ['another boolean', at('books', 0, { available: 'f' })],
    ['another list in JSON', at('books', 0, { data: '{"a":[2]}' })],
    ['another date-time', at('books', 0, { event: '2024-05-06 08:08:09.123' })],
  ];
  it.each(cases)('%s', (_, rows) => {
    expect(canonical(rows)).not.toEqual(canonical(content));
  });

  it('a password with another cost, and one that is no hash', () => {
    const withPin = (pin: string) => canonical(every('books', { pin }));
    const hash = `$2a$10$${'x'.repeat(53)}`;
    expect(withPin(hash)).toEqual(withPin(`$2b$10$${'y'.repeat(53)}`));
    expect(withPin(hash)).not.toEqual(withPin(`$2b$04$${'y'.repeat(53)}`));
    expect(withPin(hash)).not.toEqual(withPin('secret'));
  });

  it.each(playedRows)('a recorded row less, or a recorded value changed: %s', (_, recorded) => {
    const rows = onlyReachable(recorded, schema);
    const asRecorded = JSON.stringify(canonical(rows));
    const unnoticed: unknown[] = [];
    for (const [table, ofTable] of Object.entries(rows)) {
      for (const row of ofTable) {
        const notice = (what: unknown, others: readonly Row[]) => {
          if (JSON.stringify(canonical({ ...rows, [table]: others })) === asRecorded) unnoticed.push({ table, row, what });
        };
        notice(
          'removed',
          ofTable.filter((other) => other !== row),
        );
        for (const column of Object.keys(row)) {
          if (column === 'id' || column === 'order' || /_(?:at|ord)$/.test(column) || table === 'files') continue;
          notice(
            column,
            ofTable.map((other) => (other === row ? { ...row, [column]: row[column] === null ? '77' : null } : other)),
          );
        }
      }
    }
    expect(unnoticed).toEqual([]);
  });
});

describe('rows that must not be left', () => {
  const whys = (rows: Rows) => [...unreachable(rows, schema), ...contradictions(rows, schema)].map(({ table, why }) => `${table}: ${why}`);
  const cases: readonly [rows: Rows, ...whys: string[]][] = [
    [content],
    [changed('components_shop_offers', (rows) => [...rows, { id: 9, label: 'alone' }]), 'components_shop_offers: used nowhere'],
    [changed('components_shop_discounts', () => []), 'components_shop_offers_cmps: the component is gone'],
    [changed('files', () => []), 'files_related_mph: the row of file_id is gone'],
    [every('files_related_mph', { related_id: 9 }), 'files_related_mph: the related row is gone'],
    [at('books_publisher_lnk', 0, { publisher_id: 9 }), 'books_publisher_lnk: the row of publisher_id is gone'],
    [at('books_publisher_lnk', 0, { publisher_id: null }), 'books_publisher_lnk: the row of publisher_id is gone'],
    [at('books_cmps', 1, { cmp_id: 1 }), 'components_shop_offers: used nowhere', 'books_cmps: used twice'],
    [at('books', 1, { published_at: null }), 'books: the document has this status and locale twice'],
  ];
  it.each(cases.map(([rows, ...expected]) => ({ rows, expected })))('$expected', ({ rows, expected }) => {
    expect(whys(rows)).toEqual(expected);
  });

  it('are dropped from recorded rows, with what only they mention', () => {
    const rows = onlyReachable(
      changed('books_cmps', (uses) => uses.slice(0, 1)),
      schema,
    );
    expect(rows).toEqual({
      ...content,
      books_cmps: content.books_cmps?.slice(0, 1),
      components_shop_offers: content.components_shop_offers?.slice(0, 1),
      components_shop_offers_cmps: [],
      components_shop_discounts: [],
    });
  });
});

/** The same rows under other ids. */
function shifted(rows: Rows): Rows {
  const by = (table: string | undefined) => 100 * (1 + Object.keys(schema.columns).indexOf(table ?? ''));
  return Object.fromEntries(
    Object.entries(rows).map(([table, ofTable]) => [
      table,
      ofTable.map((row) => {
        const moved: Record<string, unknown> = { ...row, id: Number(row.id) + by(table) };
        const move = (column: string, target: string | undefined) => {
          if (row[column] !== null) moved[column] = Number(row[column]) + by(target);
        };
        for (const [column, target] of Object.entries(schema.references[table] ?? {})) move(column, target);
        if ('cmp_id' in row) move('cmp_id', schema.typeTables[String(row.component_type)]);
        if ('related_id' in row) move('related_id', schema.typeTables[String(row.related_type)]);
        return moved;
      }),
    ]),
  );
}
