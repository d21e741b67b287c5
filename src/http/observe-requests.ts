/** Reports each request and its response to the observer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnsweredRequest, ObservedRequest, Observer, Stage } from '../observe/observer.ts';
import type { RequestRecord } from '../observe/request-record.ts';
import { wasForwarded } from './forwarding/forwarded-requests.ts';
import type { EndpointCall, EndpointResponse } from './send-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if nobody observes requests. */
    observed: ObservedRequest | null;
  }
}

export function observeRequests(app: FastifyInstance, observer: Observer | undefined): void {
  app.decorateRequest('observed', null);
  if (observer === undefined) return;
  app.addHook('onRequest', (request, _, done) => {
    const { method, url, headers } = request;
    request.observed = observer.begin({ method, url, headers });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { observed } = request;
    if (observed !== null) observer.answered(answered(request, reply, observed), observed);
    done();
  });
}

function answered(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply, observed: ObservedRequest): AnsweredRequest {
  const { id, method, url, raw, routeOptions } = request;
  const { at, record, handled = nothingHandled } = observed;
  const route = wasForwarded(raw) ? forwardedRoute : routeOptions.url;
  return { id, method, url, route, status: statusCode, at, milliseconds: elapsedTime, record, ...handled };
}

/** Forwarded requests share one label, as their paths are the callers' choice. */
const forwardedRoute = 'forwarded';

const nothingHandled = { stages: [], statements: 0, cache: undefined, caller: undefined };

/** Calls the endpoint, and records its response. `identified`: milliseconds until then. */
export async function observedResponse(
  call: EndpointCall,
  { at, identified }: { readonly at: number; readonly identified: number },
  endpoint: (call: EndpointCall) => EndpointResponse | Promise<EndpointResponse>,
): Promise<EndpointResponse> {
  const { observed } = call.request;
  if (observed === null) return endpoint(call);
  const identify = ['identify', identified, at] as const;
  const { kind: caller } = call.actor;
  observed.handled = { ...nothingHandled, stages: [identify], caller };
  const response = await (observed.span === undefined ? endpoint(call) : observed.span.within(() => endpoint(call)));
  const { timings = [], statements = 0, isCached } = response;
  observed.handled = {
    stages: withWait([identify, ...timings], observed.record),
    statements,
    cache: isCached === undefined ? undefined : isCached ? 'hit' : 'miss',
    caller,
  };
  return response;
}

/** Puts the time of waiting where it was. Callers need not know it, so `Server-Timing` lacks it. */
function withWait(stages: readonly Stage[], { wait }: RequestRecord): readonly Stage[] {
  if (wait === undefined) return stages;
  const next = stages.findIndex(([name]) => name === 'execute');
  return stages.toSpliced(next === -1 ? stages.length : next, 0, ['wait', wait.milliseconds, wait.at]);
}
