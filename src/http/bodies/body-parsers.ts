import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../../config/config.ts';
import { nextTurn } from '../../turns.ts';
import { decodeText, inflateBody } from './body-bytes.ts';
import { parseForm } from './form-body.ts';
import { parseJsonBody } from './json-body.ts';

type ParseText = (text: string, limits: Limits) => unknown;

/** The media types that Fastify accepts. With other values, Strapi finds no body. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Larger bodies wait for their turn. Bytes. */
const large = 16 * 1024;

/** Parses the bodies that Strapi parses: JSON and forms. Multipart stays unread. Any other type is
 *  dropped, so that the endpoint finds no body. As in Strapi, bodies are parsed before the caller
 *  is identified: broken JSON is a 400 for everybody. `limits.bodyBytes` limits the cost. */
export function readBodies(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRequest', (request, _, done) => {
    const { headers } = request.raw;
    const type = headers['content-type'];
    // A body without a type is dropped, and so is the body of a DELETE, which has no meaning.
    if (type !== undefined && (request.method === 'DELETE' || !mediaType.test(type))) delete headers['content-type'];
    done();
  });

  app.removeAllContentTypeParsers();
  const read = (types: string | string[], parse: ParseText) =>
    app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request: FastifyRequest, sent: Buffer) => body(request, sent, parse));
  read(['application/json', 'application/vnd.api+json'], parseJsonBody);
  read('application/x-www-form-urlencoded', parseForm);
  // `receiveUpload` reads it in the endpoint, after the caller's right to upload was checked.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
  app.addContentTypeParser('*', (_, payload, done) => {
    payload.resume();
    done(null, undefined);
  });

  /** JSON is always UTF-8 (RFC 8259, 8.1), and Strapi reads forms as UTF-8: no charset counts. */
  async function body({ headers }: FastifyRequest, sent: Buffer, parse: ParseText): Promise<unknown> {
    if (sent.length === 0) return undefined;
    const bytes = await inflateBody(sent, headers['content-encoding'], limits.bodyBytes);
    if (bytes.length > large) await nextTurn();
    return bytes.length === 0 ? undefined : parse(decodeText(bytes), limits);
  }
}
