import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../identity/actor.ts';
import type { Caller } from '../../pipeline/call.ts';
import { callerOf } from './rate-limiter.ts';

/** The key of the caller: an API token, a user, or otherwise an IP address (of `callerOf`). */
export function callerKey(actor: Actor, ip: string): string {
  switch (actor.kind) {
    case 'token':
      return `token ${actor.tokenId}`;
    case 'user':
      return `user ${actor.userId}`;
    case 'public':
      return `address ${ip}`;
  }
}

export function callerOfRequest(request: FastifyRequest, actor: Actor, isCurrent?: boolean): Caller {
  const { socket } = request.raw;
  return {
    key: actor.kind === 'public' ? callerKey(actor, callerOf(request.ip)) : callerKey(actor, ''),
    // Node.js ends its side of the connection when the client has ended the other.
    hasLeft: () => socket.destroyed || socket.writableEnded,
    isCurrent,
    record: request.observed?.record,
  };
}
