/** `POST /api/auth/local`. */
import type { FastifyRequest } from 'fastify';
import type { AccessStore } from '../../access/access-store.ts';
import { deviceName } from '../../access/device-name.ts';
import { callerOf, RateLimiter } from '../../access/rate-limiter.ts';
import { createSessions, legacyToken } from '../../access/sessions.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ContentType } from '../../model/content-model.ts';
import type { AnswerRead } from '../../pipeline/call.ts';
import { login, parseLoginBody } from '../../users/login.ts';
import type { Endpoint } from '../answered.ts';

const refreshCookie = 'strapi_up_refresh';

export function loginEndpoint(config: Config, store: AccessStore, userType: ContentType, answer: AnswerRead): Endpoint {
  // By address alone, as recorded: with the identifier in the key a caller would get a fresh count for each name tried.
  const limiter = new RateLimiter({ limit: 10, milliseconds: 60_000, maxCallers: 10_000 });
  const { jwtSecret } = config.secrets;
  const sessions = jwtSecret === undefined ? undefined : createSessions(store, jwtSecret);

  return async ({ request, reply, actor }) => {
    const { allowed, limit, remaining, reset } = limiter.hit(callerOf(request.ip));
    reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset });
    if (!allowed) throw ApiError.of('access.rate-limit', undefined);
    if (jwtSecret === undefined || sessions === undefined) throw ApiError.of('login.no-secret', undefined);

    const body = parseLoginBody(request.body ?? {});
    const userId = await login(body, store);
    const user = await answer({
      type: userType,
      target: { kind: 'one', by: 'id', key: String(userId) },
      query: '',
      actor,
      envelope: 'bare',
    });
    if (user.status !== 200) return user;

    if (config.auth.jwtManagement === 'legacy-support') {
      return { ...user, body: signedIn({ jwt: await legacyToken(userId, jwtSecret) }, user.body) };
    }
    const device = { deviceId: body.deviceId, deviceName: deviceName(request.headers['user-agent'] ?? '') };
    const { accessToken, refreshToken } = await sessions.start(userId, device);
    if (!config.auth.httpOnly && request.headers['x-strapi-refresh-cookie'] !== 'httpOnly') {
      return { ...user, body: signedIn({ jwt: accessToken, refreshToken }, user.body) };
    }
    // Strapi adds a second cookie with a signature by APP_KEYS, which nothing needs for refreshing.
    const cookie = `${refreshCookie}=${refreshToken}; path=/; samesite=lax; httponly${isEncrypted(request) ? '; secure' : ''}`;
    return { ...user, body: signedIn({ jwt: accessToken }, user.body), headers: { 'set-cookie': cookie } };
  };
}

/** The user's own JSON text goes in as it is. */
function signedIn(tokens: Readonly<Record<string, string>>, user: string | Uint8Array): string {
  return `${JSON.stringify(tokens).slice(0, -1)},"user":${typeof user === 'string' ? user : new TextDecoder().decode(user)}}`;
}

/** A proxy that ends TLS says so; a caller who only claims it gets a cookie that its own browser will not send back. */
const isEncrypted = (request: FastifyRequest) => request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https';
