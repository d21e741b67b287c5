/** What reads of a list cost after a write on SQLite, by the number of their statements. */
import { beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' }, rank: { type: 'integer' } } } });
const env = { LECTERN_PROFILE: 'strapi', LECTERN_CACHE_BYTES: '0', LECTERN_DATABASE_READERS: '1' };
const readsInRound = 10;

describe.runIf(engines.includes('sqlite'))('a list that is read all the time', () => {
  const served = useProject('sqlite', { files, public: ['api::note.note.find'], env });
  let rank = 0;
  const write = () => served.write('POST', '/api/notes', { title: 'Bread', rank: ++rank });
  beforeAll(write);

  async function statementsOfRound(query: string): Promise<number> {
    await write();
    let sum = 0;
    for (let read = 0; read < readsInRound; read++) {
      const response = await served.ask('public', 'GET', `/api/notes?${query}`);
      expect(response.json()).toMatchObject({ meta: { pagination: { total: rank } } });
      sum += Number(/statements;desc="(\d+)"/.exec(String(response.headers['server-timing']))?.[1]);
    }
    return sum;
  }

  it.each([
    ['with a cheap condition', 'filters[rank][$gt]=0&sort=rank'],
    ['with a costly condition', 'filters[title][$contains]=rea&sort=rank&pagination[pageSize]=1'],
  ])('gets its ids and its total by one statement after each write, %s', async (_what, query) => {
    const rounds: number[] = [];
    // A round in which the reads move between a process and a thread has more statements.
    for (let round = 0; round < 12; round++) rounds.push(await statementsOfRound(query));
    // The first read: the ids and the rows. The others take the rows from the row cache.
    expect(Math.min(...rounds.slice(2))).toBe(2);
  });
});
