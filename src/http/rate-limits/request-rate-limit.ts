/** `rateLimit.max`: limits all calls of a caller. The caller is an API token, a user, or otherwise an IP address. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { DataVersion } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Actor } from '../../identity/actor.ts';
import { bearerToken } from '../../identity/bearer-token.ts';
import type { Identify } from '../../identity/identify.ts';
import { callerKey } from './caller-of-request.ts';
import { countCall } from './count-call.ts';
import { callerOf, type RateCounts } from './rate-limiter.ts';

/** Identifies the caller by the data of that version and counts the call; throws `access.rate-limit`. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply, version: DataVersion | undefined) => Actor | Promise<Actor>;

const maxCallers = 100_000;

/** Counts calls. A token that is not cached may be a guess: it is counted for the IP address before the look-up, and taken back if it is valid. */
export function createCountRequest({ rateLimit }: Config, identify: Identify, counts: RateCounts): CountRequest {
  if (rateLimit.max === undefined) return ({ headers }, _, version) => identify(headers.authorization, version);
  const limiter = counts.limiter('general', { limit: rateLimit.max, milliseconds: rateLimit.window * 1000, maxCallers });

  async function known(find: () => Actor | Promise<Actor>, guesser: string, reply: FastifyReply): Promise<Actor> {
    const found = attempt(find);
    // A cached token is not a guess.
    if (!(found instanceof Promise)) return found;
    // The guess is taken back even if this call is refused because of concurrent calls, or if its look-up fails.
    const takeBack = () => limiter.undo(guesser);
    found.then(takeBack, (error: unknown) => {
      if (!isWrong(error)) takeBack();
    });
    // An IP address with too many guesses is refused before the look-up.
    await countCall(limiter, guesser, reply);
    return await found;
  }

  return async (request, reply, version) => {
    const { authorization } = request.headers;
    const ip = callerOf(request.ip);
    if (bearerToken(authorization) === undefined) {
      await countCall(limiter, `address ${ip}`, reply);
      return identify(authorization, version);
    }
    const guesser = `tokens from ${ip}`;
    // The call is refused without a look-up, so it is no guess and is taken back: tokens of earlier calls may still prove valid.
    if (limiter.isOver(guesser)) await countCall(limiter, guesser, reply).finally(() => limiter.undo(guesser));
    const actor = await known(() => identify(authorization, version), guesser, reply);
    await countCall(limiter, callerKey(actor, ip), reply);
    return actor;
  };
}

const isWrong = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Runs `identify` and turns an error that it throws at once into a rejected promise. */
function attempt(identify: () => Actor | Promise<Actor>): Actor | Promise<Actor> {
  try {
    return identify();
  } catch (error) {
    return Promise.reject(error);
  }
}
