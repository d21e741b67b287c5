/** How often a read asks PostgreSQL: across a network, each round trip costs more than most statements. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { bookPath, type Library, useOwnLibrary, type Who } from '../../support/library/library.ts';
import { changeIn } from '../../support/served-project.ts';
import { useRelay } from '../../support/servers-to-lose.ts';

describe.runIf(engines.includes('postgres'))('round trips to PostgreSQL', () => {
  const relay = useRelay('postgres', { delay: 5 });
  const uncached = useOwnLibrary('postgres', (project) => ({
    ...relay.env(project),
    LECTERN_CACHE_BYTES: '0',
    LECTERN_CACHE_CONSISTENCY: '1000',
  }));
  const exact = useOwnLibrary('postgres', (project) => ({ ...relay.env(project), LECTERN_CACHE_CONSISTENCY: 'exact' }));

  /** The least number of four requests: cached callers and locales are read again after half a second, and at least one follows sooner. */
  async function roundTrips(
    library: Library,
    path: string,
    who: Who = 'public',
    prepare: () => unknown = () => undefined,
  ): Promise<number> {
    const counts = [];
    for (let time = 0; time < 4; time++) {
      await prepare();
      const before = relay.get().turns;
      expect((await library.ask(who, path)).status).toBe(200);
      counts.push(relay.get().turns - before);
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
    ['a caller without a token', 'public'],
    ['an API token with chosen rights', 'custom'],
  ] as const)('after a commit, %s, the locales, the version and the list: one each', async (_, who) => {
    expect(await roundTrips(exact, '/api/books', who, () => changeIn(exact.project, 'SELECT pg_current_xact_id()'))).toBe(4);
  });
});
