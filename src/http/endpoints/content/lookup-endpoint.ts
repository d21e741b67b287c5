/** `GET /api/articles/by/slug/fog`: the document with that value, as `GET /api/articles/:documentId`
 *  returns it. It is found by a list with a filter, so the rules of filters hold. */
import { ApiError } from '../../../errors/api-error.ts';
import { lookupAttributes } from '../../../model/lookup-attributes.ts';
import { isObject, objectsAt, parsedObject } from '../../../text/json.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, parameter } from '../../send-response.ts';
import { formatOf, type ReadParts } from './read-endpoint.ts';

export function lookupEndpoint({ type, answer, addCacheHeaders, positions }: Omit<ReadParts, 'target'>): Endpoint {
  const attributes = new Set(lookupAttributes(type).map(({ name }) => name));
  return async (call) => {
    const { request, actor, restriction, caller, dataVersion } = call;
    const [name, value] = [parameter(request, 'attribute'), parameter(request, 'value')];
    if (value.includes('\0')) throw ApiError.of('path.malicious');
    if (!attributes.has(name) || restriction?.fields?.has(name) === false) throw ApiError.of('document.not-found');
    const onReplica = positions && { after: positions.of(request) };
    const read = { type, actor, restriction, dataVersion, onReplica } as const;
    const found = await answer({ ...read, target: { kind: 'list' }, query: searchFor(name, value, call), envelope: 'flat' }, caller);
    if (found.status !== 200) return found;
    const key = documentIdIn(found);
    if (key === undefined) throw ApiError.of('document.not-found');
    const target = { kind: 'one', by: 'documentId', key } as const;
    const one = { ...read, target, query: call.query, ...formatOf(request.headers) } as const;
    const outcome = await answer(one, caller);
    // Another replica may lack what the first one had.
    const isBehind = outcome.status === 404 && outcome.replica !== undefined;
    return addCacheHeaders(isBehind ? await answer({ ...one, onReplica: undefined }, caller) : outcome, call, key);
  };
}

/** In the version and the locale that the request names. Drafts may repeat a value: the oldest one is
 *  returned. */
function searchFor(attribute: string, value: string, { query }: EndpointCall): string {
  return [
    `filters[${encodeURIComponent(attribute)}][$eq]=${encodeURIComponent(value)}`,
    'fields=documentId&sort=id&pagination[start]=0&pagination[limit]=1&pagination[withCount]=false',
    ...scopesIn(query),
  ].join('&');
}

/** The parts of a query that say which version of a document is meant. */
export function scopesIn(query: string): readonly string[] {
  return query.split('&').filter((part) => {
    const [name = ''] = part.split('=');
    const [parameterName = ''] = decodedOrEmpty(name).split('[');
    return scopeParameters.has(parameterName);
  });
}

const scopeParameters: ReadonlySet<string> = new Set(['status', 'locale', 'fallback', 'publicationFilter', 'hasPublishedVersion']);

/** What is malformed is refused where the whole query is read. */
function decodedOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function documentIdIn({ body }: EndpointResponse): string | undefined {
  const [row] = objectsAt(parsedObject(textOfBody(body ?? '')) ?? {}, 'data').filter(isObject);
  return typeof row?.documentId === 'string' ? row.documentId : undefined;
}
