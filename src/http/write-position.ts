/** Lets callers see their own writes, which replicas and other nodes of a cluster may lack: the
 *  response to a write carries the position that a replica must have replayed, and later requests
 *  send it back. The server stores nothing, since the next request may reach another server. The
 *  position is signed: no caller can make the primary serve all reads. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { LogPosition } from '../dialects/replicas.ts';
import { clockSkew } from '../identity/clock-skew.ts';
import { cookieIn } from '../text/cookie.ts';

export const positionHeader = 'x-lectern-position';
const cookieName = 'lectern_position';

/** Characters of a position that are read. */
const maxLength = 100;
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface WritePositions {
  /** The latest valid position that the request sends; undefined if it sends none. */
  of(request: Pick<FastifyRequest, 'headers'>): LogPosition | undefined;
}

export interface PositionParts {
  readonly config: Pick<Config, 'database' | 'secrets' | 'api'>;
  /** Returns a position after all commits from before the call. On a Galera cluster all positions
   *  are the same: there a node knows by itself which commits it lacks. */
  readonly position: () => Promise<LogPosition>;
}

/** Adds the position to successful responses to all requests that may write. */
export function carryPositions(app: FastifyInstance, { config, position }: PositionParts): WritePositions {
  const { database, secrets, api } = config;
  const lifetime = Math.ceil(database.replicaLag / 1000) + clockSkew;
  const tokens = positionTokens(secrets.jwtSecret ?? secrets.apiTokenSalt ?? '');
  const path = api.prefix === '' ? '/' : api.prefix;
  app.addHook('onSend', async (request, reply) => {
    if (safeMethods.has(request.method) || reply.statusCode >= 400) return;
    const token = tokens.write(await position(), now() + lifetime);
    const secure = request.protocol === 'https' ? '; Secure' : '';
    reply.header(positionHeader, token);
    // Fastify keeps the cookies that were set before.
    reply.header('set-cookie', `${cookieName}=${token}; Path=${path}; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`);
  });
  return {
    of({ headers }) {
      const sent = [headers[positionHeader], cookieIn(headers.cookie, cookieName)];
      const found = sent.flatMap((text) => (typeof text === 'string' ? (tokens.read(text, now()) ?? []) : []));
      return found.length === 0 ? undefined : found.reduce((one, other) => (one > other ? one : other));
    },
  };
}

const now = () => Math.floor(Date.now() / 1000);

/** `<position, 24 hexadecimal digits>.<end, Unix seconds>.<signature>`, ordered like positions. */
export function positionTokens(secret: string) {
  const key = createHmac('sha256', secret).update('lectern write position').digest();
  const signed = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    write(position: LogPosition, end: number): string {
      const text = `${position.toString(16).padStart(24, '0')}.${end}`;
      return `${text}.${signed(text)}`;
    },
    /** Undefined if the token was not signed with this secret, or has expired. */
    read(token: string, time: number): LogPosition | undefined {
      const [, text = '', position = '', end = '', signature = ''] =
        /^(([\da-f]{24})\.(\d{1,12}))\.([\w-]{43})$/.exec(token.slice(0, maxLength)) ?? [];
      if (position === '' || Number(end) < time) return undefined;
      return timingSafeEqual(Buffer.from(signed(text)), Buffer.from(signature)) ? BigInt(`0x${position}`) : undefined;
    },
  };
}
