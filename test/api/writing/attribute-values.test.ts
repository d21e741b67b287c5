/** Values of every attribute type, and their defaults. Keys that cannot be written are in src/pipeline/parse/parse-write.test.ts. */
import { describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { engines } from '../../support/engines.ts';
import { plainAttributes, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, errorPaths, type Json, useProject } from '../../support/served-project.ts';

const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

const gauge = {
  str: { type: 'string' },
  long: { type: 'string' },
  txt: { type: 'text' },
  rich: { type: 'richtext' },
  mail: { type: 'email' },
  handle: { type: 'uid' },
  level: { type: 'enumeration', enum: ['low', 'high'] },
  ...plainAttributes,
  free: { type: 'integer' },
  flow: { type: 'blocks' },
  pin: { type: 'password' },
};
const files = schemaFiles({
  gauge: { attributes: gauge },
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
    },
  },
});

/** Bodies, and what is read afterwards where that is something else. How each value is read is in src/model/attributes/read-body.test.ts. */
const rows: readonly (readonly [body: Json, read?: Json])[] = [
  [{ str: 'abc', long: '', txt: 'ü€😀\n\t"\'\\%_', mail: 'a@b.example', handle: 'a-B_c.d~1', level: 'low' }],
  [{ long: ' x ', txt: 'x'.repeat(1000) }],
  [{ long: 'x'.repeat(255) }],
  [{ whole: -5, free: 2147483647, flt: 0.5, dec: 12345678.25, flag: false }],
  [{ whole: 7, free: -2147483648, flt: 2.25, dec: -0.5, flag: true }],
  [
    { whole: '7', flt: '2.25', flag: 'true' },
    { whole: 7, flt: 2.25, flag: true },
  ],
  [
    { day: '2024-02-29', clock: '23:59:59', moment: '2024-02-29T12:30:00.125Z', stamp: '2024-02-29T12:30:00.125Z' },
    { day: '2024-02-29', clock: '23:59:59.000', moment: '2024-02-29T12:30:00.125Z', stamp: '1709209800125' },
  ],
  [
    { day: '2024-02-29T23:00:00Z', clock: '00:00:00.5', moment: '2024-02-29T12:30:00+02:00' },
    { day: '2024-02-29', clock: '00:00:00.500', moment: '2024-02-29T10:30:00.000Z' },
  ],
  [{ moment: 0 }, { moment: '1970-01-01T00:00:00.000Z' }],
  [
    { day: '1969-12-31', moment: '1969-12-31T23:59:59.999Z', stamp: '1969-12-31T23:59:59.999Z' },
    { day: '1969-12-31', moment: '1969-12-31T23:59:59.999Z', stamp: '-1' },
  ],
  [{ day: '9999-12-31', moment: '2999-12-31T23:59:59.000Z' }],
  [{ doc: { a: [1, null, { b: 'ü' }] }, flow: paragraph('words') }],
  [{ doc: [1, 2], flow: [] }],
  [{ doc: 5 }],
  [{ doc: false }],
  [{ doc: '{"a":1}' }, { doc: { a: 1 } }],
  [{ doc: 'words' }],
  [{ doc: { constructor: 1, toString: 2 } }],
  // As text of a JSON number below, so that no JavaScript number is on the way.
  ...['9007199254740993', '-9223372036854775808', '9223372036854775807', '0'].map((big) => [{ big }] as const),
];

describe.each(engines)('%s: attribute values', (engine) => {
  const api = useProject(engine, { files });

  it.each(rows.map(([body, read = body]) => [JSON.stringify(body).slice(0, 60), body, read] as const))('%s', async (_text, body, read) => {
    const created = await api.write('POST', '/api/gauges', body);
    expect(created).toMatchObject(read);
    expect(await api.read(`/api/gauges/${String(created.documentId)}`)).toMatchObject(read);
  });

  it('null is no value', async () => {
    const empty = Object.fromEntries(Object.keys(gauge).map((name) => [name, null]));
    const { pin: _, ...shown } = empty;
    expect(await api.write('POST', '/api/gauges', empty)).toMatchObject(shown);
  });

  it('passwords are hashed and never returned', async () => {
    const created = await api.write('POST', '/api/gauges', { pin: 'open sesame' });
    expect(created).not.toHaveProperty('pin');
    const path = `/api/gauges/${String(created.documentId)}`;
    const stored = async () => (await api.query(`SELECT pin FROM gauges WHERE id = ${String(created.id)}`))[0]?.[0];
    expect(await stored()).toMatch(/^\$2[aby]\$10\$.{53}$/);
    await api.write('PATCH', path, { pin: 'open sesame' });
    expect(await stored()).toMatch(/^\$2/);
    await api.write('PATCH', path, { pin: null });
    expect(await stored()).toBeNull();
  });

  it.each(['9007199254740993', '-9223372036854775808'])('%s as a number of JSON keeps every digit', async (big) => {
    const response = await api.send('full', { method: 'POST', path: '/api/gauges', body: `{"data":{"big":${big}}}` });
    expect(dataOf(response).big).toBe(big);
    const stored = await api.query(`SELECT ${engineSql[engine].asText('big')} FROM gauges WHERE id = ${String(dataOf(response).id)}`);
    expect(stored).toEqual([[big]]);
  });

  it('so do numbers in json, however deep', async () => {
    const body = '{"data":{"doc":{"a":[12345678901234567890,1.000000000000000000001]}}}';
    const created = await api.send('full', { method: 'POST', path: '/api/gauges?fields=doc', body });
    expect(created.text.replaceAll(' ', '')).toContain('"doc":{"a":[12345678901234567890,1.000000000000000000001]}');
  });

  it('defaults are used for attributes that a creation omits, and replace neither null nor what an update omits', async () => {
    const made = {
      ...{ name: 'nobody', level: 'low', rank: 3, flag: false, big: '9007199254740993' },
      ...{ doc: { a: [1] }, must: 'there', sealed: 'as made' },
    };
    expect(await api.write('POST', '/api/filleds', {})).toMatchObject(made);
    const cleared = await api.write('POST', '/api/filleds', { name: null, rank: null });
    expect(cleared).toMatchObject({ ...made, name: null, rank: null });
    const changed = await api.write('PATCH', `/api/filleds/${String(cleared.documentId)}`, { flag: true });
    expect(changed).toMatchObject({ name: null, rank: null, flag: true });
    expect(errorPaths(await api.ask('full', 'POST', '/api/filleds', { must: null }))).toEqual(['must']);
    const sealed = errorOf(await api.ask('full', 'POST', '/api/filleds', { sealed: null }));
    expect(sealed).toMatchObject({ status: 400, message: 'Invalid key sealed', details: { key: 'sealed', source: 'body' } });
  });
});
