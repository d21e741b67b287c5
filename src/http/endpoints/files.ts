/** The files of the media library. */
import { ApiError } from '../../errors/api-error.ts';
import type { ContentType } from '../../model/content-model.ts';
import type { AnswerRead } from '../../pipeline/call.ts';
import { type Endpoint, parameter } from '../answered.ts';

/** Strapi says of each file whether a storage provider had to sign its address; files on the disk of the server need none. */
export const fileConstants = { isUrlSigned: false };

export function fileEndpoints(type: ContentType, answer: AnswerRead) {
  const files: Endpoint = ({ query, actor, limit }) =>
    answer({ type, target: { kind: 'list' }, query, actor, limit, envelope: 'bare', constants: fileConstants });
  const filesPage: Endpoint = ({ query, actor, limit }) =>
    answer({ type, target: { kind: 'list' }, query, actor, limit, envelope: 'flat', constants: fileConstants });
  const file: Endpoint = async ({ request, query, actor, limit }) => {
    const key = parameter(request, 'id');
    const outcome = await answer({
      type,
      target: { kind: 'one', by: 'id', key },
      query,
      actor,
      limit,
      envelope: 'bare',
      constants: fileConstants,
    });
    if (outcome.status === 404) throw ApiError.of('file.not-found', undefined);
    return outcome;
  };
  return { files, filesPage, file };
}
