/** docs/front-ends.md: its settings are those of a demo, and its code runs against it, in pages that keep to CORS and to the rules of cookies. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ofetch } from 'ofetch';
import { JsxEmit, ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anHourLater } from '../support/an-hour-later.ts';
import { type Demo, startDemo } from '../support/demo.ts';
import { root } from '../support/packed.ts';
import { pageOf } from '../support/page.ts';
import type { Environment } from '../support/server.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { useMade } from '../support/use-made.ts';

const text = readFileSync(join(root, 'docs/front-ends.md'), 'utf8');

/** The code blocks by the path in their first line. */
const blocks = new Map(
  [...text.matchAll(/^```(?:js|jsx|astro)\n((?:---\n)?\/\/ ([^\s,]+)[^\n]*\n.*?)^```$/gms)].map(([, code = '', path = '']) => [path, code]),
);
const settings = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => JSON.parse(json));

const folder = useTemporaryFolder();
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

let copies = 0;
/** Runs blocks, of which the last one imports the others, as modules of their own; `shims` are modules by name. */
async function run<T>(paths: readonly string[], replaced: Readonly<Record<string, string>> = {}): Promise<T> {
  copies += 1;
  for (const path of paths) {
    let code = blocks.get(path);
    if (code === undefined) throw new Error(`the page has no block ${path}; it has ${[...blocks.keys()].join(', ')}`);
    for (const [part, other] of Object.entries(replaced)) code = code.replaceAll(part, other);
    const options = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, jsx: JsxEmit.React, jsxFactory: 'h', allowJs: true };
    writeFileSync(
      fileOf(path),
      transpileModule(code, { compilerOptions: options, fileName: path }).outputText.replaceAll("'./", `'./${copies}-`),
    );
  }
  return import(fileOf(paths.at(-1) ?? '')) as Promise<T>;
}
const fileOf = (path: string) =>
  join(folder, `${copies}-${path.replaceAll(/[/+]/g, '-').replace(/\.\w+$/, '')}.mjs`.replace('-api.mjs', '-api.js'));

interface Page {
  load(): Promise<{
    readonly articles: readonly { readonly title: string }[];
    readonly total: number;
    readonly user?: { readonly username: string };
  }>;
  signIn(identifier: string, password: string): Promise<{ readonly username: string }>;
  signOut(): Promise<void>;
}
const titles = (articles: readonly { readonly title: string }[]) => articles.map(({ title }) => title);

/** With the usual settings. */
const usual = useMade(startDemo);

describe('a front end with users', () => {
  let demo: Demo;
  const start = async (given: { readonly cors?: object; readonly auth?: object }, more: Environment = {}) => {
    const env = {
      ...more,
      ...(given.cors === undefined ? {} : { LECTERN_CORS_ORIGINS: Object(given.cors).origins.join(','), LECTERN_CORS_CREDENTIALS: 'true' }),
      ...(given.auth === undefined ? {} : { LECTERN_AUTH_COOKIE_SAME_SITE: Object(given.auth).cookieSameSite }),
    };
    demo = await startDemo(env);
  };
  const open = async (page: ReturnType<typeof pageOf>, { base } = demo) => {
    vi.stubGlobal('fetch', page.fetch);
    return run<Page>(['api.js', 'page.js'], { 'https://api.example.org': base });
  };

  it.each([
    ['the same site', settings[0], 'http://localhost:3000', {}],
    ['another site', settings[1], 'https://app.example', {}],
    ['another site, in profile strapi', settings[1], 'https://app.example', { LECTERN_PROFILE: 'strapi', LECTERN_AUTH_HTTP_ONLY: 'false' }],
  ])('of %s stays signed in when the access token expires and when the page is loaded again', async (where, given, origin, more) => {
    expect(given?.cors.origins).toContain(origin);
    await start(given, more);
    onTestFinished(() => demo.stop());
    const elsewhere = await open(pageOf('https://evil.example'));
    await expect(elsewhere.signIn('reader', demo.password)).rejects.toThrow('Failed to fetch');

    if (where === 'the same site') demo = { ...demo, base: demo.base.replace('127.0.0.1', 'localhost') };
    const cookies = new Map();
    const page = await open(pageOf(origin, cookies));
    expect(await page.load()).not.toHaveProperty('user.username');
    await expect(page.signIn('reader', 'wrong')).rejects.toThrow('Invalid identifier or password');
    expect(await page.signIn('reader', demo.password)).toMatchObject({ username: 'reader' });
    expect([...cookies.keys()]).toEqual(['strapi_up_refresh']);
    const shown = await page.load();
    expect({ ...shown, articles: shown.articles.length }).toMatchObject({
      articles: 5,
      total: expect.any(Number),
      user: { username: 'reader' },
    });

    const { api } = await import(fileOf('api.js'));
    anHourLater();
    const before = cookies.get('strapi_up_refresh');
    const responses: Response[] = await Promise.all([1, 2, 3].map(() => api('/users/me')));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(cookies.get('strapi_up_refresh')).not.toEqual(before);

    const loadedAgain = await open(pageOf(origin, cookies));
    expect(await loadedAgain.load()).toMatchObject({ user: { username: 'reader' } });
    await loadedAgain.signOut();
    expect(cookies.size).toBe(0);
    expect((await loadedAgain.load()).user).toBeUndefined();
  });

  it('cannot sign in without the settings', async () => {
    const page = await open(pageOf('https://app.example'), usual());
    await expect(page.signIn('reader', usual().password)).rejects.toThrow('Failed to fetch');
  });
});

describe('a page that a server renders', () => {
  let first: readonly string[];
  beforeAll(async () => {
    const response = await fetch(`${usual().base}/api/articles?sort=title`);
    first = titles(((await response.json()) as { data: { title: string }[] }).data);
  });
  const env = () => ({ API_URL: usual().base, API_TOKEN: usual().token });
  const shimmed = (name: string, code: string) => `'data:text/javascript,${encodeURIComponent(code)}'; // ${name}`;

  it('Next.js', async () => {
    vi.stubEnv('API_URL', usual().base);
    vi.stubEnv('API_TOKEN', usual().token);
    vi.stubGlobal('h', (tag: string, _: unknown, ...children: readonly unknown[]) => ({ tag, children: children.flat() }));
    const { default: Articles } = await run<{ default(): Promise<{ children: { children: string[] }[] }> }>(['app/articles/page.jsx']);
    const { children } = await Articles();
    expect(children.map((item) => item.children.join(''))).toEqual(
      first.map((title) => expect.stringMatching(new RegExp(`^${title}, by \\w+`))),
    );
  });

  it('Nuxt', async () => {
    vi.stubGlobal('defineEventHandler', (handler: unknown) => handler);
    vi.stubGlobal('useRuntimeConfig', () => ({ apiUrl: usual().base, apiToken: usual().token }));
    vi.stubGlobal('$fetch', ofetch);
    const { default: handler } = await run<{ default(): Promise<{ data: { title: string }[] }> }>(['server/routes/articles.get.js']);
    expect(titles((await handler()).data)).toEqual(first.slice(0, 5));
  });

  it('Astro', async () => {
    vi.stubGlobal('env', env());
    const path = 'src/pages/articles.astro';
    const code = blocks.get(path) ?? '';
    const [, script = '', markup] = code.split('---\n');
    blocks.set(path, `${script}\nexport { articles };`);
    const { articles } = await run<{ articles: { title: string }[] }>([path], { 'import.meta.env': 'globalThis.env' });
    expect(titles(articles)).toEqual(first);
    expect(markup).toContain('articles.map');
  });

  it('a collection of Astro', async () => {
    vi.stubGlobal('env', env());
    const { collections } = await run<{ collections: { articles: { loader(): Promise<{ id: string; title: string }[]> } } }>(
      ['src/content.config.js'],
      {
        'import.meta.env': 'globalThis.env',
        "'astro:content';": shimmed('astro:content', 'export const defineCollection = (collection) => collection;'),
        '[pageSize]=100': '[pageSize]=3',
      },
    );
    const entries = await collections.articles.loader();
    expect(titles(entries).sort()).toEqual([...first].sort());
    expect(new Set(entries.map(({ id }) => id)).size).toBe(first.length);
  });

  it('SvelteKit', async () => {
    const { load } = await run<{ load(event: { fetch: typeof fetch }): Promise<{ articles: { title: string }[] }> }>(
      ['src/routes/articles/+page.server.js'],
      {
        "'@sveltejs/kit';": shimmed(
          '@sveltejs/kit',
          'export const error = (status, text) => { throw new Error([status, text].join(" ")); };',
        ),
        "'$env/dynamic/private';": shimmed('$env/dynamic/private', `export const env = ${JSON.stringify(env())};`),
      },
    );
    expect(titles((await load({ fetch })).articles)).toEqual(first);
    await expect(load({ fetch: async () => new Response('', { status: 500 }) })).rejects.toThrow('502');
  });

  it('passes /api on as each framework is told', async () => {
    vi.stubEnv('API_URL', usual().base);
    vi.stubEnv('API_TOKEN', usual().token);
    vi.stubGlobal('defineNuxtConfig', (config: unknown) => config);
    const next = await run<{ default: { rewrites(): Promise<unknown> } }>(['next.config.mjs']);
    expect(await next.default.rewrites()).toEqual([{ source: '/api/:path*', destination: `${usual().base}/api/:path*` }]);
    const nuxt = await run<{ default: unknown }>(['nuxt.config.js']);
    expect(nuxt.default).toMatchObject({ routeRules: { '/api/**': { proxy: `${usual().base}/api/**` } } });
    const astro = await run<{ default: unknown }>(['astro.config.mjs']);
    expect(astro.default).toEqual({ vite: { server: { proxy: { '/api': usual().base } } } });
  });
});
