/** Responses of cached rows are, byte for byte, those of rows that were read: every recorded read is sent to a server that caches no rows, and several times to one
 *  that caches them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import type { HttpResponse } from '../support/http.ts';
import type { Project } from '../support/project.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type RecordedCase, recordedFiles, recordedProject, replayer, secrets } from './recordings.ts';

const cases = recordedFiles('reads').flatMap(({ cases: each }) => each.filter(({ request }) => request.method === 'GET'));
const statementsOf = ({ headers }: HttpResponse) => Number(/statements;desc="(\d+)"/.exec(String(headers['server-timing']))?.[1] ?? 0);

/** Small pages of a list with populated paths, so that a part of the rows of the whole list is cached. */
function parts(recorded: RecordedCase): RecordedCase[] {
  const { request } = recorded;
  if (!request.path.includes('populate') || request.path.includes('pagination')) return [];
  return [1, 2].map((size) => ({
    ...recorded,
    request: { ...request, path: `${request.path}&pagination[page]=2&pagination[pageSize]=${size}` },
  }));
}

/** On SQLite, the first one measures the read in a process, and the next ones run in a thread: it finds the page, its ids, and then rows that it has cached. On
 *  PostgreSQL, the first one finds the page, the next ones see the same version and cache the rows, and the last ones take them from the row cache. */
const times = 5;

const tested = engines.filter((engine) => engine === 'sqlite' || engine === 'postgres');

describe.runIf(tested.length > 0).each(tested.length > 0 ? tested : ['sqlite' as const])('recorded reads on %s', (engine) => {
  let project: Project;
  const servers: RunningServer[] = [];
  let read: (recorded: RecordedCase) => Promise<HttpResponse>;
  let readCached: (recorded: RecordedCase) => Promise<HttpResponse>;
  beforeAll(async () => {
    project = await recordedProject(engine);
    const started = async (rowBytes: string) => {
      const env = { ...project.env, ...secrets, LECTERN_PROFILE: 'strapi', LECTERN_CACHE_BYTES: '0', LECTERN_DATABASE_READERS: '1' };
      const server = await startServer(project.dir, { ...env, LECTERN_CACHE_ROW_BYTES: rowBytes });
      servers.push(server);
      return replayer(server);
    };
    read = await started('0');
    readCached = await started('16777216');
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await project?.remove();
  });

  it('have the same bytes', { timeout: 300_000 }, async () => {
    let fromCache = 0;
    const different: string[] = [];
    for (const recorded of [...cases.flatMap(parts), ...cases]) {
      const expected = await read(recorded);
      let most = 0;
      let fewest = Number.POSITIVE_INFINITY;
      for (let time = 0; time < times; time++) {
        const response = await readCached(recorded);
        if (response.status !== expected.status || (expected.status === 200 && response.text !== expected.text))
          different.push(recorded.name);
        most = Math.max(most, statementsOf(response));
        fewest = Math.min(fewest, statementsOf(response));
      }
      if (fewest < most) fromCache++;
    }
    expect(different).toEqual([]);
    expect(fromCache).toBeGreaterThan(cases.length / 3);
  });
});
