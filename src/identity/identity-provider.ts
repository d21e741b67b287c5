/** An OpenID Connect provider: the URL to send users to, and the claims about users who return. */
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client';
import type { ProviderConfig } from '../config/providers.ts';

/** Values that tie a response of the provider to the browser that was sent there. */
export interface AuthorizationChecks {
  readonly state: string;
  readonly nonce: string;
  /** PKCE's verifier between this server and the provider. */
  readonly verifier: string;
}

export interface ProviderIdentity {
  readonly issuer: string;
  /** Unique at this issuer, and never reassigned. */
  readonly subject: string;
  /** Queries the provider when the token has too few claims. Throws a `ProviderFailure`. */
  profile(): Promise<ProviderProfile>;
}

export interface ProviderProfile {
  readonly email: string | undefined;
  /** Undefined when the provider does not state it. */
  readonly emailVerified: boolean | undefined;
  claim(name: string): string | undefined;
}

/** `denied`: by the user. `refused`: the response is invalid. `unavailable`: there is none. */
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
  authorizationUrl(): Promise<AuthorizationChecks & { readonly url: string }>;
  /** `query` is that of the redirect from the provider. Throws a `ProviderFailure`. */
  identify(query: string, checks: AuthorizationChecks): Promise<ProviderIdentity>;
}

/** Seconds until the provider counts as unavailable. */
const timeout = 5;
/** Milliseconds for which the provider's metadata is cached; keys are fetched more often. */
const metadataLifetime = 60 * 60 * 1000;

/** Algorithms whose keys the provider publishes: no client secret can sign with them. */
const signatures: ReadonlySet<string> = new Set('RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '));

/** Loaded when somebody signs in: most servers never need it. */
const openid = () => import('openid-client');

/** `redirectUri` is the URL of this server that is registered at the provider. */
export function createIdentityProvider(provider: ProviderConfig, redirectUri: string): IdentityProvider {
  let discovered: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined;

  /** The start does not wait for providers, and a failure is not cached. */
  function configuration(): Promise<Configuration> {
    if (discovered !== undefined && performance.now() < discovered.until) return discovered.configuration;
    const discovery = { configuration: discover(provider), until: performance.now() + metadataLifetime };
    discovered = discovery;
    discovery.configuration.catch(() => {
      if (discovered === discovery) discovered = undefined;
    });
    return discovery.configuration;
  }

  return {
    authorizationUrl: () =>
      explained(async () => {
        const client = await openid();
        const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
        const url = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: provider.scope,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
        });
        return { ...checks, url: url.href };
      }),
    identify: (query, { state, nonce, verifier }) =>
      explained(async () => {
        const client = await openid();
        const known = await configuration();
        // From the configured URL and not from `Host`, which a caller chooses.
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
              const isClaimed = (...names: readonly string[]) => names.some((name) => typeof claims[name] === 'string');
              const lacksClaims = !isClaimed('email') || !isClaimed(...provider.usernameClaims);
              const asks = lacksClaims && known.serverMetadata().userinfo_endpoint !== undefined;
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
    await client.discovery(server, clientId, undefined, client.None(), { timeout, execute })
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
  configuration.timeout = timeout;
  for (const extend of execute) extend(configuration);
  // Without this, openid-client does not verify ID tokens that it received over TLS.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** The token's claims take precedence: they are signed. */
function profileOf(claims: IDToken, info: UserInfoResponse | undefined): ProviderProfile {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const flag = (value: unknown) => (typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined);
  // The e-mail and its verification must come from the same source.
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

/** Without claims, tokens and responses. Operators look for the provider's code of its refusal. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'error' in error && typeof error.error === 'string' && /^[\w.-]{1,64}$/.test(error.error) ? ` (${error.error})` : '';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : `${error.message}${code}`;
}
