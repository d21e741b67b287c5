import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import { loadModel } from '../../model/load/load-model.ts';
import { codeFilesOf } from '../../own-code/code-files.ts';
import { loadFiles } from '../../own-code/load-files.ts';
import { manifestProblems } from '../../own-code/manifest-problems.ts';
import { runCommand } from '../cli.ts';

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  write('lectern.config.json', '{}');
  await make('type', 'article', 'title:string!', 'slug:uid(title)', 'body:richtext', '--draft-and-publish');
  await make('type', 'home', 'parts:manyWay(article)', '--single');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true });
});

async function make(...args: readonly string[]) {
  const texts: string[] = [];
  const capture = (text: string | Uint8Array) => texts.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(capture);
  vi.spyOn(process.stderr, 'write').mockImplementation(capture);
  const exitCode = await runCommand(['make', ...args, '--dir', dir]);
  return { exitCode, text: texts.join('') };
}

const read = (file: string) => readFileSync(join(dir, file), 'utf8');
function write(file: string, text: string): void {
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), text);
}

/** What the files in `lectern/` define, and what is wrong with them. */
async function load() {
  const loaded = loadModel(dir, { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const module = fileURLToPath(new URL('../../own-code/define.ts', import.meta.url));
  const { manifest, problems, endpoints } = await loadFiles({ dir, module, files: codeFilesOf(dir) });
  return { manifest, endpoints, problems: [...problems, ...manifestProblems(manifest, loaded.model)] };
}

describe('lectern make hook', () => {
  it('writes a file that loads, with the attributes of the type', async () => {
    const made = await make('hook', 'article');
    expect(made.text).toContain('Made lectern/hooks/article.ts\n');
    expect(made.exitCode).toBe(0);
    const text = read('lectern/hooks/article.ts');
    expect(text).toContain('//   title: string, required\n//   slug: uid\n//   body: richtext\n');
    for (const part of ["slug: slug({ from: 'title' })", "fail('title', 'must …')", '// publish({ document })'])
      expect(text).toContain(part);
    await make('hook', 'api::home.home');
    await make('hook', 'users');
    const { manifest, problems } = await load();
    expect(problems).toEqual([]);
    expect(manifest.hooks.map(({ uid, before, committed }) => ({ uid, before, committed }))).toEqual([
      { uid: 'api::article.article', before: ['create'], committed: [] },
      { uid: 'api::home.home', before: ['create'], committed: [] },
      { uid: 'plugin::users-permissions.user', before: [], committed: ['create'] },
    ]);
    expect(read('lectern/hooks/home.ts')).toContain('//   parts: oneToMany of api::article.article');
  });

  it('overwrites no file, and suggests a name', async () => {
    write('lectern/hooks/article.js', 'mine');
    const again = await make('hook', 'articles');
    expect(again).toEqual({ exitCode: 1, text: expect.stringContaining('lectern/hooks/article.ts exists, in TypeScript or JavaScript') });
    expect(existsSync(join(dir, 'lectern/hooks/article.ts'))).toBe(false);
    expect(await make('hook', 'artcle')).toEqual({ exitCode: 1, text: expect.stringContaining('Did you mean article?') });
  });
});

describe('lectern make endpoint', () => {
  it('writes files that load, each with a right of its own', async () => {
    const made = await make('endpoint', 'post', '/api/orders/:id/refund');
    expect(made.text).toContain('Made lectern/endpoints/orders-refund.ts: POST /api/orders/:id/refund\n');
    expect(made.text).toContain('role allow authenticated endpoint::orders refund');
    write('permissions.json', '{"roles": {"public": {"rights": {"endpoint::orders": ["refund"]}}}}');
    expect((await make('endpoint', 'GET', '/orders/open')).text).toContain('gives the right to a role: "endpoint::orders": ["open"]\n');
    for (const args of [
      ['GET', '/search'],
      ['POST', '/search'],
      ['DELETE', '/:a/:b/:c'],
    ])
      expect(await make('endpoint', ...args)).toMatchObject({ exitCode: 0 });
    const { manifest, problems, endpoints } = await load();
    expect(problems).toEqual([]);
    expect(manifest.endpoints.map(({ file, method, path, right }) => [file, method, path, right].join(' '))).toEqual([
      'lectern/endpoints/orders-open.ts GET /orders/open orders.open',
      'lectern/endpoints/orders-refund.ts POST /orders/:id/refund orders.refund',
      'lectern/endpoints/post-search.ts POST /search search.create',
      'lectern/endpoints/root.ts DELETE /:a/:b/:c root.delete',
      'lectern/endpoints/search.ts GET /search search.read',
    ]);
    const log = { debug: vi.fn() };
    const [first] = endpoints.get('lectern/endpoints/orders-refund.ts') ?? [];
    expect(await first?.handler({ params: { id: '5' }, log } as never)).toEqual({ data: [] });
    expect(log.debug).toHaveBeenCalledWith('called', { id: '5' });
  });

  it('overwrites no file, and hides no route', async () => {
    for (const method of ['GET', 'PUT']) await make('endpoint', method, '/search');
    const again = await make('endpoint', 'PUT', '/search');
    expect(again).toEqual({
      exitCode: 1,
      text: expect.stringContaining('lectern/endpoints/search.ts and lectern/endpoints/put-search.ts exist'),
    });
    const hiding = await make('endpoint', 'GET', '/articles');
    expect(hiding).toEqual({ exitCode: 1, text: expect.stringContaining('would hide the route of api::article.article.find') });
    expect(existsSync(join(dir, 'lectern/endpoints/articles.ts'))).toBe(false);
  });

  it('says that it replaces a route of the project', async () => {
    write(
      'src/api/article/routes/newest.js',
      "export default { routes: [{ method: 'GET', path: '/newest', handler: 'article.newest' }] };\n",
    );
    expect((await make('endpoint', 'GET', '/newest')).text).toContain('It replaces a route of the project that responds with 501.');
  });
});

describe('lectern make webhook', () => {
  it('adds it to the configuration as it is formatted, with a secret in .env', async () => {
    write('lectern.config.json', '{\n    "profile": "specification"\n}\n');
    write('.env', 'PORT=1340');
    const made = await make('webhook', 'build-site', 'https://www.example.org/hook');
    expect(made.exitCode).toBe(0);
    // Articles have drafts, the home page has none.
    expect(made.text).toContain('Added build-site to lectern.config.json, for the events create, update, publish, unpublish, delete\n');
    await make('webhook', '2nd', 'http://127.0.0.1:9/hook', '--events', 'entry.publish,media.create');
    expect(read('lectern.config.json')).toBe(`{
    "profile": "specification",
    "webhooks": [
        {
            "name": "build-site",
            "url": "https://www.example.org/hook",
            "events": [
                "create",
                "update",
                "publish",
                "unpublish",
                "delete"
            ],
            "secret": "\${BUILD_SITE_WEBHOOK_SECRET}"
        },
        {
            "name": "2nd",
            "url": "http://127.0.0.1:9/hook",
            "events": [
                "publish",
                "media.create"
            ],
            "secret": "\${WEBHOOK_2ND_WEBHOOK_SECRET}"
        }
    ]
}
`);
    const variables = parseEnv(read('.env'));
    expect(variables).toMatchObject({ PORT: '1340', BUILD_SITE_WEBHOOK_SECRET: expect.stringMatching(/^whsec_/) });
    const loaded = loadConfig({ dir, environment: {}, overrides: {} });
    expect(loaded.ok && loaded.config.webhooks.map(({ name, secrets }) => [name, secrets])).toEqual([
      ['build-site', [variables.BUILD_SITE_WEBHOOK_SECRET]],
      ['2nd', [variables.WEBHOOK_2ND_WEBHOOK_SECRET]],
    ]);
    expect(await make('webhook', '2nd', 'https://www.example.org/other')).toEqual({
      exitCode: 1,
      text: expect.stringContaining('There is a webhook 2nd in lectern.config.json'),
    });
  });

  it('makes the files that are missing, and keeps a secret that is there', async () => {
    rmSync(join(dir, 'lectern.config.json'));
    await make('webhook', 'site', 'https://www.example.org/hook');
    expect(statSync(join(dir, '.env')).mode & 0o777).toBe(0o600);
    const before = read('.env');
    rmSync(join(dir, 'lectern.config.json'));
    expect((await make('webhook', 'site', 'http://localhost/hook')).text).toMatch(/as before.*events\.allowPrivate/s);
    expect(read('.env')).toBe(before);
  });
});
