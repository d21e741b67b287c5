/** Clients that ask for long responses and do not read them: their memory is bounded, and other clients are served. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine, type EngineName } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  page: { attributes: { title: { type: 'string' }, body: { type: 'text' } } },
});
/** Forty pages of 300 KB: longer than what the operating system takes of a response. */
const fill = (engine: EngineName): string => {
  const { letters, moment, numbers } = engineSql[engine];
  const now = moment(1_700_000_000_000);
  return `INSERT INTO pages (document_id, title, body, created_at, updated_at, published_at)
    SELECT 'page' || n, 'Page ' || n, ${letters(300_000)}, ${now}, ${now}, ${now} FROM ${numbers(40)} AS numbers`;
};
const long = '/api/pages?pagination[pageSize]=40';

describe.each(anyEngine)('%s: clients that do not read long responses', (engine) => {
  const api = useProject(engine, {
    files,
    public: ['find', 'create'].map((action) => `api::page.page.${action}`),
    env: { LECTERN_PROFILE: 'specification', LECTERN_LIMITS_UNSENT_BYTES: '25000000' },
  });

  /** Resolves with a response of which nothing has been read. */
  const stall = (from: string): Promise<IncomingMessage> => {
    const { hostname, port } = new URL(api.server.base);
    return new Promise((resolve, reject) => {
      httpRequest({ hostname, port, path: long, localAddress: from, agent: false }, resolve).on('error', reject).end();
    });
  };
  const readAll = async (response: IncomingMessage) => {
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    return bytes;
  };

  it('hold a bounded number of bytes: further long reads are refused, short reads and writes succeed', async () => {
    await api.change(fill(engine));
    // Together, as after five seconds one would give way.
    const [first, second] = await Promise.all([stall('127.0.0.2'), stall('127.0.0.3')]);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    const refused = await api.server.send({ path: long });
    expect(errorOf(refused)).toMatchObject({ status: 503, message: expect.stringContaining('limits.unsentBytes') });
    expect(refused.headers['retry-after']).toBe('2');
    expect((await api.server.send({ path: '/api/pages?fields=title' })).status).toBe(200);
    expect((await api.ask('public', 'POST', '/api/pages', { title: 'x', body: 'y'.repeat(100_000) })).status).toBe(201);
    // A response that was received no longer counts.
    expect(await readAll(first)).toBeGreaterThan(12_000_000);
    expect((await api.server.send({ path: long })).status).toBe(200);
    second.destroy();
  });

  it('lose their connection to others after five seconds', async () => {
    const [first, second] = [await stall('127.0.0.2'), await stall('127.0.0.3')];
    await new Promise((resolve) => setTimeout(resolve, 5200));
    expect((await api.server.send({ path: long })).status).toBe(200);
    await expect(readAll(first)).rejects.toThrow();
    // One made enough room.
    expect(await readAll(second)).toBeGreaterThan(12_000_000);
  });
});
