/** Sessions: refreshing, ending and listing them. Only in mode `refresh`. */

import { deviceIdOf } from '../../../accounts/read-body.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { Actor } from '../../../identity/actor.ts';
import type { ActiveSession } from '../../../identity/session-store.ts';
import type { Sessions } from '../../../identity/sessions.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { countCall } from '../../rate-limits/rate-limiter.ts';
import { type Endpoint, type EndpointCall, jsonResponse, parameter } from '../../send-response.ts';
import type { Accounts } from './accounts.ts';
import { cookieHeader, expiredCookieHeader, refreshTokenInCookie, wantsCookie, wantsRepeatable } from './refresh-cookie.ts';

/** Access tokens last ten minutes: this many devices of a user may refresh in one minute. */
const refreshLimit = { limit: 30, milliseconds: 60_000, maxCallers: 10_000 };

export function sessionEndpoints({ config, sessionStore, sessions, usersChanged, counts }: Accounts) {
  const refreshes = counts.limiter('auth', refreshLimit);
  const isOff = config.auth.jwtManagement !== 'refresh';

  function enabledSessions(): Sessions {
    if (isOff) throw ApiError.of('route.not-found');
    if (sessions === undefined) throw ApiError.of('login.no-secret');
    return sessions;
  }

  const refresh: Endpoint = async ({ request, reply }) => {
    const enabled = enabledSessions();
    const body = objectOf(request.body);
    const inCookie = refreshTokenInCookie(request, config);
    const token = inCookie ?? body.refreshToken;
    if (typeof token !== 'string' || token === '') throw ApiError.of('session.no-token');
    const session = await enabled.read(token);
    // Counted by user: many users may share one IP address.
    if (session !== undefined) await countCall(refreshes, `refresh ${session.userId}`, reply);
    const isRepeatable = wantsRepeatable(request);
    const tokens = session && (await enabled.refresh(session, { isRepeatable }));
    if (tokens === undefined) throw ApiError.of('session.invalid-token');
    const { accessToken, refreshToken } = tokens;
    const isHidden = wantsCookie(request, config) || (inCookie !== undefined && config.policies.hideRefreshTokens);
    return {
      ...jsonResponse(isHidden ? { jwt: accessToken } : { jwt: accessToken, refreshToken }),
      // A token from the cookie is used up now: without the next one, the session would be lost.
      ...(isHidden || inCookie !== undefined ? { headers: cookieHeader(refreshToken, request, config) } : {}),
    };
  };

  const logout: Endpoint = async (call) => {
    const { request, actor } = call;
    const enabled = enabledSessions();
    const user = userOf(actor);
    // Refuses foreign pages, before anything has ended.
    const inCookie = refreshTokenInCookie(request, config);
    await endSessions(call, user, enabled);
    usersChanged();
    const hasCookie = wantsCookie(request, config) || inCookie !== undefined;
    return { ...jsonResponse({ ok: true }), ...(hasCookie ? { headers: expiredCookieHeader(request, config) } : {}) };
  };

  /** Ends all sessions, those of a device, or the one of the refresh token or the access token. */
  async function endSessions({ request }: EndpointCall, { userId, sessionId }: User, enabled: Sessions): Promise<void> {
    const body = objectOf(request.body);
    const deviceId = deviceIdOf(body);
    if (body.scope === 'all') return sessionStore.endAll(userId);
    if (deviceId !== undefined) return sessionStore.endAll(userId, deviceId);
    const token = refreshTokenInCookie(request, config) ?? body.refreshToken;
    const named = typeof token === 'string' ? await enabled.read(token) : undefined;
    // A caller cannot end a session by another user's refresh token.
    const current = named?.userId === userId ? named.sessionId : undefined;
    for (const each of new Set([current, sessionId])) if (each !== undefined) await sessionStore.end(each, userId);
  }

  const getSessions: Endpoint = async ({ actor }) => {
    enabledSessions();
    const { userId, sessionId } = userOf(actor);
    const active = await sessionStore.list(userId, Date.now());
    const isCurrent = (each: ActiveSession) => each.sessionId === sessionId;
    // The current session first, then the newest.
    return jsonResponse({
      data: [...active.filter(isCurrent), ...active.filter((each) => !isCurrent(each))].map((each) => shown(each, isCurrent(each))),
    });
  };

  const revokeSession: Endpoint = async ({ request, actor }) => {
    enabledSessions();
    const { userId } = userOf(actor);
    const sessionId = parameter(request, 'sessionId');
    if (sessionId.includes('\0') || !(await sessionStore.end(sessionId, userId))) throw ApiError.of('session.not-found');
    usersChanged();
    return jsonResponse({ data: {} });
  };

  return { refresh, logout, getSessions, revokeSession };
}

type User = Extract<Actor, { kind: 'user' }>;

function userOf(actor: Actor): User {
  if (actor.kind !== 'user') throw ApiError.of('session.no-user');
  return actor;
}

const objectOf = (body: unknown): JsonObject => (isObject(body) ? body : {});

const shown = ({ sessionId, deviceId, metadata, createdAt }: ActiveSession, current: boolean) => ({
  id: sessionId,
  deviceId,
  ...(typeof metadata.deviceName === 'string' ? { deviceName: metadata.deviceName } : {}),
  current,
  ...(typeof metadata.loginAt === 'string' ? { loginAt: metadata.loginAt } : {}),
  lastActiveAt: new Date(createdAt).toISOString(),
});
