/** The users of the project: lists and entries without an envelope. */
import { ApiError } from '../../errors/api-error.ts';
import type { ContentType } from '../../model/content-model.ts';
import type { AnswerRead } from '../../pipeline/call.ts';
import { type Endpoint, parameter } from '../answered.ts';

export function userEndpoints(type: ContentType, answer: AnswerRead) {
  const users: Endpoint = ({ query, actor }) => answer({ type, target: { kind: 'list' }, query, actor, envelope: 'bare' });

  const user: Endpoint = async ({ request, query, actor }) => {
    const key = parameter(request, 'id');
    const outcome = await answer({ type, target: { kind: 'one', by: 'id', key }, query, actor, envelope: 'bare' });
    // As recorded: nobody there is an answer without a body.
    return outcome.status === 404 ? { ...outcome, status: 204, body: null } : outcome;
  };

  const usersMe: Endpoint = ({ query, actor }) => {
    if (actor.kind !== 'user') throw ApiError.of('access.unauthorized', undefined);
    return answer({ type, target: { kind: 'one', by: 'id', key: String(actor.userId) }, query, actor, envelope: 'bare' });
  };

  /** The total of the shortest list with the same conditions. */
  const usersCount: Endpoint = async ({ query, actor }) => {
    const outcome = await answer({ type, target: { kind: 'list' }, query: countQuery(query), actor, envelope: 'flat' });
    return outcome.status === 200 ? { ...outcome, body: String(total(outcome.body)) } : outcome;
  };

  return { users, user, usersMe, usersCount };
}

const ofPages = /^(?:pagination|page|pageSize|start|limit|populate|sort)(?:\[|%5B|=|$)/i;

function countQuery(query: string): string {
  const conditions = query.split('&').filter((part) => part !== '' && !ofPages.test(part));
  return [...conditions, 'pagination[pageSize]=1', 'pagination[withCount]=true'].join('&');
}

function total(body: string | Uint8Array): number {
  const list: { meta: { pagination: { total: number } } } = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  return list.meta.pagination.total;
}
