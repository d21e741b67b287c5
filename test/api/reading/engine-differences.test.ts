/** What engines do in ways of their own by default, and must do alike: digits of numbers, names of tables, orders, and the cost of searches. */
import { beforeAll, describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedNumbered } from '../../support/seeds.ts';
import { dataOf, errorOf, useProject } from '../../support/served-project.ts';

const title = { type: 'string' };
const reading = { type: 'float' };
/** Names that a statement might choose for a part of itself. */
const tables = ['page', 'found', 'l1', 't1', 'order'];
const files = schemaFiles({
  gauge: { single: true, attributes: { reading } },
  sample: { attributes: { reading } },
  story: { localized: true, attributes: { title: { ...title, ...translated } } },
  note: { attributes: { title, text: { type: 'text' } } },
  ...Object.fromEntries(
    tables.map((plural) => [
      `${plural}-leaf`,
      { plural, drafts: true as const, attributes: { title, next: relation('oneToOne', `${plural}-leaf`) } },
    ]),
  ),
});

/** Numbers of 16 and 17 digits, which are read wrongly when their digits are multiplied up. */
const numbers = [97.13578789960593, 97.71756168920547, 0.30000000000000004, 123456.78901234567, -9007199254740.992, 5e-324, 1e300];
const nearly = `${'a'.repeat(1900)}b`;

describe.each(engines)('%s', (engine) => {
  const served = useProject(engine, {
    files,
    locales: ['en', 'fr', 'de', 'it', 'cs'].map((code) => ({ code, name: code })),
    types: [{ type: 'api::note.note', documents: seedNumbered(3, () => ({ title: 'Note' })) }],
  });

  it.each(numbers)('returns %f as it was written, in statements with and without values', async (value) => {
    await served.write('PUT', '/api/gauge', { reading: value });
    const sample = await served.make('/api/samples', { reading: value });
    const filtered = `/api/samples?filters[reading]=${encodeURIComponent(value)}&pagination[pageSize]=1`;
    for (const path of ['/api/gauge', sample, filtered]) {
      const { data } = (await served.ask('full', 'GET', path)).json() as { data: unknown };
      expect([data].flat()[0], path).toMatchObject({ reading: value });
    }
  });

  it.each(tables)('the table %s is read with its relations, filtered and sorted', async (table) => {
    const { documentId: next } = await served.write('POST', `/api/${table}`, { title: 'first' });
    await served.write('POST', `/api/${table}`, { title: 'second', next });
    const query = 'filters[title][$contains]=s&filters[next][title]=first&sort=title&populate[next][populate]=next';
    const response = await served.ask('full', 'GET', `/api/${table}?${query}`);
    expect(response.json()).toMatchObject({ data: [{ title: 'second', next: { title: 'first', next: null } }] });
  });

  // Strapi asks for no order: SQLite returns them by locale, PostgreSQL in the order in which the rows were written.
  it('orders the localizations of an entry', async () => {
    const path = await served.make('/api/storys', { title: 'a' });
    for (const code of ['it', 'de', 'fr', 'cs']) await served.write('PUT', `${path}?locale=${code}`, { title: 'a' });
    const inStrapi = await served.beside({ LECTERN_PROFILE: 'strapi' });
    for (const server of [served.server, inStrapi]) {
      const entry = dataOf(await server.get(`${path}?populate=localizations`, served.authorization('full')));
      const order = engine === 'postgres' && server === inStrapi ? ['it', 'de', 'fr', 'cs'] : ['cs', 'de', 'fr', 'it'];
      expect(entry.localizations).toMatchObject(order.map((locale) => ({ locale })));
    }
  });

  describe('looking for a text', () => {
    beforeAll(() => served.change(`UPDATE notes SET text = ${engineSql[engine].letters(1_000_000)}`));

    // The time of one comparison grows with the text, and not with the text times the pattern.
    it.each(['$contains', '$containsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi', '$eqi', '$notContains'])(
      '%s of a text that is nearly there everywhere takes no time',
      async (operator) => {
        const started = performance.now();
        const response = await served.ask('full', 'GET', `/api/notes?filters[text][${operator}]=${nearly}&fields=title`);
        expect(response.status).toBe(200);
        expect((response.json() as { data: unknown[] }).data).toHaveLength(operator === '$notContains' ? 3 : 0);
        expect(performance.now() - started).toBeLessThan(8000);
      },
    );

    const eleven = Array.from({ length: 11 }, (_, at) => `filters[$or][${at}][text][$contains]=${nearly}`).join('&');
    it.each([
      [`filters[text][$contains]=${'a'.repeat(2001)}`, 'limits.patternBytes', 'filters[text][$contains]'],
      [eleven, 'limits.searchBytes', 'filters[$or]'],
      [`populate=*&_q=${'a'.repeat(2001)}`, 'limits.patternBytes', '_q'],
    ])('a query with too much text to search for is refused', async (query, setting, parameter) => {
      const error = errorOf(await served.ask('full', 'GET', `/api/notes?${query}`));
      expect(error).toMatchObject({ status: 400, name: 'ValidationError', message: expect.stringContaining(setting) });
      expect(error.message).toContain(parameter);
    });
  });
});
