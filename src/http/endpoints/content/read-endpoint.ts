/** Lists, documents and single types: straight to the pipeline. */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Envelope } from '../../../pipeline/call.ts';
import { type Endpoint, parameter } from '../../send-response.ts';

export function readEndpoint(type: ContentType, target: 'list' | 'document' | 'single', answer: AnswerRead): Endpoint {
  if (target === 'document') {
    return ({ request, query, actor, restriction, caller }) => {
      const key = parameter(request, 'documentId');
      if (key.includes('\0')) throw ApiError.of('path.malicious');
      return answer(
        { type, target: { kind: 'one', by: 'documentId', key }, query, actor, restriction, envelope: envelopeOf(request.headers) },
        caller,
      );
    };
  }
  const fixed = { kind: target } as const;
  return ({ request, query, actor, restriction, caller }) =>
    answer({ type, target: fixed, query, actor, restriction, envelope: envelopeOf(request.headers) }, caller);
}

export const envelopeOf = (headers: IncomingHttpHeaders): Envelope => (headers['strapi-response-format'] === 'v4' ? 'v4' : 'flat');
