/** How bodies are read, at one endpoint: the error in the response shows what was read. */
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newAddress } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import type { SentRequest } from '../../support/http.ts';
import { reader } from '../../support/library/content.ts';
import { type Library, useLibrary } from '../../support/library/library.ts';
import { sendRaw, statusesIn } from '../../support/raw-http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const path = '/api/auth/local';
/** The JSON of a body that signs in nobody. */
const stranger = '{"identifier":"nobody","password":"nothing"}';

/** The response to a body with no other headers than these and its length. */
const post = ({ server }: Library, body: string | Uint8Array, headers: SentRequest['headers'], to = path) =>
  // Ten attempts a minute from one address are the limit.
  server.send({ method: 'POST', path: to, body, headers: { 'Content-Type': undefined, ...headers }, from: newAddress() });

const error = (status: number, name: string, code: string, message: unknown, details: object = {}) => ({
  data: null,
  error: { status, name, code, message, ...details },
});
const failed = error(400, 'ValidationError', 'login.failed', 'Invalid identifier or password', { details: {} });
const nothingRead = error(400, 'ValidationError', 'user.invalid-body', '2 errors occurred', { details: expect.any(Object) });
const tooLarge = error(413, 'PayloadTooLargeError', 'body.too-large', 'request entity too large');
const tooDeep = error(400, 'ValidationError', 'limit.body-depth', expect.stringContaining('100 levels (limits.bodyDepth)'), {
  details: {},
});

describe.each(anyEngine)('%s: bodies', (engine) => {
  const library = useLibrary(engine);

  describe('that are read', () => {
    it.each([
      ['a length', (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`],
      ['chunks', (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    ])('one that is too large, sent with %s, gets 413 and keeps the connection open', async (_, framed) => {
      const sent = `POST /api/auth/local HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framed('x'.repeat(3_000_000))}`;
      const next = 'GET /_health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      expect(statusesIn(await sendRaw(library.server.port, sent + next, 10_000))).toEqual([413, 204]);
    });

    const types = ['application/json', 'APPLICATION/JSON', 'application/json;charset=ISO-8859-1', 'application/vnd.api+json'];
    it.each(types)('%s', async (type) => {
      expect((await post(library, stranger, { 'Content-Type': type })).json()).toEqual(failed);
    });
    it('a form', async () => {
      const form = new URLSearchParams({ identifier: reader.username, password: reader.password }).toString();
      const response = await post(library, form, { 'Content-Type': 'application/x-www-form-urlencoded' });
      expect([response.status, response.json()]).toMatchObject([200, { user: { username: reader.username } }]);
    });
    it('one that is compressed', async () => {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      expect((await post(library, gzipSync(stranger), headers)).json()).toEqual(failed);
    });
  });

  describe('that are not read', () => {
    const bodies: readonly (readonly [what: string, type: string | undefined, body: string])[] = [
      ['plain text', 'text/plain', stranger],
      ['XML', 'application/xml', '<a/>'],
      ['a merge patch', 'application/merge-patch+json', stranger],
      ['a multipart form', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="identifier"\r\n\r\na\r\n--x--'],
      ['no type', undefined, stranger],
      ['an empty type', '', stranger],
      ['something that is no type', 'json', stranger],
      ['two types', 'application/json, text/plain', stranger],
      ['nothing', 'application/json', ''],
      ['much of another type', 'text/plain', 'x'.repeat(5_000_000)],
    ];
    it.each(bodies)('%s', async (_what, type, body) => {
      expect((await post(library, body, { 'Content-Type': type })).json()).toEqual(nothingRead);
    });
  });

  describe('that are refused', () => {
    const json = { 'Content-Type': 'application/json' };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const gzipped = { ...json, 'Content-Encoding': 'gzip' };
    /** What else is refused is in src/http/bodies, and its statuses in test/api/security/leaks.test.ts. */
    const refused: readonly (readonly [what: string, body: string | Uint8Array, headers: SentRequest['headers'], answer: unknown])[] = [
      ['10,000 levels', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, json, tooDeep],
      ['500,000 levels of a form', `a${'[b]'.repeat(300_000)}=1`, form, tooDeep],
      ['more than 1 MiB', `{"a":"${'x'.repeat(1_100_000)}"}`, json, tooLarge],
      [
        'more than 1 MiB, of unknown length',
        `{"a":"${'x'.repeat(1_100_000)}"}`,
        { ...json, 'Transfer-Encoding': 'chunked', 'Content-Length': undefined },
        tooLarge,
      ],
      ['a hundred megabytes when inflated', gzipSync(Buffer.alloc(100_000_000)), gzipped, tooLarge],
    ];
    it.each(refused)('%s', async (_what, body, headers, answer) => {
      expect((await post(library, body, headers)).json()).toEqual(answer);
    });

    it('before the right is checked', async () => {
      const { status } = await post(library, '{"data":{', json, '/api/writers');
      expect(status).toBe(400);
    });

    it('and the server still works', async () => {
      expect(library.server.alive()).toBe(true);
      expect((await library.ask('public', '/api/books?pagination[pageSize]=1')).status).toBe(200);
      expect(library.server.output.stderr).not.toContain('unexpected error');
    });
  });

  describe('that do not end', () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    it.each([
      ['broken off', `${head}Content-Length: 1000\r\n\r\n{"identifier":`],
      ['broken off between chunks', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"ide\r\n`],
      ['broken off when compressed', `${head}Content-Encoding: gzip\r\nContent-Length: 1000\r\n\r\nxxxx`],
    ])('%s: no response, and nothing in the log', async (_what, text) => {
      expect(await sendRaw(library.server.port, text, 300)).toBe('');
      expect((await library.ask('public', '/api/books?pagination[pageSize]=1')).status).toBe(200);
      expect(library.server.output.stderr).not.toContain('unexpected error');
    });
    it('invalid chunks are a 400', async () => {
      expect(await sendRaw(library.server.port, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 1000)).toContain('400 Bad Request');
    });
  });

  describe('with other limits', () => {
    const library = useLibrary(engine, { LECTERN_LIMITS_BODY_BYTES: '2000', LECTERN_LIMITS_BODY_DEPTH: '5' });
    const json = { 'Content-Type': 'application/json' };
    const nested = (levels: number) => `{"identifier":"a","password":"b","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    it.each([
      ['bytes', stranger + ' '.repeat(2000), json, tooLarge],
      ['bytes, within', stranger + ' '.repeat(1900), json, failed],
      ['bytes, inflated', gzipSync(stranger + ' '.repeat(2000)), { ...json, 'Content-Encoding': 'gzip' }, tooLarge],
      [
        'depth',
        nested(6),
        json,
        error(400, 'ValidationError', 'limit.body-depth', expect.stringContaining('5 levels (limits.bodyDepth)'), { details: {} }),
      ],
      ['depth, within', nested(5), json, failed],
    ])('%s', async (_what, body, headers, answer) => {
      expect((await post(library, body, headers)).json()).toEqual(answer);
    });
  });
});

describe.each(anyEngine)('A refused body that is still being sent', (engine) => {
  const served = useProject(engine, { files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }) });

  it('does not hold up the end of the server', async () => {
    const { port, output } = served.server;
    const chunk = `186a0\r\n${'x'.repeat(100_000)}\r\n`;
    const head = 'POST /api/notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(head + chunk.repeat(12)));
    const sending = setInterval(() => socket.write(chunk), 50);
    socket.on('error', () => clearInterval(sending));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const received = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString('latin1'))));
    expect(statusesIn(received)).toEqual([413]);
    await served.restart({});
    await closed;
    clearInterval(sending);
    expect(output.stderr).not.toContain('still running');
  });
});
