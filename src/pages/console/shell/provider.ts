/** Signing in with an OpenID provider (docs/access.md), in a window of its own, so that the page and
 *  the work on it stay. */
import type { ConsoleProvider } from '../../../http/site/console/console-settings.ts';
import { exchangeCode } from '../server/session.ts';
import { settings } from '../server/settings.ts';
import { token } from '../server/token.ts';

const verifierKey = 'lectern-console-verifier';
const channel = () => new BroadcastChannel('lectern-console-sign-in');

/** What the server says in `error` (docs/access.md). */
const reasons: ReadonlySet<string> = new Set([
  'access_denied',
  'provider_error',
  'provider_unavailable',
  'email_missing',
  'email_unverified',
  'account_exists',
  'registration_closed',
  'registration_failed',
  'blocked',
  'unconfirmed',
]);

interface Verifier {
  readonly provider: string;
  readonly verifier: string;
}

/** What the other window has found. */
interface Outcome {
  /** Why it failed. */
  readonly problem: string | undefined;
  /** Without cookies (`legacy-support`), there is nothing else by which the page could go on. */
  readonly jwt: string;
}

/** Resolves when the user has signed in in the other window, with why it failed. */
export async function openProvider({ name: provider, callback }: ConsoleProvider): Promise<string | undefined> {
  // At once: browsers permit windows only while they handle a click.
  const opened = open('about:blank', '_blank');
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const challenge = base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
  // Not a secret of the session: of use only once, together with a code for this browser.
  localStorage.setItem(verifierKey, JSON.stringify({ provider, verifier } satisfies Verifier));
  const query = new URLSearchParams({ callback, code_challenge: challenge });
  const url = `${settings.value.prefix}/connect/${encodeURIComponent(provider)}?${query}`;
  if (opened === null) location.assign(url);
  else opened.location.href = url;
  return new Promise((resolve) => {
    const messages = channel();
    messages.onmessage = ({ data }: MessageEvent<Outcome>) => {
      messages.close();
      if (data.problem === undefined) token.value = data.jwt;
      resolve(data.problem);
    };
  });
}

/** In the window to which the provider led back. Resolves with why it failed. */
export async function finishProvider(query: URLSearchParams): Promise<string | undefined> {
  const problem = await exchange(query);
  const messages = channel();
  messages.postMessage({ problem, jwt: token.value } satisfies Outcome);
  messages.close();
  return problem;
}

async function exchange(query: URLSearchParams): Promise<string | undefined> {
  const stored: Verifier | null = JSON.parse(localStorage.getItem(verifierKey) ?? 'null');
  const [code, error] = [query.get('code'), query.get('error')];
  // Any link can lead here, with any text.
  if (error !== null) return reasons.has(error) ? error : 'provider_error';
  if (code === null || stored === null) return 'provider_error';
  localStorage.removeItem(verifierKey);
  return exchangeCode(stored.provider, code, stored.verifier);
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
