/** `rateLimit.max`: how often one caller may call at all. A caller is an API token or a user, or without either an address. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Actor } from '../../identity/actor.ts';
import { bearerToken } from '../../identity/bearer-token.ts';
import type { Identify } from '../../identity/identify.ts';
import { callerKey } from './caller-of-request.ts';
import { countCall } from './count-call.ts';
import { callerOf, type RateCounts } from './rate-limiter.ts';

/** Says who calls; throws `access.rate-limit` for who has called too often. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Actor | Promise<Actor>;

const maxCallers = 100_000;

/** Tokens that are not known yet are tries to guess one: they count for the address, before anybody learns whether they were good, and are taken
 *  back when they were. */
export function createCountRequest({ rateLimit }: Config, identify: Identify, counts: RateCounts): CountRequest {
  if (rateLimit.max === undefined) return ({ headers }) => identify(headers.authorization);
  const limiter = counts.limiter('general', { limit: rateLimit.max, milliseconds: rateLimit.window * 1000, maxCallers });

  async function known(authorization: string | undefined, guesser: string, reply: FastifyReply): Promise<Actor> {
    const found = attempt(() => identify(authorization));
    // A caller who is in memory is no guess.
    if (!(found instanceof Promise)) return found;
    // Also of a call that is refused here because of others at the same time, and where the database could not say.
    const takeBack = () => limiter.undo(guesser);
    found.then(takeBack, (error: unknown) => {
      if (!isWrong(error)) takeBack();
    });
    // Who has guessed too often is refused before anybody waits for the look-up.
    await countCall(limiter, guesser, reply);
    return await found;
  }

  return async (request, reply) => {
    const { authorization } = request.headers;
    const address = callerOf(request.ip);
    if (bearerToken(authorization) === undefined) {
      await countCall(limiter, `address ${address}`, reply);
      return identify(authorization);
    }
    const guesser = `tokens from ${address}`;
    // Refused unseen, so it is no guess: those before it may still turn out to be none.
    if (limiter.isOver(guesser)) await countCall(limiter, guesser, reply).finally(() => limiter.undo(guesser));
    const actor = await known(authorization, guesser, reply);
    await countCall(limiter, callerKey(actor, address), reply);
    return actor;
  };
}

const isWrong = (error: unknown) => error instanceof ApiError && error.status === 401;

/** What is thrown at once, and not as a promise, is a try as well. */
function attempt(identify: () => Actor | Promise<Actor>): Actor | Promise<Actor> {
  try {
    return identify();
  } catch (error) {
    return Promise.reject(error);
  }
}
