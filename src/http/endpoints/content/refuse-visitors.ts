import { ApiError } from '../../../errors/api-error.ts';
import type { EndpointCall } from '../../send-response.ts';

/** For what tools need in which people edit, and which would serve a stranger to probe the content. */
export function refuseVisitors({ actor }: EndpointCall): void {
  if (actor.kind === 'public') throw ApiError.of('session.no-user');
}
