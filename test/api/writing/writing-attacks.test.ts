/** Malicious writes: with values that no column holds, SQL, and bodies that are large, deep or wrongly encoded. No body or header causes a 500. */
import { afterAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { oddValues } from '../../support/odd-values.ts';
import { component, plainAttributes, relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, type SentError, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
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
        // The usual ten rounds of bcrypt would take most of the time.
        pin: { type: 'password', encryption: { rounds: 4 } },
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
    nest: { label: { type: 'string' }, rank: { type: 'integer' }, to: relation('oneToOne', 'sink'), more: component('nest') },
  },
);

const attributes = (() => {
  const file = 'src/api/sink/content-types/sink/schema.json';
  return Object.keys((files[file] as { attributes: object }).attributes);
})();
const holdsObjects = (name: string) => /^(?:one|many|any\w+|files?|parts?|zone)$/.test(name);
/** Those that may store a value of this kind; how the others refuse it is the same on every engine. */
const attributesFor = (value: unknown) =>
  typeof value === 'object'
    ? attributes.filter((name) => holdsObjects(name) || ['str', 'doc', 'flow'].includes(name))
    : attributes.filter((name) => !holdsObjects(name) || name === 'one');

describe.each(engines)('%s: attacks by writing', (engine) => {
  // A body has a long text in each attribute.
  const api = useProject(engine, { files, env: { LECTERN_LIMITS_BODY_BYTES: '3000000' } });
  afterAll(() => expect(api.server.output.stderr).not.toContain('unexpected error'));

  describe('values that no column holds', () => {
    /** Sends the value for these attributes together, and then for those that a refusal does not name, until it is stored in the others. */
    async function send(path: string, value: unknown, names: readonly string[]): Promise<void> {
      if (names.length === 0) return;
      const data = Object.fromEntries(names.map((name) => [name, value]));
      const answer = await api.ask('full', path === '/api/sinks' ? 'POST' : 'PATCH', path, data);
      const what = `${answer.status} for ${names.join()}: ${JSON.stringify(value).slice(0, 200)}`;
      expect([200, 201, 400], what).toContain(answer.status);
      if (answer.status !== 400) return;
      const { message, details } = errorOf(answer) as SentError & { readonly details: { readonly path?: string | readonly string[] } };
      expect(message, what).not.toMatch(/SQLITE|syntax error|does not exist \(/i);
      const paths = [...(details.errors ?? []).map(({ path: [first] }) => first), [details.path].flat()[0]?.split('.')[0]];
      const named = new Set([...paths, /^\w+/.exec(message)?.[0]]);
      const rest = names.filter((name) => !named.has(name));
      if (rest.length < names.length) return send(path, value, rest);
      const half = Math.floor(names.length / 2);
      for (const some of [names.slice(0, half), names.slice(half)]) if (some.length < names.length) await send(path, value, some);
    }

    it('are stored or refused, never an error of the server', async () => {
      const parts = { part: { label: 'p' }, parts: [{}], zone: [{ __component: 'part.nest' }] };
      const path = await api.make('/api/sinks', { str: 'base', ...parts });
      const queue = oddValues.map((value, index) => [index % 2 === 0 ? '/api/sinks' : path, value] as const).values();
      // Further writes that wait for a password to be hashed would get a 503.
      const work = async () => {
        for (const [to, value] of queue) {
          await send(to, value, anyEngine.includes(engine) ? attributes : attributesFor(value));
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      // Accepted values can be read, and written again.
      expect((await api.ask('full', 'GET', `${path}?populate=*`)).status).toBe(200);
      expect((await api.ask('full', 'PATCH', path, { str: 'still there' })).status).toBe(200);
    });

    it('numbers of JSON beyond every column', async () => {
      const many = `1${'0'.repeat(10_000)}`;
      for (const [name, written] of [
        ...['2147483648', '-2147483649', '9007199254740993'].map((text) => ['whole', text]),
        ...['flt', 'dec', 'doc', 'one'].map((each) => [each, '1e400']),
        ...[
          ['dec', '123456789.5'],
          ['big', '1e19'],
          ['big', many],
          ['doc', many],
          ['part', '{"rank":1e400}'],
          ['part', '{"id":12345678901234567890}'],
        ],
      ]) {
        const answer = await api.send('full', { method: 'POST', path: '/api/sinks', body: `{"data":{"${name}":${written}}}` });
        expect([201, 400], `${name}: ${answer.text.slice(0, 200)}`).toContain(answer.status);
        JSON.parse(answer.text);
      }
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
    const statements = ["x'; DROP TABLE sinks; --", 'x"; DELETE FROM sinks; --', "' OR '1'='1", '$1', '?', '\\', '/*', "E'\\x27'"];
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
    it('4,000 connects', async () => {
      const { documentId } = await api.write('POST', '/api/sinks', { str: 'target' });
      const list = <T>(make: (index: number) => T) => Array.from({ length: 4000 }, (_, index) => make(index));
      const send = (many: object) => api.ask('full', 'POST', '/api/sinks?populate[many][fields]=id', { many });
      expect((await send({ connect: list((index) => 1_000_000 + index) })).status).toBe(400);
      expect((await send({ connect: list((index) => `a${index}`) })).status).toBe(400);
      expect((await send({ connect: list(() => ({ documentId, position: { before: documentId } })) })).status).toBe(400);
      const same = await send({ connect: list(() => documentId) });
      expect({ status: same.status, links: (dataOf(same).many as unknown[]).length }).toEqual({ status: 201, links: 1 });
      expect((await send({ disconnect: list((index) => index) })).status).toBe(201);
    });

    /** A component of a component of … */
    const nested = (levels: number): object =>
      levels === 0 ? { label: 'innermost' } : { label: String(levels), more: nested(levels - 1) };

    it('a zone as deep as a body may be: created, changed and deleted', async () => {
      const zone = [{ __component: 'part.nest', ...nested(90) }];
      const path = await api.make('/api/sinks', { zone });
      const before = Number((await api.query('SELECT COUNT(*) FROM components_part_nests'))[0]?.[0]);
      await api.write('PATCH', path, { str: 'changed' });
      await api.write('PATCH', path, { zone });
      expect(await api.query('SELECT COUNT(*) FROM components_part_nests')).toEqual([[before]]);
      await api.ask('full', 'DELETE', path);
      expect(await api.query('SELECT COUNT(*) FROM components_part_nests')).toEqual([[before - 91]]);
    });
  });

  describe('bodies', () => {
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
