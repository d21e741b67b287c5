/** Signing in with another provider: with a real one, and against one that cheats. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, ben, jwtSecret, newAddress, signedInBy, useAccounts } from '../../support/accounts.ts';
import { Browser, type Page } from '../../support/browser.ts';
import { type DishonestProvider, startDishonestProvider } from '../../support/dishonest-provider.ts';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/http.ts';
import { clientSecret, closed, type OidcServer, type Person, signInAt, startOidcServer } from '../../support/oidc-server.ts';
import { errorOf, type Json } from '../../support/served-project.ts';
import { run, startServer } from '../../support/server.ts';

const url = 'https://api.example.org';
const app = 'https://app.example.org/signed-in';
const secondPage = 'http://localhost:3000/';
const honest = ['company', 'partner', 'trusting', 'closed'] as const;
const saltOfTests = 'small-api-token-salt';

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const newVerifier = () => randomBytes(32).toString('base64url');

async function listening(): Promise<Server> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe.each(engines)('%s: signing in with another provider', (engine) => {
  let oidc: OidcServer;
  let dishonest: DishonestProvider;
  /** Takes requests and never answers. */
  let silent: Server;
  /** Where nobody listens. */
  let nowhere: string;
  beforeAll(async () => {
    oidc = await startOidcServer(honest.map((name) => `${url}/api/connect/${name}/callback`));
    dishonest = await startDishonestProvider();
    silent = await listening();
    const stopped = await listening();
    nowhere = addressOf(stopped);
    await closed(stopped);
  });
  afterAll(async () => {
    await oidc.close();
    await dishonest.close();
    await closed(silent);
  });

  const environment = () => {
    const common = { callbacks: [app, secondPage] };
    const real = (index: number, more: object = {}) => ({ issuer: oidc.issuer, clientId: `client-${index}`, ...common, ...more });
    const providers = {
      company: real(0, { label: 'Company account' }),
      partner: real(1, { role: 'public' }),
      trusting: real(2, { linkByEmail: true, trustEmail: true }),
      closed: real(3, { register: false }),
      dishonest: { issuer: dishonest.issuer, clientId: 'lectern', ...common },
      gone: { issuer: nowhere, clientId: 'lectern', ...common },
      silent: { issuer: addressOf(silent), clientId: 'lectern', ...common },
    };
    const secrets = honest.map((name) => [`LECTERN_AUTH_PROVIDERS_${name.toUpperCase()}_CLIENT_SECRET`, clientSecret]);
    return {
      PUBLIC_URL: url,
      LECTERN_LOG_LEVEL: 'info',
      LECTERN_AUTH_PROVIDERS: JSON.stringify(providers),
      ...Object.fromEntries(secrets),
    };
  };
  const accounts = useAccounts(engine, environment);

  const newBrowser = (base = accounts.server.base) => new Browser({ [url]: base, [oidc.issuer]: oidc.issuer }, newAddress());
  const begin = (provider: string, verifier: string, callback = app) =>
    `${url}/api/connect/${provider}?${new URLSearchParams({ callback, code_challenge: challengeOf(verifier) })}`;
  const exchange = (provider: string, code: string | null, code_verifier: string) =>
    accounts.post(`/api/auth/${provider}/callback`, { code, code_verifier });

  let people = 0;
  /** Somebody whom the provider knows. */
  function somebody(person: Person = {}): { readonly subject: string } & Person {
    people++;
    const subject = `subject-${people}`;
    const whole = { email: `person${people}@example.org`, email_verified: true, preferred_username: `person${people}`, ...person };
    oidc.people.set(subject, whole);
    return { subject, ...whole };
  }

  /** All that a person does; ends at the front end. */
  async function arrive(provider: string, subject: string, verifier = newVerifier(), browser = newBrowser()): Promise<Page> {
    return signInAt(browser, await browser.go(begin(provider, verifier)), subject);
  }
  async function signIn(provider: string, subject: string): Promise<Answer> {
    const verifier = newVerifier();
    const { url: back } = await arrive(provider, subject, verifier);
    expect(back.searchParams.get('error')).toBeNull();
    return exchange(provider, back.searchParams.get('code'), verifier);
  }
  const errorAt = async (provider: string, subject: string) => (await arrive(provider, subject)).url.searchParams.get('error');
  const userOf = (answer: Answer) => (answer.json() as { readonly user: Json }).user;
  const countOf = async (text: string) => Number((await accounts.query(`SELECT COUNT(*) FROM ${text}`))[0]?.[0]);
  const setting = async (change: Json) => {
    const [[text] = []] = await accounts.query(
      "SELECT value FROM strapi_core_store_settings WHERE key = 'plugin_users-permissions_advanced'",
    );
    const before = JSON.parse(String(text)) as Json;
    const write = (value: Json) =>
      accounts.change(
        `UPDATE strapi_core_store_settings SET value = '${JSON.stringify(value)}' WHERE key = 'plugin_users-permissions_advanced'`,
      );
    await write({ ...before, ...change });
    return () => write(before);
  };

  describe('a normal sign-in', () => {
    it('lists the providers for the buttons of a front end', async () => {
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
      const role =
        "up_users_role_lnk l JOIN up_users u ON u.id = l.user_id JOIN up_roles r ON r.id = l.role_id WHERE r.type = 'authenticated'";
      expect(await countOf(`${role} AND u.email = '${person.email}'`)).toBe(1);

      oidc.people.set(person.subject, { email: 'elsewhere@example.org', email_verified: false });
      const second = await signIn('company', person.subject);
      expect(userOf(second).id).toBe(userOf(first).id);
      expect(userOf(second).email).toBe(person.email);
    });

    it('sends the provider only random values, and stores its state in a protected cookie', async () => {
      const browser = newBrowser();
      const { answer, next } = await browser.request(new URL(begin('company', newVerifier())));
      expect(answer.status).toBe(302);
      expect(answer.headers['cache-control']).toBe('no-store');
      const [cookie = ''] = answer.headers['set-cookie'] ?? [];
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

    it('uses the first callback by default, and accepts others that are listed', async () => {
      const { subject } = somebody();
      const verifier = newVerifier();
      const browser = newBrowser();
      const page = await browser.go(`${url}/api/connect/company?code_challenge=${challengeOf(verifier)}&code_challenge_method=S256`);
      expect((await signInAt(browser, page, subject)).url.href).toMatch(app);
      const other = newBrowser();
      const { url: back } = await signInAt(other, await other.go(begin('company', verifier, secondPage)), subject);
      expect(back.href).toMatch(/^http:\/\/localhost:3000\/\?code=/);
    });

    it('gives the role that is configured', async () => {
      const person = somebody();
      expect((await signIn('partner', person.subject)).status).toBe(200);
      const role = "up_users_role_lnk l JOIN up_users u ON u.id = l.user_id JOIN up_roles r ON r.id = l.role_id WHERE r.type = 'public'";
      expect(await countOf(`${role} AND u.email = '${person.email}'`)).toBe(1);
    });

    it('creates one account for simultaneous sign-ins of one person', async () => {
      for (let round = 0; round < 4; round++) {
        const person = somebody();
        const all = await Promise.all(Array.from({ length: 4 }, () => signIn('company', person.subject)));
        expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect(await countOf(`up_users WHERE email = '${person.email}'`)).toBe(1);
        expect(await countOf(`lectern_identities WHERE subject = '${person.subject}'`)).toBe(1);
      }
    });

    it.each([
      ['is taken', 'ada', /^ada-\d{4}$/],
      ['is too short', 'x', /^x-\d{4}$/],
      ['is the address of somebody else', 'ben@example.org', /^ben-\d{4}$/],
      ['holds what is no letter', 'eve\u0000\u202e\n', /^eve$/],
      ['is missing', undefined, /^person\d+$/],
    ])('finds another user name where the provider’s %s', async (_, preferred_username, becomes) => {
      const person = preferred_username === undefined ? somebody() : somebody({ preferred_username });
      if (preferred_username === undefined) oidc.people.set(person.subject, { email: person.email ?? '', email_verified: true });
      expect(userOf(await signIn('company', person.subject)).username).toMatch(becomes);
    });

    it('deletes the link to the provider together with the account', async () => {
      const person = somebody();
      const id = Number(userOf(await signIn('company', person.subject)).id);
      expect((await accounts.send('full', { method: 'DELETE', path: `/api/users/${id}` })).status).toBe(200);
      expect(await countOf(`lectern_identities WHERE subject = '${person.subject}'`)).toBe(0);
      expect((await signIn('company', person.subject)).status).toBe(200);
    });

    it('gives one long-lived token in mode legacy-support', async () => {
      const server = await startServer(accounts.project.dir, {
        ...accounts.project.env,
        ...environment(),
        API_TOKEN_SALT: saltOfTests,
        JWT_SECRET: jwtSecret,
        LECTERN_AUTH_JWT_MANAGEMENT: 'legacy-support',
      });
      try {
        const verifier = newVerifier();
        const { url: back } = await arrive('company', somebody().subject, verifier, newBrowser(server.base));
        const body = { code: back.searchParams.get('code'), code_verifier: verifier };
        const answer = await server.send({ method: 'POST', path: '/api/auth/company/callback', body });
        const { jwt, refreshToken } = answer.json() as Json;
        expect(refreshToken).toBeUndefined();
        expect((await server.get('/api/users/me', { Authorization: `Bearer ${String(jwt)}` })).status).toBe(200);
      } finally {
        await server.stop();
      }
    });
  });

  describe('sign-ins that are refused', () => {
    it('a user who declines at the provider', async () => {
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

    it('a new user, if the provider may not register users; existing users may sign in', async () => {
      expect(await errorAt('closed', somebody().subject)).toBe('registration_closed');
      // Both names stand for one issuer, and the subject is the same person.
      const person = somebody();
      await signIn('company', person.subject);
      expect((await signIn('closed', person.subject)).status).toBe(200);
    });

    it('a new user, while Strapi’s allow_register is off', async () => {
      const known = somebody();
      await signIn('company', known.subject);
      const restore = await setting({ allow_register: false });
      try {
        expect(await errorAt('company', somebody().subject)).toBe('registration_closed');
        expect((await signIn('company', known.subject)).status).toBe(200);
      } finally {
        await restore();
      }
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

    it('an unverified e-mail address is not linked to a local account', async () => {
      const restore = await setting({ email_confirmation: true });
      try {
        expect(await errorAt('trusting', somebody({ email: ben.email, email_verified: false }).subject)).toBe('email_unverified');
      } finally {
        await restore();
      }
    });

    it('but a verified one is, where linkByEmail allows it and addresses are confirmed', async () => {
      const restore = await setting({ email_confirmation: true });
      try {
        const person = somebody({ email: 'BEN@example.org' });
        expect(userOf(await signIn('trusting', person.subject)).username).toBe(ben.username);
        // From now on by the subject.
        oidc.people.set(person.subject, {});
        expect(userOf(await signIn('company', person.subject)).username).toBe(ben.username);
      } finally {
        await restore();
      }
    });

    it('the owner of an e-mail address that another user has only entered in a local account', async () => {
      const restore = await setting({ email_confirmation: true });
      try {
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
      } finally {
        await restore();
      }
    });

    it('but where unique_email is off, a second account with the same e-mail address is created', async () => {
      const restore = await setting({ unique_email: false });
      try {
        const answer = await signIn('trusting', somebody({ email: ada.email }).subject);
        expect(userOf(answer)).toMatchObject({ email: ada.email, provider: 'trusting' });
        expect(userOf(answer).username).not.toBe(ada.username);
        expect(await errorAt('trusting', somebody({ email: ada.email }).subject)).toBe('account_exists');
      } finally {
        await accounts.change("DELETE FROM up_users WHERE provider = 'trusting'");
        await restore();
      }
    });

    it('a local sign-in to an account without a password', async () => {
      const person = somebody();
      await signIn('company', person.subject);
      for (const password of ['', 'null', 'undefined', person.subject])
        expect((await accounts.post('/api/auth/local', { identifier: person.email, password })).status).toBe(400);
    });
  });

  describe('the callback', () => {
    const lookAlikes = [
      'https://app.example.org/signed-in/',
      'https://app.example.org/signed-in?next=/',
      'https://app.example.org/signed-in#a',
      'https://app.example.org/Signed-in',
      'https://app.example.org/signed-in/../signed-in',
      'https://app.example.org/%73igned-in',
      'https://app.example.org%2fsigned-in',
      'https://app.example.org',
      'https://app.example.org/',
      'https://app.example.org./signed-in',
      'https://APP.example.org/signed-in',
      'https://app.example.org:443/signed-in',
      'http://app.example.org/signed-in',
      'https://app.example.org.evil.com/signed-in',
      'https://app.example.org@evil.com/signed-in',
      'https://user:pass@app.example.org/signed-in',
      'https://evil.com/https://app.example.org/signed-in',
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
      const answer = await accounts.server.send({
        path: new URL(begin('company', newVerifier(), callback)).pathname + new URL(begin('company', newVerifier(), callback)).search,
        from: newAddress(),
      });
      expect(answer.headers.location).toBeUndefined();
      expect(errorOf(answer)).toMatchObject({ status: 400, message: 'callback is not one of auth.providers.company.callbacks' });
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
      const answer = await accounts.server.send({ path: `/api/connect/company?${query}`, from: newAddress() });
      expect(errorOf(answer).status).toBe(400);
      expect(errorOf(answer).message).toMatch(message);
    });

    it('answers providers that are not configured as Strapi does', async () => {
      for (const path of [
        '/api/connect/github',
        '/api/connect/github/callback?code=a',
        '/api/connect/constructor',
        '/api/auth/github/callback',
      ])
        expect(errorOf(await accounts.server.send({ path, from: newAddress() }))).toMatchObject({
          status: 400,
          message: 'This provider is disabled',
        });
      expect((await exchange('github', 'a', 'b')).status).toBe(400);
    });

    it('takes no token from a URL', async () => {
      expect((await accounts.server.get('/api/auth/company/callback?access_token=a')).status).toBe(501);
    });
  });

  describe('the return from the provider', () => {
    const notBegun = { status: 400, message: 'This sign-in was not begun in this browser, or too long ago. Begin again' };
    /** Stops at the moment when the provider sends the browser back. */
    async function almostBack(provider: string, subject: string, verifier = newVerifier()) {
      const browser = newBrowser();
      const away = new Browser({ [oidc.issuer]: oidc.issuer }, newAddress());
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
        const { answer } = await browser.request(to);
        expect(answer.headers.location).toBeUndefined();
        expect(errorOf(answer)).toMatchObject(notBegun);
      };
      await refused(
        mine.browser,
        changed(mine.back, (parameters) => parameters.delete('state')),
      );
      await refused(
        mine.browser,
        changed(mine.back, (parameters) => parameters.set('state', 'a'.repeat(43))),
      );
      await refused(
        mine.browser,
        changed(mine.back, (parameters) => parameters.append('state', 'a')),
      );
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
        expect(errorOf((await browser.request(back)).answer)).toMatchObject(notBegun);
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
      expect(errorOf((await browser.request(elsewhere)).answer)).toMatchObject(notBegun);
    });

    it('accepts a provider’s code once, and only from its own issuer', async () => {
      const { browser, back } = await almostBack('company', somebody().subject);
      const twin = browser.copy();
      const other = changed(back, (parameters) => parameters.set('iss', 'https://evil.com'));
      expect((await browser.copy().request(other)).next?.href).toBe(`${app}?error=provider_error`);
      expect((await browser.request(back)).next?.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
      expect(errorOf((await browser.request(back)).answer)).toMatchObject(notBegun);
      expect((await twin.request(back)).next?.href).toBe(`${app}?error=provider_error`);
    });

    it('does not reveal the provider’s errors', async () => {
      const { browser, back } = await almostBack('company', somebody().subject);
      const told = changed(back, (parameters) => {
        parameters.delete('code');
        parameters.set('error', '"><script>');
        parameters.set('error_description', 'secret');
      });
      expect((await browser.request(told)).next?.href).toBe(`${app}?error=provider_error`);
    });
  });

  describe('the code for the front end', () => {
    const refusal = { status: 400, message: 'The code is unknown, used or expired, or code_verifier does not belong to it' };
    async function newCode(provider = 'company') {
      const verifier = newVerifier();
      const { url: back } = await arrive(provider, somebody().subject, verifier);
      return { code: back.searchParams.get('code') ?? '', verifier };
    }

    it('is accepted once', async () => {
      const { code, verifier } = await newCode();
      expect((await exchange('company', code, verifier)).status).toBe(200);
      expect(errorOf(await exchange('company', code, verifier))).toMatchObject(refusal);
    });

    it('is accepted once by two processes, however many requests use it at the same time', async () => {
      const env = { ...accounts.project.env, ...environment(), API_TOKEN_SALT: saltOfTests, JWT_SECRET: jwtSecret };
      const second = await startServer(accounts.project.dir, env);
      try {
        for (let round = 0; round < 5; round++) {
          const { code, verifier } = await newCode();
          const request = { method: 'POST', path: '/api/auth/company/callback', body: { code, code_verifier: verifier } };
          const asked = [accounts.server, second, accounts.server, second].map((server) => server.send({ ...request, from: newAddress() }));
          expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
        }
      } finally {
        await second.stop();
      }
    });

    it('is accepted by its own provider with its own verifier, whatever others tried before', async () => {
      const { code, verifier } = await newCode();
      expect(errorOf(await exchange('partner', code, verifier))).toMatchObject(refusal);
      expect(errorOf(await exchange('company', code, newVerifier()))).toMatchObject(refusal);
      expect(errorOf(await exchange('company', code, challengeOf(verifier)))).toMatchObject(refusal);
      expect((await exchange('company', code, verifier)).status).toBe(200);
    });

    it('is valid for a minute', async () => {
      const { code, verifier } = await newCode();
      const [[expires] = []] = await accounts.query('SELECT MAX(expires_at) FROM lectern_sign_in_codes');
      expect(new Date(expires as string | number).getTime() - Date.now()).toBeLessThanOrEqual(60_000);
      const past = engine === 'sqlite' ? String(Date.now() - 1) : "now() AT TIME ZONE 'UTC' - interval '1 second'";
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
    const claims = (more: JWTPayload = {}): JWTPayload => {
      people++;
      const now = Math.floor(Date.now() / 1000);
      const person = { sub: `cheat-${people}`, email: `cheat${people}@example.org`, email_verified: true, name: `cheat${people}` };
      return { iss: dishonest.issuer, aud: 'lectern', iat: now, exp: now + 60, ...person, ...more };
    };
    const rs256 = { alg: 'RS256', kid: 'one' };
    const signed = (payload: JWTPayload, key: CryptoKey = dishonest.privateKey) => new SignJWT(payload).setProtectedHeader(rs256).sign(key);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = (header: object, payload: JWTPayload) => `${part(header)}.${part(payload)}`;
    const hmac = (payload: JWTPayload, secret: string) => {
      const text = unsigned({ alg: 'HS256', kid: 'one' }, payload);
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };

    /** The result that the front end gets when the provider responds with this token. */
    async function told(
      token: (nonce: string) => string | Promise<string>,
      more: { readonly iss?: string | null } = {},
    ): Promise<string | null> {
      const browser = newBrowser();
      const { next } = await browser.request(new URL(begin('dishonest', newVerifier())));
      const id_token = await token(next?.searchParams.get('nonce') ?? '');
      dishonest.token = [200, { access_token: 'a', token_type: 'Bearer', ...(id_token === '' ? {} : { id_token }) }];
      const iss = more.iss === undefined ? dishonest.issuer : more.iss;
      const query = { code: 'a', state: next?.searchParams.get('state') ?? '', ...(iss === null ? {} : { iss }) };
      const { next: back } = await browser.request(new URL(`${url}/api/connect/dishonest/callback?${new URLSearchParams(query)}`));
      return back?.searchParams.get('error') ?? (back?.searchParams.has('code') ? 'in' : null);
    }

    it('signs a user in while it is honest', async () => {
      expect(await told((nonce) => signed(claims({ nonce })))).toBe('in');
    });

    it.each<[string, (nonce: string) => string | Promise<string>]>([
      ['alg none', (nonce) => `${unsigned({ alg: 'none' }, claims({ nonce }))}.`],
      ['alg None', (nonce) => `${unsigned({ alg: 'None' }, claims({ nonce }))}.`],
      ['no signature', async (nonce) => `${(await signed(claims({ nonce }))).split('.').slice(0, 2).join('.')}.`],
      ['a foreign key', async (nonce) => signed(claims({ nonce }), (await generateKeyPair('RS256')).privateKey)],
      ['HS256 by the client id', (nonce) => hmac(claims({ nonce }), 'lectern')],
      ['HS256 by the public key', (nonce) => hmac(claims({ nonce }), JSON.stringify(dishonest.publicKey))],
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
      expect(await told(token)).toBe('provider_error');
    });

    it('not with the response of another issuer, or of none if it must name itself', async () => {
      expect(await told((nonce) => signed(claims({ nonce })), { iss: 'https://evil.com' })).toBe('provider_error');
      expect(await told((nonce) => signed(claims({ nonce })), { iss: null })).toBe('provider_error');
    });

    it('not with the userinfo of another user', async () => {
      dishonest.userinfo = { sub: 'somebody-else', email: ada.email, email_verified: true };
      const withoutEmail = (nonce: string) => {
        const { email: _, ...rest } = claims({ nonce });
        return signed(rest);
      };
      expect(await told(withoutEmail)).toBe('provider_error');
    });
  });

  describe('a provider that is down', () => {
    it.each(['gone', 'silent'])('is a 503 within seconds (%s)', async (name) => {
      const started = Date.now();
      const { answer } = await newBrowser().request(new URL(begin(name, newVerifier())));
      expect(errorOf(answer)).toMatchObject({
        status: 503,
        message: `Signing in with ${name} is not possible now: the provider does not answer as it should`,
      });
      expect(Date.now() - started).toBeLessThan(10_000);
    });

    it.each(['an error', 'never'])('brings the browser back to the front end when its answer is %s', async (kind) => {
      const browser = newBrowser();
      const { next } = await browser.request(new URL(begin('dishonest', newVerifier())));
      dishonest.token = kind === 'never' ? 'never' : [503, {}];
      const query = new URLSearchParams({ code: 'a', state: next?.searchParams.get('state') ?? '', iss: dishonest.issuer });
      const { next: back } = await browser.request(new URL(`${url}/api/connect/dishonest/callback?${query}`));
      expect(back?.href).toBe(`${app}?error=provider_unavailable`);
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
    expect(log).not.toMatch(/eyJ|@example\.org|[?&](code|state|access_token)=/);
  });

  it('does not start in a database without its tables, and says what to do', async () => {
    await accounts.change('DROP TABLE lectern_sign_in_codes');
    const env = { ...accounts.project.env, ...environment(), JWT_SECRET: jwtSecret, LECTERN_MIGRATE: 'never' };
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
