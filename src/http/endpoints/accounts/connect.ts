/** Signing in with another provider: `GET /api/connect/:provider` redirects to it, `…/callback`
 *  back to the front end with a code, and `POST /api/auth/:provider/callback` redeems the code. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { bodyObject, deviceIdOf, readFields } from '../../../accounts/read-body.ts';
import { consoleCallback } from '../../../config/console-pages.ts';
import type { ProviderConfig } from '../../../config/providers.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { clockSkew } from '../../../identity/clock-skew.ts';
import { createConnectCookies, type PendingSignIn } from '../../../identity/connect-cookie.ts';
import { createIdentityProvider, type IdentityProvider, ProviderFailure } from '../../../identity/identity-provider.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, jsonResponse, parameter } from '../../send-response.ts';
import type { Accounts } from './accounts.ts';
import { type ConnectError, ConnectRefusal, createProviderAccount } from './provider-account.ts';

/** Milliseconds. The front end exchanges a code as soon as its page loads; the clock of the server
 *  that gets the code may be ahead of that of the server that made it. */
const codeLifetime = 60_000 + clockSkew * 1000;
const noStore = { 'cache-control': 'no-store' };

interface Connected {
  readonly settings: ProviderConfig;
  readonly provider: IdentityProvider;
}

/** `otherProvider`: Strapi's response for a provider that is not configured. */
export function connectEndpoints(accounts: Accounts, otherProvider: Endpoint) {
  const { config, identities, store, answerSignIn, requireTokens } = accounts;
  const base = config.url ?? '';
  const { prefix } = config.api;
  const consoleCallbacks = [consoleCallback(config) ?? []].flat();
  const accountOf = createProviderAccount(accounts);
  const cookies = createConnectCookies(config.secrets.jwtSecret ?? '', base.startsWith('https:'));
  const providers = new Map(
    Object.values(config.auth.providers)
      .map((settings) => ({ ...settings, callbacks: [...settings.callbacks, ...consoleCallbacks] }))
      .map((settings): [string, Connected] => [
        settings.name,
        { settings, provider: createIdentityProvider(settings, `${base}${prefix}/connect/${settings.name}/callback`) },
      ]),
  );

  const listed: Endpoint = () => jsonResponse({ data: [...providers.values()].map(({ settings: { name, label } }) => ({ name, label })) });

  /** Wraps an endpoint for configured providers. */
  const at =
    (endpoint: (call: EndpointCall, connected: Connected) => Promise<EndpointResponse>): Endpoint =>
    (call) => {
      const connected = providers.get(parameter(call.request, 'provider'));
      return connected === undefined ? otherProvider(call) : endpoint(call, connected);
    };

  const begin = at(async ({ query, request }, { settings, provider }) => {
    const { callback, challenge } = readSignInRequest(query, settings);
    try {
      const { url, ...checks } = await provider.authorizationUrl();
      const cookie = await cookies.header({ ...checks, provider: settings.name, callback, challenge });
      return redirect(url, cookie);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      request.log.error({ provider: settings.name, reason: error.message }, 'a provider cannot be used');
      throw ApiError.of('connect.unavailable', { provider: settings.name });
    }
  });

  const comeBack = at(async ({ query, request, actor }, { settings, provider }) => {
    const { name, callbacks } = settings;
    const pending = await cookies.read(request.headers.cookie, name);
    if (pending === undefined || !hasState(pending, query) || !callbacks.includes(pending.callback)) {
      throw ApiError.of('connect.not-begun');
    }
    const back = (key: 'code' | 'error', value: string) => redirect(`${pending.callback}?${key}=${value}`, cookies.expired(name));
    try {
      const userId = await accountOf(settings, await provider.identify(query, pending), actor);
      const code = randomBytes(32).toString('base64url');
      const { challenge } = pending;
      await identities.addCode(code, { provider: name, challenge, userId, expiresAt: Date.now() + codeLifetime });
      return back('code', code);
    } catch (error) {
      if (!(error instanceof ConnectRefusal || error instanceof ProviderFailure)) throw error;
      const errorCode = error instanceof ConnectRefusal ? error.error : providerErrors[error.reason];
      request.log.warn({ provider: name, error: errorCode, reason: error.message }, 'signing in with a provider failed');
      return back('error', errorCode);
    }
  });

  const exchange = at(async (call, { settings }) => {
    const { body } = call.request;
    const { code, code_verifier } = readFields(body, { code: 'text', code_verifier: 'text' });
    requireTokens();
    const taken = await identities.takeCode(code, { provider: settings.name, challenge: challengeOf(code_verifier) });
    if (taken === undefined || taken.expiresAt <= Date.now()) throw ApiError.of('connect.code');
    const user = await store.user(taken.userId);
    if (user === undefined) throw ApiError.of('connect.code');
    if (user.blocked) throw ApiError.of('login.blocked');
    const deviceId = deviceIdOf(bodyObject(body));
    const response = await answerSignIn(call, { user, deviceId, inBody: 'unless in a cookie', query: '' });
    return { ...response, headers: { ...response.headers, ...noStore } };
  });

  const tokenInUrl = at(async (_, { settings: { name } }) => {
    throw ApiError.of('endpoint.not-served', { instead: `sign in at ${prefix}/connect/${name}` });
  });

  return { listed, begin, comeBack, exchange, tokenInUrl };
}

const providerErrors: Readonly<Record<ProviderFailure['reason'], ConnectError>> = {
  denied: 'access_denied',
  refused: 'provider_error',
  unavailable: 'provider_unavailable',
};

const redirect = (location: string, cookie: string): EndpointResponse => ({
  status: 302,
  body: null,
  headers: { ...noStore, location, 'set-cookie': cookie },
});

const signInParameters = ['callback', 'code_challenge', 'code_challenge_method'];

/** The front end's parameters of `GET /api/connect/:provider`. */
function readSignInRequest(query: string, { name, callbacks }: ProviderConfig): Pick<PendingSignIn, 'callback' | 'challenge'> {
  const parameters = new URLSearchParams(query);
  const wrong = (key: string, problem: string) => ApiError.of('connect.parameter', { parameter: key.slice(0, 100), problem });
  for (const key of parameters.keys()) {
    if (!signInParameters.includes(key)) throw wrong(key, `is not one of ${signInParameters.join(', ')}`);
    if (parameters.getAll(key).length > 1) throw wrong(key, 'stands there more than once');
  }
  // Compared exactly (RFC 9700, 2.1): two programs could parse other spellings differently.
  const callback = parameters.get('callback') ?? callbacks[0] ?? '';
  if (!callbacks.includes(callback)) throw wrong('callback', `is not one of auth.providers.${name}.callbacks`);
  const challenge = parameters.get('code_challenge') ?? '';
  if (!/^[\w-]{43}$/.test(challenge)) throw wrong('code_challenge', 'must be the SHA-256 of a code verifier in base64url, 43 characters');
  if ((parameters.get('code_challenge_method') ?? 'S256') !== 'S256') throw wrong('code_challenge_method', 'must be S256');
  return { callback, challenge };
}

function hasState({ state }: PendingSignIn, query: string): boolean {
  const states = new URLSearchParams(query).getAll('state');
  return states.length === 1 && areEqual(states[0] ?? '', state);
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

function areEqual(one: string, other: string): boolean {
  const bytes = [Buffer.from(one), Buffer.from(other)] as const;
  return bytes[0].length === bytes[1].length && timingSafeEqual(...bytes);
}
