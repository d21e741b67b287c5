/** `GET /api/articles/_aggregate`: numbers of groups of the documents that the caller may list. */
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead } from '../../../pipeline/call.ts';
import type { Endpoint } from '../../send-response.ts';
import type { WritePositions } from '../../write-position.ts';

export function aggregateEndpoint(type: ContentType, answer: AnswerRead, positions: WritePositions | undefined): Endpoint {
  const right = `${type.uid}.find`;
  return ({ request, query, actor, caller, dataVersion }) => {
    // The right to groups is none to the documents, whose restriction applies to their numbers.
    if (!actor.rights.allows(right)) throw ApiError.of('access.forbidden');
    const onReplica = positions && { after: positions.of(request) };
    const restriction = actor.rights.restriction(right);
    const target = { kind: 'list', isGrouped: true } as const;
    return answer({ type, target, query, actor, restriction, envelope: 'flat', dataVersion, onReplica }, caller);
  };
}
