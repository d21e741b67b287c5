/** `/api/_mcp`: the Model Context Protocol over HTTP, for callers with an API token. */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { isOwnHost } from '../../own-host.ts';
import type { Endpoint } from '../../send-response.ts';
import type { ToolParts } from './tool.ts';

export function mcpEndpoint(parts: ToolParts): Endpoint {
  return async (call) => {
    const { request, reply, actor } = call;
    if (request.method !== 'POST') {
      reply.header('allow', 'POST');
      throw ApiError.of('route.method', { method: request.method, allowed: 'POST' });
    }
    if (!isOwnPage(request, parts.config)) throw ApiError.of('mcp.foreign-origin');
    if (actor.kind === 'public') throw ApiError.of('mcp.visitor');
    if (actor.kind === 'user') throw ApiError.of('mcp.user');
    // One request of a list would be many calls, past the rate limit.
    if (Array.isArray(request.body)) throw ApiError.of('mcp.list');
    // Loaded with the first message: most servers have no assistants.
    const { answerMessage } = await import('./answer-message.ts');
    return answerMessage({ call, tokenId: actor.tokenId, parts });
  };
}

/** Only browsers send `Origin`. That CORS allows every origin to read the API is not enough. */
function isOwnPage({ headers }: FastifyRequest, config: Pick<Config, 'cors' | 'url' | 'host'>): boolean {
  const { origin, host } = headers;
  if (origin === undefined || config.cors.origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  const isSame = page.host === host && isOwnHost(host, config);
  return isSame || (config.url !== undefined && page.origin === new URL(config.url).origin);
}
