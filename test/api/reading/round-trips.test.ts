/** How often a read asks PostgreSQL: across a network, each round trip costs more than most statements. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { apiTokenSalt, tokens } from '../../support/library/content.ts';
import { bookPath } from '../../support/library/library.ts';
import { libraryProject } from '../../support/library/library-project.ts';
import type { Project } from '../../support/project.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import { type RunningServer, startServer } from '../../support/server.ts';

describe.runIf(engines.includes('postgres'))('round trips to PostgreSQL', () => {
  let project: Project;
  let relay: Relay;
  let uncached: RunningServer;
  let exact: RunningServer;
  let other: pg.Client;
  beforeAll(async () => {
    project = await libraryProject('postgres');
    const url = new URL(project.env.DATABASE_URL ?? '');
    other = new pg.Client(url.href);
    await other.connect();
    relay = await startRelay({ host: url.hostname, port: Number(url.port || 5432), delay: 5 });
    url.host = `127.0.0.1:${relay.port}`;
    const env = { ...project.env, DATABASE_URL: url.href, API_TOKEN_SALT: apiTokenSalt };
    uncached = await startServer(project.dir, { ...env, LECTERN_CACHE_BYTES: '0' });
    exact = await startServer(project.dir, { ...env, LECTERN_CACHE_CONSISTENCY: 'exact' });
  });
  afterAll(async () => {
    await uncached?.stop();
    await exact?.stop();
    await relay?.close();
    await other?.end();
    await project?.remove();
  });

  /** The least number of four requests: cached callers and locales are read again after half a second, and at least one follows sooner. */
  async function roundTrips(server: RunningServer, path: string, headers = {}, prepare: () => unknown = () => undefined): Promise<number> {
    const counts = [];
    for (let time = 0; time < 4; time++) {
      await prepare();
      const before = relay.turns;
      expect((await server.get(path, headers)).status).toBe(200);
      counts.push(relay.turns - before);
    }
    return Math.min(...counts);
  }

  it.each([
    ['a list with its total', '/api/books'],
    ['a page', '/api/books?pagination[page]=2&pagination[pageSize]=2'],
    ['one document', bookPath('lanterns')],
    ['everything that can be populated', '/api/books?populate=*'],
    [
      'paths below paths',
      '/api/books?populate[subjects][populate][parent]=true&populate[summary][populate]=*&populate[sections][populate]=*',
    ],
  ])('%s: one', async (_, path) => {
    expect(await roundTrips(uncached, path)).toBe(1);
  });

  it.each([
    ['a caller without a token', {}],
    ['an API token with chosen rights', { Authorization: `Bearer ${tokens.custom.token}` }],
  ])('after a commit, %s, the locales, the version and the list: one each', async (_, headers) => {
    expect(await roundTrips(exact, '/api/books', headers, () => other.query('SELECT pg_current_xact_id()'))).toBe(4);
  });
});
