import type { WriteCall } from './call.ts';

/** The caller of a write, which has its own queue and idempotency keys: a token, a user, or an IP address. */
export function callerOfWrite({ actor, address }: Pick<WriteCall, 'actor' | 'address'>): string {
  switch (actor.kind) {
    case 'token':
      return `token ${actor.tokenId}`;
    case 'user':
      return `user ${actor.userId}`;
    case 'public':
      return `public ${address}`;
  }
}
