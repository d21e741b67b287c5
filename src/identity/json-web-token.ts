/** The tokens of signed-in users, as Strapi makes them: HS256 with `jwtSecret`. */
import { isRowId } from '../text/row-id.ts';
import { clockSkew } from './clock-skew.ts';

export interface VerifiedUserToken {
  readonly userId: number;
  /** The row of `strapi_sessions` behind the token, in mode `refresh`. */
  readonly sessionId: string | undefined;
  /** For a token of mode `legacy-support`: changes with the password (`passwordKey`). */
  readonly passwordKey: string | undefined;
  /** Milliseconds since the epoch; infinite for a token that never expires. */
  readonly expiresAt: number;
}

type JwtManagement = 'refresh' | 'legacy-support';

/** Undefined for a token that is not valid in the mode: expired, a refresh token, … */
export async function verifyUserToken(token: string, secret: string, mode: JwtManagement): Promise<VerifiedUserToken | undefined> {
  const payload = await verifiedPayload(token, secret);
  if (payload === undefined) return undefined;
  const expiresAt = typeof payload.exp === 'number' ? payload.exp * 1000 : Number.POSITIVE_INFINITY;
  if (mode === 'refresh') {
    const userId = rowId(payload.userId);
    const sessionId = sessionIdOf(payload);
    if (payload.type !== 'access' || userId === undefined || sessionId === undefined) return undefined;
    return { userId, sessionId, passwordKey: undefined, expiresAt };
  }
  const userId = rowId(payload.id);
  const passwordKey = typeof payload.key === 'string' ? payload.key : undefined;
  return userId === undefined ? undefined : { userId, sessionId: undefined, passwordKey, expiresAt };
}

/** The user and the session in a refresh token; undefined for an invalid one. */
export async function verifyRefreshToken(
  token: string,
  secret: string,
): Promise<{ readonly userId: number; readonly sessionId: string } | undefined> {
  const payload = await verifiedPayload(token, secret);
  const userId = rowId(payload?.userId);
  const sessionId = payload && sessionIdOf(payload);
  return payload?.type === 'refresh' && userId !== undefined && sessionId !== undefined ? { userId, sessionId } : undefined;
}

/** Why a token is no valid one of any mode, in words; undefined for a valid one. */
export async function userTokenProblem(token: string, secret: string): Promise<string | undefined> {
  const { jwtVerify, errors } = await jose();
  try {
    await jwtVerify(token, secretKey(secret), { algorithms: ['HS256'] });
    return undefined;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'The token has expired: sign in again, or refresh the session';
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return "The token was not signed with this server's JWT_SECRET: it comes from another server, or the secret has changed; sign in again";
    return 'The token is no JSON Web Token of a user, and with a dot in it, it is no API token';
  }
}

/** Only one algorithm is accepted, which excludes `none`. Our tokens name no key (`kid`). */
async function verifiedPayload(token: string, secret: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { jwtVerify } = await jose();
  try {
    const { payload, protectedHeader } = await jwtVerify(token, secretKey(secret), { algorithms: ['HS256'] });
    if (protectedHeader.kid !== undefined) return undefined;
    if (payload.iat !== undefined && payload.iat > Date.now() / 1000 + clockSkew) return undefined;
    return payload;
  } catch {
    return undefined;
  }
}

const sessionIdOf = ({ sessionId }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof sessionId === 'string' && /^[\w-]{1,255}$/.test(sessionId) ? sessionId : undefined;

/** Signs `payload` with an expiry, in seconds since the epoch. */
export async function signUserToken(
  payload: Record<string, unknown>,
  times: { readonly issuedAt?: number; readonly expiresAt: number },
  secret: string,
): Promise<string> {
  const { SignJWT } = await jose();
  const token = new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ: 'JWT' });
  if (times.issuedAt !== undefined) token.setIssuedAt(times.issuedAt);
  return token.setExpirationTime(times.expiresAt).sign(secretKey(secret));
}

/** Loaded with the first token: it takes a tenth of the start, and some servers never see one. */
const jose = () => import('jose');

const secretKey = (secret: string) => new TextEncoder().encode(secret);

/** A row id as Strapi writes it into a token: `"1"` or `1`. */
function rowId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return isRowId(id) ? id : undefined;
}
