/** The work of a transaction may throw while statements that nobody waits for are held, or are still to come. None of them may be committed by itself. */
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/dialects/database.ts';
import { engines } from '../../support/engines.ts';
import { usePostgresDatabase } from '../../support/use-postgres-database.ts';

const insert = (connection: Connection) => connection.send('INSERT INTO numbers VALUES ($1)', [1]);

describe.runIf(engines.includes('postgres'))('a transaction on PostgreSQL whose work throws', () => {
  const database = usePostgresDatabase();
  beforeAll(async () => {
    await database().write((connection) => connection.query('CREATE TABLE numbers (value integer)', []));
  });

  it.each<[string, (connection: Connection) => unknown]>([
    ['a statement that is held until the transaction has begun', insert],
    [
      'statements that are sent during the rollback',
      async (connection) => {
        await connection.query('SELECT 1', []);
        const later = async () => {
          for (let time = 0; time < 20; time++) {
            await setImmediate();
            insert(connection);
          }
        };
        void later();
      },
    ],
  ])('leaves nothing of %s', async (_, work) => {
    for (let time = 0; time < 10; time++) {
      const refused = database().write(async (connection) => {
        await work(connection);
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
    }
    expect(await database().readAtOnce((connection) => connection.query('SELECT count(*) FROM numbers', []))).toEqual([[0]]);
  });
});
