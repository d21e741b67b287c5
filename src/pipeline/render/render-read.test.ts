import { describe, expect, it } from 'vitest';
import { printError, type ReadInput, ReadStages } from '../../../test/support/stages/read-stages.ts';
import type { Row } from '../../dialects/dialect.ts';
import { sqlite } from '../../dialects/sqlite.ts';
import { ApiError } from '../../errors/api-error.ts';
import { textOfBody } from '../../text/text-of-body.ts';
import type { FoundRow, LinkRows, Links, ReadRows } from '../execute/types.ts';
import { makeRenderer } from './render-read.ts';

interface Case extends ReadInput {
  readonly it: string;
  readonly found: Partial<Omit<ReadRows, 'rows'>> & { readonly rows: readonly Row[] };
  /** The JSON text, or the refusal; `nothing` where there is no such document. */
  readonly gives: string;
  /** Bytes of the longest response. */
  readonly atMost?: number;
}

const none: Links = { found: [], order: [] };
/** A row that several parents share stays one. */
const foundRows = new Map<Row, FoundRow>();
const rowWithId = (index: number) => (values: Row) => {
  const row = foundRows.get(values) ?? { id: Number(values[index]), values };
  foundRows.set(values, row);
  return row;
};
const links = (...found: readonly LinkRows[]): Links => ({ found, order: found.map((_, index) => index) });
/** Rows of a populated attribute: the row id of the parent comes first. */
const related = (byParent: Readonly<Record<number, readonly Row[]>>, below = none, isShared = false): LinkRows => ({
  kind: 'rows',
  byParent: new Map(Object.entries(byParent).map(([parent, rows]) => [Number(parent), rows.map(rowWithId(1))])),
  isShared,
  links: below,
});
const branch = (rows: readonly Row[]) => ({ byId: new Map(rows.map((row) => [Number(row[0]), rowWithId(0)(row)])), links: none });

const sweet: Row = [1, 9, 't', 'Süß'];

const cases: readonly Case[] = [
  {
    it: 'writes a page, and how many pages there are',
    query: 'tags?fields=name&pagination[page]=2&pagination[pageSize]=2',
    found: { rows: [[3, 'c', 'Cake']], total: 3 },
    gives: '{"data":[{"id":3,"documentId":"c","name":"Cake"}],"meta":{"pagination":{"page":2,"pageSize":2,"pageCount":2,"total":3}}}',
  },
  {
    it: 'writes a page that was not counted',
    query: 'tags?fields=name&pagination[start]=4&pagination[withCount]=false',
    found: { rows: [] },
    gives: '{"data":[],"meta":{"pagination":{"start":4,"limit":25}}}',
  },
  {
    it: 'writes one document, without the instant of its entity tag',
    query: 'tags/a?fields=name',
    found: { rows: [[1, 'a', 'Apple', 1704067200000]] },
    gives: '{"data":{"id":1,"documentId":"a","name":"Apple"},"meta":{}}',
  },
  { it: 'writes nothing where there is no such document', query: 'tags/a?fields=name', found: { rows: [] }, gives: 'nothing' },
  {
    it: 'writes attributes below their own key in the envelope of Strapi 4',
    query: 'tags/a?fields=name&populate[articles][fields]=slug',
    envelope: 'v4',
    found: { rows: [[1, 'a', 'Apple', 0]], links: links(related({ 1: [[1, 5, 'x', 'pie']] })) },
    gives:
      '{"data":{"id":1,"documentId":"a","attributes":{"name":"Apple","articles":{"data":[{"id":5,"documentId":"x","attributes":{"slug":"pie"}}]}}},"meta":{}}',
  },
  {
    it: 'writes users without an envelope',
    query: 'users?fields=username',
    found: {
      rows: [
        [1, 'u', 'ann'],
        [2, 'v', 'bob'],
      ],
    },
    gives: '[{"id":1,"documentId":"u","username":"ann"},{"id":2,"documentId":"v","username":"bob"}]',
  },
  {
    it: 'writes each type of value',
    query: 'articles/a?fields=title,rating,views,price,featured,day,opens,startsAt,extra',
    found: { rows: [[1, 'a', 'A "b"', 4, '9007199254740993', 1.5, 1, '2024-02-29', '09:30:00.000', 1704067200000, '{"k": 1}', 0]] },
    gives:
      '{"data":{"id":1,"documentId":"a","title":"A \\"b\\"","rating":4,"views":"9007199254740993","price":1.5,"featured":true,"day":"2024-02-29","opens":"09:30:00.000","startsAt":"2024-01-01T00:00:00.000Z","extra":{"k": 1}},"meta":{}}',
  },
  {
    it: 'writes null where there is no value',
    query: 'articles/a?fields=title,rating,startsAt',
    found: { rows: [[1, 'a', null, null, null, 0]] },
    gives: '{"data":{"id":1,"documentId":"a","title":null,"rating":null,"startsAt":null},"meta":{}}',
  },
  {
    it: 'writes a relation to one as an entry, and one without a row as null',
    query: 'articles?fields=id&populate[section][fields]=name',
    found: {
      rows: [
        [1, 'a'],
        [2, 'b'],
      ],
      total: 2,
      links: links(related({ 1: [[1, 7, 's', 'News']] })),
    },
    gives:
      '{"data":[{"id":1,"documentId":"a","section":{"id":7,"documentId":"s","name":"News"}},{"id":2,"documentId":"b","section":null}],"meta":{"pagination":{"page":1,"pageSize":25,"pageCount":1,"total":2}}}',
  },
  {
    it: 'writes a relation to many as a list, and a level below it',
    query: 'sections/s?fields=id&populate[articles][fields]=slug&populate[articles][populate][tags][fields]=name',
    found: {
      rows: [[7, 's', 0]],
      links: links(
        related(
          {
            7: [
              [7, 1, 'a', 'pie'],
              [7, 2, 'b', 'tart'],
            ],
          },
          links(related({ 2: [[2, 9, 't', 'Sweet']] })),
        ),
      ),
    },
    gives:
      '{"data":{"id":7,"documentId":"s","articles":[{"id":1,"documentId":"a","slug":"pie","tags":[]},{"id":2,"documentId":"b","slug":"tart","tags":[{"id":9,"documentId":"t","name":"Sweet"}]}]},"meta":{}}',
  },
  {
    it: 'writes a row again below each of its parents, and twice below one that has it twice',
    query: 'articles?fields=id&populate[tags][fields]=name',
    found: {
      rows: [
        [1, 'a'],
        [2, 'b'],
      ],
      total: 2,
      links: links(related({ 1: [sweet], 2: [sweet, sweet] }, none, true)),
    },
    gives:
      '{"data":[{"id":1,"documentId":"a","tags":[{"id":9,"documentId":"t","name":"Süß"}]},{"id":2,"documentId":"b","tags":[{"id":9,"documentId":"t","name":"Süß"},{"id":9,"documentId":"t","name":"Süß"}]}],"meta":{"pagination":{"page":1,"pageSize":25,"pageCount":1,"total":2}}}',
  },
  ...['', 'plain', 'Crème brûlée', '“日本” 🍰', 'a "quote", a \\ and\na line', '\u0000\u001f\u007f', 'x\ud800', 'é'.repeat(50_000)].flatMap(
    (title) =>
      // Short and long texts are written in different ways.
      [title, `${title}${'-'.repeat(100)}`].map((text) => ({
        it: `writes a text as JSON.stringify does: ${JSON.stringify(text).slice(0, 40)}, ${text.length} characters`,
        query: 'articles/a?fields=title',
        atMost: 200_000,
        found: { rows: [[1, 'a', text, 0]] },
        gives: `{"data":{"id":1,"documentId":"a","title":${JSON.stringify(text)}},"meta":{}}`,
      })),
  ),
  ...[-62_135_596_800_001, -1, 0, 59_999, 1_704_067_199_007, 8_640_000_000_000_000].map((instant) => ({
    it: `writes the instant ${instant} as Date does`,
    query: 'articles/a?fields=startsAt',
    found: { rows: [[1, 'a', instant, 0]] },
    gives: `{"data":{"id":1,"documentId":"a","startsAt":"${new Date(instant).toISOString()}"},"meta":{}}`,
  })),
  {
    it: 'writes populated attributes in the order that execute has found',
    query: 'articles/a?fields=id&populate[tags][count]=true&populate[comments][count]=true',
    found: {
      rows: [[1, 'a', 0]],
      links: {
        found: [
          { kind: 'count', byParent: new Map([[1, 3]]) },
          { kind: 'count', byParent: new Map() },
        ],
        order: [1, 0],
      },
    },
    gives: '{"data":{"id":1,"documentId":"a","comments":{"count":0},"tags":{"count":3}},"meta":{}}',
  },
  {
    it: 'writes a dynamic zone in the order of its references, with the name of each component last',
    query: 'articles/a?fields=id&populate[blocks][on][part.hero]=true&populate[blocks][on][part.quote]=true',
    found: {
      rows: [[1, 'a', 0]],
      links: links({
        kind: 'polymorphic',
        references: new Map([
          [
            1,
            [
              { id: 4, type: 'part.quote' },
              { id: 4, type: 'part.hero' },
              { id: 5, type: 'part.hero' },
            ],
          ],
        ]),
        branches: new Map([
          ['part.hero', branch([[4, 'Hello']])],
          ['part.quote', branch([[4, 'Eat.']])],
        ]),
      }),
    },
    gives:
      '{"data":{"id":1,"documentId":"a","blocks":[{"id":4,"text":"Eat.","__component":"part.quote"},{"id":4,"heading":"Hello","__component":"part.hero"}]},"meta":{}}',
  },
  {
    it: 'writes a relation of any type with the name of the type',
    query: 'comments/c?fields=id&populate[about][on][api::section.section][fields]=name',
    found: {
      rows: [[1, 'c', 0]],
      links: links({
        kind: 'polymorphic',
        references: new Map([[1, [{ id: 7, type: 'api::section.section' }]]]),
        branches: new Map([['api::section.section', branch([[7, 's', 'News']])]]),
      }),
    },
    gives: '{"data":{"id":1,"documentId":"c","about":{"id":7,"documentId":"s","name":"News","__type":"api::section.section"}},"meta":{}}',
  },
  {
    it: 'signs the URLs of files in private storage',
    query: 'files/3?fields=url',
    found: { rows: [[3, 'f', '/own/a.png']] },
    gives: '{"id":3,"documentId":"f","url":"/own/a.png?signed"}',
  },
  {
    it: 'leaves URLs of other storages as they are',
    query: 'files/3?fields=url',
    found: { rows: [[3, 'f', 'https://example.com/a.png']] },
    gives: '{"id":3,"documentId":"f","url":"https://example.com/a.png"}',
  },
  {
    it: 'signs the URL of each format of an image',
    query: 'files/3?fields=formats',
    found: { rows: [[3, 'f', '{"small":{"width":5,"url":"/own/small.png"}}']] },
    gives: '{"id":3,"documentId":"f","formats":{"small":{"width":5,"url":"/own/small.png?signed"}}}',
  },
  {
    it: 'refuses a longer response than is allowed',
    query: 'tags/a?fields=name',
    atMost: 60,
    found: { rows: [[1, 'a', 'A name that does not fit in there', 0]] },
    gives: '400 limit.response-bytes',
  },
  {
    it: 'counts bytes and not characters',
    query: 'tags/a?fields=name',
    atMost: 60,
    found: { rows: [[1, 'a', 'ÄÖÜÄÖ', 0]] },
    gives: '400 limit.response-bytes',
  },
];

const stages = new ReadStages();
const sign = (url: string) => (url.startsWith('/own/') ? `${url}?signed` : undefined);

describe('makeRenderer', () => {
  it.each(cases)('$it', async ({ found, gives, atMost = 10_000, ...input }) => {
    const render = makeRenderer(stages.compile(input, sqlite), { responseBytes: atMost, signUrl: sign });
    const rows = found.rows.map(rowWithId(0));
    const rendered = render({ total: undefined, links: none, ...found, rows }, stages.plan(input).pagination).then(
      (body) => (body === undefined ? 'nothing' : textOfBody(body)),
      (error: unknown) => (error instanceof ApiError ? printError(error) : String(error)),
    );
    expect(await rendered).toBe(gives);
    foundRows.clear();
  });
});
