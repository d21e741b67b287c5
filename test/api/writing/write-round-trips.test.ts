/** How often a write waits for PostgreSQL: across a network, each round trip costs more than most statements. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { components, related, writesTo } from '../../support/library/books.ts';
import { useOwnLibrary } from '../../support/library/library.ts';
import { useRelay } from '../../support/servers-to-lose.ts';

describe.runIf(engines.includes('postgres'))('round trips of writes to PostgreSQL', () => {
  // Without a delay, a response could arrive between two statements that are sent without waiting.
  const relay = useRelay('postgres', { delay: 10 });
  const library = useOwnLibrary('postgres', (project) => ({
    ...relay.env(project),
    LECTERN_CACHE_BYTES: '0',
    LECTERN_CACHE_CONSISTENCY: '1000',
  }));
  const { write, newBook, book } = writesTo(library);

  /** The fewest of some tries: cached callers and locales are read again after half a second. */
  async function roundTrips(ready: () => Promise<() => Promise<unknown>>): Promise<number> {
    const counts = [];
    for (let time = 0; time < 4; time++) {
      const run = await ready();
      await library.ask('full', '/api/books?pagination[pageSize]=1');
      const before = relay.get().turns;
      await run();
      counts.push(relay.get().turns - before);
    }
    return Math.min(...counts);
  }
  const creating = (data: object) => async () => () => write('POST', '/api/books', newBook(data));
  const changing = (stored: object, data: object) => async () => {
    const path = await book(stored, 'published');
    return () => write('PATCH', path, data);
  };
  const publishing = (stored: object) => async () => {
    const path = await book(stored, 'draft');
    return () => write('POST', `${path}/actions/publish`);
  };
  const deleting = (stored: object) => async () => {
    const path = await book(stored, 'published');
    return () => write('DELETE', path);
  };

  it.each([
    ['create', creating({}), 4],
    ['create with relations', creating(related), 5],
    ['create with components', creating(components(2)), 5],
    ['change two fields', changing({}, { title: 'Changed', pages: 7 }), 4],
    ['change relations', changing({}, related), 5],
    ['publish', publishing({}), 6],
    ['publish with relations', publishing(related), 7],
    ['publish with components', publishing(components(2)), 8],
    ['delete', deleting({}), 3],
    ['delete with components', deleting(components(2)), 4],
  ])('%s', async (_, ready, expected) => {
    expect(await roundTrips(ready)).toBe(expected);
  });
});
