/** Values of every attribute type, their defaults, and keys that cannot be written. */
import { describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { engines } from '../../support/engines.ts';
import { component, plainAttributes, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, errorPaths, useProject } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

const files = schemaFiles(
  {
    gauge: {
      attributes: {
        str: { type: 'string', minLength: 2, maxLength: 5, regex: '^[a-z]*$' },
        long: { type: 'string' },
        txt: { type: 'text', maxLength: 1000 },
        rich: { type: 'richtext', minLength: 3 },
        mail: { type: 'email' },
        handle: { type: 'uid' },
        level: { type: 'enumeration', enum: ['low', 'high'] },
        ...plainAttributes,
        whole: { type: 'integer', min: -5, max: 100 },
        free: { type: 'integer' },
        flt: { type: 'float', min: 0.5, max: 2.5 },
        flow: { type: 'blocks' },
        pin: { type: 'password', minLength: 4 },
      },
    },
    filled: {
      attributes: {
        name: { type: 'string', default: 'nobody' },
        level: { type: 'enumeration', enum: ['low', 'high'], default: 'low' },
        rank: { type: 'integer', default: 3 },
        flag: { type: 'boolean', default: false },
        big: { type: 'biginteger', default: '9007199254740993' },
        doc: { type: 'json', default: { a: [1] } },
        must: { type: 'string', required: true, default: 'there' },
        sealed: { type: 'string', writable: false, default: 'as made' },
        part: component('plain'),
      },
    },
  },
  { plain: { label: { type: 'string', maxLength: 5 }, rank: { type: 'integer' } } },
);

interface Row {
  readonly attribute: string;
  readonly value: unknown;
  /** The value that is read afterwards. */
  readonly gives?: unknown;
  /** The message of the error, which has the path unless `unlocated`. */
  readonly refused?: string;
  readonly unlocated?: true;
}
const gives = (attribute: string, value: unknown, read: unknown = value): Row => ({ attribute, value, gives: read });
const refused = (attribute: string, value: unknown, message: string): Row => ({ attribute, value, refused: message });
const unlocated = (attribute: string, value: unknown, message: string): Row => ({ attribute, value, refused: message, unlocated: true });

/** Each attribute has one value that is refused; the others are in src/model/attributes/read-body.test.ts. */
const rows: readonly Row[] = [
  gives('str', 'abc'),
  refused('str', 'a', 'str must be at least 2 characters'),
  gives('long', ''),
  gives('long', ' x '),
  gives('long', 'x'.repeat(255)),
  refused('long', 'x'.repeat(256), 'long must be at most 255 characters'),
  gives('txt', 'ü€😀\n\t"\'\\%_'),
  gives('txt', 'x'.repeat(1000)),
  refused('txt', 'x'.repeat(1001), 'txt must be at most 1000 characters'),
  refused('rich', 'x', 'rich must be at least 3 characters'),
  gives('mail', 'a@b.example'),
  refused('mail', 'nobody', 'mail must be a valid email'),
  gives('handle', 'a-B_c.d~1'),
  refused('handle', 'a b', 'handle must match the following'),
  gives('level', 'low'),
  refused('level', 'Low', 'level must be one of the following values: low, high'),
  gives('whole', -5),
  gives('whole', '7', 7),
  refused('whole', -6, 'whole must be greater than or equal to -5'),
  gives('free', 2147483647),
  gives('free', -2147483648),
  refused('free', 9007199254740992, 'free must be less than or equal to 9007199254740991'),
  gives('flt', 0.5),
  gives('flt', '2.25', 2.25),
  refused('flt', 0.4, 'flt must be greater than or equal to 0.5'),
  gives('dec', 12345678.25),
  gives('dec', -0.5),
  refused('dec', 'abc', 'dec: expected a number, received '),
  gives('flag', false),
  gives('flag', 'true', true),
  gives('flag', 0, false),
  refused('flag', 'yes', 'flag must be a `boolean` type'),
  gives('day', '2024-02-29'),
  gives('day', '2024-02-29T23:00:00Z', '2024-02-29'),
  unlocated('day', '2023-02-29', 'Invalid date'),
  gives('clock', '23:59:59', '23:59:59.000'),
  gives('clock', '00:00:00.5', '00:00:00.500'),
  unlocated('clock', '24:00:00', 'Invalid time format, expected HH:mm:ss.SSS'),
  gives('moment', '2024-02-29T12:30:00.125Z'),
  gives('moment', '2024-02-29T12:30:00+02:00', '2024-02-29T10:30:00.000Z'),
  gives('moment', 0, '1970-01-01T00:00:00.000Z'),
  unlocated('moment', 'soon', 'Invalid format, expected a timestamp or an ISO date'),
  gives('stamp', '2024-02-29T12:30:00.125Z', '1709209800125'),
  unlocated('stamp', true, 'Invalid format'),
  gives('doc', { a: [1, null, { b: 'ü' }] }),
  gives('doc', [1, 2]),
  gives('doc', 5),
  gives('doc', false),
  gives('doc', '{"a":1}', { a: 1 }),
  gives('doc', 'words'),
  gives('doc', { constructor: 1, toString: 2 }),
  gives('flow', paragraph('words')),
  gives('flow', []),
  refused('flow', [{ type: 'nothing', children: [] }], ''),
  refused('pin', 'abc', 'pin must be at least 4 characters'),
];

/** As text of a JSON number, so that no JavaScript number is on the way, and as JSON text. */
const digits: readonly (readonly [written: string, read: string | null])[] = [
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['123456789012345678', '123456789012345678'],
  ['0', '0'],
  ['9223372036854775808', null],
  ['-9223372036854775809', null],
  ['1e30', null],
  ['1.5', null],
];

const unwritable = [
  ...words`
    id documentId createdAt updatedAt createdBy updatedBy localizations status __component sealed constructor toString hasOwnProperty
    valueOf isPrototypeOf __v document_id Name
  `,
  ' name',
  '',
  'name.x',
  'name"; DROP TABLE filleds; --',
];

describe.each(engines)('%s: attribute values', (engine) => {
  const api = useProject(engine, { files });

  describe('values', () => {
    it.each(rows.map((row) => [row.attribute, JSON.stringify(row.value).slice(0, 60), row] as const))(
      '%s: %s',
      async (name, _text, row) => {
        const response = await api.ask('full', 'POST', '/api/gauges', { [name]: row.value });
        if (row.refused === undefined) {
          expect({ status: response.status, value: dataOf(response)[name] }).toEqual({ status: 201, value: row.gives });
          expect((await api.read(`/api/gauges/${String(dataOf(response).documentId)}`))[name]).toEqual(row.gives);
          return;
        }
        const error = errorOf(response);
        expect(error).toMatchObject({ status: 400, name: 'ValidationError' });
        const reported = row.unlocated ? error : error.details.errors?.find(({ path }) => path[0] === name);
        expect(reported?.message).toContain(row.refused);
      },
    );

    it('null is no value', async () => {
      const names = [...new Set(rows.map(({ attribute }) => attribute))];
      const created = await api.write('POST', '/api/gauges', Object.fromEntries(names.map((name) => [name, null])));
      for (const name of names.filter((each) => each !== 'pin')) expect(created[name]).toBeNull();
    });

    it('passwords are hashed and never returned', async () => {
      const created = await api.write('POST', '/api/gauges', { pin: 'open sesame' });
      expect(created).not.toHaveProperty('pin');
      const [before] = await api.query(`SELECT pin FROM gauges WHERE id = ${String(created.id)}`);
      expect(before?.[0]).toMatch(/^\$2[aby]\$10\$.{53}$/);
      await api.write('PATCH', `/api/gauges/${String(created.documentId)}`, { pin: 'open sesame' });
      const [after] = await api.query(`SELECT pin FROM gauges WHERE id = ${String(created.id)}`);
      expect(after?.[0]).toMatch(/^\$2/);
      await api.write('PATCH', `/api/gauges/${String(created.documentId)}`, { pin: null });
      expect(await api.query(`SELECT pin FROM gauges WHERE id = ${String(created.id)}`)).toEqual([[null]]);
    });
  });

  describe('big integers keep every digit', () => {
    it.each(digits.flatMap(([written, read]) => [[written, read] as const, [`"${written}"`, read] as const]))(
      '%s',
      async (written, read) => {
        const response = await api.send('full', { method: 'POST', path: '/api/gauges', body: `{"data":{"big":${written}}}` });
        if (read === null) {
          expect(errorOf(response).details.errors?.[0]?.path).toEqual(['big']);
          return;
        }
        expect(dataOf(response).big).toBe(read);
        expect(await api.query(`SELECT ${engineSql[engine].asText('big')} FROM gauges WHERE id = ${String(dataOf(response).id)}`)).toEqual([
          [read],
        ]);
      },
    );

    it('in json as well, however deep', async () => {
      const body = '{"data":{"doc":{"a":[12345678901234567890,1.000000000000000000001]}}}';
      const created = await api.send('full', { method: 'POST', path: '/api/gauges?fields=doc', body });
      expect(created.text.replaceAll(' ', '')).toContain('"doc":{"a":[12345678901234567890,1.000000000000000000001]}');
    });
  });

  it('all errors are reported together, with their paths', async () => {
    const data = { str: 'A', whole: 1.5, level: 'mid', mail: 'x', big: 'y', flag: 'z', flow: [{ type: 'nothing' }] };
    const error = errorOf(await api.ask('full', 'POST', '/api/gauges', data));
    const paths = new Set(error.details.errors?.map(({ path }) => path[0]));
    expect(paths).toEqual(new Set(Object.keys(data)));
    expect(error.message).toBe(`${error.details.errors?.length} errors occurred`);
  });

  describe('defaults', () => {
    const made = {
      name: 'nobody',
      level: 'low',
      rank: 3,
      flag: false,
      big: '9007199254740993',
      doc: { a: [1] },
      must: 'there',
      sealed: 'as made',
    };
    it('are used for attributes that a creation omits', async () => {
      expect(await api.write('POST', '/api/filleds', {})).toMatchObject(made);
    });
    it('replace neither null nor attributes that an update omits', async () => {
      const cleared = await api.write('POST', '/api/filleds', { name: null, rank: null });
      expect(cleared).toMatchObject({ ...made, name: null, rank: null });
      expect(await api.write('PATCH', `/api/filleds/${String(cleared.documentId)}`, { flag: true })).toMatchObject({
        name: null,
        rank: null,
        flag: true,
      });
    });
    it('a required attribute with a default still refuses null', async () => {
      expect(errorPaths(await api.ask('full', 'POST', '/api/filleds', { must: null }))).toEqual(['must']);
    });
  });

  describe('keys', () => {
    it.each(unwritable)('%j is refused', async (key) => {
      for (const [method, path] of [
        ['POST', '/api/filleds'],
        ['PATCH', '/api/filleds/aaaaaaaaaaaaaaaaaaaaaaaa'],
      ] as const) {
        const error = errorOf(await api.ask('full', method, path, { name: 'x', [key]: null }));
        expect(error).toMatchObject({
          status: 400,
          name: 'ValidationError',
          message: `Invalid key ${key}`,
          details: { key, source: 'body' },
        });
      }
    });
    it.each(['createdAt', 'constructor', 'nope', '__component'])('%j is refused in a component', async (key) => {
      const error = errorOf(await api.ask('full', 'POST', '/api/filleds', { part: { [key]: 1 } }));
      expect(error).toMatchObject({ status: 400, message: `Invalid key ${key} at part`, details: { key, path: 'part', source: 'body' } });
    });
    it('__proto__ is refused as a key', async () => {
      for (const body of ['{"data":{"__proto__":{"name":"x"}}}', '{"data":{"doc":{"a":{"__proto__":1}}}}', '{"__proto__":{"data":{}}}']) {
        const error = errorOf(await api.send('full', { method: 'POST', path: '/api/filleds', body }));
        expect(error).toMatchObject({ status: 400, message: 'Object contains forbidden prototype property' });
      }
    });
    it('of two equal keys the last one is used', async () => {
      const response = await api.send('full', { method: 'POST', path: '/api/filleds', body: '{"data":{"name":"a","name":"b"}}' });
      expect(dataOf(response).name).toBe('b');
    });
  });
});
