/** Callers decide which statements there are: connections must not keep all of them. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/dialects/database.ts';
import { engines } from '../../support/engines.ts';
import { usePostgresDatabase } from '../../support/use-postgres-database.ts';

/** Statements and the times that each is used. */
const [statements, times] = [130, 3];

describe.runIf(engines.includes('postgres'))('prepared statements on PostgreSQL', () => {
  const database = usePostgresDatabase();

  const refused = new Error('refused');
  it.each<[string, (work: (connection: Connection) => Promise<unknown>) => Promise<unknown>]>([
    ['single reads', (work) => database().readAtOnce(work)],
    ['reads of one state', (work) => database().read(work)],
    ['writes', (work) => database().write(work)],
    [
      'writes that are refused',
      (work) =>
        database()
          .write(async (connection) => {
            await work(connection);
            throw refused;
          })
          .catch((error: unknown) => expect(error).toBe(refused)),
    ],
  ])('are at most a hundred after any number of %s, and can be prepared again', async (kind, run) => {
    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < statements; number++) {
        for (let time = 0; time < times; time++) {
          await run(async (connection) => {
            expect(await connection.query(`SELECT $1::int + ${number} AS "${kind}"`, [1])).toEqual([[number + 1]]);
          });
        }
      }
    }
    let prepared: readonly unknown[] = [];
    await run(async (connection) => {
      prepared = await connection.query('SELECT count(*)::int FROM pg_prepared_statements', []);
    });
    expect(prepared).toEqual([[100]]);
  });
});
