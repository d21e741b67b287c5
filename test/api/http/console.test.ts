/** How `/console` is served, and what it is told before anybody has signed in. */
import { describe, expect, it } from 'vitest';
import { jwtSecret } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  note: { drafts: true, attributes: { slug: { type: 'string' }, pin: { type: 'string', private: true } } },
  tag: { attributes: { name: { type: 'string' } } },
});
const preview = 'https://www.example.org/preview?slug={slug}&status={status}&secret=only-for-editors';
const auth = (...names: readonly string[]) => names.map((name) => `plugin::users-permissions.auth.${name}`);
const provider = { issuer: 'https://id.example.org', clientId: 'lectern', callbacks: ['https://www.example.org/signed-in'] };
const policyOf = (policy: unknown) =>
  new Map(
    String(policy)
      .split('; ')
      .map((directive): [string, string] => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')];
      }),
  );

describe.each(anyEngine)('%s: /console', (engine) => {
  const api = useProject(engine, {
    files,
    public: auth('callback', 'connect', 'forgotPassword'),
    tokens: { editor: ['api::note.note.update'], reader: ['api::note.note.find', 'api::note.note.findDraft'] },
    env: {
      JWT_SECRET: jwtSecret,
      PUBLIC_URL: 'https://cms.example.org',
      LECTERN_API_PREFIX: '/v1',
      LECTERN_CONSOLE_PREVIEW: JSON.stringify(preview),
      LECTERN_AUTH_PROVIDERS: JSON.stringify({ company: { ...provider, label: 'Company account' } }),
    },
  });
  const settings = async (who: string) => (await api.ask(who, 'GET', '/console/settings')).json() as Json;

  it.each(['/console', '/console/', '/console/content/articles/abc?x=y', '/console/a/b/c/d', '/console/..%2f..%2fpackage.json'])(
    'is one page at every path: %s',
    async (path) => {
      const page = await api.server.get('/console');
      const response = await api.server.get(path);
      expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: page.text });
      expect(response.text).toContain('data-api-prefix="/v1"');
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-frame-options': 'SAMEORIGIN',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'cross-origin-opener-policy': 'same-origin',
      });
    },
  );

  it('has a policy without anything inline, and frames of the preview alone', async () => {
    const policy = policyOf((await api.server.get('/console/x')).headers['content-security-policy']);
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      'img-src': "'self' data: blob:",
      'media-src': "'self' data: blob:",
      'frame-src': 'https://www.example.org',
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'ProseMirrorClipboard',
    });
    expect(policyOf((await api.server.get('/explore')).headers['content-security-policy']).get('frame-src')).toBeUndefined();
  });

  it('is linked from the home page', async () => {
    expect((await api.server.get('/')).text).toContain('<a href="/console">');
  });

  it('tells visitors how to sign in, and nothing of the content', async () => {
    expect(await settings('public')).toEqual({
      prefix: '/v1',
      session: { mode: 'refresh', idleSeconds: 1_209_600, maxSeconds: 2_592_000, cookieSeconds: null },
      providers: [{ name: 'company', label: 'Company account', callback: 'https://cms.example.org/console/signed-in' }],
      canRequestPassword: true,
      upload: { sizeLimit: 209_715_200, requestLimit: 1_073_741_824, files: 100 },
      preview: {},
    });
  });

  it('tells who may edit a type where its preview is', async () => {
    expect((await settings('editor')).preview).toEqual({ 'api::note.note': preview });
    // Its URL may have a secret, by which the site shows drafts.
    expect((await api.ask('reader', 'GET', '/console/settings')).text).not.toContain('only-for-editors');
  });

  it('pages of other origins may not read the settings', async () => {
    const { headers } = await api.server.get('/console/settings', { Origin: 'https://evil.example' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin', vary: 'Authorization' });
  });

  it.each([
    ['switched off', { LECTERN_CONSOLE_ENABLED: 'false' }, 200],
    ['without pages', { LECTERN_SITE_PAGES: 'false' }, 404],
  ])('%s, there is none', async (_, env, explore) => {
    const server = await api.beside({ ...env, LECTERN_UPLOAD_PROVIDER: 'local' });
    for (const path of ['/console', '/console/', '/console/content', '/console/settings'])
      expect({ path, status: (await server.get(path)).status }).toEqual({ path, status: 404 });
    expect((await server.get('/explore')).status).toBe(explore);
    expect((await server.get('/')).text).not.toContain('/console');
  });

  it('shows files of a bucket, and of the site in front of it', async () => {
    const server = await api.beside({
      LECTERN_UPLOAD_PROVIDER: 's3',
      AWS_BUCKET: 'media',
      AWS_ENDPOINT: 'http://127.0.0.1:9',
      LECTERN_S3_FORCE_PATH_STYLE: 'true',
      LECTERN_S3_BASE_URL: 'https://cdn.example.org/media',
    });
    const policy = policyOf((await server.get('/console')).headers['content-security-policy']);
    for (const directive of ['img-src', 'media-src'])
      expect(policy.get(directive)).toBe("'self' data: blob: https://cdn.example.org http://127.0.0.1:9");
    expect(policy.get('connect-src')).toBe("'self'");
  });

  it.each([
    ['an attribute that is private', 'https://www.example.org/{pin}', 'no content type has all attributes that its placeholders name'],
    ['an unknown type', { 'api::note.nota': preview }, 'there is no content type "api::note.nota"; did you mean api::note.note?'],
    ['an unknown attribute', { 'api::note.note': 'https://a.example/{slag}' }, 'api::note.note has no attribute "slag"'],
    ['plain HTTP', 'http://www.example.org/{slug}', 'must be an https URL'],
    ['another protocol', 'javascript:alert(1)', 'must be an https URL'],
  ])('the start refuses a preview with %s', async (_, value, problem) => {
    await expect(api.beside({ LECTERN_CONSOLE_PREVIEW: JSON.stringify(value) })).rejects.toThrow(problem);
  });
});

describe.each(anyEngine)('%s: /console without a secret for tokens', (engine) => {
  const api = useProject(engine, { files, env: { LECTERN_AUTH_JWT_MANAGEMENT: 'legacy-support' } });
  const settings = async (env: Readonly<Record<string, string>>) => (await (await api.beside(env)).get('/console/settings')).json();

  it('says that nobody can sign in, and how long tokens are valid', async () => {
    expect(await settings({})).toMatchObject({ session: null, providers: [], canRequestPassword: false });
    expect(await settings({ JWT_SECRET: jwtSecret })).toMatchObject({ session: { mode: 'legacy-support', maxSeconds: 2_592_000 } });
  });
});
