/** The files of the media library. */
import type { Policies } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ContentType } from '../../model/content-model.ts';
import type { AnswerRead } from '../../pipeline/call.ts';
import { type Endpoint, type EndpointCall, parameter } from '../answered.ts';

export function fileEndpoints(type: ContentType, answer: AnswerRead) {
  const files: Endpoint = ({ query, actor, limit }) =>
    answer({ type, target: { kind: 'list' }, query, actor, limit, envelope: 'bare', tellsSigned: true });
  const filesPage: Endpoint = ({ query, actor, limit }) =>
    answer({ type, target: { kind: 'list' }, query, actor, limit, envelope: 'flat', tellsSigned: true });
  const file: Endpoint = async ({ request, query, actor, limit }) => {
    const key = parameter(request, 'id');
    const outcome = await answer({
      type,
      target: { kind: 'one', by: 'id', key },
      query,
      actor,
      limit,
      envelope: 'bare',
      tellsSigned: true,
    });
    if (outcome.status === 404) throw ApiError.of('file.not-found', undefined);
    return outcome;
  };
  return { files, filesPage, file };
}

const populateOf = (query: string) =>
  query
    .split('&')
    .filter((part) => /^populate(?:\[|%5B|=|$)/i.test(part))
    .join('&');
