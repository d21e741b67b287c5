/** All changes of documents: straight to the pipeline. */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../../errors/api-error.ts';
import type { AnswerWrite } from '../../../pipeline/call.ts';
import { isForm, unreadBody } from '../../bodies/unread-body.ts';
import { versionsOf } from '../../etag.ts';
import type { Served } from '../../routes/routes.ts';
import { type Endpoint, parameter } from '../../send-response.ts';
import { formatOf } from './read-endpoint.ts';

export function writeEndpoint(
  { type, action, partial }: Extract<Served, { kind: 'write' }>,
  answer: AnswerWrite,
  prefix: string,
): Endpoint {
  const isSingle = type.kind === 'singleType';
  return async ({ request, query, actor, restriction, caller, dataVersion }) => {
    const documentId = isSingle || action === 'create' ? undefined : parameter(request, 'documentId');
    if (documentId?.includes('\0')) throw ApiError.of('path.malicious');
    const { headers, body } = request;
    const ifMatch = headers['if-match'];
    const outcome = await answer(
      {
        type,
        action,
        documentId,
        partial,
        query,
        body,
        unreadBody: unreadBody(request, prefix),
        isForm: isForm(request),
        actor,
        restriction,
        ...formatOf(headers),
        dataVersion,
        ifMatch: ifMatch === undefined ? undefined : versionsOf(ifMatch),
        idempotencyKey: action === 'create' ? idempotencyKey(headers) : undefined,
      },
      caller,
    );
    return outcome.repeated ? { ...outcome, headers: { 'idempotent-replayed': 'true' } } : outcome;
  };
}

export function idempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  return Array.isArray(key) ? key.join(',') : key;
}
