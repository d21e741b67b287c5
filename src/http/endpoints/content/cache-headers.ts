/** `Cache-Control`, `Surrogate-Key` and `Vary` of reads, as `cache.types` says. */
import type { TypeCaching } from '../../../config/cache-types.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { EndpointCall, EndpointResponse } from '../../send-response.ts';

/** Adds the headers to a response, but not to an error: what is missing may exist in a moment. */
export type AddCacheHeaders = (response: EndpointResponse, call: EndpointCall, documentId?: string) => EndpointResponse;

export function cacheHeaders({ uid }: ContentType, caching: TypeCaching | undefined): AddCacheHeaders {
  if (caching === undefined) return (response) => response;
  const { cacheControl, surrogateKey, vary = [] } = caching;
  const withCredentials = cacheControl && privateControl(cacheControl);
  return (response, { request, reply }, documentId) => {
    if (response.status !== 200) return response;
    const control = request.headers.authorization === undefined ? cacheControl : withCredentials;
    const headers = {
      ...response.headers,
      ...(control === undefined ? {} : { 'cache-control': control }),
      ...(surrogateKey ? { 'surrogate-key': surrogateKeys(uid, documentId) } : {}),
      ...(vary.length === 0 ? {} : { vary: [reply.getHeader('vary') ?? [], ...vary].flat().join(', ') }),
    };
    return { ...response, headers };
  };
}

/** Documents that other programs have made may have an id that a header cannot hold. */
const surrogateKeys = (uid: string, documentId: string | undefined): string =>
  documentId !== undefined && /^[\w-]+$/.test(documentId) ? `${uid} ${uid}/${documentId}` : uid;

/** Directives that permit or address shared caches. */
const shared = /^(?:public|private|s-maxage|proxy-revalidate|surrogate-control)(?:=|$)/;

/** `public, max-age=60, s-maxage=600` gives `private, max-age=60`: no shared cache may store it. */
function privateControl(cacheControl: string): string {
  return ['private', ...cacheControl.split(/, ?/).filter((directive) => !shared.test(directive))].join(', ');
}
