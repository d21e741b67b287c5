/** `rateLimit.max`: limits all calls of a caller: an API token, a user, or an IP address. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config.ts';
import type { AskVersion } from '../../dialects/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Actor } from '../../identity/actor.ts';
import { bearerToken } from '../../identity/bearer-token.ts';
import type { Identify } from '../../identity/identify.ts';
import { digestOf } from '../../text/digest.ts';
import type { EndpointCall } from '../send-response.ts';
import { callerKey } from './caller-of-request.ts';
import { callerOf, countCall, type RateCounts } from './rate-limiter.ts';

/** Counts the call and identifies the caller, with the version of the data from `askVersion`.
 *  Throws `access.rate-limit`; a call beyond the limit costs no query. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply, askVersion: AskVersion) => Actor | Promise<Actor>;

/** Counts what a request does beyond one call, such as the operations of a batch: at most a whole
 *  window, which could otherwise never be had. Throws `access.rate-limit`. */
export type CountFurther = (calls: number, call: Pick<EndpointCall, 'request' | 'reply' | 'actor'>) => Promise<void>;

export interface RequestCounts {
  readonly admit: CountRequest;
  readonly countFurther: CountFurther;
}

const maxCallers = 100_000;
/** The tokens whose last caller is known. */
const maxTokens = 20_000;

/** A token that is not cached may be a guess: it counts for the IP address until it is valid. */
export function countRequests({ rateLimit }: Config, identify: Identify, counts: RateCounts): RequestCounts {
  const identifyNow = (authorization: string | undefined, askVersion: AskVersion) => {
    const asked = askVersion();
    return asked instanceof Promise ? asked.then((version) => identify(authorization, version)) : identify(authorization, asked);
  };
  const { max } = rateLimit;
  if (max === undefined)
    return { admit: ({ headers }, _, askVersion) => identifyNow(headers.authorization, askVersion), countFurther: async () => undefined };
  const limiter = counts.limiter('general', { limit: max, milliseconds: rateLimit.window * 1000, maxCallers });
  /** The callers that tokens belonged to when they were last valid, by digests of tokens. */
  const callers = new LRUCache<string, string>({ max: maxTokens });

  async function known(find: () => Actor | Promise<Actor>, guesser: string, reply: FastifyReply): Promise<Actor> {
    const found = attempt(find);
    // A cached token is not a guess.
    if (!(found instanceof Promise)) return found;
    // The guess is taken back even if concurrent calls refuse this one, or if its look-up fails.
    const takeBack = () => limiter.undo(guesser);
    found.then(takeBack, (error: unknown) => {
      if (!isWrong(error)) takeBack();
    });
    // An IP address with too many guesses is refused before the look-up.
    await countCall(limiter, guesser, reply);
    return await found;
  }

  const admit: CountRequest = async (request, reply, askVersion) => {
    const { authorization } = request.headers;
    const ip = callerOf(request.ip);
    const token = bearerToken(authorization);
    if (token === undefined) {
      await countCall(limiter, `address ${ip}`, reply);
      return identifyNow(authorization, askVersion);
    }
    const guesser = `tokens from ${ip}`;
    // Refused without a look-up, this call is no guess: earlier tokens may still be valid.
    if (limiter.isOver(guesser)) await countCall(limiter, guesser, reply).finally(() => limiter.undo(guesser));
    const digest = digestOf(token);
    const last = callers.get(digest);
    const isLastCounted = last !== undefined && limiter.isOver(last);
    if (isLastCounted) await countCall(limiter, last, reply);
    const version = await askVersion();
    const actor = await known(() => identify(authorization, version), guesser, reply);
    const caller = callerKey(actor, ip);
    callers.set(digest, caller);
    // Redis may know that the window has ended.
    if (!isLastCounted || caller !== last) await countCall(limiter, caller, reply);
    return actor;
  };

  return {
    admit,
    async countFurther(calls, { request, reply, actor }) {
      const count = Math.min(calls, max - 1);
      if (count > 0) await countCall(limiter, callerKey(actor, callerOf(request.ip)), reply, count);
    },
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
