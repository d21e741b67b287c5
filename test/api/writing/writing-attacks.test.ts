/** Malicious writes: beyond the rights of the caller, to learn hidden values, or with values that no column holds. No body or header causes a 500. */
import { request } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { component, plainAttributes, relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, idOf, type Json, type Served, useProject } from '../../support/served-project.ts';

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
        str: { type: 'string' },
        txt: { type: 'text' },
        rich: { type: 'richtext' },
        mail: { type: 'email' },
        handle: { type: 'uid' },
        level: { type: 'enumeration', enum: ['a', 'b'] },
        ...plainAttributes,
        flow: { type: 'blocks' },
        pin: { type: 'password' },
        code: { type: 'string', unique: true },
        one: relation('oneToOne', 'sink'),
        many: relation('manyToMany', 'sink'),
        anyOne: { type: 'relation', relation: 'morphToOne' },
        anyMany: { type: 'relation', relation: 'morphToMany' },
        file: { type: 'media', multiple: false },
        files: { type: 'media', multiple: true },
        part: component('nest'),
        parts: component('nest', { repeatable: true }),
        zone: { type: 'dynamiczone', components: ['part.nest'] },
      },
    },
  },
  {
    vault: { key: { type: 'string', minLength: 9, unique: true } },
    nest: { label: { type: 'string' }, rank: { type: 'integer' }, to: relation('oneToOne', 'sink'), more: component('nest') },
  },
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

const attributes = (() => {
  const file = 'src/api/sink/content-types/sink/schema.json';
  return Object.keys((files[file] as { attributes: object }).attributes);
})();

/** Values of every kind for attributes of every kind. */
const odd: readonly unknown[] = [
  ...[true, false, 0, -0, -1, 1.5, 1e10, 1e16, 1e22, 1e300, 1e-300, 2 ** 31, -(2 ** 31) - 1],
  ...[
    '',
    ' ',
    'abc',
    '\0',
    'a\0b',
    '\ud800',
    'a\udc00b',
    '\uffff',
    '\u202e',
    'x'.repeat(300),
    'x'.repeat(70_000),
    '9'.repeat(400),
    '-',
    'NaN',
    'Infinity',
    'null',
  ],
  ...["'; DROP TABLE sinks; --", '" OR 1=1', '\\', '%', '_', '$1', '?1', '{"a":"\\u0000"}', '[', '{"$gt":""}'],
  ...[[], [[]], [null], [1, 2], ['a'], [['a']], [{}], [[[[1]]]], {}, { a: 1 }, { length: 1e9 }, { $gt: '' }, { toJSON: 1 }],
  ...[
    { id: 1 },
    { id: -1 },
    { id: 1e300 },
    { id: '1; DROP' },
    { id: null },
    { id: {} },
    { id: [1] },
    { documentId: '\0' },
    { documentId: {} },
    { documentId: 'x'.repeat(70_000) },
  ],
  ...[
    { connect: 1 },
    { connect: {} },
    { connect: [[1]] },
    { connect: [{ id: 1, position: { before: {} } }] },
    { connect: [{ id: 1, position: [] }] },
  ],
  ...[{ disconnect: ['\0'] }, { set: [[]] }, { set: { set: [] } }, { connect: { connect: [1] } }],
  ...[
    { __type: 'api::sink.sink', id: 1 },
    [{ __type: 'api::sink.sink', id: 2 ** 31 }],
    { __type: 'admin::user', id: 1 },
    { __type: '__proto__', id: 1 },
    { __type: 'constructor', id: 1 },
  ],
  ...[
    { __component: 'part.nest' },
    [{ __component: 'part.nest', id: 1 }],
    [{ __component: 'part.vault' }],
    [{ __component: {} }],
    [{ __component: 'constructor' }],
  ],
  ...[
    { label: '\0' },
    [{ label: '\ud800' }],
    { rank: 1e12 },
    { id: 'x' },
    { more: { more: { rank: 'x' } } },
    [{ id: 1 }, { id: 1 }],
    { to: { connect: ['x'] } },
  ],
  ...[
    '0000-01-01',
    '0001-01-01',
    '9999-12-31',
    '2024-13-45',
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
    '24:00:00',
    '23:59:60',
    8.64e15,
    -8.64e15,
    8.65e15,
  ],
  [{ type: 'paragraph', children: [{ type: 'text', text: '\0' }] }],
  [{ type: 'heading', level: 1e9, children: null }],
  [{ type: 'constructor', children: [] }],
];

describe.each(engines)('%s: attacks by writing', (engine) => {
  const api = useProject(engine, options);
  afterAll(() => expect(api.server.output.stderr).not.toContain('unexpected error'));
  const refusedOrDone = (status: number) => expect([200, 201, 400]).toContain(status);

  describe('values that no column holds', () => {
    it.each(attributes)('%s: stored or refused, never an error of the server', async (name) => {
      const { documentId } = await api.write('POST', '/api/sinks', {
        str: 'base',
        part: { label: 'p' },
        parts: [{}],
        zone: [{ __component: 'part.nest' }],
      });
      const path = `/api/sinks/${String(documentId)}`;
      const send = async (value: unknown, index: number) => {
        const isNew = (index + attributes.indexOf(name)) % 2 === 0;
        const answer = await api.ask('full', isNew ? 'POST' : 'PATCH', isNew ? '/api/sinks' : `${path}?populate=*`, { [name]: value });
        expect([200, 201, 400], JSON.stringify({ value, status: answer.status }).slice(0, 200)).toContain(answer.status);
        if (answer.status === 400) expect(errorOf(answer).message).not.toMatch(/SQLITE|syntax error|does not exist \(/i);
      };
      // At most 20 writes of one caller may wait for passwords to be hashed; further ones get a 503.
      for (let first = 0; first < odd.length; first += 16) {
        await Promise.all(odd.slice(first, first + 16).map((value, index) => send(value, first + index)));
      }
      // Accepted values can be read, and written again.
      expect((await api.ask('full', 'GET', `${path}?populate=*`)).status).toBe(200);
      expect((await api.ask('full', 'PATCH', path, { str: 'still there' })).status).toBe(200);
    });

    it.each([
      ['whole', '2147483648'],
      ['whole', '-2147483649'],
      ['whole', '9007199254740993'],
      ['flt', '1e400'],
      ['flt', '-1e400'],
      ['dec', '1e400'],
      ['dec', '123456789.5'],
      ['big', '1e19'],
      ['big', `1${'0'.repeat(10_000)}`],
      ['doc', `1${'0'.repeat(10_000)}`],
      ['doc', '1e400'],
      ['one', '1e400'],
      ['part', '{"rank":1e400}'],
      ['part', '{"id":12345678901234567890}'],
    ])('%s: %s as a number of JSON', async (name, written) => {
      const answer = await api.send('full', { method: 'POST', path: '/api/sinks', body: `{"data":{"${name}":${written}}}` });
      refusedOrDone(answer.status);
      if (answer.status === 201) JSON.parse(answer.text);
    });

    it('text is returned as it was sent, with U+FFFD for invalid characters', async () => {
      const words = ['\u0001\u001f\u007f', '\u2028\u2029', '\ufeff', 'e\u0301 \u00e9', '👩‍👩‍👧', '\u202eabc', "'; --", '\\u0000', '%_\\'];
      for (const text of words) {
        const data = await api.write('POST', '/api/sinks', { str: text, txt: text, doc: { [text]: text } });
        expect(data).toMatchObject({ str: text, txt: text, doc: { [text]: text } });
      }
      expect(await api.write('POST', '/api/sinks', { str: 'a\ud800b', doc: '\udc00' })).toMatchObject({ str: 'a\ufffdb', doc: '\ufffd' });
    });

    it('NUL is stored whole or refused by name', async () => {
      for (const data of [{ str: 'a\0b' }, { txt: '\0' }, { doc: { a: '\0' } }, { doc: { '\0': 1 } }]) {
        const answer = await api.ask('full', 'POST', '/api/sinks', data);
        if (answer.status === 201) expect(dataOf(answer)).toMatchObject(data);
        else expect(errorOf(answer)).toMatchObject({ status: 400, message: expect.stringMatching(/^(str|txt|doc) contains a character/) });
      }
    });
  });

  describe('SQL', () => {
    const statements = [
      "x'; DROP TABLE sinks; --",
      'x"; DELETE FROM sinks; --',
      "' OR '1'='1",
      '$1',
      '?',
      ':a',
      '\\',
      "');--",
      '/*',
      "E'\\x27'",
      '\u2019; --',
    ];
    it.each(statements)('%s is text in every position', async (text) => {
      const before = Number((await api.query('SELECT COUNT(*) FROM sinks'))[0]?.[0]);
      const made = await api.write('POST', '/api/sinks', {
        str: text,
        doc: { [text]: [text] },
        parts: [{ label: text }],
        code: `code ${text}`,
      });
      expect(made).toMatchObject({ str: text, code: `code ${text}` });
      const encoded = encodeURIComponent(text);
      const attempts: readonly (readonly [method: string, path: string, data: object])[] = [
        ['POST', '/api/sinks', { [text]: 1 }],
        ['POST', '/api/sinks', { one: text }],
        ['POST', '/api/sinks', { one: { documentId: text, locale: text } }],
        ['POST', '/api/sinks', { many: { connect: [{ documentId: text, position: { before: text } }] } }],
        ['POST', '/api/sinks', { anyOne: { __type: text, id: text } }],
        ['POST', '/api/sinks', { zone: [{ __component: text }] }],
        ['POST', '/api/sinks', { parts: [{ id: text, [text]: 1 }] }],
        ['POST', '/api/sinks', { code: `code ${text}` }],
        ['POST', `/api/sinks?fields=${encoded}`, {}],
        ['POST', `/api/sinks?populate=${encoded}`, {}],
        ['POST', `/api/sinks?locale=${encoded}&nope=1`, {}],
        ['PATCH', `/api/sinks/${encoded}`, { str: text }],
        ['POST', `/api/memos/${encoded}/actions/publish`, {}],
      ];
      for (const [method, path, data] of attempts) expect([400, 404, 405]).toContain((await api.ask('full', method, path, data)).status);
      expect([204, 400, 404]).toContain((await api.ask('full', 'DELETE', `/api/sinks/${encoded}`)).status);
      const headers = { 'Idempotency-Key': Buffer.from(text).toString('latin1'), 'If-Match': Buffer.from(text).toString('latin1') };
      expect((await api.ask('full', 'POST', '/api/sinks', { str: 'keyed' }, headers)).status).toBe(201);
      expect(Number((await api.query('SELECT COUNT(*) FROM sinks'))[0]?.[0])).toBe(before + 2);
    });
  });

  describe('size and depth', () => {
    it('10,000 connects', async () => {
      const { documentId } = await api.write('POST', '/api/sinks', { str: 'target' });
      const list = <T>(make: (index: number) => T) => Array.from({ length: 10_000 }, (_, index) => make(index));
      const send = (many: object) => api.ask('full', 'POST', '/api/sinks?populate[many][fields]=id', { many });
      expect((await send({ connect: list((index) => 1_000_000 + index) })).status).toBe(400);
      expect((await send({ connect: list((index) => `a${index}`) })).status).toBe(400);
      expect((await send({ connect: list(() => ({ documentId, position: { before: documentId } })) })).status).toBe(400);
      const same = await send({ connect: list(() => documentId) });
      expect({ status: same.status, links: (dataOf(same).many as unknown[]).length }).toEqual({ status: 201, links: 1 });
      expect((await send({ disconnect: list((index) => index) })).status).toBe(201);
    });

    it('2,000 components, written and written again', async () => {
      const parts = Array.from({ length: 2_000 }, (_, rank) => ({ rank }));
      const made = await api.write('POST', '/api/sinks?populate=parts', { parts });
      expect((made.parts as Json[]).map(({ rank }) => rank)).toEqual(parts.map(({ rank }) => rank));
      const kept = (made.parts as Json[]).map(({ id }) => ({ id })).reverse();
      const again = await api.write('PATCH', `/api/sinks/${String(made.documentId)}?populate=parts`, { parts: kept });
      expect((again.parts as Json[]).map(({ rank }) => rank)).toEqual(parts.map(({ rank }) => rank).reverse());
    });

    /** A component of a component of … */
    const nested = (levels: number): object =>
      levels === 0 ? { label: 'innermost' } : { label: String(levels), more: nested(levels - 1) };

    it('a zone as deep as a body may be: created, changed and deleted', async () => {
      const zone = [{ __component: 'part.nest', ...nested(90) }];
      const { documentId } = await api.write('POST', '/api/sinks', { zone });
      const before = Number((await api.query('SELECT COUNT(*) FROM components_part_nests'))[0]?.[0]);
      await api.write('PATCH', `/api/sinks/${String(documentId)}`, { str: 'changed' });
      await api.write('PATCH', `/api/sinks/${String(documentId)}`, { zone });
      expect(await api.query('SELECT COUNT(*) FROM components_part_nests')).toEqual([[before]]);
      await api.ask('full', 'DELETE', `/api/sinks/${String(documentId)}`);
      expect(await api.query('SELECT COUNT(*) FROM components_part_nests')).toEqual([[before - 91]]);
    });

    it('deeper than that', async () => {
      const answer = await api.ask('full', 'POST', '/api/sinks', { part: nested(100) });
      expect(errorOf(answer)).toMatchObject({ status: 400, message: expect.stringContaining('limits.bodyDepth') });
    });

    it('errors about a large value do not repeat it in each error', async () => {
      const answer = await api.ask('full', 'POST', '/api/sinks', { parts: Array.from({ length: 1_000 }, () => ({ rank: 'x' })) });
      expect(answer.status).toBe(400);
      expect(answer.raw.length).toBeLessThan(1_000_000);
    });
  });

  describe('more than the caller is allowed', () => {
    const stored = (id: unknown) => api.query(`SELECT title, secret FROM memos WHERE document_id = '${String(id)}' ORDER BY id`);

    it('attributes of the server cannot be written', async () => {
      for (const key of [
        'id',
        'documentId',
        'document_id',
        'createdAt',
        'created_at',
        'updatedAt',
        'createdBy',
        'created_by_id',
        'updatedBy',
        'localizations',
      ])
        expect(errorOf(await api.ask('writer', 'POST', '/api/memos', { title: 'mine', [key]: 1 })).message).toBe(`Invalid key ${key}`);
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
      const { documentId: id } = await api.write('POST', '/api/memos?status=draft', {
        title: 'draft',
        secret: 'hush-1',
        level: 7,
        pin: 'hush-pin',
        vault: { key: 'hush-2' },
      });
      for (const [who, method, path] of [
        ['writer', 'PATCH', `/api/memos/${String(id)}`],
        ['publisher', 'POST', `/api/memos/${String(id)}/actions/publish`],
      ] as const) {
        const answer = await api.ask(who, method, path, {});
        expect(answer.text).not.toMatch(/hush|7/);
        expect(errorOf(answer).details.errors?.map(({ path: place }) => place.join('.'))).toEqual(['secret', 'level', 'vault.key']);
      }
    });

    it('nor of the values that must be unique', async () => {
      const whole = { title: 'whole', secret: 'hush-hush-1', level: 11, pin: 'p', vault: { key: 'hush-hush-2' } };
      await api.write('POST', '/api/memos', whole);
      const { documentId: id } = await api.write('POST', '/api/memos?status=draft', whole);
      const answer = await api.ask('publisher', 'POST', `/api/memos/${String(id)}/actions/publish`);
      expect(answer.text).not.toContain('hush');
      expect(errorOf(answer).details.errors?.map(({ path }) => path.join('.'))).toEqual(['secret', 'vault.key']);
    });

    it('an empty write does not reveal a draft', async () => {
      const { documentId: id } = await api.write('POST', '/api/memos?status=draft', { title: 'hush-draft' });
      for (const method of ['PUT', 'PATCH']) {
        for (const query of ['?status=draft', '?status=', '?status=draft&fields=title']) {
          const answer = await api.ask('updater', method, `/api/memos/${String(id)}${query}`, {});
          expect(answer.status).toBe(403);
          expect(answer.text).not.toContain('hush');
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
        const answer = await api.ask(who, method, target, method === 'GET' || method === 'DELETE' ? undefined : { title: 'attacked' });
        expect({ who, method, target, status: answer.status }).toEqual({ who, method, target, status: 403 });
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
      const { documentId: id } = await api.write('POST', '/api/memos', {
        title: 'populate',
        pin: 'p',
        hush: idOf('hush', 'h'),
      });
      for (const query of [
        'populate=*',
        'populate=hush',
        'populate[hush][fields]=name',
        'populate[0]=hush',
        'populate[friend][populate]=hush',
      ]) {
        const answer = await api.ask('writer', 'PATCH', `/api/memos/${String(id)}?${query}`, { friend: id });
        expect(answer.status).toBe(200);
        expect(answer.text).not.toContain('hush-name');
      }
      for (const query of [
        'populate=vault',
        'fields=secret',
        'fields=pin',
        'populate[vault][fields]=key',
        'populate=createdBy',
        'populate[createdBy][fields]=password',
      ])
        expect((await api.ask('writer', 'PATCH', `/api/memos/${String(id)}?${query}`, {})).text).not.toMatch(
          /"(secret|pin|vault|createdBy|password)":/,
        );
    });

    it('passwords are in no response, at any length', async () => {
      for (const pin of ['hush', 'hush'.repeat(100), 'hush\0more', '\ud83d\ude00hush']) {
        const answer = await api.ask('writer', 'POST', '/api/memos?populate=*', { title: 'password', pin });
        expect([201, 400]).toContain(answer.status);
        if (answer.status === 201) expect(answer.text).not.toMatch(/hush|\$2/);
      }
      const many = Array.from({ length: 60 }, (_, index) => ({ pin: `p${index}` }));
      refusedOrDone((await api.ask('full', 'POST', '/api/sinks', { parts: many })).status);
    });
  });

  describe('bodies and headers', () => {
    it.each([
      ['gzip that is none', { 'Content-Encoding': 'gzip' }, Buffer.from('{"data":{}}'), 400],
      ['JSON inside deflate, said to be gzip', { 'Content-Encoding': 'gzip' }, deflateSync('{"data":{}}'), 400],
      ['gzip, not said to be', {}, gzipSync('{"data":{}}'), 400],
      ['two encodings', { 'Content-Encoding': 'gzip, gzip' }, gzipSync(gzipSync('{"data":{}}')), 415],
      ['an encoding that nobody knows', { 'Content-Encoding': 'zip' }, Buffer.from('{"data":{}}'), 415],
      ['much in little', { 'Content-Encoding': 'gzip' }, gzipSync(`{"data":{"txt":"${'x'.repeat(5_000_000)}"}}`), 413],
      ['gzip as it should be', { 'Content-Encoding': 'gzip' }, gzipSync('{"data":{"str":"zipped"}}'), 201],
      ['UTF-16', { 'Content-Type': 'application/json; charset=utf-16' }, Buffer.from('{"data":{}}', 'utf16le'), 400],
      ['Latin-1', {}, Buffer.from('{"data":{"str":"caf\u00e9"}}', 'latin1'), 400],
    ] as const)('%s', async (_what, headers, body, status) => {
      expect(await sendBytes(api, headers, body)).toBe(status);
    });

    it.each([
      ['data[str]=form&data[whole]=5&data[flag]=true', 201],
      ['data[parts][0][label]=a&data[parts][1][label]=b', 201],
      ['data[str][$ne]=x', 400],
      ['data[constructor]=x', 400],
      ['data[__proto__][str]=x', 400],
      ['data=x', 400],
      ['data[many][connect][]=999999', 400],
    ])('a form: %s', async (body, status) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      expect((await api.send('full', { method: 'POST', path: '/api/sinks', headers, body })).status).toBe(status);
    });

    it('a list as data is checked like an object, and refused', async () => {
      expect(errorOf(await api.ask('full', 'POST', '/api/sinks', [{ str: 'a' }, { nope: 1 }])).message).toBe('Invalid key nope');
      expect(errorOf(await api.ask('full', 'POST', '/api/sinks', [{ str: 'a' }])).status).toBe(400);
    });

    it('keys beside data change nothing', async () => {
      const body = { data: { str: 'beside' }, id: 1, status: 'draft', locale: 'xx', meta: {}, files: [], actor: 'admin' };
      expect(dataOf(await api.send('full', { method: 'POST', path: '/api/sinks', body }))).toMatchObject({ str: 'beside' });
    });
  });

  it('the server still works after all that', async () => {
    expect(api.server.alive()).toBe(true);
    expect((await api.write('POST', '/api/sinks', { str: 'well' })).str).toBe('well');
  });
});

/** The status that a POST of these bytes is answered with. */
function sendBytes(api: Served, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<number> {
  const { port } = api.server;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/sinks',
        headers: { 'Content-Type': 'application/json', ...api.authorization('full'), ...headers },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
