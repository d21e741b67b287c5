/** A certified OpenID Connect server, as companies run them, with its own login form. */
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import type { Browser, Page } from './browser.ts';
import { listen } from './listen.ts';

export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly preferred_username?: string;
  readonly name?: string;
}

export interface OidcServer {
  readonly issuer: string;
  /** People who can sign in, by subject; any password is accepted. */
  readonly people: Map<string, Person>;
  close(): Promise<void>;
}

export const clientSecret = 'client-secret-of-the-tests-0123456789';

/** Made once for all servers of this process, as it takes long. */
let keyPair: ReturnType<typeof generateKeyPair> | undefined;

/** Knows one client for each redirect URI: `client-0`, `client-1`, … */
export async function startOidcServer(redirectUris: readonly string[]): Promise<OidcServer> {
  const people = new Map<string, Person>();
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  keyPair ??= generateKeyPair('RS256', { extractable: true });
  const { privateKey } = await keyPair;
  const configuration: Configuration = {
    clients: redirectUris.map((uri, index) => ({
      client_id: `client-${index}`,
      client_secret: clientSecret,
      redirect_uris: [uri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'one' }] },
    cookies: { keys: ['cookie-key-of-the-tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'name'] },
    pkce: { required: () => true },
    ttl: { Grant: 600, Interaction: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
  };
  const provider = quietly(() => new Provider(issuer, configuration));
  server.on('request', provider.callback());
  return { issuer, people, close: () => closed(server) };
}

/** It tells on the console what production would need. */
function quietly<T>(work: () => T): T {
  const { info, warn } = console;
  console.info = console.warn = () => undefined;
  try {
    return work();
  } finally {
    Object.assign(console, { info, warn });
  }
}

export async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Fills in the login form and agrees, until the provider sends the browser elsewhere. */
export async function signInAt(browser: Browser, page: Page, subject: string): Promise<Page> {
  let current = page;
  for (let form = formOf(current); form !== undefined; form = formOf(current)) {
    const fields = form.prompt === 'login' ? { login: subject, password: 'any' } : {};
    current = await browser.go(form.action, { prompt: form.prompt, ...fields });
  }
  return current;
}

function formOf({ url, response }: Page): { readonly action: URL; readonly prompt: string } | undefined {
  const action = /<form[^>]* action="([^"]+)"/.exec(response?.text ?? '')?.[1];
  const prompt = /name="prompt" value="(\w+)"/.exec(response?.text ?? '')?.[1];
  return action === undefined || prompt === undefined ? undefined : { action: new URL(action, url), prompt };
}
