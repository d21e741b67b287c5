/** With an upstream, our own secrets stay here, and so do the paths that they open. */
import { afterAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { sendRaw, statusesIn } from '../../support/raw-http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { startUpstream } from '../../support/upstream.ts';

const upstream = await startUpstream();
afterAll(() => upstream.stop());
const managementToken = 'management-token-of-some-length-0123456789';
const metricsToken = 'metrics-token-of-some-length-0123456789';
const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });

/** The status of the response, and the targets that reached the upstream. */
async function forwarded(send: () => Promise<number | undefined>) {
  const before = upstream.targets.length;
  return { status: await send(), targets: upstream.targets.slice(before) };
}

describe.each(anyEngine)('%s: with an upstream', (engine) => {
  const served = useProject(engine, {
    files,
    env: { LECTERN_UPSTREAM: upstream.base, LECTERN_MANAGEMENT_TOKEN: managementToken, LECTERN_METRICS_TOKEN: metricsToken },
  });
  const send = (method: string, path: string, headers: Record<string, string>) =>
    forwarded(async () => (await served.server.send({ method, path, headers })).status);
  const raw = (path: string, lines: string) =>
    forwarded(
      async () => statusesIn(await sendRaw(served.server.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`))[0],
    );

  it.each([
    ['GET', '/api/_manage', 404],
    ['GET', '/api/_manage/', 404],
    ['HEAD', '/api/_manage/zzz', 404],
    ['GET', '/api/_MANAGE/zzz', 404],
    ['GET', '/api/%5fmanage/zzz', 404],
    ['GET', '/api/_manage?a=b', 404],
    ['PUT', '/api/_manage/zzz', 405],
    ['PUT', '/api/_manage/types', 405],
    ['DELETE', '/api/_manage/users', 405],
    ['OPTIONS', '/api/_manage/zzz', 200],
    ['POST', '/metrics', 405],
    ['GET', '/metrics/zzz', 404],
    ['GET', '/%6Detrics/zzz', 404],
    ['OPTIONS', '/metrics/zzz', 200],
  ])('%s %s is not forwarded, whoever sends it', async (method, path, status) => {
    expect(await send(method, path, {})).toEqual({ status, targets: [] });
  });

  it.each(['/api//_manage/users', '/api/_manage%2fusers', '//metrics', '/a/../metrics', '/metrics%2fzzz'])(
    'nor is %s, which the upstream could read as such a path',
    async (path) => expect(await raw(path, '')).toEqual({ status: expect.toBeOneOf([400, 404]), targets: [] }),
  );

  describe.each([
    ['the management token', managementToken],
    ['the token of the metrics', metricsToken],
  ])('%s', (_, token) => {
    it.each([
      ['GET', '/api/_mange/users', `Bearer ${token}`],
      ['POST', '/admin/login', `bearer  ${token}`],
      ['GET', '/uploads/none.png', `Bearer ${token}`],
      ['GET', '/metrcs', token],
      ['DELETE', '/api/_manag', `Token ${token} `],
      ['GET', '/api/_mange', `Bearer ${token}, Bearer other`],
      ['GET', '/metrcs', `Basic ${Buffer.from(`prometheus:${token}`).toString('base64')}`],
    ])('is not forwarded: %s %s, %s', async (method, path, authorization) => {
      expect(await send(method, path, { authorization })).toEqual({ status: 401, targets: [] });
    });

    it('is not forwarded as the second of two headers', async () => {
      const lines = `Authorization: Bearer other\r\nAuthorization: Bearer ${token}\r\n`;
      expect(await raw('/api/_mange', lines)).toEqual({ status: 401, targets: [] });
    });

    it('does not open a WebSocket of the upstream', async () => {
      const lines = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: a\r\nAuthorization: Bearer ${token}\r\n`;
      expect(await raw('/socket', lines)).toEqual({ status: 401, targets: [] });
    });
  });

  it.each(['Bearer token-of-strapi', 'Basic dXNlcjpwYXNz', `Bearer ${managementToken}x`, ''])(
    '%s, which is not ours, is forwarded',
    async (authorization) => {
      expect(await send('GET', '/api/other', { authorization })).toEqual({ status: 200, targets: ['/api/other'] });
    },
  );
});

describe.each(anyEngine)('%s: with an upstream, and without tokens', (engine) => {
  const served = useProject(engine, { files, env: { LECTERN_UPSTREAM: upstream.base } });

  it.each(['/metrics', '/metrics/zzz', '/api/_manage/users'])('GET %s is not forwarded', async (path) => {
    expect(await forwarded(async () => (await served.server.get(path)).status)).toEqual({ status: 404, targets: [] });
  });
});

describe.each(anyEngine)('%s: a type at /metrics, without api.prefix', (engine) => {
  const served = useProject(engine, {
    files: {
      ...schemaFiles({ metric: { attributes: { title: { type: 'string' } } } }),
      'lectern.config.json': JSON.stringify({
        api: { prefix: '' },
        routes: { 'api::metric.metric.*': 'forward' },
        upstream: upstream.base,
      }),
    },
  });

  it.each(['/metrics', '/metrics/abc', '/metrics/abc/more'])('GET %s is the type’s, and forwarded', async (path) => {
    expect(await forwarded(async () => (await served.server.get(path)).status)).toEqual({ status: 200, targets: [path] });
  });
});
