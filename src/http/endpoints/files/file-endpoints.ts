/** Reads the files of the media library. */
import type { Policies } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Envelope } from '../../../pipeline/call.ts';
import { type Endpoint, type EndpointCall, parameter } from '../../send-response.ts';
import { answerRow, isRowIdText } from '../rows.ts';

export function fileEndpoints(type: ContentType, answer: AnswerRead, { selectFileFields }: Policies) {
  const list =
    (envelope: Envelope): Endpoint =>
    ({ query, actor, restriction, caller, dataVersion }) =>
      answer({ type, target: { kind: 'list' }, query, actor, restriction, envelope, withIsUrlSigned: true, dataVersion }, caller);
  const one = (query: string, call: EndpointCall) => {
    const key = parameter(call.request, 'id');
    return answerRow(answer, type, key, { ...call, query }, { by: isRowIdText(key) ? 'id' : 'documentId', withIsUrlSigned: true });
  };
  const file: Endpoint = async (call) => {
    const { query } = call;
    let outcome = await one(query, call);
    // As recorded: the entire query is checked, but only `populate` has an effect.
    const honoured = selectFileFields ? query : populateOf(query);
    if (outcome.status < 500 && outcome.status !== 400 && honoured !== query) outcome = await one(honoured, call);
    if (outcome.status === 404) throw ApiError.of('file.not-found');
    return outcome;
  };
  return { files: list('bare'), filesPage: list('flat'), file };
}

const populateOf = (query: string) =>
  query
    .split('&')
    .filter((part) => /^populate(?:\[|%5B|=|$)/i.test(part))
    .join('&');
