/** A project whose users sign in with other providers: honest ones, one that cheats and some that are down. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Accounts, newAddress, useAccounts } from './accounts.ts';
import { Browser, type Page } from './browser.ts';
import { type DishonestProvider, startDishonestProvider } from './dishonest-provider.ts';
import type { EngineName } from './engines.ts';
import type { HttpResponse } from './http.ts';
import { listen } from './listen.ts';
import { clientSecret, closed, type OidcServer, type Person, signInAt, startOidcServer } from './oidc-server.ts';
import { useMade } from './use-made.ts';

/** `PUBLIC_URL` of the server. */
export const url = 'https://api.example.org';
/** The callback URLs of the front end. */
export const app = 'https://app.example.org/signed-in';
export const secondPage = 'http://localhost:3000/';
const honest = ['company', 'partner', 'trusting', 'closed'] as const;

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
export const newVerifier = () => randomBytes(32).toString('base64url');
/** The URL at which a browser begins to sign in. */
export const begin = (provider: string, verifier: string, callback = app) =>
  `${url}/api/connect/${provider}?${new URLSearchParams({ callback, code_challenge: challengeOf(verifier) })}`;

export interface Providers {
  readonly accounts: Accounts;
  /** The server behind the honest providers. */
  readonly oidc: OidcServer;
  readonly dishonest: DishonestProvider;
  newBrowser(base?: string): Browser;
  /** Sends the code to the endpoint that gives a token for it. */
  exchange(provider: string, code: string | null, verifier: string): Promise<HttpResponse>;
  /** Somebody whom the provider knows. */
  somebody(person?: Person): { readonly subject: string } & Person;
  /** All that a person does; ends at the front end. */
  arrive(provider: string, subject: string, verifier?: string, browser?: Browser): Promise<Page>;
  /** The response with the token. */
  signIn(provider: string, subject: string): Promise<HttpResponse>;
  /** The error that the front end gets. */
  errorAt(provider: string, subject: string): Promise<string | null>;
  /** Counts the rows of `FROM <text>`. */
  countOf(text: string): Promise<number>;
}

/** Called in the body of a `describe`. */
export function useProviders(engine: EngineName): Providers {
  const oidc = useMade(() => startOidcServer(honest.map((name) => `${url}/api/connect/${name}/callback`)));
  const dishonest = useMade(startDishonestProvider);
  /** Accepts requests and never responds. */
  let silent: Server;
  let silentUrl: string;
  /** Where nobody listens. */
  let nowhere: string;
  beforeAll(async () => {
    silent = createServer(() => undefined);
    silentUrl = `http://127.0.0.1:${await listen(silent)}`;
    const stopped = createServer();
    nowhere = `http://127.0.0.1:${await listen(stopped)}`;
    await closed(stopped);
  });
  afterAll(() => closed(silent));

  const environment = () => {
    const common = { callbacks: [app, secondPage] };
    const real = (index: number, more: object = {}) => ({ issuer: oidc().issuer, clientId: `client-${index}`, ...common, ...more });
    const configured = {
      company: real(0, { label: 'Company account' }),
      partner: real(1, { role: 'public' }),
      trusting: real(2, { linkByEmail: true, trustEmail: true }),
      closed: real(3, { register: false }),
      dishonest: { issuer: dishonest().issuer, clientId: 'lectern', ...common },
      gone: { issuer: nowhere, clientId: 'lectern', ...common },
      silent: { issuer: silentUrl, clientId: 'lectern', ...common },
    };
    const secrets = honest.map((name) => [`LECTERN_AUTH_PROVIDERS_${name.toUpperCase()}_CLIENT_SECRET`, clientSecret]);
    return {
      PUBLIC_URL: url,
      LECTERN_LOG_LEVEL: 'info',
      LECTERN_AUTH_PROVIDERS: JSON.stringify(configured),
      ...Object.fromEntries(secrets),
    };
  };
  const accounts = useAccounts(engine, environment);

  let people = 0;
  const providers: Providers = {
    accounts,
    get oidc() {
      return oidc();
    },
    get dishonest() {
      return dishonest();
    },
    newBrowser: (base = accounts.server.base) => new Browser({ [url]: base, [oidc().issuer]: oidc().issuer }, newAddress()),
    exchange: (provider, code, code_verifier) => accounts.post(`/api/auth/${provider}/callback`, { code, code_verifier }),
    somebody(person = {}) {
      people++;
      const subject = `subject-${people}`;
      const whole = { email: `person${people}@example.org`, email_verified: true, preferred_username: `person${people}`, ...person };
      oidc().people.set(subject, whole);
      return { subject, ...whole };
    },
    arrive: async (provider, subject, verifier = newVerifier(), browser = providers.newBrowser()) =>
      signInAt(browser, await browser.go(begin(provider, verifier)), subject),
    async signIn(provider, subject) {
      const verifier = newVerifier();
      const { url: back } = await providers.arrive(provider, subject, verifier);
      expect(back.searchParams.get('error')).toBeNull();
      return providers.exchange(provider, back.searchParams.get('code'), verifier);
    },
    errorAt: async (provider, subject) => (await providers.arrive(provider, subject)).url.searchParams.get('error'),
    countOf: async (text) => Number((await accounts.query(`SELECT COUNT(*) FROM ${text}`))[0]?.[0]),
  };
  return providers;
}
