/** A provider of OpenID Connect: where it wants users to be sent, and what it says of those who come back. */
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client';
import type { ProviderConfig } from '../config/providers.ts';

/** What ties an answer of the provider to the browser that was sent there. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE, between this server and the provider. */
  readonly verifier: string;
}

export interface Arrival {
  readonly issuer: string;
  /** Never given to anybody else by this issuer. */
  readonly subject: string;
  /** Asks the provider, where the token says too little. Throws a `ProviderFailure`. */
  profile(): Promise<Profile>;
}

export interface Profile {
  readonly email: string | undefined;
  /** Undefined when the provider says nothing about it. */
  readonly emailVerified: boolean | undefined;
  claim(name: string): string | undefined;
}

/** `denied`: by the user. `refused`: the answer is not good. `unavailable`: there is none. */
export class ProviderFailure extends Error {
  readonly reason: 'denied' | 'refused' | 'unavailable';

  constructor(reason: ProviderFailure['reason'], cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'ProviderFailure';
    this.reason = reason;
  }
}

export interface IdentityProvider {
  /** Throws a `ProviderFailure`. */
  departure(): Promise<Attempt & { readonly url: string }>;
  /** `query` is what the provider sent the browser back with. Throws a `ProviderFailure`. */
  arrival(query: string, attempt: Attempt): Promise<Arrival>;
}

/** Seconds until the provider counts as unavailable. */
const patience = 5;
/** Milliseconds that what the provider says of itself is believed. Its keys are looked up more often, by openid-client. */
const discoveredFor = 60 * 60 * 1000;

/** Made with keys that the provider publishes. Not `none`, and nothing that a client secret could sign. */
const signatures: ReadonlySet<string> = new Set('RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '));

/** Loaded when somebody signs in: most servers never need it. */
const openid = () => import('openid-client');

/** `redirectUri` is the address of this server that the provider knows. */
export function createIdentityProvider(provider: ProviderConfig, redirectUri: string): IdentityProvider {
  let discovered: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined;

  /** The start does not wait for providers, and a failure is not kept. */
  function configuration(): Promise<Configuration> {
    if (discovered !== undefined && performance.now() < discovered.until) return discovered.configuration;
    const asked = { configuration: discover(provider), until: performance.now() + discoveredFor };
    discovered = asked;
    asked.configuration.catch(() => {
      if (discovered === asked) discovered = undefined;
    });
    return asked.configuration;
  }

  return {
    departure: () =>
      explained(async () => {
        const client = await openid();
        const attempt = { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
        const url = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: provider.scope,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: 'S256',
        });
        return { ...attempt, url: url.href };
      }),
    arrival: (query, { state, nonce, verifier }) =>
      explained(async () => {
        const client = await openid();
        const known = await configuration();
        // From the configured address and not from `Host`, which a caller chooses.
        const url = new URL(`${redirectUri}?${query}`);
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
        const tokens = await client.authorizationCodeGrant(known, url, checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('no ID token');
        return {
          issuer: claims.iss,
          subject: claims.sub,
          profile: () =>
            explained(async () => {
              const isSaid = (...names: readonly string[]) => names.some((name) => typeof claims[name] === 'string');
              const saysLittle = !isSaid('email') || !isSaid(...provider.usernameClaims);
              const asks = saysLittle && known.serverMetadata().userinfo_endpoint !== undefined;
              return profileOf(claims, asks ? await client.fetchUserInfo(known, tokens.access_token, claims.sub) : undefined);
            }),
        };
      }),
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderConfig): Promise<Configuration> {
  const client = await openid();
  const server = new URL(issuer);
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const { supportsPKCE: _, ...found } = (
    await client.discovery(server, clientId, undefined, client.None(), { timeout: patience, execute })
  ).serverMetadata();
  const offered = found.id_token_signing_alg_values_supported;
  const pinned = {
    ...found,
    id_token_signing_alg_values_supported: (offered ?? ['RS256']).filter((name) => signatures.has(name)),
  };
  const byPost = found.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
  const withSecret = byPost ? client.ClientSecretPost : client.ClientSecretBasic;
  const authentication = clientSecret === undefined ? client.None() : withSecret(clientSecret);
  const configuration = new client.Configuration(pinned, clientId, undefined, authentication);
  configuration.timeout = patience;
  for (const extend of execute) extend(configuration);
  // By itself openid-client trusts the connection that an ID token came by.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** What the token says wins: it is signed. */
function profileOf(claims: IDToken, info: UserInfoResponse | undefined): Profile {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const flag = (value: unknown) => (typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined);
  // An address and the word about it come from one place.
  const source = text(claims.email) === undefined ? info : claims;
  return {
    email: text(source?.email),
    emailVerified: flag(source?.email_verified),
    claim: (name) => text(claims[name]) ?? text(info?.[name]),
  };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderFailure ? error : new ProviderFailure(reasonOf(error), error);
  }
}

function reasonOf(error: unknown): ProviderFailure['reason'] {
  if (!(error instanceof Error)) return 'refused';
  const word = 'error' in error ? error.error : undefined;
  if (word === 'access_denied') return 'denied';
  if (word === 'temporarily_unavailable' || word === 'server_error') return 'unavailable';
  const code = 'code' in error ? error.code : undefined;
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return 'unavailable';
  if (error instanceof TypeError && error.message === 'fetch failed') return 'unavailable';
  return error.cause instanceof Response && error.cause.status >= 500 ? 'unavailable' : 'refused';
}

/** Without what the errors carry: claims, tokens, answers. The provider's own word for its refusal is what an operator looks for. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const told = 'error' in error && typeof error.error === 'string' && /^[\w.-]{1,64}$/.test(error.error) ? ` (${error.error})` : '';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : `${error.message}${told}`;
}
