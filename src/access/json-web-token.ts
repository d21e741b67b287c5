/** The tokens of signed-in users, as Strapi's users-permissions plugin makes them: HS256 with its `jwtSecret`. */

export interface VerifiedUserToken {
  readonly userId: number;
  /** The row of `strapi_sessions` behind the token, in mode `refresh`. */
  readonly sessionId: string | undefined;
  /** Milliseconds since the epoch; infinite when the token names no end. */
  readonly expiresAt: number;
}

type JwtManagement = 'refresh' | 'legacy-support';

/** Undefined for whatever is not a valid token of the mode: wrong signature, other algorithm, expired, a refresh token, … */
export async function verifyUserToken(token: string, secret: string, mode: JwtManagement): Promise<VerifiedUserToken | undefined> {
  let payload: Record<string, unknown>;
  try {
    const { jwtVerify } = await jose();
    ({ payload } = await jwtVerify(token, secretKey(secret), { algorithms: ['HS256'] }));
  } catch {
    return undefined;
  }
  const expiresAt = typeof payload.exp === 'number' ? payload.exp * 1000 : Number.POSITIVE_INFINITY;
  if (mode === 'refresh') {
    const userId = rowId(payload.userId);
    if (payload.type !== 'access' || userId === undefined || typeof payload.sessionId !== 'string') return undefined;
    if (!/^[\w-]{1,255}$/.test(payload.sessionId)) return undefined;
    return { userId, sessionId: payload.sessionId, expiresAt };
  }
  const userId = rowId(payload.id);
  return userId === undefined ? undefined : { userId, sessionId: undefined, expiresAt };
}

/** Signs `payload` with an end, in seconds since the epoch. */
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

/** Loaded with the first token: it takes a tenth of the start, and a public site may never see one. */
const jose = () => import('jose');

const secretKey = (secret: string) => new TextEncoder().encode(secret);

const largestRowId = 2 ** 31 - 1;

/** A row id as Strapi writes it into a token: `"1"` or `1`. */
function rowId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= largestRowId ? id : undefined;
}
