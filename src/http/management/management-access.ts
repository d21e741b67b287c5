/** Who may use the management API: requests with its token, and users with the right to it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AskVersion } from '../../dialects/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type Actor, manager } from '../../identity/actor.ts';
import { bearerToken } from '../../identity/bearer-token.ts';
import { managementAccess, managerRights } from '../../rights/rights.ts';
import { checkSecretToken, closeToOtherOrigins } from '../check-secret-token.ts';
import type { RateCounts } from '../rate-limits/rate-limiter.ts';
import type { CountRequest } from '../rate-limits/request-rate-limit.ts';
import { sendUnrouted, type Unrouted } from '../unrouted-requests.ts';

export interface ManagementAccessParts {
  /** `LECTERN_MANAGEMENT_TOKEN`. */
  readonly token: string | undefined;
  readonly counts: RateCounts;
  readonly admit: CountRequest;
  readonly askVersion: AskVersion;
  /** Without a token, callers without the right get what every unknown path gets. */
  readonly unrouted: Unrouted;
}

export interface ManagementAccess {
  /** Lets the request pass, sends a response, or throws. */
  readonly check: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** Who sent a request that has passed, with every right. */
  readonly actorOf: (request: FastifyRequest) => Actor;
}

/** Only reads `Authorization`, which no browser sends by itself: no page of another origin can use
 *  the session of a user. */
export function createManagementAccess({ token, counts, admit, askVersion, unrouted }: ManagementAccessParts): ManagementAccess {
  const users = new WeakMap<FastifyRequest, Actor>();

  /** Whether a user with the right sends the request. Rejects if the session has ended. API tokens
   *  have no dots, and never the right. */
  async function isUser(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (bearerToken(request.headers.authorization)?.includes('.') !== true) return false;
    const actor = await admit(request, reply, askVersion);
    if (actor.kind !== 'user' || !actor.rights.allows(managementAccess)) return false;
    users.set(request, { ...actor, rights: managerRights });
    return true;
  }

  const checkWithToken =
    token === undefined
      ? undefined
      : checkSecretToken(token, counts, 'management', (request, reply) => isUser(request, reply).catch(falseFor401));

  return {
    async check(request, reply) {
      if (checkWithToken !== undefined) return checkWithToken(request, reply);
      if (!(await isUser(request, reply))) return sendUnrouted(request, reply, unrouted);
      closeToOtherOrigins(reply);
    },
    actorOf: (request) => users.get(request) ?? manager,
  };
}

/** The token may be a guess at the secret, and is counted as one. */
function falseFor401(error: unknown): boolean {
  if (error instanceof ApiError && error.status === 401) return false;
  throw error;
}
