/** `lectern compare`, between servers of the built code, and with a server that plays what was recorded of a Strapi 5.54.0. */
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  credentialsOf,
  orderOfRecordings,
  type RecordedCase,
  recordedFiles,
  recordedProject,
  secrets,
} from '../compatibility/recordings.ts';
import { listen } from '../support/listen.ts';
import { changeIn } from '../support/served-project.ts';
import { run, startServer } from '../support/server.ts';
import { startCommand } from '../support/start-command.ts';
import { useMade } from '../support/use-made.ts';

const strapi = { ...secrets, ...orderOfRecordings, LECTERN_PROFILE: 'strapi', LECTERN_LOG_LEVEL: 'warn' };
const fast = ['--rate', '10000', '--concurrency', '8'];

const project = useMade(() => recordedProject('sqlite'));
const changed = useMade(() => recordedProject('sqlite'));
const server = useMade(async () => {
  await changeIn(changed(), "UPDATE categories SET name = 'Another world' WHERE slug = 'world'");
  return startServer(changed().dir, { ...changed().env, ...strapi });
});
const helpers: Server[] = [];
afterAll(() => {
  for (const helper of helpers) helper.close();
});

const serveBy = async (listener: RequestListener) => {
  const helper = createServer(listener);
  helpers.push(helper);
  return `http://127.0.0.1:${await listen(helper)}`;
};
const written = (name: string, lines: readonly string[]) => {
  const file = join(project().dir, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
};
const compare = (other: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run(['compare', '--with', other, '--dir', project().dir, ...fast, ...args], { ...project().env, ...strapi, ...env });
const json = async (...args: Parameters<typeof compare>) => {
  const { status, stdout, stderr } = await compare(args[0], [...args[1], '--json'], args[2]);
  expect(stdout, stderr).not.toBe('');
  return { status, report: JSON.parse(stdout) };
};

describe('with what was recorded of Strapi', () => {
  it('the recorded reads have no other differences than the known ones', { timeout: 180_000 }, async () => {
    const cases = recordedFiles('reads')
      .flatMap(({ cases: each }) => each)
      .filter(({ as, request, response }) => as === 'public' && isRead(request) && response.bodyLength === undefined)
      // `test/compatibility` has all of them.
      .filter((_, index) => index % 10 === 0);
    const recorded = new Map(cases.map(({ request, response }) => [`${request.method} ${request.path}`, response]));
    const other = await serveBy(({ method, url }, response) => {
      const found = recorded.get(`${method} ${url}`) ?? { status: 404, contentType: null };
      response.statusCode = found.status;
      if (found.contentType !== null) response.setHeader('content-type', found.contentType);
      response.end('bodyText' in found ? found.bodyText : found.body === null ? undefined : JSON.stringify(found.body));
    });
    const urls = written('recorded.txt', [...recorded.keys()]);
    const { status, report } = await json(other, ['--urls', urls]);
    expect(report.differences).toEqual([]);
    expect(status).toBe(0);
    expect(report.equal).toBeGreaterThan(100);
    expect(report.equalButForKnown).toBeGreaterThan(5);
    expect(report.notCompared).toEqual([]);
  });
});

const isRead = ({ method, headers, path }: RecordedCase['request']) =>
  (method === 'GET' || method === 'HEAD') && headers === undefined && path.startsWith('/api/');

describe('with a server that has another value', () => {
  const date = '[23/Nov/2026:12:46:32 +0000]';
  const token = credentialsOf('full');

  it('lines of any log are read, and differences are grouped by shape', async () => {
    const log = written('access.log', [
      'started',
      `127.0.0.1 - - ${date} "GET /api/categories HTTP/1.1" 200 2326`,
      `127.0.0.1 - - ${date} "GET /api/categories HTTP/1.1" 200 2326 "https://example.org/" "Mozilla"`,
      '{"level":30,"method":"GET","url":"/api/categories?sort=name&access_token=hidden-value","status":200,"msg":"answered"}',
      '{"level":30,"req":{"method":"GET","url":"/api/categories?access_token=other&sort=slug"}}',
      '[2026-11-23 12:46:32.537] http: GET /api/tags?fields=name (56 ms) 200',
      '{"req":{"method":"POST","url":"/api/tags"}}',
      'https://elsewhere.example/admin',
      '/api/auth/email-confirmation?confirmation=secret-code',
    ]);
    const env = { LECTERN_COMPARE_TOKEN: token, LECTERN_API_STRICT_PARAMS: 'false' };
    const { status, report } = await json(server().base, ['--log', log], env);
    expect(status).toBe(1);
    expect(report).toMatchObject({
      requests: 4,
      leftOut: { unreadable: 1, method: 1, outside: 1, account: 1 },
      compared: 4,
      isSample: false,
    });
    const names = report.differences.filter(({ path }: { path: string }) => path === 'data[].name');
    expect(names).toMatchObject([
      { shape: 'GET /api/categories', kind: 'value', requests: 1, times: 2, example: { theirs: '"Another world"', ours: '"World"' } },
    ]);
    const shapes = new Set(report.differences.map(({ shape }: { shape: string }) => shape));
    expect(shapes).toContain('GET /api/categories ?access_token &sort');
    expect(report.milliseconds.median).toMatchObject({ there: expect.any(Number), lectern: expect.any(Number) });

    const { stdout, stderr } = await compare(server().base, ['--log', log], env);
    expect(stdout).toContain('Compared:  4: 1 equal');
    expect(stdout).toContain(`curl -g -H "Authorization: Bearer $TOKEN" '${server().base}/api/categories'`);
    for (const secret of [token, 'hidden-value', 'secret-code']) expect(stdout + stderr).not.toContain(secret);
  });

  it('generated requests are the same for the same seed, and find it', async () => {
    const [one, again] = await Promise.all(['7', '7'].map((seed) => json(server().base, ['--generate', '20', '--seed', seed])));
    const shapesOf = (each: typeof one) => each?.report.differences.map(({ shape }: { shape: string }) => shape);
    expect([one?.status, one?.report.requests]).toEqual([1, 20]);
    expect(shapesOf(one)).toEqual(shapesOf(again));
  });

  it('a sample takes some of the requests, and equal servers end with 0', async () => {
    const urls = written(
      'many.txt',
      Array.from({ length: 500 }, (_, start) => `/api/tags?pagination[start]=${start}&pagination[limit]=1`),
    );
    const { status, report } = await json(server().base, ['--urls', urls, '--sample', '20']);
    expect([status, report.compared, report.equal, report.isSample]).toEqual([0, 20, 20, true]);
  });

  it('Ctrl-C prints what was found so far', async () => {
    const urls = written(
      'slow.txt',
      Array.from({ length: 200 }, (_, page) => `/api/tags?pagination[page]=${page + 1}`),
    );
    let asked = 0;
    let stop: () => void = () => undefined;
    const other = await serveBy((_, response) => {
      asked++;
      if (asked === 4) stop();
      response.end('{}');
    });
    const args = ['--with', other, '--url', server().base, '--dir', project().dir, '--urls', urls, '--rate', '20'];
    const { output, ended, interrupt } = startCommand(['compare', ...args]);
    stop = interrupt;
    expect(await ended).toBe(130);
    expect(output.stdout).toMatch(/Stopped: {3}at \d+ of 200 requests, by a signal/);
    expect(asked).toBeLessThan(100);
  });
});

describe('other servers', () => {
  it('get no request: neither by a line nor by a redirection', async () => {
    let asked = 0;
    const elsewhere = await serveBy((_, response) => {
      asked++;
      response.end();
    });
    const other = await serveBy((_, response) => {
      response.writeHead(302, { location: `${elsewhere}/api/tags` }).end();
    });
    const urls = written('elsewhere.txt', [`${elsewhere}/api/tags`]);
    const { status, report } = await json(other, ['--urls', urls], { LECTERN_COMPARE_TOKEN: credentialsOf('full') });
    expect([status, report.differences.length, asked]).toEqual([1, 1, 0]);
  });

  it.each([
    [
      'that do not respond',
      'http://127.0.0.1:9',
      [],
      1,
      '--with: http://127.0.0.1:9/ does not respond (ECONNREFUSED): is the server running',
    ],
    [
      'named with the path of the API',
      'http://127.0.0.1:9/api/',
      [],
      2,
      '--with must be where the server is, without /api: http://127.0.0.1:9',
    ],
    ['that speak another protocol', 'https://127.0.0.1:PORT', [], 1, 'without TLS, the URL begins with http://'],
    ['that are Lectern itself', 'http://127.0.0.1:PORT', [], 2, '--with and --url name the same server'],
    ['with a list that is not there', 'http://localhost:PORT', ['--urls', 'no-such.txt'], 1, 'There is no file no-such.txt'],
    ['with a token that may read nothing', 'http://localhost:PORT', ['--token', 'wrong'], 1, 'lets this token read no content type'],
    ['with a password in the URL', 'http://a:secret-word@127.0.0.1:9', [], 2, 'without user, query and fragment'],
  ])('%s are refused', async (_, url, args, expected, says) => {
    const other = url.replace('PORT', new URL(server().base).port);
    const { status, stderr } = await run(['compare', '--with', other, ...args, '--url', server().base, '--dir', project().dir], {});
    expect([status, stderr]).toEqual([expected, expect.stringContaining(says)]);
  });

  it('responses that are too late are named, and are no success', async () => {
    const other = await serveBy(({ url }, response) => {
      if (url !== '/api/tags') response.end();
    });
    const urls = written('late.txt', ['/api/tags']);
    const { status, report } = await json(other, ['--urls', urls, '--timeout', '1']);
    expect([status, report.notCompared[0]?.reason]).toEqual([1, 'the other server: no whole response within 1 s']);
  });
});
