/** A caller over the rate limit is refused at once, whatever the database does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { apiTokenSalt, tokens } from '../../support/library/content.ts';
import { libraryProject } from '../../support/library/library-project.ts';
import type { Project } from '../../support/project.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import { type RunningServer, startServer } from '../../support/server.ts';

const max = 3;

describe.runIf(engines.includes('postgres'))('a caller over the rate limit while PostgreSQL does not answer', () => {
  let project: Project;
  let relay: Relay;
  let server: RunningServer;
  beforeAll(async () => {
    project = await libraryProject('postgres');
    const url = new URL(project.env.DATABASE_URL ?? '');
    relay = await startRelay({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${relay.port}`;
    const env = { ...project.env, DATABASE_URL: url.href, API_TOKEN_SALT: apiTokenSalt };
    server = await startServer(project.dir, { ...env, LECTERN_RATE_LIMIT_MAX: String(max), LECTERN_RATE_LIMIT_WINDOW: '600' });
  });
  afterAll(async () => {
    await relay?.restore();
    await server?.stop();
    await relay?.close();
    await project?.remove();
  });

  it.each([
    ['without a token', {}],
    ['with an API token', { Authorization: `Bearer ${tokens.full.token}` }],
  ])('%s: 429, and nothing is sent to the database', async (_, headers) => {
    for (let call = 0; call < max; call++) expect((await server.get('/api/books', headers)).status).toBe(200);
    relay.silence();
    try {
      const before = relay.turns;
      const refused = await Promise.all([server.get('/api/books', headers), server.get('/api/books', headers)]);
      expect(refused.map(({ status }) => status)).toEqual([429, 429]);
      expect(relay.turns).toBe(before);
    } finally {
      await relay.restore();
    }
  });
});
