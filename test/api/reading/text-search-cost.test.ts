/** The cost of a text search: the time of one comparison grows with the text, and not with the text times the pattern. */
import { describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' }, text: { type: 'text' } } } });
const nearly = `${'a'.repeat(1900)}b`;

describe.each(engines)('%s: looking for a text', (engine) => {
  const api = useProject(engine, {
    files,
    public: ['api::note.note.find'],
    types: [
      {
        type: 'api::note.note',
        documents: [1, 2, 3].map((key) => ({ key: `n${key}`, status: 'published', data: { title: `Note ${key}` } })),
      },
    ],
    env: { LECTERN_PROFILE: 'specification' },
  });

  it.each(['$contains', '$containsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi', '$eqi', '$notContains'])(
    '%s of a text that is nearly there everywhere takes no time',
    async (operator) => {
      await api.change(`UPDATE notes SET text = ${engineSql[engine].letters(1_000_000)}`);
      const started = performance.now();
      const response = await api.ask('public', 'GET', `/api/notes?filters[text][${operator}]=${nearly}&fields=title`);
      expect(response.status).toBe(200);
      expect((response.json() as { data: unknown[] }).data).toHaveLength(operator === '$notContains' ? 3 : 0);
      expect(performance.now() - started).toBeLessThan(8000);
    },
  );

  it.each([
    [`filters[text][$contains]=${'a'.repeat(2001)}`, 'limits.patternBytes', 'filters[text][$contains]'],
    [
      Array.from({ length: 11 }, (_, at) => `filters[$or][${at}][text][$contains]=${nearly}`).join('&'),
      'limits.searchBytes',
      'filters[$or]',
    ],
    [`populate=*&_q=${'a'.repeat(2001)}`, 'limits.patternBytes', '_q'],
  ])('a query with too much text to search for is refused', async (query, setting, parameter) => {
    const error = errorOf(await api.ask('public', 'GET', `/api/notes?${query}`));
    expect(error).toMatchObject({ status: 400, name: 'ValidationError', message: expect.stringContaining(setting) });
    expect(error.message).toContain(parameter);
  });
});
