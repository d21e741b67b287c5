/** Pages of other origins: what their scripts may read, and that nobody is let in by a name that only looks known. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Served, useProject } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const known = ['https://www.example.org', 'http://localhost:3000'];
const unknown = [
  ...words`
    null https://evil.example https://www.example.org.evil.example https://evilwww.example.org https://sub.www.example.org
    https://example.org http://www.example.org https://www.example.org:8443 https://www.example.org/ https://www.example.org/path
  `,
  'https://www.example.org, https://evil.example',
  'https://evil.example, https://www.example.org',
  'https://evil.example#https://www.example.org',
  'https://www.example.org@evil.example',
  'https://www.example.org%00.evil.example',
  'https://wwwxexample.org',
  'http://localhost:3001',
  'http://localhost',
  'http://127.0.0.1:3000',
  'file://',
  '*',
  ' ',
];

const options = {
  files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
  public: ['api::note.note.find'],
};
const paths = ['/api/notes', '/api/nothing', '/api/notes?nope=1', '/', '/uploads/x.png'];

const preflight = (served: Served, path: string, origin: string, method = 'PUT') =>
  served.server.send({
    method: 'OPTIONS',
    path,
    headers: { Origin: origin, 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': 'authorization,content-type' },
  });

describe.each(anyEngine)('%s: other origins', (engine) => {
  describe('with credentials, by name', () => {
    const api = useProject(engine, { ...options, env: { LECTERN_CORS_ORIGINS: known.join(','), LECTERN_CORS_CREDENTIALS: 'true' } });

    it.each(known)('%s may read responses, with credentials', async (origin) => {
      for (const path of paths) {
        const { headers } = await api.server.get(path, { Origin: origin });
        expect(headers).toMatchObject({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
        expect(headers.vary?.toLowerCase()).toContain('origin');
      }
      expect((await preflight(api, '/api/notes', origin)).headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      });
    });

    it.each([undefined, ...unknown])('%j is not reflected', async (origin) => {
      for (const path of paths) {
        const get = await api.server.get(path, origin === undefined ? {} : { Origin: origin });
        for (const response of origin === undefined ? [get] : [get, await preflight(api, path, origin)]) {
          expect(response.headers['access-control-allow-origin']).toBeUndefined();
          // A shared cache must not use this response for the configured pages.
          expect(response.headers.vary?.toLowerCase()).toContain('origin');
        }
      }
    });
  });

  describe('headers', () => {
    const api = useProject(engine, { ...options, env: { LECTERN_RATE_LIMIT_MAX: '3' } });
    const listed = (value: unknown) => String(value).toLowerCase().split(/, ?/);

    it('scripts may read those of a limit, of an entity tag, and what a report of an error needs', async () => {
      const responses = [];
      for (let count = 0; count < 5; count++) responses.push(await api.server.get('/api/notes', { Origin: 'https://www.example.org' }));
      const [first, last] = [responses[0], responses.at(-1)];
      expect([first?.status, last?.status]).toEqual([200, 429]);
      expect(Object.keys(first?.headers ?? {})).toEqual(
        expect.arrayContaining(['etag', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']),
      );
      expect(last?.headers).toHaveProperty('retry-after');
      for (const response of responses) {
        expect(listed(response.headers['access-control-expose-headers'])).toEqual(words`
          etag idempotent-replayed x-error-code x-request-id retry-after x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset
        `);
      }
    });

    it('scripts may send those that the API reads', async () => {
      const { status, headers } = await preflight(api, '/api/notes', 'https://www.example.org', 'PATCH');
      expect(status).toBe(204);
      expect(listed(headers['access-control-allow-methods'])).toContain('patch');
      expect(listed(headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining([
          ...words`authorization content-type if-match if-none-match idempotency-key x-strapi-refresh-cookie x-request-id`,
        ]),
      );
    });
  });

  describe('by default', () => {
    const api = useProject(engine, { ...options, env: { LECTERN_CORS_CREDENTIALS: 'false' } });
    it.each(['https://evil.example', 'null'])('%s may read what is public, and sends no credentials', async (origin) => {
      for (const response of [await api.server.get('/api/notes', { Origin: origin }), await preflight(api, '/api/notes', origin)]) {
        expect(response.headers['access-control-allow-origin']).toBe('*');
        expect(response.headers['access-control-allow-credentials']).toBeUndefined();
      }
    });
  });
});
