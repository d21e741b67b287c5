/** Signing in with another provider, attacked: from other browsers, with callbacks and codes of others, and by a provider that cheats. */
import { createHmac } from 'node:crypto';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { ada, newAddress } from '../../support/accounts.ts';
import { Browser } from '../../support/browser.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine } from '../../support/engines.ts';
import { signInAt } from '../../support/oidc-server.ts';
import { errorOf } from '../../support/served-project.ts';
import { app, begin, challengeOf, newVerifier, url, useProviders } from '../../support/sign-in-providers.ts';
import { words } from '../../support/words.ts';

describe.each(anyEngine)('%s: attacks on signing in with another provider', (engine) => {
  const providers = useProviders(engine);
  const { accounts, arrive, countOf, errorAt, exchange, newBrowser, signIn, somebody } = providers;

  describe('the callback', () => {
    const lookAlikes = [
      ...words`
        https://app.example.org/signed-in/ https://app.example.org/signed-in?next=/ https://app.example.org/signed-in#a
        https://app.example.org/Signed-in https://app.example.org/signed-in/../signed-in https://app.example.org/%73igned-in
        https://app.example.org%2fsigned-in https://app.example.org https://app.example.org/ https://app.example.org./signed-in
        https://APP.example.org/signed-in https://app.example.org:443/signed-in http://app.example.org/signed-in
        https://app.example.org.evil.com/signed-in https://app.example.org@evil.com/signed-in https://user:pass@app.example.org/signed-in
        https://evil.com/https://app.example.org/signed-in
      `,
      'https://evil.com\\@app.example.org/signed-in',
      '//app.example.org/signed-in',
      '/signed-in',
      ' https://app.example.org/signed-in',
      'https://app.example.org/signed-in\r\nset-cookie: a=b',
      'javascript:alert(1)//https://app.example.org/signed-in',
      'data:text/html,hello',
      '',
    ];
    it.each(lookAlikes)('not to %j', async (callback) => {
      const { pathname, search } = new URL(begin('company', newVerifier(), callback));
      const response = await accounts.server.send({ path: pathname + search, from: newAddress() });
      expect(response.headers.location).toBeUndefined();
      expect(errorOf(response)).toMatchObject({ status: 400, message: 'callback is not one of auth.providers.company.callbacks' });
    });

    const challenge = challengeOf(newVerifier());
    it.each([
      ['', /^code_challenge must be/],
      ['code_challenge=short', /^code_challenge must be/],
      [`code_challenge=${challenge}&code_challenge_method=plain`, /^code_challenge_method must be S256$/],
      [`code_challenge=${challenge}&code_challenge=${challenge}`, /^code_challenge stands there more than once$/],
      [`code_challenge=${challenge}&redirect_uri=https://evil.com`, /^redirect_uri is not one of/],
      [`code_challenge=${challenge}&callback=${app}&callback=https://evil.com`, /^callback stands there more than once$/],
      [`code_challenge=${challenge}&callback[]=${app}`, /^callback\[\] is not one of/],
    ])('not with %j', async (query, message) => {
      const response = await accounts.server.send({ path: `/api/connect/company?${query}`, from: newAddress() });
      expect(errorOf(response).status).toBe(400);
      expect(errorOf(response).message).toMatch(message);
    });

    it('responds as Strapi does for providers that are not configured', async () => {
      const paths = words`/api/connect/github /api/connect/github/callback?code=a /api/connect/constructor /api/auth/github/callback`;
      for (const path of paths) {
        const error = errorOf(await accounts.server.send({ path, from: newAddress() }));
        expect(error).toMatchObject({ status: 400, message: 'This provider is disabled' });
      }
      expect((await exchange('github', 'a', 'b')).status).toBe(400);
    });

    it('takes no token from a URL', async () => {
      expect((await accounts.server.get('/api/auth/company/callback?access_token=a')).status).toBe(501);
    });
  });

  describe('the return from the provider', () => {
    const notBegun = { status: 400, message: 'This sign-in was not begun in this browser, or was begun too long ago; begin again' };
    /** Stops at the moment when the provider sends the browser back. */
    async function almostBack(provider: string, subject: string, verifier = newVerifier()) {
      const browser = newBrowser();
      const away = new Browser({ [providers.oidc.issuer]: providers.oidc.issuer }, newAddress());
      const { next } = await browser.request(new URL(begin(provider, verifier)));
      const { url: back } = await signInAt(away, await away.go(next ?? ''), subject);
      return { browser, back, verifier };
    }
    const changed = (from: URL, change: (parameters: URLSearchParams) => void) => {
      const to = new URL(from);
      change(to.searchParams);
      return to;
    };

    it('accepts only the state of this browser', async () => {
      const mine = await almostBack('company', somebody().subject);
      const others = await almostBack('company', somebody().subject);
      const refused = async (browser: Browser, to: URL) => {
        const { response } = await browser.request(to);
        expect(response.headers.location).toBeUndefined();
        expect(errorOf(response)).toMatchObject(notBegun);
      };
      const changes: readonly ((parameters: URLSearchParams) => void)[] = [
        (parameters) => parameters.delete('state'),
        (parameters) => parameters.set('state', 'a'.repeat(43)),
        (parameters) => parameters.append('state', 'a'),
      ];
      for (const change of changes) await refused(mine.browser, changed(mine.back, change));
      await refused(mine.browser, others.back);
      await refused(newBrowser(), mine.back);
      // The refused attempts did not end the sign-in.
      expect((await mine.browser.request(mine.back)).next?.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    });

    it('refuses a cookie that was changed, invented, or is of another provider', async () => {
      const { browser, back } = await almostBack('company', somebody().subject);
      const jar = browser.cookies.get('api.example.org');
      const name = '__Host-lectern-connect-company';
      const good = jar?.get(name)?.value ?? '';
      const partner = await almostBack('partner', somebody().subject);
      const foreign = partner.browser.cookies.get('api.example.org')?.get('__Host-lectern-connect-partner')?.value ?? '';
      const plain = Buffer.from('{"alg":"none"}').toString('base64url');
      const payload = Buffer.from(JSON.stringify({ provider: 'company', state: back.searchParams.get('state') })).toString('base64url');
      for (const value of [`${good.slice(0, -3)}AAA`, good.slice(5), foreign, `${plain}.${payload}.`, 'a', '']) {
        jar?.set(name, { path: '/', value });
        expect(errorOf((await browser.request(back)).response)).toMatchObject(notBegun);
      }
    });

    it('refuses a code of another provider', async () => {
      const { browser, back } = await almostBack('company', somebody().subject);
      const partner = await almostBack('partner', somebody().subject);
      const mixed = changed(back, (parameters) => parameters.set('code', partner.back.searchParams.get('code') ?? ''));
      expect((await browser.request(mixed)).next?.href).toBe(`${app}?error=provider_error`);
      // At the other one's own address it is the cookie that is missing.
      const elsewhere = new URL(back);
      elsewhere.pathname = '/api/connect/partner/callback';
      expect(errorOf((await browser.request(elsewhere)).response)).toMatchObject(notBegun);
    });

    it('accepts a provider’s code once, and only from its own issuer', async () => {
      const { browser, back } = await almostBack('company', somebody().subject);
      const twin = browser.copy();
      const other = changed(back, (parameters) => parameters.set('iss', 'https://evil.com'));
      expect((await browser.copy().request(other)).next?.href).toBe(`${app}?error=provider_error`);
      expect((await browser.request(back)).next?.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
      expect(errorOf((await browser.request(back)).response)).toMatchObject(notBegun);
      expect((await twin.request(back)).next?.href).toBe(`${app}?error=provider_error`);
    });

    it('does not reveal the provider’s errors', async () => {
      const { browser, back } = await almostBack('company', somebody().subject);
      const failed = changed(back, (parameters) => {
        parameters.delete('code');
        parameters.set('error', '"><script>');
        parameters.set('error_description', 'secret');
      });
      expect((await browser.request(failed)).next?.href).toBe(`${app}?error=provider_error`);
    });
  });

  describe('the code for the front end', () => {
    const refusal = { status: 400, message: 'The code is unknown, used or expired, or code_verifier does not belong to it' };
    async function newCode(provider = 'company') {
      const verifier = newVerifier();
      const { url: back } = await arrive(provider, somebody().subject, verifier);
      return { code: back.searchParams.get('code') ?? '', verifier };
    }

    it('is accepted once by two processes, however many requests use it at the same time', async () => {
      const second = await accounts.beside();
      for (let round = 0; round < 3; round++) {
        const { code, verifier } = await newCode();
        const request = { method: 'POST', path: '/api/auth/company/callback', body: { code, code_verifier: verifier } };
        const asked = [accounts.server, second, accounts.server, second].map((server) => server.send({ ...request, from: newAddress() }));
        expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      }
    });

    it('is accepted by its own provider with its own verifier, whatever others tried before', async () => {
      const { code, verifier } = await newCode();
      expect(errorOf(await exchange('partner', code, verifier))).toMatchObject(refusal);
      expect(errorOf(await exchange('company', code, newVerifier()))).toMatchObject(refusal);
      expect(errorOf(await exchange('company', code, challengeOf(verifier)))).toMatchObject(refusal);
      expect((await exchange('company', code, verifier)).status).toBe(200);
      expect(errorOf(await exchange('company', code, verifier))).toMatchObject(refusal);
    });

    it('is valid for two minutes, so for one where clocks differ', async () => {
      const { code, verifier } = await newCode();
      const [[expires] = []] = await accounts.query('SELECT MAX(expires_at) FROM lectern_sign_in_codes');
      expect(new Date(expires as string | number).getTime() - Date.now()).toBeLessThanOrEqual(120_000);
      const past = engineSql[engine].moment(Date.now() - 1);
      await accounts.change(`UPDATE lectern_sign_in_codes SET expires_at = ${past}`);
      expect(errorOf(await exchange('company', code, verifier))).toMatchObject(refusal);
      const old = await newCode();
      await accounts.change(`UPDATE lectern_sign_in_codes SET expires_at = ${past}`);
      await newCode();
      expect(await countOf('lectern_sign_in_codes')).toBe(1);
      expect(errorOf(await exchange('company', old.code, old.verifier))).toMatchObject(refusal);
    });

    it.each([
      {},
      { code: 1, code_verifier: 'a' },
      { code: { $ne: '' }, code_verifier: 'a' },
      { code: 'a' },
      { code: 'a\u0000', code_verifier: 'a' },
    ])('cannot be %j', async (body) => {
      expect(errorOf(await accounts.post('/api/auth/company/callback', body)).status).toBe(400);
    });
  });

  describe('a provider that cheats', () => {
    let cheats = 0;
    const claims = (more: JWTPayload = {}): JWTPayload => {
      cheats++;
      const now = Math.floor(Date.now() / 1000);
      const person = { sub: `cheat-${cheats}`, email: `cheat${cheats}@example.org`, email_verified: true, name: `cheat${cheats}` };
      return { iss: providers.dishonest.issuer, aud: 'lectern', iat: now, exp: now + 60, ...person, ...more };
    };
    const rs256 = { alg: 'RS256', kid: 'one' };
    const signed = (payload: JWTPayload, key: CryptoKey = providers.dishonest.privateKey) =>
      new SignJWT(payload).setProtectedHeader(rs256).sign(key);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = (header: object, payload: JWTPayload) => `${part(header)}.${part(payload)}`;
    const hmac = (payload: JWTPayload, secret: string) => {
      const text = unsigned({ alg: 'HS256', kid: 'one' }, payload);
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };

    /** The result that the front end gets when the provider responds with this token. */
    async function resultOf(
      token: (nonce: string) => string | Promise<string>,
      more: { readonly iss?: string | null } = {},
    ): Promise<string | null> {
      const browser = newBrowser();
      const { next } = await browser.request(new URL(begin('dishonest', newVerifier())));
      const id_token = await token(next?.searchParams.get('nonce') ?? '');
      providers.dishonest.token = [200, { access_token: 'a', token_type: 'Bearer', ...(id_token === '' ? {} : { id_token }) }];
      const iss = more.iss === undefined ? providers.dishonest.issuer : more.iss;
      const query = { code: 'a', state: next?.searchParams.get('state') ?? '', ...(iss === null ? {} : { iss }) };
      const { next: back } = await browser.request(new URL(`${url}/api/connect/dishonest/callback?${new URLSearchParams(query)}`));
      return back?.searchParams.get('error') ?? (back?.searchParams.has('code') ? 'in' : null);
    }

    it('signs a user in while it is honest', async () => {
      expect(await resultOf((nonce) => signed(claims({ nonce })))).toBe('in');
    });

    it.each<[string, (nonce: string) => string | Promise<string>]>([
      ['alg none', (nonce) => `${unsigned({ alg: 'none' }, claims({ nonce }))}.`],
      ['no signature', async (nonce) => `${(await signed(claims({ nonce }))).split('.').slice(0, 2).join('.')}.`],
      ['a foreign key', async (nonce) => signed(claims({ nonce }), (await generateKeyPair('RS256')).privateKey)],
      ['HS256 by the client id', (nonce) => hmac(claims({ nonce }), 'lectern')],
      ['HS256 by the public key', (nonce) => hmac(claims({ nonce }), JSON.stringify(providers.dishonest.publicKey))],
      [
        'changed claims',
        async (nonce) => {
          const [head, , signature] = (await signed(claims({ nonce }))).split('.');
          return `${head}.${part(claims({ nonce }))}.${signature}`;
        },
      ],
      ['another nonce', () => signed(claims({ nonce: 'a'.repeat(43) }))],
      ['no nonce', () => signed(claims())],
      ['another audience', (nonce) => signed(claims({ nonce, aud: 'somebody-else' }))],
      ['a further audience without azp', (nonce) => signed(claims({ nonce, aud: ['lectern', 'somebody-else'] }))],
      ['another issuer', (nonce) => signed(claims({ nonce, iss: 'https://evil.com' }))],
      ['an end that is past', (nonce) => signed(claims({ nonce, iat: 1000, exp: 2000 }))],
      ['no subject', (nonce) => signed(claims({ nonce, sub: '' }))],
      ['an endless subject', (nonce) => signed(claims({ nonce, sub: 'a'.repeat(300) }))],
      ['no ID token', () => ''],
    ])('not with %s', async (_, token) => {
      expect(await resultOf(token)).toBe('provider_error');
    });

    it('not with the response of another issuer, or of none if it must name itself', async () => {
      expect(await resultOf((nonce) => signed(claims({ nonce })), { iss: 'https://evil.com' })).toBe('provider_error');
      expect(await resultOf((nonce) => signed(claims({ nonce })), { iss: null })).toBe('provider_error');
    });

    it('not with the userinfo of another user', async () => {
      providers.dishonest.userinfo = { sub: 'somebody-else', email: ada.email, email_verified: true };
      const withoutEmail = (nonce: string) => {
        const { email: _, ...rest } = claims({ nonce });
        return signed(rest);
      };
      expect(await resultOf(withoutEmail)).toBe('provider_error');
    });
  });

  it('logs no code, token or address', async () => {
    const person = somebody();
    await signIn('company', person.subject);
    await errorAt('company', somebody({ email_verified: false }).subject);
    const log = accounts.server.output.stderr;
    expect(log).toContain('signing in with a provider failed');
    expect(log).toContain('(invalid_grant)');
    expect(log).toContain('"url":"/api/connect/company/callback"');
    expect(log).not.toMatch(/eyJ[\w-]+\.|@example\.org|[?&](code|state|access_token)=/);
  });
});
