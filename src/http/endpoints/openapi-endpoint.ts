/** `GET /api/openapi.json`: the OpenAPI document, as far as the caller's rights go. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config.ts';
import type { Actor } from '../../identity/actor.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { openApiDocument } from '../../openapi/openapi-document.ts';
import { digestOf } from '../../text/digest.ts';
import type { Route } from '../routes/routes.ts';
import type { Endpoint, EndpointResponse } from '../send-response.ts';

export interface OpenApiParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly routes: readonly Route[];
}

/** Bytes of the cached documents. One of 300 large types has 8 MB. */
const cachedBytes = 64 * 1024 * 1024;

/** Making a document takes milliseconds, so it is made once for equal rights. Neither the model nor
 *  the routes change while the server runs. */
export function openApiEndpoint({ config, model, routes }: OpenApiParts): Endpoint {
  const documents = new LRUCache<string, EndpointResponse & { readonly body: Uint8Array }>({
    maxSize: cachedBytes,
    sizeCalculation: ({ body }) => body.byteLength,
  });
  const make = ({ kind, rights }: Actor) => {
    const body = Buffer.from(JSON.stringify(openApiDocument({ config, model, routes, rights, isPublic: kind === 'public' })));
    // Caches of browsers ask each time: a change of rights changes the document.
    return { status: 200, body, digest: digestOf(body), headers: { 'cache-control': 'private, no-cache' } };
  };
  return ({ actor }) => {
    const key = `${actor.kind === 'public'} ${actor.rights.planKey}`;
    let response = documents.get(key);
    if (response === undefined) {
      response = make(actor);
      documents.set(key, response);
    }
    return response;
  };
}
