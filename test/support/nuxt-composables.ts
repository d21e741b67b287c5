/** The composables of `@nuxtjs/strapi`, as a page in a browser has them, without Nuxt: a bundler puts the few functions of Nuxt that they use in the
 *  place of `#imports` and `vue`. They are the package's own files, and `$fetch` is the one that Nuxt uses. (`overrides` in package.json leave out `@nuxt/kit`,
 *  which only builds of Nuxt need.) */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ofetch } from 'ofetch';
import { rolldown } from 'rolldown';

const require = createRequire(import.meta.url);

type Params = Readonly<Record<string, unknown>>;
type Call<Result = unknown> = (...given: readonly never[]) => Promise<Result>;

export interface Composables {
  useStrapi(): {
    find(type: string, params?: Params): Promise<{ readonly data: readonly Params[]; readonly meta: Params }>;
    findOne(type: string, documentId?: string, params?: Params): Promise<{ readonly data: Params }>;
    create(type: string, data: Params, params?: Params): Promise<{ readonly data: Params }>;
    update(type: string, documentId: string | Params, data?: Params, params?: Params): Promise<{ readonly data: Params }>;
    delete(type: string, documentId?: string, params?: Params): Promise<unknown>;
  };
  useStrapiAuth(): Readonly<Record<'login' | 'register' | 'changePassword', (data: Params) => Promise<{ user: Ref; jwt: string }>>> & {
    fetchUser(): Promise<Ref>;
    logout(): void;
    setToken(jwt: string): void;
    getProviderAuthenticationUrl(provider: string): string;
  };
  useStrapiUser(): Ref;
  useStrapiToken(): Ref;
  useStrapiClient(): (path: string, options?: Params) => Promise<unknown>;
  useStrapiMedia(path: string): string;
  useStrapiGraphQL(): Call;
}

export interface Ref {
  value: Params | string | null | undefined;
}

const shims = `
const { url, cookies, states, errors } = globalThis.__nuxt;
export const ref = (value) => ({ value });
const kept = (map, name) => map.get(name) ?? map.set(name, ref()).get(name);
export const useCookie = (name) => kept(cookies, name);
export const useState = (name) => kept(states, name);
const app = { hooks: { callHook: (name, error) => errors.push([name, error]) } };
export const useNuxtApp = () => app;
const strapi = { url, prefix: '/api', version: 'v5', cookie: {}, cookieName: 'strapi_jwt', auth: { populate: '*' } };
export const useRuntimeConfig = () => ({ public: { strapi } });
`;
const names = ['useStrapiAuth', 'useStrapiUser', 'useStrapiToken', 'useStrapiClient', 'useStrapiMedia', 'useStrapiGraphQL'];

/** A page of an application whose `strapi.url` is `url`. `errors` are the calls of the hook `strapi:error`. */
export async function nuxtPage(url: string): Promise<Composables & { readonly errors: readonly unknown[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  try {
    const runtime = join(dirname(require.resolve('@nuxtjs/strapi')), 'runtime');
    const files = ['composables-v5/useStrapi', ...names.map((name) => `composables/${name}`)];
    writeFileSync(join(folder, 'shims.js'), shims);
    // The composables refer to each other by #imports as well.
    const own = names.map((name) => `export { ${name} } from '${runtime}/composables/${name}.js';`);
    writeFileSync(join(folder, 'imports.js'), [`export * from './shims.js';`, ...own].join('\n'));
    writeFileSync(join(folder, 'entry.js'), files.map((file) => `export * from '${runtime}/${file}.js';`).join('\n'));
    const bundle = await rolldown({
      input: join(folder, 'entry.js'),
      platform: 'node',
      resolve: { alias: { '#imports': join(folder, 'imports.js'), vue: join(folder, 'shims.js') } },
    });
    await bundle.write({ file: join(folder, 'bundle.mjs'), format: 'esm' });
    await bundle.close();
    const errors: unknown[] = [];
    Object.assign(globalThis, { __nuxt: { url, cookies: new Map(), states: new Map(), errors }, $fetch: ofetch });
    const composables = (await import(pathToFileURL(join(folder, 'bundle.mjs')).href)) as Composables;
    return { ...composables, errors };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
