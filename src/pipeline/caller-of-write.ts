import type { WriteCall } from './call.ts';

/** One who takes turns with others and has keys of their own: a token, a user, or an address. */
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
