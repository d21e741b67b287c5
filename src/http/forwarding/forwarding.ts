/** Sends what Lectern does not serve to the upstream, a running Strapi. Loaded only with it. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { createTokenSearch } from '../../identity/secret-token.ts';
import { pathOf } from '../../text/url-parts.ts';
import { callerOf, countCall, type RateCounts } from '../rate-limits/rate-limiter.ts';
import { isBelow } from '../routes/api-prefix.ts';
import type { Route } from '../routes/routes.ts';
import type { ErrorSender } from '../send-error.ts';
import { targetProblem } from './check-target.ts';
import { Exchanges } from './exchanges.ts';
import { noteForwarded } from './forwarded-requests.ts';
import { routeUpgrades, webSocketOf } from './upgrades.ts';
import { openUpstreamClient } from './upstream-client.ts';
import { whichRequests } from './which-requests.ts';

export interface Forwarding {
  isForwarded(request: FastifyRequest): boolean;
  /** Responds to the request, with an error of our own if the upstream fails. */
  forward(request: FastifyRequest, reply: FastifyReply): void;
  /** Ends WebSockets and streams of events, which would hold up the end of the server. */
  close(): void;
}

export interface ForwardingParts {
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly errors: ErrorSender;
  readonly counts: RateCounts;
}

const maxCallers = 100_000;

export function openForwarding(server: Server, upstream: string, { config, routes, errors, counts }: ForwardingParts): Forwarding {
  const { isForwarded, isOurs } = whichRequests(routes, config.api.prefix);
  const client = openUpstreamClient(upstream);
  const { upstreamTime: time, upstreamConnections: maxConnections } = config.limits;
  // Each process has a name of its own, so that one Lectern may stand in front of another.
  const via = `lectern-${randomBytes(6).toString('hex')}`;
  const exchanges = new Exchanges(client, { time, via, errors });
  const { max, window } = config.rateLimit;
  const limiter = max === undefined ? undefined : counts.limiter('forwarded', { limit: max, milliseconds: window * 1000, maxCallers });
  const isApi = isBelow(config.api.prefix);
  const { managementToken, metricsToken } = config.secrets;
  const searches = [managementToken, metricsToken].flatMap((token) => (token === undefined ? [] : [createTokenSearch(token)]));
  routeUpgrades(server, errors);

  function refusal({ raw }: FastifyRequest): ApiError | undefined {
    const problem = targetProblem(raw.url ?? '', isOurs);
    if (problem !== undefined) return ApiError.of(problem);
    if (searches.length > 0 && searches.some((hasToken) => hasToken(raw.headersDistinct.authorization ?? [])))
      return ApiError.of('access.credentials');
    if (raw.headers.via?.includes(via)) return ApiError.of('upstream.loop');
    const running = webSocketOf(raw) === undefined ? exchanges.requests : exchanges.webSockets;
    return running >= maxConnections ? ApiError.of('upstream.busy') : undefined;
  }

  async function count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // The panel makes hundreds of requests, and has limits of its own.
    if (limiter !== undefined && isApi(pathOf(request.raw.url ?? ''))) await countCall(limiter, `address ${callerOf(request.ip)}`, reply);
  }

  return {
    isForwarded,
    forward(request, reply) {
      noteForwarded(request.raw);
      count(request, reply)
        .then(() => {
          const refused = refusal(request);
          if (refused === undefined) exchanges.begin(request, reply);
          else errors.send(reply, refused);
        })
        .catch((error: unknown) => errors.sendThrown(reply, error));
    },
    close() {
      exchanges.endLasting();
      client.close();
    },
  };
}
