/** Where a write is refused: wrong values before a transaction begins, what depends on stored data within it. `Server-Timing` shows both. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { type HttpResponse, statementsOf } from '../../support/http.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const attributes = {
  title: { type: 'string', required: true },
  code: { type: 'string', unique: true },
  rank: { type: 'integer' },
  friends: relation('manyToMany', 'plain'),
  parts: component('piece', { repeatable: true }),
};
const files = schemaFiles({ plain: { attributes }, drafted: { drafts: true, attributes } }, { piece: { size: { type: 'integer' } } });

const stagesOf = ({ headers }: HttpResponse): string[] =>
  String(headers['server-timing'])
    .split(', ')
    .map((each) => each.split(';')[0] ?? '')
    .filter((stage) => stage !== 'total' && stage !== 'statements' && stage !== 'identify');
const messagesOf = (response: HttpResponse): string[] =>
  ((errorOf(response).details?.errors ?? []) as readonly { readonly path: readonly string[]; readonly message: string }[]).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

const wrongRank = 'rank: rank: expected a whole number, received "many" ("type" in the schema file)';
const nobody = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const taken = 'code: code must be unique: another document has this value already';

describe.each(anyEngine)('%s: where a write is refused', (engine) => {
  const api = useProject(engine, { files });
  let made = 0;
  /** Returns the path of a new document. */
  const create = (type: string, data: object = {}) => api.make(`/api/${type}`, { title: 'made', code: `code-${made++}`, ...data });

  describe.each(['plains', 'drafteds'])('before the transaction, of %s', (type) => {
    it('POST of a wrong value', async () => {
      for (const data of [{ title: 'a', rank: 'many' }, { title: 'a', parts: [{ size: 'large' }] }, [{ title: 'a' }]]) {
        const response = await api.ask('full', 'POST', `/api/${type}`, data);
        expect([response.status, stagesOf(response)]).toEqual([400, ['parse', 'authorise', 'plan']]);
      }
    });

    it.each(['PUT', 'PATCH'])('%s of a wrong type', async (method) => {
      const path = await create(type);
      const before = await api.read(path);
      const response = await api.ask('full', method, path, { title: 'changed', rank: 'many' });
      expect([response.status, stagesOf(response)]).toEqual([400, ['parse', 'authorise', 'plan', 'look-up']]);
      expect(messagesOf(response)).toContain(wrongRank);
      expect(await api.read(path)).toEqual(before);
    });

    it('a wrong type beside a relation by documentId', async () => {
      const friend = (await create('plains')).split('/').at(-1);
      const response = await api.ask('full', 'POST', `/api/${type}`, { title: 'a', rank: 'many', friends: [friend] });
      expect([response.status, stagesOf(response), messagesOf(response)]).toEqual([
        400,
        ['parse', 'authorise', 'plan', 'look-up'],
        [wrongRank],
      ]);
    });
  });

  // As recorded.
  it.each<[string, string, string, object, number]>([
    ['document', 'PATCH', `/api/drafteds/${nobody}`, { rank: 'many' }, 404],
    ['relation target', 'POST', '/api/drafteds', { rank: 'many', friends: [nobody] }, 400],
  ])('a %s that does not exist is reported before a wrong type, without the transaction', async (_, method, path, data, status) => {
    const response = await api.ask('full', method, path, data);
    expect([response.status, stagesOf(response).at(-1), messagesOf(response)]).toEqual([status, 'look-up', []]);
    expect(statementsOf(response)).toBe(0);
  });

  describe('within the transaction', () => {
    it('a value that exists already, reported together with a wrong type', async () => {
      await create('plains', { code: 'taken' });
      const response = await api.ask('full', 'POST', '/api/plains', { title: 'a', code: 'taken', rank: 'many' });
      expect([response.status, messagesOf(response)]).toEqual([400, [wrongRank, taken]]);
      expect(stagesOf(response)).toContain('execute');
    });

    it('row ids that do not exist, reported together with a wrong type', async () => {
      const response = await api.ask('full', 'POST', '/api/drafteds', { title: 'a', friends: [999_999], rank: 'many' });
      expect([response.status, messagesOf(response)]).toEqual([
        400,
        [wrongRank, expect.stringContaining('friends: friends: there is no row of api::plain.plain with the id 999999')],
      ]);
      expect(stagesOf(response)).toContain('execute');
    });

    it.each<[string, string, string, object | undefined, number]>([
      ['a document that does not exist', 'PATCH', `/api/plains/${nobody}`, { title: 'a' }, 404],
      ['a relation target that does not exist', 'POST', '/api/plains', { title: 'a', friends: [nobody] }, 400],
      ['a draft that may not be published', 'POST', '/api/drafteds', { code: 'without-title' }, 400],
      // The number of statements would tell a hidden row from a missing one.
    ])('%s: `execute` is reported, without the number of its statements', async (_, method, path, data, status) => {
      const response = await api.ask('full', method, path, data);
      expect([response.status, stagesOf(response).at(-1)]).toEqual([status, 'execute']);
      expect(statementsOf(response)).toBe(0);
    });
  });
});
