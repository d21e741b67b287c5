/** The session: an access token in memory, and a refresh token in a cookie that no script can read. */
import { settings } from './settings.ts';
import { isOwners, token } from './token.ts';

const sessionKey = 'lectern-console-session';
/** `tab` or `kept`: that there is a cookie, and whether it outlives the browser, which the server is
 *  to be told with each refresh. Not a secret. */
const kind = () => localStorage.getItem(sessionKey);

const cookieHeaders = (): Record<string, string> => ({
  'Content-Type': 'application/json',
  'X-Strapi-Refresh-Cookie': 'httpOnly',
  // Either value says that a refresh may be repeated: a page that is left does not see the response.
  'X-Lectern-Keep-Session': String(kind() === 'kept'),
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response | undefined> =>
  fetch(`${settings.value.prefix}${path}`, {
    method: 'POST',
    headers: { ...cookieHeaders(), ...headers },
    body: JSON.stringify(body),
  }).catch(() => undefined);

/** Milliseconds between attempts: a server that restarts still knows the session. */
const pauses = [500, 2000];

let refreshing: Promise<boolean> | undefined;

/** Resolves with whether there is a session. Requests and tabs do it one after the other, since a
 *  refresh token is valid once. */
export function refresh(): Promise<boolean> {
  if (kind() === null) return Promise.resolve(false);
  refreshing ??= renew().finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

async function renew(): Promise<boolean> {
  const ask = async () => {
    const before = token.value;
    let response = await post('/auth/refresh', {});
    for (const pause of pauses) {
      if (response !== undefined && response.status < 500) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
      response = await post('/auth/refresh', {});
    }
    const body = await response?.json().catch(() => undefined);
    if (response?.ok === true && typeof body?.jwt === 'string') {
      // In another tab somebody else has signed in, whose name the work here must not get.
      if (!isOwners(body.jwt)) return false;
      token.value = body.jwt;
      return true;
    }
    // A server that did not respond may still know the session, and the user may have signed in
    // again meanwhile.
    if (response !== undefined && response.status < 500 && token.value === before) localStorage.removeItem(sessionKey);
    return false;
  };
  // Without TLS, browsers have no locks.
  return navigator.locks === undefined ? ask() : navigator.locks.request('lectern-console-refresh', ask);
}

/** Resolves with why it failed; undefined if it did not. */
export async function signIn(identifier: string, password: string, keep: boolean): Promise<string | undefined> {
  localStorage.setItem(sessionKey, keep ? 'kept' : 'tab');
  return takeTokens(await post('/auth/local', { identifier, password }));
}

export async function exchangeCode(provider: string, code: string, verifier: string): Promise<string | undefined> {
  return takeTokens(await post(`/auth/${encodeURIComponent(provider)}/callback`, { code, code_verifier: verifier }));
}

export async function setPassword(code: string, password: string): Promise<string | undefined> {
  return takeTokens(await post('/auth/reset-password', { code, password, passwordConfirmation: password }));
}

/** All other sessions end, and this one goes on with new tokens. */
export async function changePassword(currentPassword: string, password: string): Promise<string | undefined> {
  const send = () =>
    post(
      '/auth/change-password',
      { currentPassword, password, passwordConfirmation: password },
      { Authorization: `Bearer ${token.value}` },
    );
  let response = await send();
  if (response?.status === 401 && (await refresh())) response = await send();
  return takeTokens(response);
}

export async function sendResetMail(email: string): Promise<string | undefined> {
  const response = await post('/auth/forgot-password', { email });
  return response?.ok ? undefined : messageOf(response, await response?.json().catch(() => undefined));
}

async function takeTokens(response: Response | undefined): Promise<string | undefined> {
  const body = await response?.json().catch(() => undefined);
  if (response?.ok !== true || typeof body?.jwt !== 'string') return messageOf(response, body);
  token.value = body.jwt;
  if (settings.value.session?.mode !== 'refresh') localStorage.removeItem(sessionKey);
  else if (kind() === null) localStorage.setItem(sessionKey, 'tab');
  return undefined;
}

function messageOf(response: Response | undefined, body: { readonly error?: { readonly message?: string } } | undefined): string {
  return body?.error?.message ?? (response === undefined ? 'The server did not respond.' : `HTTP ${response.status}`);
}

export async function signOut(): Promise<void> {
  const logout = () => post('/auth/logout', {}, { Authorization: `Bearer ${token.value}` });
  if (kind() !== null) {
    const response = await logout();
    // An access token that has expired ends nothing, while the cookie would go on.
    if (response?.status === 401 && (await refresh())) await logout();
  }
  forgetSession();
}

/** After all sessions have been ended at the server. */
export function forgetSession(): void {
  localStorage.removeItem(sessionKey);
  token.value = '';
}
