/** Two servers on one database, one with a clock that is a minute ahead: what one of them has made, changed or ended holds on the other, by default within a second. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signedUrl } from '../../../src/media/storage/signed-url.ts';
import { ada, ben, newAddress, type SignedIn, signedInBy, useAccounts } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { noise } from '../../support/images.ts';
import { signInAt } from '../../support/oidc-server.ts';
import { useS3 } from '../../support/s3-server.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { sendFiles } from '../../support/send-files.ts';
import { type Json, type Served, useProject } from '../../support/served-project.ts';
import { type RunningServer, run, startProcess } from '../../support/server.ts';
import { begin, newVerifier, useProviders } from '../../support/sign-in-providers.ts';
import { useMade } from '../../support/use-made.ts';

const clock = new URL('../../support/clock-ahead.mjs', import.meta.url).href;
/** Called in the body of a `describe`: a second server of the project, a minute ahead. */
const useAhead = (served: Served) =>
  useMade(() => startProcess(served.project.dir, { ...served.environment, NODE_OPTIONS: `--import ${clock}` }));

/** `cache.consistency` by default. */
const byDefault = { LECTERN_CACHE_CONSISTENCY: '' };
/** Milliseconds after which a change is seen everywhere. */
const noticed = 1100;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const names = ['here', 'ahead'] as const;

describe.each(engines.filter((engine) => engine !== 'sqlite'))('%s: two servers, one with a clock that is a minute ahead', (engine) => {
  const accounts = useAccounts(engine, byDefault);
  const ahead = useAhead(accounts);
  const serverOf = (name: (typeof names)[number]): RunningServer => (name === 'here' ? accounts.server : ahead());
  const both = (): readonly (readonly [RunningServer, RunningServer])[] => [
    [accounts.server, ahead()],
    [ahead(), accounts.server],
  ];
  const post = (server: RunningServer, path: string, body: object, headers = {}) =>
    server.send({ method: 'POST', path, body, headers, from: newAddress() });
  const bearer = (jwt: string) => ({ Authorization: `Bearer ${jwt}` });
  const signIn = async (server: RunningServer, { email, password } = ada) =>
    signedInBy(await post(server, '/api/auth/local', { identifier: email, password }));
  const seenAt = async (server: RunningServer, { jwt }: SignedIn) => (await server.get('/api/users/me', bearer(jwt))).status;
  const full = (server: RunningServer, method: string, path: string, body?: object, headers = {}) =>
    server.send({ method, path, headers: { ...accounts.authorization('full'), ...headers }, ...(body === undefined ? {} : { body }) });
  const dataIn = (response: HttpResponse) => (response.json() as { readonly data: Json }).data;

  it.each(names)('a session that begins at the one %s is used and refreshed at the other, and back', async (name) => {
    const [first, second] = name === 'here' ? [accounts.server, ahead()] : [ahead(), accounts.server];
    let session = await signIn(first);
    for (const server of [second, first, second]) {
      expect([await seenAt(first, session), await seenAt(second, session)]).toEqual([200, 200]);
      const former = session;
      session = signedInBy(await post(server, '/api/auth/refresh', { refreshToken: former.refreshToken }));
      // A refresh token is used up on both.
      for (const each of [first, second])
        expect((await post(each, '/api/auth/refresh', { refreshToken: former.refreshToken })).status).toBe(401);
    }
  });

  it('a user who signs out or is blocked at one is refused at the other within a second', async () => {
    const id = await accounts.userId(ada.username);
    for (const [one, other] of both()) {
      const [ended, blocked] = [await signIn(one, ben), await signIn(one)];
      expect([await seenAt(other, ended), await seenAt(other, blocked)]).toEqual([200, 200]);
      expect((await post(one, '/api/auth/logout', {}, bearer(ended.jwt))).status).toBe(200);
      expect((await full(one, 'PUT', `/api/users/${id}`, { blocked: true })).status).toBe(200);
      await pause(noticed);
      expect([await seenAt(other, ended), await seenAt(other, blocked)]).toEqual([401, 401]);
      expect((await full(other, 'PUT', `/api/users/${id}`, { blocked: false })).status).toBe(200);
    }
  });

  it('rights, locales and documents that change at one are seen at the other within a second', async () => {
    for (const [index, [one, other]] of both().entries()) {
      const path = '/api/notes';
      expect((await other.get(path)).status).toBe(index === 0 ? 403 : 200);
      const changed = await run(
        ['role', index === 0 ? 'allow' : 'deny', 'public', 'note', 'find', '--dir', accounts.project.dir],
        accounts.environment,
      );
      expect(changed.status, changed.stderr).toBe(0);
      const seen = async () => ((await full(other, 'GET', `${path}?sort=title`)).json() as { readonly data: readonly Json[] }).data.length;
      const before = await seen();
      expect((await full(one, 'POST', path, { data: { title: `note ${index}` } })).status).toBe(201);
      await pause(noticed);
      expect((await other.get(path)).status).toBe(index === 0 ? 200 : 403);
      expect(await seen()).toBe(before + 1);
    }
    const locales = async () => ((await full(ahead(), 'GET', '/api/i18n/locales')).json() as readonly Json[]).map(({ code }) => code);
    expect(await locales()).not.toContain('fr');
    const added = await run(['locale', 'add', 'fr', '--dir', accounts.project.dir], accounts.environment);
    expect(added.status, added.stderr).toBe(0);
    await pause(noticed);
    expect(await locales()).toContain('fr');
  });

  it('a request with an Idempotency-Key that is repeated at the other one is carried out once', async () => {
    for (const [index, [one, other]] of both().entries()) {
      const create = (server: RunningServer, key: string) =>
        full(server, 'POST', '/api/notes', { data: { title: key } }, { 'Idempotency-Key': key });
      const first = await create(one, `after ${index}`);
      const again = await create(other, `after ${index}`);
      expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
      expect(again.text).toBe(first.text);
      const atOnce = await Promise.all([one, other, one, other].map((server) => create(server, `at once ${index}`)));
      expect(new Set(atOnce.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    }
  });

  it('updatedAt grows, whichever of them writes, and If-Match holds', async () => {
    const { documentId } = dataIn(await full(accounts.server, 'POST', '/api/notes', { data: { title: 'a' } }));
    const path = `/api/notes/${String(documentId)}`;
    let last = await full(accounts.server, 'GET', path);
    for (const name of ['ahead', 'here', 'here', 'ahead', 'here'] as const) {
      const change = () => full(serverOf(name), 'PATCH', path, { data: { title: name } }, { 'If-Match': String(last.headers.etag) });
      const changed = await change();
      expect([changed.status, (await change()).status]).toEqual([200, 412]);
      expect(Date.parse(String(dataIn(changed).updatedAt))).toBeGreaterThan(Date.parse(String(dataIn(last).updatedAt)));
      last = changed;
    }
  });
});

describe.each(anyEngine)('%s: files of two servers, one with a clock that is a minute ahead', (engine) => {
  const secret = 'a-secret-of-at-least-32-characters';
  const files = schemaFiles({ note: { attributes: { title: { type: 'string' }, cover: { type: 'media' } } } });
  const photo = async () => ({ name: 'photo.jpg', type: 'image/jpeg', bytes: await noise(600, 400).jpeg().toBuffer() });
  const urlIn = (response: HttpResponse) => new URL(String((response.json() as readonly Json[])[0]?.url), 'http://localhost');

  describe('in a shared folder', () => {
    const api = useProject(engine, { files, env: { LECTERN_UPLOAD_KEY: secret } });
    const ahead = useAhead(api);

    it('are served by the other one at once, and a variant that both are asked for at once is the same', async () => {
      for (const [one, other] of [
        [api.server, ahead()],
        [ahead(), api.server],
      ] as const) {
        const { files: [file] = [] } = await sendFiles({ server: one, authorization: api.authorization }, [await photo()]);
        const url = String(file?.url);
        expect((await other.get(url)).status).toBe(200);
        const variants = await Promise.all([one, other, one, other].map((server) => server.get(`${url}?width=400&format=webp`)));
        expect(variants.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect(new Set(variants.map(({ raw }) => raw.toString('base64'))).size).toBe(1);
        const expires = Math.floor(Date.now() / 1000) + 90;
        const path = signedUrl(secret, url.slice('/uploads/'.length), { width: '77', expires: String(expires) });
        for (const server of [one, other]) expect((await server.get(path)).status).toBe(200);
      }
      // Two variants of each of two files, each stored once.
      expect(readdirSync(join(api.project.dir, '.tmp/variants')).length).toBe(4);
    });
  });

  describe('in a private bucket', () => {
    const s3 = useS3();
    const api = useProject(engine, {
      files,
      env: () => ({ ...s3.env, LECTERN_S3_PRIVATE: 'true', LECTERN_UPLOAD_KEY: secret, LECTERN_UPLOAD_SIGNED_FOR: '120' }),
    });
    const ahead = useAhead(api);

    it('are found by the signed URLs of the other one', async () => {
      for (const [one, other] of [
        [api.server, ahead()],
        [ahead(), api.server],
      ] as const) {
        await sendFiles({ server: one, authorization: api.authorization }, [{ name: 'a.txt', type: 'text/plain', bytes: 'text' }]);
        const { pathname, search } = urlIn(await other.get('/api/upload/files?sort=id:desc', api.authorization('full')));
        const sent = await one.get(`${pathname}${search}`);
        expect(sent.status).toBe(302);
        expect(await (await fetch(String(sent.headers.location))).text()).toBe('text');
      }
    });
  });
});

describe.each(anyEngine)('%s: signing in with another provider', (engine) => {
  const providers = useProviders(engine);
  const ahead = useAhead(providers.accounts);

  it('begins at one server, comes back to the other one, and ends at the first', async () => {
    for (const [one, other] of [
      [providers.accounts.server, ahead()],
      [ahead(), providers.accounts.server],
    ] as const) {
      const verifier = newVerifier();
      const { subject } = providers.somebody();
      const [first, second] = [providers.newBrowser(one.base), providers.newBrowser(other.base)];
      const form = await first.go(begin('company', verifier));
      // The same browser, whose requests a load balancer now sends to the other server.
      for (const [host, cookies] of first.cookies) second.cookies.set(host, cookies);
      const { url } = await signInAt(second, form, subject);
      const body = { code: url.searchParams.get('code'), code_verifier: verifier };
      const { jwt } = signedInBy(await one.send({ method: 'POST', path: '/api/auth/company/callback', body, from: newAddress() }));
      expect((await other.get('/api/users/me', { Authorization: `Bearer ${jwt}` })).status).toBe(200);
    }
  });
});
