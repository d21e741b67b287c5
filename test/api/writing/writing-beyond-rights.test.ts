/** Malicious writes: beyond the rights of the caller, or to learn hidden values. */
import { afterAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, errorPaths, idOf, type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    memo: {
      drafts: true,
      attributes: {
        title: { type: 'string', minLength: 3 },
        secret: { type: 'string', private: true, minLength: 9, unique: true },
        level: { type: 'integer', private: true, min: 10 },
        pin: { type: 'password', required: true },
        vault: component('vault', { private: true }),
        friend: relation('manyToOne', 'memo'),
        hush: relation('manyToOne', 'hush'),
      },
    },
    hush: { attributes: { name: { type: 'string' } } },
    sink: {
      attributes: {
        part: component('nest'),
        parts: component('nest', { repeatable: true }),
        zone: { type: 'dynamiczone', components: ['part.nest'] },
      },
    },
  },
  { vault: { key: { type: 'string', minLength: 9, unique: true } }, nest: { label: { type: 'string' } } },
);
const memo = (...actions: readonly string[]) => actions.map((action) => `api::memo.memo.${action}`);
const options = {
  files,
  types: [{ type: 'api::hush.hush', documents: [{ key: 'h', status: 'published' as const, data: { name: 'hush-name' } }] }],
  public: ['api::sink.sink.find', 'api::sink.sink.findOne'],
  tokens: {
    writer: memo('find', 'findOne', 'create', 'update'),
    updater: memo('update'),
    creator: memo('create'),
    publisher: memo('publish'),
  },
};

describe.each(anyEngine)('%s: writes beyond the rights of the caller', (engine) => {
  const api = useProject(engine, options);
  afterAll(() => expect(api.server.output.stderr).not.toContain('unexpected error'));

  const stored = (id: unknown) => api.query(`SELECT title, secret FROM memos WHERE document_id = '${String(id)}' ORDER BY id`);

  // Keys of its attributes are in src/pipeline/parse/parse-write.test.ts.
  it('attributes of the server cannot be written', async () => {
    const data = dataOf(
      await api.ask('writer', 'POST', '/api/memos?status=draft', { title: 'mine', publishedAt: '2001-01-01T00:00:00Z', locale: 'de' }),
    );
    expect(data.publishedAt).toBeNull();
  });

  it('a component of another document cannot be taken', async () => {
    const [mine, other] = [
      await api.write('POST', '/api/sinks?populate=parts', { parts: [{ label: 'mine' }] }),
      await api.write('POST', '/api/sinks?populate=*', {
        part: { label: 'theirs' },
        parts: [{ label: 'theirs' }],
        zone: [{ __component: 'part.nest', label: 'theirs' }],
      }),
    ];
    const foreign = (other.parts as Json[])[0]?.id;
    const path = `/api/sinks/${String(mine.documentId)}`;
    for (const data of [
      { parts: [{ id: foreign, label: 'stolen' }] },
      { part: { id: foreign } },
      { zone: [{ __component: 'part.nest', id: foreign }] },
    ])
      expect(errorOf(await api.ask('full', 'PATCH', path, data)).message).toContain('not related');
    expect(await api.read(`/api/sinks/${String(other.documentId)}?populate=*`)).toMatchObject({ parts: [{ label: 'theirs' }] });
  });

  it('errors reveal nothing about private attributes', async () => {
    const path = await api.make('/api/memos?status=draft', {
      title: 'draft',
      secret: 'hush-1',
      level: 7,
      pin: 'hush-pin',
      vault: { key: 'hush-2' },
    });
    for (const response of [
      await api.ask('writer', 'PATCH', path, {}),
      await api.ask('publisher', 'POST', `${path}/actions/publish`, {}),
    ]) {
      expect(response.text).not.toMatch(/hush|7/);
      expect(errorPaths(response)).toEqual(['secret', 'level', 'vault.key']);
    }
  });

  it('nor of the values that must be unique', async () => {
    const whole = { title: 'whole', secret: 'hush-hush-1', level: 11, pin: 'p', vault: { key: 'hush-hush-2' } };
    await api.write('POST', '/api/memos', whole);
    const path = await api.make('/api/memos?status=draft', whole);
    const response = await api.ask('publisher', 'POST', `${path}/actions/publish`);
    expect(response.text).not.toContain('hush');
    expect(errorPaths(response)).toEqual(['secret', 'vault.key']);
  });

  it('an empty write does not reveal a draft', async () => {
    const { documentId: id } = await api.write('POST', '/api/memos?status=draft', { title: 'hush-draft' });
    for (const method of ['PUT', 'PATCH']) {
      for (const query of ['?status=draft', '?status=', '?status=draft&fields=title']) {
        const response = await api.ask('updater', method, `/api/memos/${String(id)}${query}`, {});
        expect(response.status).toBe(403);
        expect(response.text).not.toContain('hush');
      }
    }
    for (const query of ['?publicationFilter=modified', '?publicationFilter=never-published-document'])
      expect((await api.ask('updater', 'PATCH', `/api/memos/${String(id)}${query}`, {})).text).not.toContain('hush');
    expect(await stored(id)).toEqual([['hush-draft', null]]);
  });

  it('a right to one action does not grant others', async () => {
    const { documentId: id } = await api.write('POST', '/api/memos?status=draft', { title: 'rights', pin: 'p' });
    const path = `/api/memos/${String(id)}`;
    const attempts: readonly (readonly [who: string, method: string, path: string])[] = [
      ['public', 'POST', '/api/sinks'],
      ['public', 'PATCH', path],
      ['public', 'DELETE', path],
      ['creator', 'PATCH', path],
      ['creator', 'PUT', path],
      ['updater', 'POST', '/api/memos'],
      ['updater', 'DELETE', path],
      ['updater', 'GET', path],
      ['writer', 'DELETE', path],
      ['writer', 'POST', `${path}/actions/publish`],
      ['writer', 'POST', `${path}/actions/unpublish`],
      ['publisher', 'PATCH', path],
      ['publisher', 'POST', `${path}/actions/discard-draft`],
    ];
    for (const [who, method, target] of attempts) {
      const response = await api.ask(who, method, target, method === 'GET' || method === 'DELETE' ? undefined : { title: 'attacked' });
      expect({ who, method, target, status: response.status }).toEqual({ who, method, target, status: 403 });
    }
    expect(await stored(id)).toEqual([['rights', null]]);
  });

  it('other methods in headers and query are ignored', async () => {
    const { documentId: id } = await api.write('POST', '/api/memos?status=draft', { title: 'method' });
    const path = `/api/memos/${String(id)}`;
    await api.ask('writer', 'PATCH', path, {}, { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' });
    expect((await api.ask('writer', 'POST', '/api/memos?_method=DELETE', { title: 'x' })).status).toBe(400);
    expect(await stored(id)).toEqual([['method', null]]);
  });

  it('populate shows no more than on a read', async () => {
    const path = await api.make('/api/memos', { title: 'populate', pin: 'p', hush: idOf('hush', 'h') });
    const friend = path.split('/').at(-1);
    for (const query of [
      'populate=*',
      'populate=hush',
      'populate[hush][fields]=name',
      'populate[0]=hush',
      'populate[friend][populate]=hush',
    ]) {
      const response = await api.ask('writer', 'PATCH', `${path}?${query}`, { friend });
      expect(response.status).toBe(200);
      expect(response.text).not.toContain('hush-name');
    }
    for (const query of [
      'populate=vault',
      'fields=secret',
      'fields=pin',
      'populate[vault][fields]=key',
      'populate=createdBy',
      'populate[createdBy][fields]=password',
    ])
      expect((await api.ask('writer', 'PATCH', `${path}?${query}`, {})).text).not.toMatch(/"(secret|pin|vault|createdBy|password)":/);
  });

  it('passwords are in no response, at any length', async () => {
    for (const pin of ['hush', 'hush'.repeat(100), 'hush\0more', '\ud83d\ude00hush']) {
      const response = await api.ask('writer', 'POST', '/api/memos?populate=*', { title: 'password', pin });
      expect([201, 400]).toContain(response.status);
      if (response.status === 201) expect(response.text).not.toMatch(/hush|\$2/);
    }
    const many = Array.from({ length: 60 }, (_, index) => ({ pin: `p${index}` }));
    expect([201, 400]).toContain((await api.ask('full', 'POST', '/api/sinks', { parts: many })).status);
  });
});
