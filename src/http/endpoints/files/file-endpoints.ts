/** Reads the files of the media library. */
import type { Policies } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead } from '../../../pipeline/call.ts';
import { type Endpoint, type EndpointCall, parameter } from '../../send-response.ts';

export function fileEndpoints(type: ContentType, answer: AnswerRead, { selectFileFields }: Policies) {
  const files: Endpoint = ({ query, actor, restriction, caller, dataVersion }) =>
    answer({ type, target: { kind: 'list' }, query, actor, restriction, envelope: 'bare', withIsUrlSigned: true, dataVersion }, caller);
  const filesPage: Endpoint = ({ query, actor, restriction, caller, dataVersion }) =>
    answer({ type, target: { kind: 'list' }, query, actor, restriction, envelope: 'flat', withIsUrlSigned: true, dataVersion }, caller);
  const one = (key: string, query: string, { actor, restriction, caller }: EndpointCall) =>
    answer({ type, target: { kind: 'one', by: 'id', key }, query, actor, restriction, envelope: 'bare', withIsUrlSigned: true }, caller);
  const file: Endpoint = async (call) => {
    const { request, query } = call;
    const key = parameter(request, 'id');
    let outcome = await one(key, query, call);
    // As recorded: the whole query is checked, but only `populate` has an effect.
    const honoured = selectFileFields ? query : populateOf(query);
    if (outcome.status < 500 && outcome.status !== 400 && honoured !== query) outcome = await one(key, honoured, call);
    if (outcome.status === 404) throw ApiError.of('file.not-found');
    return outcome;
  };
  return { files, filesPage, file };
}

const populateOf = (query: string) =>
  query
    .split('&')
    .filter((part) => /^populate(?:\[|%5B|=|$)/i.test(part))
    .join('&');
