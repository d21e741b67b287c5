/** Lists, documents and single types: straight to the pipeline. */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Envelope, ReadTarget } from '../../../pipeline/call.ts';
import { type Endpoint, type EndpointCall, parameter } from '../../send-response.ts';
import type { WritePositions } from '../../write-position.ts';
import type { AddCacheHeaders } from './cache-headers.ts';

export interface ReadParts {
  readonly type: ContentType;
  readonly target: 'list' | 'document' | 'single';
  readonly answer: AnswerRead;
  readonly addCacheHeaders: AddCacheHeaders;
  /** Undefined without replicas. */
  readonly positions: WritePositions | undefined;
}

export function readEndpoint({ type, target, answer, addCacheHeaders, positions }: ReadParts): Endpoint {
  const read = (to: ReadTarget, { request, query, actor, restriction, caller, dataVersion }: EndpointCall) => {
    const onReplica = positions && { after: positions.of(request) };
    return answer({ type, target: to, query, actor, restriction, ...formatOf(request.headers), dataVersion, onReplica }, caller);
  };
  if (target === 'document') {
    return async (call) => {
      const key = parameter(call.request, 'documentId');
      if (key.includes('\0')) throw ApiError.of('path.malicious');
      return addCacheHeaders(await read({ kind: 'one', by: 'documentId', key }, call), call, key);
    };
  }
  const fixed = { kind: target } as const;
  return async (call) => addCacheHeaders(await read(fixed, call), call);
}

/** The format that the headers ask for. As in Strapi, version 4 has no source maps. */
export function formatOf(headers: IncomingHttpHeaders): { readonly envelope: Envelope; readonly withSourceMaps: boolean } {
  const envelope = headers['strapi-response-format'] === 'v4' ? 'v4' : 'flat';
  return { envelope, withSourceMaps: envelope === 'flat' && headers['strapi-encode-source-maps'] === 'true' };
}
