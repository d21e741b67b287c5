/** Connections of a test to a PostgreSQL database, beside those of the server. */
import pg from 'pg';
import type { TestDatabase } from './engines.ts';

export interface OwnPool {
  query(text: string, values?: readonly unknown[]): Promise<unknown[][]>;
  /** Runs the statements in one transaction. */
  together(statements: readonly string[]): Promise<void>;
  /** Runs a statement in a transaction. Returns what commits it. */
  begun(statement: string): Promise<() => Promise<void>>;
  end(): Promise<void>;
}

export function poolOf({ url }: TestDatabase): OwnPool {
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  return {
    query: async (text, values = []) => (await pool.query<unknown[]>({ text, values: [...values], rowMode: 'array' })).rows,
    async together(statements) {
      const client = await pool.connect();
      try {
        for (const each of ['BEGIN', ...statements, 'COMMIT']) await client.query(each);
      } finally {
        client.release();
      }
    },
    async begun(statement) {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query(statement);
      return async () => {
        await client.query('COMMIT');
        client.release();
      };
    },
    end: () => pool.end(),
  };
}
