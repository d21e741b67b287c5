/** How each value of a body is read. Messages, paths and values are recorded from Strapi 5.54 (`create-attributes` in
 *  test/compatibility/recordings/writes); where nothing was recorded, Strapi's validators were run on the same values. */
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import type { ScalarAttribute, ScalarType } from '../content-model.ts';
import type { BodyValue, StoredValue, ValueProblem } from './attribute-type.ts';
import { attributeTypes } from './attribute-types.ts';
import { defaultOf } from './default-of.ts';
import { fromSelected, sameStored } from './stored.ts';

interface Schema {
  readonly type: ScalarType;
  readonly required?: boolean;
  readonly enum?: readonly string[];
  readonly [option: string]: unknown;
}

const attributeOf = ({ type, required = false, enum: enumValues, ...options }: Schema): ScalarAttribute => ({
  kind: 'scalar',
  name: 'value',
  private: false,
  localized: false,
  required,
  writable: true,
  type,
  column: 'value',
  system: false,
  searchable: true,
  unique: false,
  enumValues,
  options,
});

const read = (schema: Schema, value: unknown, strict = true): BodyValue =>
  attributeTypes[schema.type].readBody(value, attributeOf(schema), { strict, exact: false });

/** The value that was read, or its only problem. */
function outcome(schema: Schema, value: unknown, strict?: boolean): StoredValue | ValueProblem {
  const result = read(schema, value, strict);
  if (result.ok) return result.value;
  expect(result.problems).toHaveLength(1);
  return result.problems[0] as ValueProblem;
}

const located = (message: string, value?: unknown): ValueProblem =>
  value === undefined ? { path: [], message } : { path: [], message, value };
const unlocated = (message: string): ValueProblem => ({ path: [], message, unlocated: true });

// The attributes of the recordings' plainbook and book.
const name: Schema = { type: 'string', required: true, minLength: 2, maxLength: 40 };
const title: Schema = { type: 'string', required: true, minLength: 2, maxLength: 80 };
const summary: Schema = { type: 'text', maxLength: 50 };
const notes: Schema = { type: 'richtext' };
const code: Schema = { type: 'string', regex: '^[A-Z]{2}[0-9]+$' };
const isbn: Schema = { type: 'string', regex: '^[0-9-]{5,20}$' };
const hidden: Schema = { type: 'string' };
const pin: Schema = { type: 'password', minLength: 6 };
const contact: Schema = { type: 'email' };
const slug: Schema = { type: 'uid' };
const kind: Schema = { type: 'enumeration', enum: ['novel', 'essay', 'poetry'] };
const count: Schema = { type: 'integer', min: 1, max: 5000 };
const price: Schema = { type: 'decimal', min: 0 };
const weight: Schema = { type: 'float' };
const sold: Schema = { type: 'biginteger' };
const available: Schema = { type: 'boolean' };
const releasedOn: Schema = { type: 'date' };
const opensAt: Schema = { type: 'time' };
const event: Schema = { type: 'datetime' };
const data: Schema = { type: 'json' };
const text: Schema = { type: 'blocks' };

const notText = (printed: string, value: unknown) =>
  located(`{path} must be a \`string\` type, but the final value was: \`${printed}\`.`, value);
const notNumber = (printed: string) =>
  located(`{path} must be a \`number\` type, but the final value was: \`NaN\` (cast from the value \`${printed}\`).`, null);
const notListed = (value: unknown) => located('{path} must be one of the following values: novel, essay, poetry, ', value);
const notDate = unlocated('Invalid format, expected yyyy-MM-dd');
const notTime = unlocated('Invalid time format, expected HH:mm:ss.SSS');
const notInstant = unlocated('Invalid format, expected a timestamp or an ISO date');
const utc = (iso: string) => Date.parse(iso);

interface Case {
  readonly of: Schema;
  readonly value: unknown;
  readonly becomes: StoredValue | ValueProblem;
  /** The value is in a draft, so validation is not strict. */
  readonly draft?: true;
}

const x = (length: number) => 'x'.repeat(length);

const recorded: readonly Case[] = [
  // required and length
  { of: name, value: '', becomes: located('{path} must be at least 2 characters', '') },
  { of: name, value: 'a', becomes: located('{path} must be at least 2 characters', 'a') },
  { of: name, value: 'ab', becomes: 'ab' },
  { of: name, value: x(40), becomes: x(40) },
  { of: name, value: x(41), becomes: located('{path} must be at most 40 characters', x(41)) },
  { of: name, value: '    ', becomes: '    ' },
  { of: summary, value: x(51), becomes: located('{path} must be at most 50 characters', x(51)) },
  { of: pin, value: '12345', becomes: located('{path} must be at least 6 characters', '12345') },
  { of: pin, value: 'secret99', becomes: 'secret99' },
  { of: title, value: x(81), becomes: located('{path} must be at most 80 characters', x(81)) },
  { of: { type: 'string', required: true }, value: '', becomes: '' },
  // wrong types text
  { of: name, value: 42, becomes: notText('42', 42) },
  { of: name, value: true, becomes: notText('true', true) },
  { of: name, value: { a: 1 }, becomes: notText('{\n  "a": "1"\n}', { a: 1 }) },
  { of: name, value: ['a'], becomes: notText('[\n  "\\"a\\""\n]', ['a']) },
  { of: notes, value: 5, becomes: notText('5', 5) },
  { of: summary, value: {}, becomes: notText('{}', {}) },
  { of: contact, value: 'a@example.com', becomes: 'a@example.com' },
  { of: contact, value: 'not-an-email', becomes: located('{path} must be a valid email', 'not-an-email') },
  { of: contact, value: '', becomes: located('{path} cannot be empty', '') },
  { of: contact, value: 5, becomes: notText('5', 5) },
  { of: kind, value: 'poetry', becomes: 'poetry' },
  { of: kind, value: 'comic', becomes: notListed('comic') },
  { of: kind, value: '', becomes: notListed('') },
  { of: kind, value: 'Novel', becomes: notListed('Novel') },
  { of: kind, value: 1, becomes: notListed('1') },
  { of: code, value: 'AB12', becomes: 'AB12' },
  { of: code, value: 'ab', becomes: located('{path} must match the following: "/^[A-Z]{2}[0-9]+$/"', 'ab') },
  { of: code, value: '', becomes: '' },
  { of: isbn, value: 'abc', becomes: located('{path} must match the following: "/^[0-9-]{5,20}$/"', 'abc') },
  { of: pin, value: 123456, becomes: notText('123456', 123456) },
  { of: slug, value: 12, becomes: notText('12', 12) },
  { of: slug, value: 'not a slug!', becomes: located('{path} must match the following: "/^[A-Za-z0-9-_.~]*$/"', 'not a slug!') },
  { of: slug, value: 'Upper-Case_1.~', becomes: 'Upper-Case_1.~' },
  { of: slug, value: '', becomes: '' },
  { of: hidden, value: 7, becomes: notText('7', 7) },
  // wrong types numbers
  { of: count, value: 'abc', becomes: notNumber('"abc"') },
  { of: count, value: '12', becomes: 12 },
  { of: count, value: 1.5, becomes: located('{path} must be an integer', 1.5) },
  { of: count, value: true, becomes: notNumber('true') },
  { of: count, value: [1], becomes: 1 },
  { of: count, value: 0, becomes: located('{path} must be greater than or equal to 1', 0) },
  { of: count, value: 5000, becomes: 5000 },
  { of: count, value: 5001, becomes: located('{path} must be less than or equal to 5000', 5001) },
  { of: count, value: '', becomes: notNumber('""') },
  { of: price, value: 'free', becomes: notNumber('"free"') },
  { of: price, value: '3.10', becomes: 3.1 },
  { of: price, value: -0.01, becomes: located('{path} must be greater than or equal to 0', -0.01) },
  { of: price, value: 1234567.891234, becomes: 1234567.891234 },
  { of: weight, value: 'heavy', becomes: notNumber('"heavy"') },
  { of: weight, value: {}, becomes: notNumber('{}') },
  { of: sold, value: 123, becomes: 123n },
  { of: sold, value: '123456789012345678', becomes: 123456789012345678n },
  { of: sold, value: '9007199254740991', becomes: 9007199254740991n },
  { of: sold, value: 'many', becomes: located('{path} must be a valid integer', 'many') },
  { of: sold, value: 1.5, becomes: located('{path} must be a valid integer', 1.5) },
  { of: sold, value: '-42', becomes: -42n },
  // wrong types dates
  { of: releasedOn, value: '2024-02-29', becomes: '2024-02-29' },
  { of: releasedOn, value: 'yesterday', becomes: notDate },
  { of: releasedOn, value: '2023-02-30', becomes: unlocated('Invalid date') },
  { of: releasedOn, value: '2023/02/03', becomes: notDate },
  { of: releasedOn, value: '2023-02-03T10:00:00.000Z', becomes: '2023-02-03' },
  { of: releasedOn, value: 1675382400000, becomes: notDate },
  { of: releasedOn, value: '', becomes: notDate },
  { of: opensAt, value: '09:30:15.123', becomes: '09:30:15.123' },
  { of: opensAt, value: 'noon', becomes: notTime },
  { of: opensAt, value: '10:20', becomes: notTime },
  { of: opensAt, value: '10:20:30', becomes: '10:20:30.000' },
  { of: opensAt, value: '10:20:30.5', becomes: '10:20:30.500' },
  { of: opensAt, value: '25:00:00', becomes: notTime },
  { of: opensAt, value: 10, becomes: unlocated('Expected a string, got a number') },
  { of: event, value: '2024-05-06T07:08:09.123Z', becomes: utc('2024-05-06T07:08:09.123Z') },
  { of: event, value: 'soon', becomes: notInstant },
  { of: event, value: '2023-02-03', becomes: new Date(2023, 1, 3).getTime() },
  { of: event, value: '2023-02-03T10:00:00+02:00', becomes: utc('2023-02-03T08:00:00.000Z') },
  { of: event, value: '2023-02-03T10:00:00', becomes: new Date(2023, 1, 3, 10).getTime() },
  { of: event, value: 1675382400000, becomes: 1675382400000 },
  { of: event, value: '', becomes: notInstant },
  // wrong types others
  { of: available, value: 'true', becomes: true },
  { of: available, value: 0, becomes: false },
  {
    of: available,
    value: 'maybe',
    becomes: located('{path} must be a `boolean` type, but the final value was: `"maybe"`.', 'maybe'),
  },
  { of: data, value: 'text', becomes: '"text"' },
  { of: data, value: '{"a":1}', becomes: '{"a":1}' },
  { of: data, value: 5, becomes: '5' },
  { of: data, value: false, becomes: 'false' },
  { of: data, value: [1, 2], becomes: '[1,2]' },
  { of: data, value: { a: [1, 'x', null], b: { c: true } }, becomes: '{"a":[1,"x",null],"b":{"c":true}}' },
  { of: text, value: 'hello', becomes: null },
  { of: text, value: [], becomes: '[]' },
  // drafts are validated loosely
  { of: title, value: 'x', becomes: 'x', draft: true },
  { of: title, value: x(81), becomes: located('{path} must be at most 80 characters', x(81)), draft: true },
  { of: isbn, value: 'abc', becomes: 'abc', draft: true },
  { of: count, value: 0, becomes: 0, draft: true },
  { of: count, value: 'many', becomes: notNumber('"many"'), draft: true },
  { of: kind, value: 'comic', becomes: notListed('comic'), draft: true },
  { of: contact, value: 'nope', becomes: 'nope', draft: true },
  { of: pin, value: '1', becomes: '1', draft: true },
];

const further: readonly Case[] = [
  { of: { type: 'string' }, value: x(255), becomes: x(255) },
  { of: { type: 'string' }, value: x(256), becomes: located('{path} must be at most 255 characters', x(256)) },
  { of: { type: 'string', maxLength: 300 }, value: x(256), becomes: x(256) },
  { of: { type: 'text' }, value: x(256), becomes: x(256) },
  { of: { type: 'string', regex: 'b', required: true }, value: '', becomes: located('{path} must match the following: "/b/"', '') },
  { of: { type: 'string', regex: 'a/b' }, value: 'c', becomes: located('{path} must match the following: "/a\\/b/"', 'c') },
  // In yup the last minimum applies, which is the one that forbids empty e-mail addresses.
  { of: { type: 'email', minLength: 99 }, value: 'a@b.cd', becomes: 'a@b.cd' },
  { of: { type: 'email', maxLength: 5 }, value: 'a@b.cd', becomes: located('{path} must be at most 5 characters', 'a@b.cd'), draft: true },
  { of: { type: 'uid', regex: '^[a-z ]*$' }, value: 'a b', becomes: 'a b' },
  { of: slug, value: 'not a slug!', becomes: 'not a slug!', draft: true },
  { of: { type: 'enumeration', enum: ['1', 'true'] }, value: 1, becomes: '1' },
  { of: { type: 'enumeration', enum: ['1', 'true'] }, value: true, becomes: 'true' },
  { of: weight, value: ' 1 2 ', becomes: 12 },
  { of: weight, value: '0x10', becomes: 16 },
  { of: weight, value: ['1.5 kg', 2], becomes: 1.5 },
  { of: weight, value: [[]], becomes: notNumber('[\n  []\n]') },
  { of: weight, value: Number.POSITIVE_INFINITY, becomes: located('{path} must be a finite number', null) },
  { of: { type: 'integer', min: '2', max: 3.7 }, value: 3, becomes: 3 },
  { of: { type: 'integer', max: 3.7 }, value: 4, becomes: located('{path} must be less than or equal to 3', 4) },
  { of: { type: 'integer' }, value: 2 ** 53 - 1, becomes: 2 ** 53 - 1 },
  { of: { type: 'integer' }, value: 2 ** 53, becomes: located('{path} must be less than or equal to 9007199254740991', 2 ** 53) },
  { of: { type: 'integer' }, value: -1e30, becomes: located('{path} must be greater than or equal to -9007199254740991', -1e30) },
  { of: sold, value: ' +007 ', becomes: 7n },
  { of: sold, value: '-0', becomes: 0n },
  { of: sold, value: '9223372036854775807', becomes: 2n ** 63n - 1n },
  { of: sold, value: '-9223372036854775808', becomes: -(2n ** 63n) },
  {
    of: sold,
    value: '9223372036854775808',
    becomes: located('{path} must be between -9223372036854775808 and 9223372036854775807', '9223372036854775808'),
  },
  { of: sold, value: true, becomes: located('{path} must be a valid integer', true) },
  { of: sold, value: 5n, becomes: 5n },
  { of: sold, value: [1], becomes: located('{path} must be a valid integer', [1]) },
  { of: available, value: 'FALSE', becomes: false },
  { of: available, value: ['1'], becomes: true },
  { of: available, value: 't', becomes: located('{path} must be a `boolean` type, but the final value was: `"t"`.', 't') },
  { of: opensAt, value: ['10:00:00'], becomes: unlocated('Expected a string, got a object') },
  // Numbers are read as text by Strapi: a year, a century, a day of the year.
  { of: event, value: 2023, becomes: new Date(2023, 0, 1).getTime() },
  { of: event, value: 20, becomes: new Date(2000, 0, 1).getTime() },
  { of: event, value: 2023034, becomes: new Date(2023, 1, 3).getTime() },
  { of: event, value: 12345, becomes: 12345 },
  { of: event, value: -1, becomes: -1 },
  { of: event, value: '2023-W05-5T10:00Z', becomes: utc('2023-02-03T10:00:00Z') },
  { of: event, value: '+012023-02-03T24:00Z', becomes: utc('+012023-02-04T00:00:00Z') },
  { of: event, value: '2023-02-03 10.5Z', becomes: utc('2023-02-03T10:30:00Z') },
  { of: event, value: '2023-02-03T10:00:00,25-0330', becomes: utc('2023-02-03T13:30:00.250Z') },
  { of: event, value: '2023-02-30', becomes: notInstant },
  { of: event, value: '2023-02-03T24:01Z', becomes: notInstant },
  { of: event, value: '2023-02-03T10:00:00+2', becomes: notInstant },
  { of: event, value: 8.64e15 + 1, becomes: notInstant },
  { of: event, value: true, becomes: notInstant },
  { of: { type: 'timestamp' }, value: '2023-02-03T10:00:00Z', becomes: utc('2023-02-03T10:00:00Z') },
  { of: data, value: '', becomes: '""' },
  { of: data, value: 'null', becomes: 'null' },
  { of: data, value: '"quoted"', becomes: '"\\"quoted\\""' },
  { of: data, value: '"[1]"', becomes: '[1]' },
  { of: data, value: '[12345678901234567890]', becomes: '[12345678901234567890]' },
  { of: data, value: JSON.parse('{"__proto__":1,"constructor":{}}'), becomes: '{"__proto__":1,"constructor":{}}' },
  { of: text, value: '[]', becomes: '[]' },
  { of: text, value: { type: 'paragraph' }, becomes: null },
  { of: { type: 'blocks', required: true }, value: 'hello', becomes: null, draft: true },
  {
    of: { type: 'blocks', required: true },
    value: 'hello',
    becomes: located('{path} must be a `array` type, but the final value was: `null` (cast from the value `"hello"`).', null),
  },
];

const bigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
const described = (cases: readonly Case[]) =>
  cases.map((each) => ({
    ...each,
    it: `${each.draft ? 'draft ' : ''}${each.of.type} ${JSON.stringify(each.value, bigints)?.slice(0, 60)}`,
  }));

describe('a value of a body, as recorded', () => {
  it.each(described(recorded))('$it', (c) => expect(outcome(c.of, c.value, !c.draft)).toEqual(c.becomes));
});

describe('a value of a body, by the rules of yup and date-fns', () => {
  it.each(described(further))('$it', (c) => expect(outcome(c.of, c.value, !c.draft)).toEqual(c.becomes));
});

describe('several problems of one value come together, in the order of the checks', () => {
  const messages = (schema: Schema, value: unknown) => {
    const result = read(schema, value);
    return result.ok ? [] : result.problems.map(({ message }) => message);
  };

  it('length, then pattern', () => {
    expect(messages({ ...name, minLength: 5, maxLength: 3, regex: '^b' }, 'aaaa')).toEqual([
      '{path} must be at least 5 characters',
      '{path} must be at most 3 characters',
      '{path} must match the following: "/^b/"',
    ]);
  });
  it('integer, then bounds', () => {
    expect(messages(count, 0.5)).toEqual(['{path} must be an integer', '{path} must be greater than or equal to 1']);
  });
  it('an object is neither text nor one of the values', () => {
    expect(messages(kind, {})).toEqual([notText('{}', {}).message, notListed({}).message]);
  });
  it('a uid with a regex of its own is checked by it twice', () => {
    const message = '{path} must match the following: "/^a+$/"';
    expect(messages({ type: 'uid', regex: '^a+$' }, 'b')).toEqual([message, message]);
    expect(messages({ type: 'uid', regex: '^a+$' }, '')).toEqual([message]);
  });
});

describe('e-mail addresses', () => {
  it.each(['a@b.cd', 'A.b+c@x-y.example', '"a b"@c.de', '"a\\"@b"@c.de', 'ü@ö.äx', 'a@1.b', "o'neil@a.b.c"])('%s is one', (value) =>
    expect(outcome(contact, value)).toBe(value),
  );
  it.each([
    '@b.cd',
    'a@',
    'a@b',
    'a@b.1',
    '.a@b.cd',
    'a.@b.cd',
    'a..b@c.de',
    'a b@c.de',
    'a@b@c.de',
    'a@-b.cd',
    'a@b-.cd',
    ' a@b.cd',
    'a@b.cd\n',
  ])('%j is none', (value) => expect(outcome(contact, value)).toEqual(located('{path} must be a valid email', value)));
  it('100 KB of nonsense take no time', () => {
    const long = 100_000;
    const hard = [`a@${'a.'.repeat(long)}!`, `"${' '.repeat(long)}@b.cd`, `"${' \r\n'.repeat(long)}"@b.cd`, `${'a.'.repeat(long)}@b.cd`];
    const start = performance.now();
    for (const value of hard) expect(read(contact, value).ok).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

const textNode = { type: 'text', text: 'x' };
const paragraph = { type: 'paragraph', children: [textNode] };
const image = {
  name: 'a',
  url: '/a.png',
  width: 1,
  height: 2,
  hash: 'a',
  ext: '.png',
  mime: 'image/png',
  size: 1.5,
  provider: 'local',
  createdAt: '2024-01-01',
  updatedAt: '2024-01-01',
  formats: null,
  alternativeText: null,
};

describe('blocks', () => {
  const kept: readonly { it: string; nodes: readonly unknown[] }[] = [
    { it: 'paragraph', nodes: [{ type: 'paragraph', children: [{ type: 'text', text: 'hello', bold: true }] }] },
    { it: 'heading', nodes: [{ type: 'heading', level: 2, children: [textNode] }] },
    { it: 'quote', nodes: [{ type: 'quote', children: [textNode] }] },
    { it: 'code', nodes: [{ type: 'code', language: null, children: [textNode] }] },
    { it: 'image', nodes: [{ type: 'image', image, children: [] }] },
    {
      it: 'list',
      nodes: [
        {
          type: 'list',
          format: 'unordered',
          children: [
            { type: 'list-item', children: [{ type: 'link', url: 'https://example.com', children: [textNode] }] },
            { type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [] }] },
          ],
        },
      ],
    },
    { it: 'keys of their own', nodes: [{ ...paragraph, align: 'left', number: 5 }] },
  ];
  it.each(kept)('$it', ({ nodes }) => expect(outcome(text, nodes)).toBe(JSON.stringify(nodes)));

  it('scalars are cast, and JSON text counts as its value', () => {
    const written = [
      { type: 'heading', level: '2', children: '[{"type":"text","text":"y"}]' },
      { type: 'paragraph', children: [{ ...textNode, text: 5, bold: 1 }] },
    ];
    expect(JSON.parse(String(outcome(text, JSON.stringify(written))))).toEqual([
      { type: 'heading', level: 2, children: [{ type: 'text', text: 'y' }] },
      { type: 'paragraph', children: [{ type: 'text', text: '5', bold: true }] },
    ]);
  });

  const at = (path: string, message: string, value?: unknown): ValueProblem => ({ ...located(message, value), path: path.split('.') });
  const isRequired = '{path} is a required field';
  const oneOf = (values: string) => `{path} must be one of the following values: ${values}`;
  const wrong: readonly { it: string; nodes: readonly unknown[]; problems: readonly ValueProblem[] }[] = [
    {
      it: 'unknown node',
      nodes: [{ type: 'unknown', children: [] }],
      problems: [at('0', 'Block node is of invalid type', { type: 'unknown', children: [] })],
    },
    { it: 'null for a node', nodes: [paragraph, null], problems: [at('1', 'Block node is of invalid type', null)] },
    { it: 'no children', nodes: [{ type: 'paragraph' }], problems: [at('0.children', isRequired)] },
    {
      it: 'heading level out of range',
      nodes: [{ type: 'heading', level: 9, children: [textNode] }],
      problems: [at('0.level', oneOf('1, 2, 3, 4, 5, 6'), 9)],
    },
    {
      it: 'heading level that is no number',
      nodes: [{ type: 'heading', level: 'big', children: [textNode] }],
      problems: [{ ...notNumber('"big"'), path: ['0', 'level'] }, at('0.level', oneOf('1, 2, 3, 4, 5, 6'), null)],
    },
    {
      it: 'no child in a paragraph',
      nodes: [{ type: 'paragraph', children: [] }],
      problems: [at('0.children', 'Paragraph node children must have at least one Text or Link node', [])],
    },
    {
      it: 'no child in a heading',
      nodes: [{ type: 'heading', level: 1, children: [] }],
      problems: [at('0.children', 'Heading node children must have at least one Text or Link node', [])],
    },
    {
      it: 'no child in a quote',
      nodes: [{ type: 'quote', children: [] }],
      problems: [at('0.children', 'Quote node children must have at least one Text or Link node', [])],
    },
    {
      it: 'no child in code',
      nodes: [{ type: 'code', children: [] }],
      problems: [at('0.children', 'Quote node children must have at least one Text or Link node', [])],
    },
    {
      it: 'no child in a list',
      nodes: [{ type: 'list', format: 'ordered', children: [] }],
      problems: [at('0.children', 'List node children must have at least one ListItem or ListNode', [])],
    },
    {
      it: 'list format',
      nodes: [{ type: 'list', format: 'round', children: [{ type: 'list-item', children: [] }] }],
      problems: [at('0.format', oneOf('ordered, unordered'), 'round')],
    },
    {
      it: 'a list with something else in it',
      nodes: [{ type: 'list', format: 'ordered', children: [textNode] }],
      problems: [at('0.children.0', 'Inline node must be list-item or list', textNode)],
    },
    {
      it: 'inline node of another kind',
      nodes: [{ type: 'paragraph', children: [paragraph] }],
      problems: [at('0.children.0', 'Inline node must be Text or Link', paragraph)],
    },
    {
      it: 'text without text',
      nodes: [{ type: 'paragraph', children: [{ type: 'text' }] }],
      problems: [at('0.children.0.text', 'Text must be defined with at least an empty string')],
    },
    {
      it: 'text that is null',
      nodes: [{ type: 'paragraph', children: [{ type: 'text', text: null }] }],
      problems: [{ ...notText('null', null), path: ['0', 'children', '0', 'text'] }],
    },
    {
      it: 'bold that is no boolean',
      nodes: [{ type: 'paragraph', children: [{ ...textNode, bold: 'very' }] }],
      problems: [at('0.children.0.bold', '{path} must be a `boolean` type, but the final value was: `"very"`.', 'very')],
    },
    {
      it: 'a link that could run a script',
      nodes: [{ type: 'paragraph', children: [{ type: 'link', url: 'javascript:alert(1)', children: [textNode] }] }],
      problems: [at('0.children.0.url', 'Please specify a valid link.', 'javascript:alert(1)')],
    },
    {
      it: 'a link without address and children',
      nodes: [{ type: 'paragraph', children: [{ type: 'link' }] }],
      problems: [at('0.children.0.url', 'Please specify a valid link.'), at('0.children.0.children', isRequired)],
    },
    {
      it: 'code with a link in it',
      nodes: [{ type: 'code', children: [{ type: 'link', text: 'x' }] }],
      problems: [at('0.children.0.type', oneOf('text'), 'link')],
    },
    {
      it: 'code with a number in it',
      nodes: [{ type: 'code', children: [5] }],
      problems: [at('0.children.0', '{path} must be a `object` type, but the final value was: `null` (cast from the value `5`).', null)],
    },
    {
      it: 'children that are no list',
      nodes: [{ type: 'quote', children: { a: 1 } }],
      problems: [
        at('0.children', '{path} must be a `array` type, but the final value was: `null` (cast from the value `{\n  "a": "1"\n}`).', null),
      ],
    },
    {
      it: 'an image of which little is known',
      nodes: [{ type: 'image', image: { ...image, name: '', width: undefined }, children: [] }],
      problems: [at('0.image.name', isRequired, ''), at('0.image.width', isRequired)],
    },
  ];
  it.each(wrong)('$it', ({ nodes, problems }) => expect(read(text, nodes)).toEqual({ ok: false, problems }));

  it('an image node without an image lacks all that an image needs', () => {
    const result = read(text, [{ type: 'image', children: [] }]);
    expect(result.ok ? [] : result.problems.map(({ path }) => path.join('.'))).toContain('0.image.url');
  });
  it('the first hundred problems are enough', () => {
    const result = read(text, Array(100_000).fill(5));
    expect(result.ok ? 0 : result.problems.length).toBe(100);
  });
});

describe('numbers with more digits than JavaScript has', () => {
  const many = new LosslessNumber('12345678901234567890');
  const cases: readonly Case[] = [
    { of: sold, value: new LosslessNumber('1234567890123456789'), becomes: 1234567890123456789n },
    { of: sold, value: new LosslessNumber('-1234567890123456789.000'), becomes: -1234567890123456789n },
    { of: sold, value: new LosslessNumber('1.234567890123456789e18'), becomes: 1234567890123456789n },
    { of: sold, value: new LosslessNumber('0.00000000000000000e999'), becomes: 0n },
    {
      of: sold,
      value: many,
      becomes: located('{path} must be between -9223372036854775808 and 9223372036854775807', '12345678901234567890'),
    },
    {
      of: sold,
      value: new LosslessNumber('1e999999999'),
      becomes: located('{path} must be between -9223372036854775808 and 9223372036854775807', `1${'0'.repeat(20)}`),
    },
    {
      of: sold,
      value: new LosslessNumber('1234567890123456789.5'),
      becomes: located('{path} must be a valid integer', 1234567890123456800),
    },
    { of: sold, value: new LosslessNumber('1e-999999999'), becomes: located('{path} must be a valid integer', 0) },
    { of: { type: 'decimal' }, value: new LosslessNumber('0.1234567890123456789'), becomes: 0.12345678901234568 },
    { of: { type: 'float' }, value: new LosslessNumber('1e999'), becomes: located('{path} must be a finite number', null) },
    { of: { type: 'integer' }, value: new LosslessNumber('12.000000000000000'), becomes: 12 },
    {
      of: { type: 'integer' },
      value: many,
      becomes: located('{path} must be less than or equal to 9007199254740991', 12345678901234567000),
    },
    { of: name, value: many, becomes: notText('12345678901234567000', 12345678901234567000) },
    { of: name, value: [many], becomes: notText('[\n  "12345678901234567000"\n]', [12345678901234567000]) },
    { of: kind, value: many, becomes: notListed('12345678901234567000') },
    { of: available, value: new LosslessNumber('1.000000000000000000'), becomes: true },
    { of: opensAt, value: many, becomes: unlocated('Expected a string, got a number') },
    { of: releasedOn, value: many, becomes: notDate },
    { of: event, value: new LosslessNumber('1675382400000.0000'), becomes: 1675382400000 },
    { of: event, value: many, becomes: notInstant },
    { of: data, value: many, becomes: '12345678901234567890' },
    { of: data, value: { a: [many, { b: many }] }, becomes: '{"a":[12345678901234567890,{"b":12345678901234567890}]}' },
    {
      of: text,
      value: [{ ...paragraph, id: many }],
      becomes: '[{"type":"paragraph","children":[{"type":"text","text":"x"}],"id":12345678901234567890}]',
    },
  ];
  it.each(described(cases))('$it', (c) => expect(outcome(c.of, c.value)).toEqual(c.becomes));

  it('an object that a client sent in the same form stays an object', () => {
    const forged = { isLosslessNumber: true, value: '1,"admin":true' };
    expect(outcome(data, forged)).toBe(JSON.stringify(forged));
    expect(outcome(data, { isLosslessNumber: true, value: '5' })).toBe('{"isLosslessNumber":true,"value":"5"}');
  });
});

describe('deep and large values', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const tooDeep = located('{path} must not be nested deeper than 1000 levels');

  it('json of a thousand levels is stored', () => expect(outcome(data, nested(1000))).toBe('['.repeat(1000) + ']'.repeat(1000)));
  it.each([1001, 10_000, 500_000])('json of %i levels is refused', (levels) => {
    expect(outcome(data, nested(levels))).toEqual(tooDeep);
    expect(outcome(data, '['.repeat(levels) + ']'.repeat(levels))).toEqual(tooDeep);
  });
  it('blocks of 10,000 levels are refused', () => {
    expect(outcome(text, nested(10_000))).toEqual(tooDeep);
    expect(outcome(text, [{ ...paragraph, more: nested(10_000) }])).toEqual(tooDeep);
  });
  it.each(Object.keys(attributeTypes) as ScalarType[])('%s answers to 100,000 levels', (type) => {
    const result = read({ type, enum: ['a'] }, nested(100_000));
    expect(JSON.stringify(result).length).toBeLessThan(25_000);
  });
  it.each([
    { of: sold, value: `${'0'.repeat(1_000_000)}x` },
    { of: sold, value: '9'.repeat(1_000_000) },
    { of: event, value: `2023-02-03T10.${'1'.repeat(1_000_000)}x` },
    { of: count, value: `${' '.repeat(1_000_000)}x` },
  ])('a $of.type of a million characters is refused in no time', ({ of, value }) => {
    const start = performance.now();
    expect(read(of, value).ok).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });
  it('a large value is shown in part', () => {
    const result = outcome(name, Array(100_000).fill({ a: 1 })) as ValueProblem;
    expect(result.message.length).toBeLessThan(11_000);
  });
});

describe('properties', () => {
  it('JSON is stored as it came', () => {
    const value = fc.jsonValue().filter((each) => typeof each !== 'string' && each !== null);
    fc.assert(fc.property(value, (each) => outcome(data, each) === JSON.stringify(each)));
  });
  it('a JSON text is stored as JSON that says the same', () => {
    fc.assert(
      fc.property(fc.json(), (each) => typeof outcome(data, each) === 'string' && JSON.parse(String(outcome(data, each))) !== undefined),
    );
  });
  it('text that is no JSON becomes a JSON text', () => {
    fc.assert(fc.property(fc.string(), (each) => outcome(data, `~${each}`) === JSON.stringify(`~${each}`)));
  });
  it('every 64 bit integer keeps its digits, as text and as a number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (each) => {
        expect(outcome(sold, String(each))).toBe(each);
        expect(outcome(sold, new LosslessNumber(String(each)))).toBe(each);
      }),
    );
  });
  it('every instant is read as it is written', () => {
    const date = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    fc.assert(fc.property(date, (each) => outcome(event, each.toISOString()) === each.getTime()));
  });
  it('stored values are read back from the column', () => {
    const columns: readonly [ScalarType, fc.Arbitrary<unknown>][] = [
      ['text', fc.string()],
      ['float', fc.double({ noNaN: true, noDefaultInfinity: true })],
      ['biginteger', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)],
      ['boolean', fc.boolean()],
      ['datetime', fc.date({ min: new Date(0), noInvalidDate: true, max: new Date('9999-01-01') }).map((each) => each.toISOString())],
      ['json', fc.jsonValue().filter((each) => typeof each === 'object' && each !== null)],
    ];
    for (const [type, values] of columns) {
      fc.assert(
        fc.property(values, (value) => {
          const stored = outcome({ type }, value) as StoredValue;
          const selected = typeof stored === 'bigint' ? String(stored) : stored;
          expect(fromSelected(selected, attributeOf({ type }))).toBe(stored);
        }),
      );
    }
  });
  it('nothing makes it throw, and every problem can be written as JSON', () => {
    const schemas: readonly Schema[] = (Object.keys(attributeTypes) as ScalarType[]).map((type) => ({
      type,
      enum: ['a'],
      minLength: 2,
      min: 1,
    }));
    const value = fc.oneof(fc.jsonValue(), fc.anything({ values: [fc.string(), fc.double(), fc.boolean(), fc.constant(null)] }));
    fc.assert(fc.property(fc.constantFrom(...schemas), value, (schema, each) => JSON.stringify(read(schema, each), bigints) !== undefined));
  });
});

describe('a column', () => {
  const cases: readonly { type: ScalarType; selected: unknown; is: StoredValue }[] = [
    { type: 'string', selected: null, is: null },
    { type: 'string', selected: 'a', is: 'a' },
    { type: 'string', selected: 5, is: '5' },
    { type: 'integer', selected: 5, is: 5 },
    { type: 'decimal', selected: '12.50', is: 12.5 },
    { type: 'float', selected: 'heavy', is: null },
    { type: 'biginteger', selected: '9223372036854775807', is: 9223372036854775807n },
    { type: 'biginteger', selected: '9.0e+15', is: 9000000000000000n },
    { type: 'biginteger', selected: '', is: null },
    { type: 'boolean', selected: 1, is: true },
    { type: 'boolean', selected: false, is: false },
    { type: 'date', selected: '2024-02-29', is: '2024-02-29' },
    { type: 'date', selected: 1675382400000, is: '2023-02-03' },
    { type: 'time', selected: '10:20:30.500', is: '10:20:30.500' },
    { type: 'datetime', selected: 1675382400000, is: 1675382400000 },
    { type: 'datetime', selected: '2023-02-03T00:00:00.000Z', is: 1675382400000 },
    { type: 'datetime', selected: 'soon', is: null },
    { type: 'timestamp', selected: 1675382400000n, is: 1675382400000 },
    { type: 'json', selected: '{"a": 1}', is: '{"a": 1}' },
    { type: 'json', selected: 'just text', is: '"just text"' },
    { type: 'json', selected: 10, is: '10' },
    { type: 'blocks', selected: '[]', is: '[]' },
  ];
  it.each(cases)('$type $selected', ({ type, selected, is }) => expect(fromSelected(selected, attributeOf({ type }))).toBe(is));

  it('holds the same or something else', () => {
    expect(sameStored('a', 'a')).toBe(true);
    expect(sameStored(1n, 1n)).toBe(true);
    expect(sameStored(null, '')).toBe(false);
  });
});

describe('the default of an attribute', () => {
  const cases: readonly { it: string; of: Schema; is: StoredValue | undefined }[] = [
    { it: 'is none where the schema has none', of: { type: 'string' }, is: undefined },
    { it: 'is none where the schema says null', of: { type: 'string', default: null }, is: undefined },
    { it: 'is read like a value of a body', of: { type: 'biginteger', default: '3' }, is: 3n },
    { it: 'is not held to the rules that drafts are free of', of: { type: 'integer', min: 5, default: 3 }, is: 3 },
    { it: 'is ignored when it cannot be read', of: { type: 'integer', default: 'three' }, is: undefined },
    { it: 'can be false', of: { type: 'boolean', default: false }, is: false },
    { it: 'can be JSON', of: { type: 'json', default: { a: 1 } }, is: '{"a":1}' },
  ];
  it.each(cases)('$it', ({ of, is }) => expect(defaultOf(attributeOf(of))).toBe(is));
});
