/** Decides who may call a route. */
import type { RouteHandlerMethod } from 'fastify';
import type { AskVersion, DataVersion } from '../dialects/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Actor } from '../identity/actor.ts';
import type { TokenUse } from '../identity/token-use.ts';
import { queryOf } from '../text/url-parts.ts';
import type { IsCurrent } from './current-callers.ts';
import type { ExplainRefusal } from './explain-refusals.ts';
import { observedResponse } from './observe-requests.ts';
import { callerOfRequest } from './rate-limits/caller-of-request.ts';
import type { CountRequest } from './rate-limits/request-rate-limit.ts';
import type { Route } from './routes/routes.ts';
import { type Endpoint, send } from './send-response.ts';
import type { UnsentResponses } from './unsent-responses.ts';

export interface RouteGuards {
  readonly askVersion: AskVersion;
  readonly admit: CountRequest;
  readonly tokenUse: TokenUse;
  readonly unsent: UnsentResponses;
  /** Only where nodes of the database may lack each other's writes. */
  readonly isCurrent: IsCurrent | undefined;
  /** Only in development. */
  readonly explainRefusal: ExplainRefusal | undefined;
}

export type GuardedRoute = Pick<Route, 'action' | 'isUnrestricted'>;

/** Counts the request and identifies the caller, then checks the right, then calls the endpoint. */
export function guardRoute({ action, isUnrestricted = false }: GuardedRoute, guards: RouteGuards, endpoint: Endpoint): RouteHandlerMethod {
  const { askVersion, admit, tokenUse, unsent, isCurrent, explainRefusal } = guards;
  return async (request, reply) => {
    const started = performance.now();
    let dataVersion: DataVersion | undefined;
    const remember = (version: DataVersion | undefined) => {
      dataVersion = version;
      return version;
    };
    const asking: AskVersion = () => {
      const pending = askVersion();
      return pending instanceof Promise ? pending.then(remember) : remember(pending);
    };
    let actor: Actor | undefined;
    let identified = 0;
    try {
      const found = admit(request, reply, asking);
      actor = found instanceof Promise ? await found : found;
      if (actor.kind === 'token') tokenUse.noteUse(actor.tokenId);
      if (!isUnrestricted && !actor.rights.allows(action)) throw ApiError.of('access.forbidden');
    } catch (error) {
      throw explainRefusal === undefined ? error : await explainRefusal(error, { request, action, actor });
    } finally {
      identified = performance.now() - started;
      reply.header('server-timing', `identify;dur=${Math.round(identified * 1000) / 1000}`);
    }
    const restriction = actor.rights.restriction(action);
    const caller = callerOfRequest(request, actor, isCurrent?.(request, actor, action));
    const call = { request, reply, actor, restriction, caller, query: queryOf(request.raw.url ?? ''), dataVersion };
    const response = await observedResponse(call, { at: started, identified }, endpoint);
    if (explainRefusal !== undefined && response.refusal !== undefined)
      throw await explainRefusal(response.refusal, { request, action, actor });
    unsent.admit(reply.raw, response.body);
    return send(reply, response, identified);
  };
}
