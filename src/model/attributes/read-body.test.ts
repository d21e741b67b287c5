/** How each value of a body is read, as recorded from Strapi 5.54 (`create-attributes` in
 *  test/compatibility/recordings/writes) or, where nothing was recorded, from its validators. */
import { describe, expect, it } from 'vitest';
import {
  type Case,
  described,
  located,
  notDate,
  notInstant,
  notListed,
  notNumber,
  notText,
  notTime,
  outcome,
  read,
  recordedAttributes,
  type Schema,
  unlocated,
} from '../../../test/support/body-values.ts';

const {
  name,
  title,
  summary,
  notes,
  code,
  isbn,
  hidden,
  pin,
  contact,
  slug,
  kind,
  count,
  price,
  weight,
  sold,
  available,
  releasedOn,
  opensAt,
  event,
  data,
  text,
} = recordedAttributes;
const utc = (iso: string) => Date.parse(iso);
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
