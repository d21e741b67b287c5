// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of files look like these.
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StartError } from '../../errors/start-error.ts';
import { LongNumber } from '../exact-json.ts';
import { fillLine } from './fill-line.ts';
import { type Scalar, scalarAt } from './placeholders.ts';
import { readWrites } from './read-writes.ts';

const read = (...lines: readonly string[]) => readWrites(Readable.from([Buffer.from(lines.join('\n'))]), 'w.jsonl', '/api');
const post = (body: string) => `{"method":"POST","path":"/api/a","body":${body}}`;
const first = '{"method":"GET","path":"/api/a"}';

describe('a line with the values of earlier responses', () => {
  const values = new Map<string, Scalar>([
    ['1.data.documentId', 'a/b?'],
    ['1.data.id', 7],
    ['1.data.0.big', new LongNumber('12345678901234567891')],
    ['1.up', '../_manage'],
    ['1.cut', 'a\r\nb'],
    ['1.half', 'a\ud800'],
  ]);
  it.each([
    ['is filled', '{"method":"PUT","path":"/api/a/${1.data.documentId}?x=${1.data.id}"}', '/api/a/a%2Fb%3F?x=7', undefined],
    ['keeps the type of a whole text', post('{"a":"${1.data.id}","b":["n ${1.data.id}"]}'), '/api/a', '{"a":7,"b":["n 7"]}'],
    [
      'keeps all digits',
      post('{"a":"${1.data.0.big}","b":98765432109876543210}'),
      '/api/a',
      '{"a":12345678901234567891,"b":98765432109876543210}',
    ],
    ['can contain the text ${', post('["$${1.data.id}","$${","$$","{}"]'), '/api/a', '["${1.data.id}","${","$$","{}"]'],
  ])('%s', async (_, text, target, body) => {
    const [, line] = await read(first, text);
    expect(line && fillLine(line, values, '/api')).toMatchObject({ target, body });
  });

  it.each([
    ['a value that is missing', post('"${1.data.name}"'), 'the response to line 1 has no value at data.name'],
    ['a value that leads elsewhere', '{"method":"DELETE","path":"/api/${1.up}"}', 'leads out of the API'],
    ['a value that is no text', '{"method":"GET","path":"/api/${1.half}"}', 'a path cannot hold the value'],
    ['a value with lines', '{"method":"GET","path":"/api/a","headers":{"X-A":"${1.cut}"}}', 'a header cannot hold the value'],
  ])('is not sent with %s', async (_, text, says) => {
    const [, line] = await read(first, text);
    expect(() => line && fillLine(line, values, '/api')).toThrow(says);
  });

  it('values are texts, numbers, true and false of the body itself', () => {
    const body = { data: [{ id: 1, tags: [], name: 'x'.repeat(20_000), big: new LongNumber('1'.repeat(20_000)) }] };
    const paths = ['data.0.id', 'data.0.tags', 'data.0.name', 'data.0.big', 'data.length', 'constructor.name'];
    expect(paths.map((path) => scalarAt(body, path))).toEqual([1, ...Array(5).fill(undefined)]);
  });
});

describe('a file', () => {
  it('has comments, and its lines keep their numbers', async () => {
    const lines = await read('# first', '', first, '{"method":"PUT","path":"/api/a/${3.id}","headers":{"Authorization":null}}', '');
    expect(lines.map(({ line, method, headers }) => [line, method, headers])).toEqual([
      [3, 'GET', {}],
      [4, 'PUT', { authorization: null }],
    ]);
  });

  it.each([
    ['is not JSON', '{"method":"POST",}', 'line 2: this is not JSON, at character 18'],
    ['is not an object', '[]', 'line 2: an object such as'],
    ['has another method', '{"method":"PATCH","path":"/api/a"}', 'line 2: method must be GET, POST, PUT or DELETE'],
    ['has another key', '{"method":"POST","path":"/api/a","data":{}}', 'line 2: "data" is unknown'],
    ['leads elsewhere', '{"method":"POST","path":"https://example.org/admin/login"}', 'line 2: path must be below /api or /uploads'],
    ['leads upwards', '{"method":"POST","path":"/api/%2e%2e/admin"}', 'line 2: path must be below'],
    ['is of the management API', '{"method":"POST","path":"/api/_manage/tokens"}', 'line 2: path must be below'],
    ['has a body on GET', '{"method":"GET","path":"/api/a","body":{}}', 'line 2: a GET request has no body'],
    ['is an upload', '{"method":"POST","path":"/api/upload","headers":{"content-type":"multipart/form-data"}}', 'are not supported'],
    ['has a header of the connection', '{"method":"GET","path":"/api/a","headers":{"Host":"x"}}', 'line 2: the header host cannot be set'],
    ['has a wrong header', '{"method":"GET","path":"/api/a","headers":{"x":"a\\nb"}}', 'line 2: the header x must be null, or a text'],
    ['names a later line', post('"${2.id}"'), 'line 2: ${2.id} must name a line above'],
    ['names a line without a request', post('"${0.id}"'), 'line 2: ${0.id} must name a line above'],
    ['has another placeholder', post('"${title}"'), 'line 2: ${title} is not a placeholder'],
    ['has an open placeholder', post('"${1.id"'), 'line 2: ${1.id is not a placeholder'],
    ['has too many placeholders', post(JSON.stringify(Array(201).fill('${1.id}'))), 'line 2: it has more than 200 placeholders'],
    ['is too deep', post(`${'['.repeat(300)}${']'.repeat(300)}`), 'line 2: the body has more than 200 levels'],
    ['is too long', post(`"${'x'.repeat(1024 * 1024)}"`), 'line 2: it has more than 1048576 characters'],
  ])('is refused when a line %s', async (_, line, says) => {
    const refused = await read(first, line).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect(String(refused)).toContain(says);
  });

  it('is refused when it is empty, and when it has too many requests', async () => {
    await expect(read('# nothing')).rejects.toThrow('w.jsonl has no request');
    await expect(read(...Array<string>(10_001).fill(first))).rejects.toThrow('more than 10000 requests');
  });
});
