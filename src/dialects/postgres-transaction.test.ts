import { describe, expect, it } from 'vitest';
import { postgres } from './postgres.ts';
import { PostgresTransaction } from './postgres-transaction.ts';

/** A transaction whose BEGIN and statements are settled by the test. `sent` has the statements in
 *  their order. The responses to updates arrive `late` microtasks late. */
function transaction({ late = 0 } = {}) {
  const sent: string[] = [];
  const responses = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const respond = (text: string) =>
    new Promise<void>((resolve, reject) => {
      responses.set(text, { resolve, reject });
    });
  const statements = {
    dialect: postgres,
    async query(text: string) {
      sent.push(text);
      const response = respond(text);
      if (text.startsWith('UPDATE')) await ticks(response, late);
      else await response;
      return [];
    },
    async each(text: string) {
      sent.push(text);
      await respond(text);
    },
  };
  const current = new PostgresTransaction(statements, respond('BEGIN'));
  const settle = async (text: string, error?: Error) => {
    const response = responses.get(text);
    if (error === undefined) response?.resolve();
    else response?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { current, sent, settle };
}

async function ticks(response: Promise<void>, late: number): Promise<void> {
  try {
    await response;
  } finally {
    for (let tick = 0; tick < late; tick++) await undefined;
  }
}

const failure = new Error('first');

describe('a transaction on PostgreSQL', () => {
  it('sends reads and locks before the response to BEGIN, and nothing that writes', async () => {
    const { current, sent, settle } = transaction();
    current.send('SELECT lock', []);
    void current.query('SELECT 1', []);
    current.send('INSERT 1', []);
    void current.query('SELECT 2', []);
    expect(sent).toEqual(['SELECT lock', 'SELECT 1']);
    await settle('BEGIN');
    expect(sent).toEqual(['SELECT lock', 'SELECT 1', 'INSERT 1', 'SELECT 2']);
  });

  it('without BEGIN, writes nothing', async () => {
    const { current, sent, settle } = transaction();
    const refused = expect(current.query('INSERT 1', [])).rejects.toBe(failure);
    await settle('BEGIN', failure);
    await refused;
    await expect(current.query('INSERT 2', [])).rejects.toBe(failure);
    await expect(current.commit()).rejects.toBe(failure);
    expect(sent).toEqual([]);
    expect(current.hasBegun).toBe(false);
  });

  it('reports the failure of a statement that nobody waited for, not those that follow from it', async () => {
    const { current, settle } = transaction();
    await settle('BEGIN');
    current.send('UPDATE 1', []);
    const next = current.query('SELECT 1', []);
    await settle('UPDATE 1', failure);
    const refused = expect(next).rejects.toBe(failure);
    await settle('SELECT 1', new Error('current transaction is aborted'));
    await refused;
    await expect(current.commit()).rejects.toBe(failure);
  });

  it('is not committed where such a statement fails while COMMIT is under way', async () => {
    const { current, sent, settle } = transaction();
    await settle('BEGIN');
    current.send('UPDATE 1', []);
    const committed = current.commit();
    expect(sent).toEqual(['UPDATE 1', 'COMMIT']);
    const refused = expect(committed).rejects.toBe(failure);
    await settle('UPDATE 1', failure);
    // PostgreSQL responds to this COMMIT with ROLLBACK, which is no error.
    await settle('COMMIT');
    await refused;
  });

  it.each([
    ['another statement', (current: PostgresTransaction) => current.each('SELECT 1', [], () => undefined)],
    ['the commit', (current: PostgresTransaction) => current.commit()],
  ])('reports the first failure where %s learns of the response sooner', async (_, follow) => {
    const { settle, ...rest } = transaction({ late: 20 });
    await settle('BEGIN');
    rest.current.send('UPDATE 1', []);
    const refused = expect(follow(rest.current)).rejects.toBe(failure);
    void settle('UPDATE 1', failure);
    void settle('SELECT 1', new Error('current transaction is aborted'));
    void settle('COMMIT');
    await refused;
  });

  it('sends nothing after its end', async () => {
    const { current, sent, settle } = transaction();
    await settle('BEGIN');
    current.end();
    await expect(current.query('SELECT 1', [])).rejects.toThrow('after the end of its transaction');
    expect(sent).toEqual([]);
  });
});
