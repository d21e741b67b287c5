import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

/** The bodies that Strapi reads: JSON and forms. Any other type is read and dropped, and the endpoint finds no body. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    ['application/json', 'application/vnd.api+json'],
    { parseAs: 'string' },
    async (_: unknown, text: string) => parseJson(text),
  );
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_: unknown, text: string) =>
    Object.fromEntries(new URLSearchParams(text)),
  );
  app.addContentTypeParser('*', (_, payload, done) => {
    payload.resume();
    done(null, undefined);
  });
}

function parseJson(text: string): unknown {
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw ApiError.of('body.invalid-json', { problem: error instanceof Error ? error.message : 'invalid JSON' });
  }
  if (typeof value !== 'object' || value === null) {
    throw ApiError.of('body.invalid-json', { problem: 'invalid JSON, only supports object and array' });
  }
  return value;
}
