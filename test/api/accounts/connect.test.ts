/** Signing in with another provider: whom it lets in, with which account, and what happens while the provider is down. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, ben, signedInBy } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { signInAt } from '../../support/oidc-server.ts';
import { errorOf, type Json } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';
import { app, begin, challengeOf, newVerifier, secondPage, url, useProviders } from '../../support/sign-in-providers.ts';

describe.each(engines)('%s: signing in with another provider', (engine) => {
  // What does not depend on the database.
  const once = it.runIf(anyEngine.includes(engine));
  const providers = useProviders(engine);
  const { accounts, arrive, countOf, errorAt, exchange, newBrowser, signIn, somebody } = providers;
  const userOf = (response: HttpResponse) => (response.json() as { readonly user: Json }).user;
  const ofRole = (type: string) =>
    `up_users_role_lnk l JOIN up_users u ON u.id = l.user_id JOIN up_roles r ON r.id = l.role_id WHERE r.type = '${type}'`;
  /** Two of these wait for seconds: they begin with the first test. */
  async function signInWhileDown(): Promise<void> {
    const began = Date.now();
    const begins = async (name: string) => {
      const { response } = await newBrowser().request(new URL(begin(name, newVerifier())));
      const message = `Signing in with ${name} is not possible now: the provider does not respond correctly`;
      expect(errorOf(response)).toMatchObject({ status: 503, message });
    };
    const returns = async (token: typeof providers.dishonest.token) => {
      const browser = newBrowser();
      const { next } = await browser.request(new URL(begin('dishonest', newVerifier())));
      providers.dishonest.token = token;
      const query = new URLSearchParams({ code: 'a', state: next?.searchParams.get('state') ?? '', iss: providers.dishonest.issuer });
      const { next: back } = await browser.request(new URL(`${url}/api/connect/dishonest/callback?${query}`));
      expect(back?.href).toBe(`${app}?error=provider_unavailable`);
    };
    await returns([503, {}]);
    await Promise.all([begins('gone'), begins('silent'), returns('never')]);
    expect(Date.now() - began).toBeLessThan(10_000);
  }
  let outage: Promise<void>;
  beforeAll(() => {
    outage = anyEngine.includes(engine) ? signInWhileDown() : Promise.resolve();
    // It is awaited by its test.
    outage.catch(() => undefined);
  });

  describe('a normal sign-in', () => {
    once('lists the providers for the buttons of a front end', async () => {
      const { data } = (await accounts.server.get('/api/connect')).json() as { readonly data: readonly Json[] };
      expect(data.slice(0, 2)).toEqual([
        { name: 'company', label: 'Company account' },
        { name: 'partner', label: 'partner' },
      ]);
    });

    it('creates an account, and finds it at the next sign-in', async () => {
      const person = somebody();
      const first = await signIn('company', person.subject);
      expect(first.status).toBe(200);
      expect(first.headers['cache-control']).toBe('no-store');
      const { jwt } = signedInBy(first);
      expect(userOf(first)).toMatchObject({
        username: person.preferred_username,
        email: person.email,
        provider: 'company',
        confirmed: true,
      });
      expect((await accounts.as(jwt, 'GET', '/api/users/me')).json()).toMatchObject({ email: person.email });
      expect(await countOf(`${ofRole('authenticated')} AND u.email = '${person.email}'`)).toBe(1);

      providers.oidc.people.set(person.subject, { email: 'elsewhere@example.org', email_verified: false });
      const second = await signIn('company', person.subject);
      expect(userOf(second).id).toBe(userOf(first).id);
      expect(userOf(second).email).toBe(person.email);
    });

    once('sends the provider only random values, and stores its state in a protected cookie', async () => {
      const browser = newBrowser();
      const { response, next } = await browser.request(new URL(begin('company', newVerifier())));
      expect(response.status).toBe(302);
      expect(response.headers['cache-control']).toBe('no-store');
      const [cookie = ''] = response.headers['set-cookie'] ?? [];
      expect(cookie).toMatch(/^__Host-lectern-connect-company=[\w.-]+; max-age=600; path=\/; samesite=lax; httponly; secure$/);
      expect(Object.fromEntries(next?.searchParams ?? [])).toEqual({
        client_id: 'client-0',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        redirect_uri: `${url}/api/connect/company/callback`,
        response_type: 'code',
        scope: 'openid profile email',
        state: expect.stringMatching(/^[\w-]{43}$/),
      });
    });

    it('gives the front end only a code, and stores only its hash', async () => {
      const browser = newBrowser();
      const { url: back } = await arrive('company', somebody().subject, newVerifier(), browser);
      expect(back.href).toMatch(/^https:\/\/app\.example\.org\/signed-in\?code=[\w-]{43}$/);
      const code = back.searchParams.get('code') ?? '';
      const hash = createHash('sha256').update(code).digest('hex');
      expect(await countOf(`lectern_sign_in_codes WHERE code_hash = '${hash}'`)).toBe(1);
      expect(await countOf(`lectern_sign_in_codes WHERE code_hash = '${code}'`)).toBe(0);
      expect([...(browser.cookies.get('api.example.org') ?? [])]).toEqual([]);
    });

    once('uses the first callback by default, and accepts others that are listed', async () => {
      const { subject } = somebody();
      const verifier = newVerifier();
      const browser = newBrowser();
      const page = await browser.go(`${url}/api/connect/company?code_challenge=${challengeOf(verifier)}&code_challenge_method=S256`);
      expect((await signInAt(browser, page, subject)).url.href).toMatch(app);
      const other = newBrowser();
      const { url: back } = await signInAt(other, await other.go(begin('company', verifier, secondPage)), subject);
      expect(back.href).toMatch(/^http:\/\/localhost:3000\/\?code=/);
    });

    once('sends editors back to the console, which need not be listed', async () => {
      const verifier = newVerifier();
      const browser = newBrowser();
      const page = await browser.go(begin('company', verifier, `${url}/console/signed-in`));
      const { url: back } = await signInAt(browser, page, somebody().subject);
      expect(back.href).toMatch(/^https:\/\/api\.example\.org\/console\/signed-in\?code=[\w-]{43}$/);
      expect((await exchange('company', back.searchParams.get('code'), verifier)).status).toBe(200);
    });

    once('gives the role that is configured', async () => {
      const person = somebody();
      expect((await signIn('partner', person.subject)).status).toBe(200);
      expect(await countOf(`${ofRole('public')} AND u.email = '${person.email}'`)).toBe(1);
    });

    once('makes nobody an administrator', async () => {
      const body = { name: 'Administrator', permissions: {} };
      expect((await accounts.send('full', { method: 'POST', path: '/api/users-permissions/roles', body })).status).toBe(200);
      const allow = ['role', 'allow', 'administrator', 'lectern::management', 'access', '--dir', accounts.project.dir];
      expect(await run(allow, accounts.environment)).toMatchObject({ status: 0 });
      await accounts.withAdvanced({ default_role: 'administrator' }, async () => {
        const person = somebody();
        expect(await errorAt('company', person.subject)).toBe('registration_failed');
        expect(await countOf(`up_users WHERE email = '${person.email}'`)).toBe(0);
      });
    });

    it('creates one account for simultaneous sign-ins of one person', async () => {
      for (let round = 0; round < 2; round++) {
        const person = somebody();
        const all = await Promise.all(Array.from({ length: 4 }, () => signIn('company', person.subject)));
        expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect(await countOf(`up_users WHERE email = '${person.email}'`)).toBe(1);
        expect(await countOf(`lectern_identities WHERE subject = '${person.subject}'`)).toBe(1);
      }
    });

    once.each([
      ['is taken', 'ada', /^ada-\d{4}$/],
      ['is too short', 'x', /^x-\d{4}$/],
      ['is the address of somebody else', 'ben@example.org', /^ben-\d{4}$/],
      ['holds what is no letter', 'eve\u0000\u202e\n', /^eve$/],
      ['is missing', undefined, /^person\d+$/],
    ])('finds another user name where the provider’s %s', async (_, preferred_username, becomes) => {
      const person = preferred_username === undefined ? somebody() : somebody({ preferred_username });
      if (preferred_username === undefined) providers.oidc.people.set(person.subject, { email: person.email ?? '', email_verified: true });
      expect(userOf(await signIn('company', person.subject)).username).toMatch(becomes);
    });

    it('deletes the link to the provider together with the account', async () => {
      const person = somebody();
      const id = Number(userOf(await signIn('company', person.subject)).id);
      expect((await accounts.send('full', { method: 'DELETE', path: `/api/users/${id}` })).status).toBe(200);
      expect(await countOf(`lectern_identities WHERE subject = '${person.subject}'`)).toBe(0);
      expect((await signIn('company', person.subject)).status).toBe(200);
    });

    once('gives one long-lived token in mode legacy-support', async () => {
      const server = await accounts.beside({ LECTERN_AUTH_JWT_MANAGEMENT: 'legacy-support' });
      const verifier = newVerifier();
      const { url: back } = await arrive('company', somebody().subject, verifier, newBrowser(server.base));
      const body = { code: back.searchParams.get('code'), code_verifier: verifier };
      const response = await server.send({ method: 'POST', path: '/api/auth/company/callback', body });
      const { jwt, refreshToken } = response.json() as Json;
      expect(refreshToken).toBeUndefined();
      expect((await server.get('/api/users/me', { Authorization: `Bearer ${String(jwt)}` })).status).toBe(200);
    });
  });

  describe('sign-ins that are refused', () => {
    once('a user who declines at the provider', async () => {
      const browser = newBrowser();
      const { url: form } = await browser.go(begin('company', newVerifier()));
      const { url: back } = await browser.go(`${form.href}/abort`);
      expect(back.href).toBe(`${app}?error=access_denied`);
    });

    it.each([
      ['no address', { email: '' }, 'email_missing'],
      ['an address that the provider has not verified', { email_verified: false }, 'email_unverified'],
      ['the verified address of a local user', { email: ada.email }, 'account_exists'],
      ['the same address in other letter case', { email: 'ADA@Example.org' }, 'account_exists'],
      ['the unverified address of a local user', { email: ada.email, email_verified: false }, 'email_unverified'],
    ] as const)('a new user with %s', async (_, person, error) => {
      const before = await countOf('up_users');
      expect(await errorAt('company', somebody(person).subject)).toBe(error);
      expect(await countOf('up_users')).toBe(before);
    });

    once('a new user, if the provider may not register users; existing users may sign in', async () => {
      expect(await errorAt('closed', somebody().subject)).toBe('registration_closed');
      // Both names stand for one issuer, and the subject is the same person.
      const person = somebody();
      await signIn('company', person.subject);
      expect((await signIn('closed', person.subject)).status).toBe(200);
    });

    once('a new user, while Strapi’s allow_register is off', async () => {
      const known = somebody();
      await signIn('company', known.subject);
      await accounts.withAdvanced({ allow_register: false }, async () => {
        expect(await errorAt('company', somebody().subject)).toBe('registration_closed');
        expect((await signIn('company', known.subject)).status).toBe(200);
      });
    });

    it('a blocked user, before and after the code', async () => {
      const person = somebody();
      await signIn('company', person.subject);
      const verifier = newVerifier();
      const { url: back } = await arrive('company', person.subject, verifier);
      await accounts.change(`UPDATE up_users SET blocked = true WHERE email = '${person.email}'`);
      expect(errorOf(await exchange('company', back.searchParams.get('code'), verifier))).toMatchObject({
        status: 400,
        message: 'Your account has been blocked by an administrator',
      });
      expect(await errorAt('company', person.subject)).toBe('blocked');
    });

    it('the owner of an e-mail address that the local account has not confirmed', async () => {
      expect(await errorAt('trusting', somebody({ email: ben.email }).subject)).toBe('account_exists');
    });

    it('an unverified e-mail address is not linked to a local account, but a verified one is, where linkByEmail allows it and addresses are confirmed', async () => {
      await accounts.withAdvanced({ email_confirmation: true }, async () => {
        expect(await errorAt('trusting', somebody({ email: ben.email, email_verified: false }).subject)).toBe('email_unverified');
        const person = somebody({ email: 'BEN@example.org' });
        expect(userOf(await signIn('trusting', person.subject)).username).toBe(ben.username);
        // From now on by the subject.
        providers.oidc.people.set(person.subject, {});
        expect(userOf(await signIn('company', person.subject)).username).toBe(ben.username);
      });
    });

    it('the owner of an e-mail address that another user has only entered in a local account', async () => {
      await accounts.withAdvanced({ email_confirmation: true }, async () => {
        const role = await accounts.roleId('authenticated');
        const mallory = { username: 'mallory', email: 'mallory@example.org', password: 'Mallory-Pass-1', role, confirmed: true };
        await accounts.send('manager', { method: 'POST', path: '/api/users', body: mallory });
        const path = `/api/users/${await accounts.userId('mallory')}`;
        const change = async (body: Json) => (await accounts.send('manager', { method: 'PUT', path, body })).json();
        expect(await change({ email: mallory.email.toUpperCase() })).toMatchObject({ confirmed: true });
        expect(await change({ email: 'victim@example.org' })).toMatchObject({ confirmed: false });
        expect(await errorAt('trusting', somebody({ email: 'victim@example.org' }).subject)).toBe('account_exists');
        // A caller who manages users may confirm an address.
        expect(await change({ email: 'known@example.org', confirmed: true })).toMatchObject({ confirmed: true });
        expect(userOf(await signIn('trusting', somebody({ email: 'known@example.org' }).subject)).username).toBe('mallory');
      });
    });

    once('but where unique_email is off, a second account with the same e-mail address is created', async () => {
      await accounts.withAdvanced({ unique_email: false }, async () => {
        const response = await signIn('trusting', somebody({ email: ada.email }).subject);
        expect(userOf(response)).toMatchObject({ email: ada.email, provider: 'trusting' });
        expect(userOf(response).username).not.toBe(ada.username);
        expect(await errorAt('trusting', somebody({ email: ada.email }).subject)).toBe('account_exists');
        await accounts.change("DELETE FROM up_users WHERE provider = 'trusting'");
      });
    });

    once('a local sign-in to an account without a password', async () => {
      const person = somebody();
      await signIn('company', person.subject);
      for (const password of ['', 'null', 'undefined', person.subject])
        expect((await accounts.post('/api/auth/local', { identifier: person.email, password })).status).toBe(400);
    });
  });

  once('a provider that is down is a 503 within seconds, or brings the browser back to the front end', () => outage);

  once('does not start in a database without its tables, and says what to do', async () => {
    await accounts.change('DROP TABLE lectern_sign_in_codes');
    const env = { ...accounts.environment, LECTERN_MIGRATE: 'never' };
    for (const command of ['start', 'check']) {
      const { status, stderr } = await run([command, '--dir', accounts.project.dir], env);
      expect(status).toBe(1);
      expect(stderr).toContain(
        'The database has no table "lectern_sign_in_codes", which auth.providers needs. Run `lectern migrate apply`',
      );
    }
    expect((await run(['migrate', 'apply', '--dir', accounts.project.dir], env)).status).toBe(0);
    expect((await run(['check', '--dir', accounts.project.dir], env)).status).toBe(0);
  });
});
