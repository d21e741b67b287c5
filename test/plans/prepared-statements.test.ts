import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { usePostgresDatabase } from '../support/use-postgres-database.ts';

describe.runIf(engines.includes('postgres')).each([
  ['are prepared at their third use, a hundred for each connection', true, 100],
  ['are not prepared behind a pooler that asks for it', false, 0],
] as const)('statements', (title, preparedStatements, most) => {
  const database = usePostgresDatabase(preparedStatements);

  const ask = (text: string, ...values: readonly unknown[]) => database().readAtOnce((connection) => connection.query(text, values));
  const prepared = async () => (await ask("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'lectern%'"))[0]?.[0];

  it(title, async () => {
    const add = (number: number) => `SELECT ${number} + $1::int`;
    for (let time = 0; time < 2; time++) for (let number = 0; number < 150; number++) await ask(add(number), 1);
    expect(await prepared()).toBe(0);
    for (let number = 0; number < 150; number++) expect(await ask(add(number), 1)).toEqual([[number + 1]]);
    expect(await prepared()).toBe(most);
    // The first is no longer prepared, and is prepared again.
    expect(await ask(add(0), 1)).toEqual([[1]]);
    expect(await prepared()).toBe(most);
  });

  it('leave a transaction as it is when others are freed', async () => {
    await database().write(async (connection) => {
      for (let number = 0; number < 150; number++) {
        for (let time = 0; time < 3; time++) expect(await connection.query(`SELECT ${number} * $1::int`, [2])).toEqual([[2 * number]]);
      }
    });
    expect(await ask('SELECT $1::int', 1)).toEqual([[1]]);
  });
});
