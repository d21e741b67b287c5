import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../../config/config.ts';
import { decodeText, inflateBody } from './body-bytes.ts';
import { parseForm } from './form-body.ts';
import { parseJsonBody } from './json-body.ts';

type ParseText = (text: string, limits: Limits) => unknown;

/** What Fastify takes for a media type; it refuses other values of the header, where Strapi finds no body. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** The bodies that Strapi reads: JSON and forms. Multipart stays unread, any other type is read and dropped, and the endpoint finds no body, as with an empty one.
 *  Bodies are parsed before anybody asks who sends them, as in Strapi: broken JSON is a 400 for everyone. `limits.bodyBytes` bounds what
 *  that costs. */
export function readBodies(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRequest', (request, _, done) => {
    const { headers } = request.raw;
    const type = headers['content-type'];
    // A body without a type is dropped. So is that of a DELETE, which means nothing.
    if (type !== undefined && (request.method === 'DELETE' || !mediaType.test(type))) delete headers['content-type'];
    done();
  });

  app.removeAllContentTypeParsers();
  const read = (types: string | string[], parse: ParseText) =>
    app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request: FastifyRequest, sent: Buffer) => body(request, sent, parse));
  read(['application/json', 'application/vnd.api+json'], parseJsonBody);
  read('application/x-www-form-urlencoded', parseForm);
  // Not touched before it is known that the caller may upload: the endpoint reads it, into files (`receiveUpload`).
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
  app.addContentTypeParser('*', (_, payload, done) => {
    payload.resume();
    done(null, undefined);
  });

  /** The charset of the header is not asked: JSON has none but UTF-8 (RFC 8259, section 8.1), and Strapi reads forms so as well. */
  async function body({ headers }: FastifyRequest, sent: Buffer, parse: ParseText): Promise<unknown> {
    if (sent.length === 0) return undefined;
    const bytes = await inflateBody(sent, headers['content-encoding'], limits.bodyBytes);
    return bytes.length === 0 ? undefined : parse(decodeText(bytes), limits);
  }
}
