/** `GET /api/articles/:documentId/related?via=tags`: the list of other documents that share links
 *  with this one. */
import { ApiError } from '../../../errors/api-error.ts';
import { type Endpoint, parameter } from '../../send-response.ts';
import { askList, onlyCounted } from './ask-list.ts';
import { scopesIn } from './lookup-endpoint.ts';
import { formatOf, type ReadParts } from './read-endpoint.ts';

export function relatedEndpoint({ type, answer, addCacheHeaders, positions }: Omit<ReadParts, 'target'>): Endpoint {
  return async (call) => {
    const { request, query, actor, restriction, caller, dataVersion } = call;
    const relatedTo = parameter(request, 'documentId');
    if (relatedTo.includes('\0')) throw ApiError.of('path.malicious');
    // Whoever does not find the document in the list must not learn what is like it.
    const found = [`filters[documentId][$eq]=${encodeURIComponent(relatedTo)}`, ...onlyCounted, ...scopesIn(query)];
    const source = await askList(answer, { type, restriction, query: found }, call);
    if (!source.ok) return source.outcome;
    if (source.rows.length === 0) throw ApiError.of('document.not-found');
    const target = { kind: 'list', relatedTo } as const;
    const onReplica = positions && { after: positions.of(request) };
    const read = { type, target, query, actor, restriction, dataVersion, onReplica, ...formatOf(request.headers) };
    return addCacheHeaders(await answer(read, caller), call);
  };
}
