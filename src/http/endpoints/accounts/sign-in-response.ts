/** The response after signing in: tokens, and the user as the caller may see it. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { deviceName } from '../../../identity/device-name.ts';
import { legacyToken, type Sessions } from '../../../identity/sessions.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead } from '../../../pipeline/call.ts';
import { type Restriction, withoutCondition } from '../../../rights/restrictions.ts';
import type { Rights } from '../../../rights/rights.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import type { EndpointCall, EndpointResponse } from '../../send-response.ts';
import { cookieHeader, wantsCookie } from './refresh-cookie.ts';

export interface SignIn {
  readonly user: { readonly id: number; readonly password: string | undefined };
  readonly deviceId: string | undefined;
  /** As recorded: a login with cookies keeps the refresh token out of the body; setting or changing a password does not. */
  readonly inBody: 'always' | 'unless in a cookie';
  /** The query that selects the user's fields. */
  readonly query: string;
}

export interface SignInParts {
  readonly config: Config;
  readonly sessions: Sessions | undefined;
  readonly userType: ContentType;
  readonly answer: AnswerRead;
  readonly restrictionOfOwn: RestrictionOfOwn;
}

/** The restriction on users' reading of themselves after they have signed in. */
export type RestrictionOfOwn = (userId: number) => Promise<Restriction | undefined>;

export const restrictionOfOwnBy =
  (rightsOfUser: (userId: number) => Promise<Rights | undefined>): RestrictionOfOwn =>
  // The user who has just signed in is shown whatever the condition is: the response is about nobody else.
  async (userId) =>
    withoutCondition((await rightsOfUser(userId))?.restriction('plugin::users-permissions.user.me'));

export type SignInResponse = (call: EndpointCall, signIn: SignIn) => Promise<EndpointResponse>;

export function createSignInResponse({ config, sessions, userType, answer, restrictionOfOwn }: SignInParts): SignInResponse {
  const { jwtSecret } = config.secrets;
  return async ({ request, actor, caller }, { user: { id, password }, deviceId, inBody, query }) => {
    if (jwtSecret === undefined || sessions === undefined) throw ApiError.of('login.no-secret');
    const target = { kind: 'one', by: 'id', key: String(id) } as const;
    const user = await answer(
      { type: userType, target, query, actor, restriction: await restrictionOfOwn(id), envelope: 'bare', isAfterWrite: true },
      caller,
    );
    if (user.status !== 200) return user;
    if (config.auth.jwtManagement === 'legacy-support') {
      return { ...user, body: withUser({ jwt: await legacyToken({ id, password }, jwtSecret, config.auth.tokenLifespan) }, user.body) };
    }
    const device = { deviceId, deviceName: deviceName(request.headers['user-agent'] ?? '') };
    const { accessToken, refreshToken } = await sessions.start(id, device);
    const inCookie = wantsCookie(request, config);
    const tokens = inCookie && inBody !== 'always' ? { jwt: accessToken } : { jwt: accessToken, refreshToken };
    return { ...user, body: withUser(tokens, user.body), ...(inCookie ? { headers: cookieHeader(refreshToken, request, config) } : {}) };
  };
}

/** The user's JSON text is inserted as it is. */
export function withUser(members: Readonly<Record<string, string>>, user: string | Uint8Array): string {
  const before = JSON.stringify(members).slice(0, -1);
  return `${before}${before === '{' ? '' : ','}"user":${textOfBody(user)}}`;
}
