import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, watch, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { apiTokenSalt, jwtSecret, tokens } from '../../support/library/content.ts';
import { libraryProject } from '../../support/library/library-project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, queryIn, type Served, type ServedOptions, useProject } from '../../support/served-project.ts';
import { startProcess } from '../../support/server.ts';
import { hasOwnFileSystems } from '../../support/small-disks.ts';

const stallTime = 1000;
const options = {
  files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
  tokens: { uploader: ['plugin::upload.content-api.upload'], guest: ['api::note.note.find'] },
  env: {
    LECTERN_PROFILE: 'specification',
    LECTERN_UPLOAD_SIZE_LIMIT: '200000',
    LECTERN_UPLOAD_REQUEST_LIMIT: '4000000',
    LECTERN_UPLOAD_FILES: '10',
    LECTERN_UPLOAD_STALL_TIME: String(stallTime),
  },
} satisfies ServedOptions;

const boundary = '----x';
const contentType = `multipart/form-data; boundary=${boundary}`;
const end = `--${boundary}--\r\n`;
/** Latin-1 text stands for bytes. */
const bytes = (text: string) => Buffer.from(text).toString('latin1');
const part = (headers: string, content: string) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
const file = (content: string, name = 'a.txt', type = 'text/plain') =>
  part(`Content-Disposition: form-data; name="files"; filename="${bytes(name)}"\r\nContent-Type: ${type}`, content);

const upload = (api: Served, body: string, who = 'uploader', type = contentType): Promise<HttpResponse> =>
  api.send(who, { method: 'POST', path: '/api/upload', body: Buffer.from(body, 'latin1'), headers: { 'Content-Type': type } });

const head = (api: Served, who: string, more: string) =>
  `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: ${api.authorization(who).Authorization}\r\nContent-Type: ${contentType}\r\n${more}\r\n\r\n`;

const uploads = (api: Served) => join(api.project.dir, 'public/uploads');
const incoming = (api: Served) => join(uploads(api), '.incoming');
const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/** Files of the project's that the server has open. */
function openFiles({ server, project }: Served): string[] {
  const folder = `/proc/${server.pid}/fd`;
  return namesIn(folder).flatMap((name) => {
    try {
      const path = readlinkSync(join(folder, name));
      return path.includes(join(project.dir, 'public')) ? [path] : [];
    } catch {
      // Closed in the meantime.
      return [];
    }
  });
}

/** Uploads that broke off are still being cleared away when their senders are gone. A machine that has other work takes its time. */
const patience = { timeout: 20_000 };

/** Files are looked for after each test. Rows stay where they are, so that once is enough. */
function leavesNothing(api: Served): void {
  afterEach(async () => {
    await expect.poll(() => namesIn(incoming(api)), patience).toEqual([]);
    expect(namesIn(uploads(api)).filter((name) => name !== '.incoming')).toEqual([]);
    await expect.poll(() => openFiles(api), patience).toEqual([]);
    expect(api.server.alive()).toBe(true);
  });
  afterAll(async () => {
    expect(await api.query('SELECT name FROM files')).toEqual([]);
    expect((await api.server.get('/_health')).status).toBe(204);
    expect(api.server.output.stderr).not.toContain('unexpected error');
  });
}

/** Sends pieces over a connection of its own, and gives what came back until the server ended it; `undefined` goes away in between. */
function converse(port: number, pieces: readonly (string | number | RegExp | undefined)[]): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = net.connect(port, '127.0.0.1', async () => {
      for (const piece of pieces) {
        if (piece === undefined) socket.destroy();
        else if (typeof piece === 'number') await pause(piece);
        else if (piece instanceof RegExp) await vi.waitUntil(() => piece.test(received), { timeout: 20_000 }).catch(() => undefined);
        else if (!socket.destroyed) socket.write(Buffer.from(piece, 'latin1'));
      }
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

describe.each(anyEngine)('%s: upload attacks', (engine) => {
  const api = useProject(engine, { ...options, ownProcess: true });
  leavesNothing(api);

  // Others are in src/media/library/file-name.test.ts.
  it.each([
    ...['../../up.txt', '', 'a\0.png', 'gpj.\u202eexe', 'x'.repeat(5000)].map((name) => `filename="${bytes(name)}"`),
    ...["UTF-8''..%2F..%2Fup.txt", "UTF-8''a%00.txt"].map((name) => `filename*=${name}`),
  ])('%j is refused', async (name) => {
    const named = part(`Content-Disposition: form-data; name="files"; ${name}\r\nContent-Type: text/plain`, 'x');
    for (const body of [named + end, file('x') + named + end]) {
      expect(errorOf(await upload(api, body))).toMatchObject({ status: 400, message: 'File name contains invalid characters' });
    }
  });

  // Others are in src/media/types/media-type.test.ts, and broken images in image-attacks.test.ts.
  it('a GIF is not the JPEG that its name says', async () => {
    const response = await upload(api, file('x') + file('GIF89a\x01\0\x01\0\0\0\0;', 'a.jpg', 'image/jpeg') + end);
    const message = 'a.jpg was sent as image/jpeg, but does not begin like a file of this type (policies.believeMediaTypes)';
    expect(errorOf(response)).toMatchObject({ status: 400, message });
  });

  // Bodies that one process can be asked about are in src/http/bodies/receive-upload.test.ts.
  describe('bodies', () => {
    const many = 10_000;
    it.each<[what: string, body: string, status: number]>([
      ['10,000 files', file('x').repeat(many) + end, 413],
      ['10,000 files that do not count', part('Content-Disposition: form-data; name="f"; filename="a"', 'x').repeat(many) + end, 413],
      ['10,000 headers', part(`${'A: b\r\n'.repeat(many)}Content-Disposition: form-data; name="files"; filename="a"`, 'x') + end, 400],
      ['a text of two million characters', part('Content-Disposition: form-data; name="fileInfo"', 'x'.repeat(2_000_000)) + end, 413],
      ['a boundary that is another one longer', (file('x') + end).replaceAll(boundary, `${boundary}y`), 400],
      ['nothing but boundaries', `--${boundary}\r\n`.repeat(1000), 400],
      ['the end alone', end, 400],
    ])('%s', async (_, body, status) => {
      const response = await upload(api, body);
      expect([response.status, response.text]).toEqual([status, expect.not.stringContaining(api.project.dir)]);
    });

    it.each([
      ['an empty boundary', 'multipart/form-data; boundary='],
      ['two boundaries', `multipart/form-data; boundary=a; boundary=${boundary}`],
      ['another kind of multipart', `multipart/mixed; boundary=${boundary}`],
    ])('%s', async (_, type) => {
      expect((await upload(api, file('x') + end, 'uploader', type)).status).toBe(400);
    });

    it('that are not as long as they say, or fall silent', async () => {
      const sent = file('x');
      const cases: readonly (readonly [what: string, more: string, body: string, status: number])[] = [
        ['shorter than it says', 'Content-Length: 5000', sent, 408],
        ['longer than it says', `Content-Length: ${sent.length}`, sent + end, 400],
        ['larger than any, as it says', 'Content-Length: 99999999999', sent, 413],
        ['a chunk that is none', 'Transfer-Encoding: chunked', 'zz\r\n', 400],
        ['silence in the middle of a file', 'Content-Length: 900000', sent.slice(0, -2) + 'x'.repeat(150_000), 408],
        ['no body', 'X-None: 1', '', 400],
      ];
      // Those with a 408 wait for their time to pass.
      const heard = await Promise.all(
        cases.map(([, more, body]) => converse(api.server.port, [head(api, 'uploader', more) + body, /^HTTP/, undefined])),
      );
      expect(heard.map((received, index) => `${cases[index]?.[0]}: ${received.slice(9, 12)}`)).toEqual(
        cases.map(([what, , , status]) => `${what}: ${status}`),
      );
    });
  });

  it('two hundred uploads that break off', async () => {
    const body = file('x'.repeat(150_000)) + file('y'.repeat(150_000), 'b.txt') + end;
    const request = head(api, 'uploader', `Content-Length: ${body.length}`) + body;
    for (let round = 0; round < 10; round++) {
      const ends = Array.from({ length: 20 }, (_, index) => Math.floor(((round * 20 + index) / 200) * request.length));
      await Promise.all(ends.map((at, index) => converse(api.server.port, [request.slice(0, at), index % 4 === 0 ? 0 : index, undefined])));
    }
  });

  describe('a caller without the right to upload', () => {
    it.each([
      ['guest', 'multipart/form-data', /^HTTP\/1\.1 403 /],
      ['uploader', 'multipart/form-data', /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /],
      ['uploader', 'application/json', /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /],
    ])('%s that sends %s and waits before the body gets the response that its rights call for', async (who, type, response) => {
      const waits = head(api, who, 'Content-Length: 20\r\nExpect: 100-continue\r\nConnection: close').replace('multipart/form-data', type);
      expect(await converse(api.server.port, [waits, 200, `--${boundary}--\r\n`, 'x'.repeat(20)])).toMatch(response);
    });

    it('is refused while sending, and nothing is stored', async () => {
      mkdirSync(incoming(api), { recursive: true });
      const seen: (string | null)[] = [];
      const watcher = watch(incoming(api), (_, name) => seen.push(name));
      const pieces = [
        head(api, 'guest', 'Content-Length: 3000000'),
        file('x'.repeat(1_000_000)),
        200,
        file('x'.repeat(1_000_000)),
        200,
        undefined,
      ];
      expect(await converse(api.server.port, pieces)).toMatch(/^HTTP\/1\.1 403 /);
      watcher.close();
      expect(seen).toEqual([]);
    });
    it.each([
      ['guest', 403],
      ['public', 403],
      ['nobody', 401],
    ])('%s gets %i, however much is sent', async (who, status) => {
      const form = new FormData();
      form.append('files', new Blob([new Uint8Array(8_000_000)]), 'a.bin');
      const headers = who === 'nobody' ? { Authorization: 'Bearer nonsense' } : api.authorization(who);
      expect((await fetch(`${api.server.base}/api/upload`, { method: 'POST', headers, body: form })).status).toBe(status);
    });
  });

  it('an upload that is refused leaves the connection to the next request', async () => {
    const body = file('x'.repeat(1_000_000)) + end;
    const next = 'GET /_health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const received = await converse(api.server.port, [head(api, 'uploader', `Content-Length: ${body.length}`) + body + next]);
    expect([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)).toEqual(['413', '204']);
  });
});

if (!hasOwnFileSystems) console.log(' NOT tested: a full file system for uploads (no user namespaces here)');

describe.runIf(engines.includes('sqlite') && hasOwnFileSystems)('sqlite: a full disk for uploads', () => {
  it('is a 507 that leaves nothing, and uploads go on when there is room', async () => {
    const made = await libraryProject('sqlite');
    onTestFinished(() => made.remove());
    const folder = join(made.dir, 'public/uploads');
    const script = 'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"';
    const env = { ...made.env, API_TOKEN_SALT: apiTokenSalt, JWT_SECRET: jwtSecret, LECTERN_PROFILE: 'specification' };
    const running = await startProcess(made.dir, env, [], ['unshare', '-Urm', 'sh', '-c', script, folder]);
    onTestFinished(() => running.stop());
    // The disk as the server sees it.
    const seen = `/proc/${running.pid}/root${folder}`;
    const headers = { Authorization: `Bearer ${tokens.full.token}`, 'Content-Type': contentType };
    const send = (body: string) => running.send({ method: 'POST', path: '/api/upload', headers, body: Buffer.from(body, 'latin1') });
    const rows = async () => (await queryIn(made, 'SELECT name FROM files')).length;
    const before = await rows();
    writeFileSync(join(seen, 'filler'), Buffer.alloc(1_500_000));

    const noRoom = { data: null, error: { status: 507, message: 'The disk for files is full; nothing was stored' } };
    const good = file('x'.repeat(10_000));
    expect((await send(good + file('x'.repeat(1_000_000), 'b.txt') + end)).json()).toMatchObject(noRoom);
    // Several at once, each of which would fit.
    const together = await Promise.all(Array.from({ length: 8 }, () => send(file('x'.repeat(200_000)) + end)));
    const stored = together.filter(({ status }) => status === 201).length;
    expect(new Set(together.map(({ status }) => status))).toContain(507);
    for (const response of together) expect([201, 507]).toContain(response.status);
    expect(namesIn(join(seen, '.incoming'))).toEqual([]);
    expect(namesIn(seen).filter((name) => !/^(?:\.incoming|filler)$/.test(name))).toHaveLength(stored);
    expect((await rows()) - before).toBe(stored);

    rmSync(join(seen, 'filler'));
    expect((await send(file('x'.repeat(1_000_000)) + end)).status).toBe(201);
    expect(running.output.stderr).not.toContain('unexpected error');
  });
});
