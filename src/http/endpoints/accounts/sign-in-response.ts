/** The response after signing in: tokens, and the user as the caller may see it. */
import { ApiError } from '../../../errors/api-error.ts';
import { deviceName } from '../../../identity/device-name.ts';
import { legacyToken } from '../../../identity/sessions.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import { answerRow } from '../rows.ts';
import type { Accounts, SignInResponse } from './accounts.ts';
import { cookieHeader, wantsCookie } from './refresh-cookie.ts';

type Parts = Pick<Accounts, 'config' | 'sessions' | 'userType' | 'answer' | 'restrictionOfOwn'>;

export function createSignInResponse({ config, sessions, userType, answer, restrictionOfOwn }: Parts): SignInResponse {
  const { jwtSecret } = config.secrets;
  return async (call, { user: signingIn, deviceId, inBody, query }) => {
    const { request } = call;
    if (jwtSecret === undefined || sessions === undefined) throw ApiError.of('login.no-secret');
    const ofUser = { ...call, query, restriction: await restrictionOfOwn(signingIn.id) };
    const user = await answerRow(answer, userType, signingIn.id, ofUser, { isAfterWrite: true });
    if (user.status !== 200) return user;
    if (config.auth.jwtManagement === 'legacy-support') {
      return { ...user, body: withUser({ jwt: await legacyToken(signingIn, jwtSecret, config.auth.tokenLifespan) }, user.body) };
    }
    const device = { deviceId, deviceName: deviceName(request.headers['user-agent'] ?? '') };
    const { accessToken, refreshToken } = await sessions.start(signingIn, device);
    const inCookie = wantsCookie(request, config);
    const isHidden = inCookie && (inBody !== 'always' || config.policies.hideRefreshTokens);
    const tokens = isHidden ? { jwt: accessToken } : { jwt: accessToken, refreshToken };
    return { ...user, body: withUser(tokens, user.body), ...(inCookie ? { headers: cookieHeader(refreshToken, request, config) } : {}) };
  };
}

/** The user's JSON text is inserted as it is. */
export function withUser(members: Readonly<Record<string, string>>, user: string | Uint8Array): string {
  const before = JSON.stringify(members).slice(0, -1);
  return `${before}${before === '{' ? '' : ','}"user":${textOfBody(user)}}`;
}
