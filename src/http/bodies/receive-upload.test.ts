/** A server that only receives: what arrives, what is refused and what is left, byte by byte. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import { inTemporaryFolder } from '../../media/library/temporary-folder.ts';
import { createErrorSender } from '../send-error.ts';
import { readBodies } from './body-parsers.ts';
import { boundBodies } from './body-time.ts';
import { receiveUpload } from './receive-upload.ts';

const dir = mkdtempSync(join(tmpdir(), 'lectern-receive-'));
const work = join(dir, 'work');
const loaded = loadConfig({
  dir,
  environment: {
    LECTERN_UPLOAD_SIZE_LIMIT: '200000',
    LECTERN_UPLOAD_REQUEST_LIMIT: '1000000',
    LECTERN_UPLOAD_FILES: '5',
    LECTERN_UPLOAD_STALL_TIME: '1000',
    LECTERN_LIMITS_PARAMETERS: '20',
    LECTERN_LIMITS_BODY_BYTES: '5000',
  },
  overrides: {},
});
if (!loaded.ok) throw new Error('the settings of the test are wrong');
const { config } = loaded;

/** Milliseconds. */
const bodyTime = 600;
const app = Fastify({ forceCloseConnections: true });
let port = 0;
beforeAll(async () => {
  const errors = createErrorSender(config.policies);
  boundBodies(app.server, bodyTime, errors);
  readBodies(app, config.limits);
  app.setErrorHandler((error, _, reply) => errors.sendThrown(reply, error));
  app.post('/may', (request) =>
    inTemporaryFolder(work, async (folder) => {
      const { files, fields } = await receiveUpload(request, config, folder);
      return {
        files: files.map(({ path, ...file }) => ({ ...file, bytes: readFileSync(path).length })),
        fields: Object.fromEntries(fields),
      };
    }),
  );
  app.post('/may-not', (_, reply) => reply.code(403).send({ error: { status: 403 } }));
  app.post('/json', async ({ body }) => ({ body }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  rmSync(dir, { recursive: true });
});
afterEach(async () => {
  await expect.poll(() => (existsSync(work) ? readdirSync(work) : []), { timeout: 10_000 }).toEqual([]);
  expect(openFiles()).toEqual([]);
});

const openFiles = () =>
  (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : []).flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(work) ? [path] : [];
    } catch {
      return [];
    }
  });

const boundary = 'x-x-x';
const part = (headers: string, content: string) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
const file = (content: string, name = 'a.txt', type = 'text/plain') =>
  part(`Content-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: ${type}`, content);
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const end = `--${boundary}--\r\n`;
const type = `multipart/form-data; boundary=${boundary}`;
const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000', 'hex').toString('latin1');

interface Sent {
  readonly path?: string;
  readonly type?: string;
  readonly headers?: readonly string[];
  readonly body: string;
  /** A value of the header that does not match the body. */
  readonly length?: number;
  /** Waits for the end of the connection; otherwise the client disconnects after one response. */
  readonly until?: 'close';
}

interface Heard {
  readonly status: number;
  readonly body: { readonly error?: { readonly message: string }; readonly [key: string]: unknown };
  /** Whether the response says that the connection ends. */
  readonly closes: boolean;
  /** The beginning of the response to the next request on the connection. */
  readonly next: string;
}

function send({ path = '/may', type: contentType = type, headers = [], body, length, until }: Sent): Promise<Heard> {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Type: ${contentType}`, ...headers];
  if (!headers.some((line) => line.startsWith('Transfer-Encoding'))) lines.push(`Content-Length: ${length ?? body.length}`);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')));
    const settle = () => {
      socket.destroy();
      const [head = '', rest = ''] = [received.slice(0, received.indexOf('\r\n\r\n')), received.slice(received.indexOf('\r\n\r\n') + 4)];
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (head === '') reject(new Error('no answer'));
      else
        resolve({
          status: Number(head.slice(9, 12)),
          body: JSON.parse(Buffer.from(rest.slice(0, length), 'latin1').toString()),
          closes: /^connection: close\r?$/im.test(head),
          next: rest.slice(length, length + 12),
        });
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const [head = '', text] = received.split('\r\n\r\n');
      const complete = text !== undefined && text.length >= Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (complete && until === undefined) settle();
    });
    socket.on('error', () => undefined);
    socket.on('close', settle);
  });
}

const message = async (sent: Sent) => {
  const { status, body } = await send(sent);
  return [status, body.error?.message];
};

describe('receives', () => {
  it.each([
    [
      'files and texts, in any order',
      field('fileInfo', '1') + file('one') + field('fileInfo', '2') + file('two', 'b.csv', 'text/CSV; a=b') + end,
    ],
    [
      'what stands before the first part and behind the last',
      `before\r\n${field('fileInfo', '1')}${file('one')}${field('fileInfo', '2')}${file('two', 'b.csv', 'text/csv')}${end}behind`,
    ],
  ])('%s', async (_, body) => {
    expect(await send({ body })).toMatchObject({
      status: 200,
      body: {
        files: [
          { name: 'a.txt', declaredType: 'text/plain', size: 3, bytes: 3 },
          { name: 'b.csv', declaredType: 'text/csv', size: 3, bytes: 3 },
        ],
        fields: { fileInfo: ['1', '2'] },
      },
    });
  });

  it.each([
    ['nothing', '', ''],
    ['UTF-8', Buffer.from('Été.png').toString('latin1'), 'Été.png'],
  ])('%s as a name, as it was sent', async (_, name, received) => {
    expect((await send({ body: file('x', name) + end })).body).toMatchObject({ files: [{ name: received }] });
  });

  it.each(['file', 'FILES', 'files[]', '__proto__', 'constructor'])('no file with the name %s', async (name) => {
    const other = part(`Content-Disposition: form-data; name="${name}"; filename="a"`, 'x'.repeat(100_000));
    expect((await send({ body: other + file('x') + end })).body).toMatchObject({ files: [{ size: 1 }], fields: {} });
  });

  it('texts with the names of functions', async () => {
    const { body } = await send({ body: field('__proto__', 'a') + field('constructor', 'b') + field('toString', 'c') + end });
    expect(Object.entries(body.fields ?? {})).toEqual([
      ['__proto__', ['a']],
      ['constructor', ['b']],
      ['toString', ['c']],
    ]);
    expect('a' in {}).toBe(false);
  });

  it('JSON in a text, as the text', async () => {
    const info = part('Content-Disposition: form-data; name="fileInfo"\r\nContent-Type: application/json', '{"name": "x"}');
    expect((await send({ body: info + end })).body).toMatchObject({ fields: { fileInfo: ['{"name": "x"}'] } });
  });

  it('a large image, and chunks', async () => {
    const body = file(png + 'x'.repeat(500_000)) + end;
    expect((await send({ body })).body).toMatchObject({ files: [{ size: 500_000 + png.length }] });
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expect((await send({ body: chunked, headers: ['Transfer-Encoding: chunked'] })).body).toMatchObject({ files: [{}] });
  });
});

describe('refuses', () => {
  it.each([
    ['a file that is too large', { body: file('x'.repeat(200_001), 'big.txt') + end }, 413, 'big.txt exceeds size limit of 200 KB.'],
    [
      'one after a good one',
      { body: file('x') + file('x'.repeat(200_001), 'big.txt') + end },
      413,
      'big.txt exceeds size limit of 200 KB.',
    ],
    ['a body that says so', { body: 'x', length: 1_000_001 }, 413, 'The request has more than 1000000 bytes (upload.requestLimit)'],
    [
      'a body that turns out so',
      { body: `100000\r\n${file(png + 'x'.repeat(0x100000 - 200))}`, headers: ['Transfer-Encoding: chunked'] },
      413,
      'The request has more than 1000000 bytes (upload.requestLimit)',
    ],
    ['files', { body: file('x').repeat(6) + end }, 413, 'The request has more than 5 files (upload.files)'],
    ['texts', { body: field('a', 'b').repeat(21) + end }, 413, 'The request has more than 20 fields (limits.parameters)'],
    [
      '10,000 parts',
      { body: part('A: b', '').repeat(10_000) + end },
      413,
      'The request has more than 25 parts (upload.files and limits.parameters)',
    ],
    ['a long text', { body: field('a', 'b'.repeat(5001)) + end }, 413, 'The request has more than 5000 bytes of text (limits.bodyBytes)'],
    [
      'long texts together',
      { body: field('a', 'b'.repeat(2000)).repeat(3) + end },
      413,
      'The request has more than 5000 bytes of text (limits.bodyBytes)',
    ],
    ['a part without end', { body: file('x') }, 400, 'The multipart body cannot be read: it breaks off'],
    [
      'headers without end',
      { body: `--${boundary}\r\nContent-Disposition: ${'x'.repeat(100_000)}` },
      400,
      'The multipart body cannot be read: it breaks off',
    ],
    ['no parts', { body: 'x' }, 400, 'The multipart body cannot be read: it breaks off'],
    ['nothing', { body: '' }, 400, 'The multipart body cannot be read: it breaks off'],
    [
      'another boundary',
      { body: (file('x') + end).replaceAll(boundary, 'other') },
      400,
      'The multipart body cannot be read: it breaks off',
    ],
    [
      'no boundary',
      { body: file('x') + end, type: 'multipart/form-data' },
      400,
      'Send the files as multipart/form-data, in parts with the name files',
    ],
    [
      'a boundary that is too long',
      { body: file('x') + end, type: `multipart/form-data; boundary=${'x'.repeat(5000)}` },
      400,
      'Send the files as multipart/form-data, in parts with the name files',
    ],
    ['a compressed body', { body: 'x', headers: ['Content-Encoding: gzip'] }, 415, 'Unsupported Content-Encoding: gzip'],
    ['a path as a name', { body: file('x', '../../up.txt') + end }, 400, 'File name contains invalid characters'],
    [
      'a name that was never meant to be shown',
      { body: file('x'.repeat(300_000), 'a\0.txt') + end },
      400,
      'File name contains invalid characters',
    ],
  ])('%s', async (_, sent: Sent, status, text) => {
    expect(await message(sent)).toEqual([status, text]);
  });

  it('silence, and ends the connection', async () => {
    const sent: readonly Sent[] = [
      { body: file('x'), length: 1000 },
      { body: `400\r\n${file('x')}`, headers: ['Transfer-Encoding: chunked'] },
      { body: '', length: 1000 },
    ];
    const message = 'Nothing has arrived for 1000 ms (upload.stallTime)';
    for (const heard of await Promise.all(sent.map((each) => send({ ...each, until: 'close' }))))
      expect(heard).toMatchObject({ status: 408, body: { error: { message } }, closes: true });
  });

  it('with a response that is read while the rest is still being sent, and accepts the next request', async () => {
    const body = file('x'.repeat(900_000)) + end;
    const next = `POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`;
    for (const [path, status] of [
      ['/may', 413],
      ['/may-not', 403],
    ] as const) {
      expect(await send({ path, body: body + next, length: body.length, until: 'close' })).toMatchObject({ status, next: 'HTTP/1.1 200' });
    }
  });
});

it('nested parts are content', async () => {
  const inner = `--y\r\nContent-Disposition: file; filename="b.txt"\r\n\r\nx\r\n--y--`;
  const body = part('Content-Disposition: form-data; name="files"; filename="a"\r\nContent-Type: multipart/mixed; boundary=y', inner) + end;
  expect((await send({ body })).body).toMatchObject({ files: [{ name: 'a', declaredType: 'multipart/mixed', size: inner.length }] });
});

describe('slow bodies', () => {
  const drip = (path: string, contentType: string, body: string, every: number) =>
    new Promise<{ received: string; took: number }>((resolve) => {
      const started = performance.now();
      let received = '';
      const socket = connect(port, '127.0.0.1', async () => {
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n`);
        for (const character of body) {
          await pause(every);
          if (socket.destroyed) return;
          socket.write(character);
        }
      });
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        received += chunk.toString();
        if (path === '/may' && received.includes('\r\n\r\n')) socket.end();
      });
      socket.on('close', () => resolve({ received, took: performance.now() - started }));
    });

  it('of uploads are received for as long as bytes come', async () => {
    const body = file('x') + end;
    const { received, took } = await drip('/may', type, body, 12);
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(took).toBeGreaterThan(config.upload.stallTime);
  });
  it('of other requests are given up', async () => {
    expect((await drip('/json', 'application/json', `[${' '.repeat(500)}]`, 20)).received).toMatch(
      /^HTTP\/1\.1 408 .*The request took too long/s,
    );
  });
  it('of a caller who may not upload get a response at once', async () => {
    expect((await drip('/may-not', type, 'x'.repeat(500), 20)).received).toMatch(/^HTTP\/1\.1 403 /);
  });
});
