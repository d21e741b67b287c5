/** Callers decide which statements there are: connections must not keep all of them. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/dialects/database.ts';
import { engines } from '../support/engines.ts';
import { usePostgresDatabase } from '../support/use-postgres-database.ts';

type Work = (connection: Connection) => Promise<unknown>;

/** Statements, of which a hundred are kept. */
const many = 105;

describe.runIf(engines.includes('postgres')).each([
  ['are prepared at their third use, a hundred for each connection', true, 100],
  ['are not prepared behind a pooler that asks for it', false, 0],
] as const)('statements', (title, preparedStatements, most) => {
  const database = usePostgresDatabase(preparedStatements);
  const refused = new Error('refused');
  const kinds: readonly (readonly [kind: string, run: (work: Work) => Promise<unknown>])[] = [
    ['single reads', (work) => database().readAtOnce(work)],
    ['reads of one state', (work) => database().read(work)],
    ['writes', (work) => database().write(work)],
    [
      'writes that are refused',
      async (work) => {
        const refusing = database().write(async (connection) => {
          await work(connection);
          throw refused;
        });
        await expect(refusing).rejects.toBe(refused);
      },
    ],
  ];

  it.each(kinds)(`${title}: %s`, async (kind, run) => {
    const add = (number: number) =>
      run(async (connection) => {
        expect(await connection.query(`SELECT ${number} + $1::int AS "${kind}"`, [1])).toEqual([[number + 1]]);
      });
    const prepared = async () => {
      const count = `SELECT count(*)::int FROM pg_prepared_statements WHERE name LIKE 'lectern%' AND statement LIKE '%${kind}"'`;
      return (await database().readAtOnce((connection) => connection.query(count, [])))[0]?.[0];
    };
    for (let time = 0; time < 2; time++) for (let number = 0; number < many; number++) await add(number);
    expect(await prepared()).toBe(0);
    for (let number = 0; number < many; number++) await add(number);
    expect(await prepared()).toBe(most);
    // The first is no longer prepared, and is prepared again.
    await add(0);
    expect(await prepared()).toBe(most);
  });

  it('leave a transaction as it is when others are freed', async () => {
    await database().write(async (connection) => {
      for (let number = 0; number < many; number++) {
        for (let time = 0; time < 3; time++) expect(await connection.query(`SELECT ${number} * $1::int`, [2])).toEqual([[2 * number]]);
      }
    });
    expect(await database().readAtOnce((connection) => connection.query('SELECT $1::int', [1]))).toEqual([[1]]);
  });
});
