/** PostgreSQL as a `Database`: transactions on the connections of a pool. */
import pg from 'pg';
import type { Connection, Database, LiveTable, Row, Stoppable } from './dialect.ts';
import { postgres, postgresInItsOrder } from './postgres.ts';
import { serverErrorOf } from './postgres-errors.ts';
import { PostgresPool } from './postgres-pool.ts';

export interface PostgresOptions {
  readonly connection: pg.PoolConfig;
  readonly schema: string | undefined;
  readonly statementTime: number;
  readonly connectionTime: number;
  /** If true, texts are sorted and compared by the database's own collation, not by the order common to all engines. */
  readonly databaseOrder: boolean;
}

const int8 = 20;
const types: pg.CustomTypesConfig = {
  // Counts and ids are below 2^53; big integers of the content are selected as text.
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

/** At most this many statement texts get a name, so that PostgreSQL parses and plans them once for each connection. Other statements have no name. */
const namedStatements = 500;
const names = new Map<string, string>();
function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < namedStatements) {
    name = `lectern_${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

function configOf(text: string, parameters: readonly unknown[]): pg.QueryArrayConfig {
  const name = parameters.length > 0 ? nameOf(text) : undefined;
  return { text, values: [...parameters], rowMode: 'array', types, ...(name === undefined ? {} : { name }) };
}

export function openPostgresDatabase(options: PostgresOptions): Database {
  const { connection, schema, statementTime, connectionTime } = options;
  const pool = new PostgresPool({
    connection: {
      ...connection,
      // JIT compilation of a statement with many joins takes seconds, running it milliseconds.
      // A statement that runs on several processors takes them from other callers.
      options: [
        '-c jit=off',
        '-c max_parallel_workers_per_gather=0',
        ...(schema === undefined ? [] : [`-c search_path=${schema.replaceAll(/[^\w$]/g, '')}`]),
      ].join(' '),
    },
    statementTime,
    connectionTime,
  });

  const dialect = options.databaseOrder ? postgresInItsOrder : postgres;
  const connectionOf = (client: pg.PoolClient): Connection => ({
    dialect,
    async query(text, parameters): Promise<Row[]> {
      const result = await pool.query(client, configOf(text, parameters));
      return result.rows;
    },
    each: (text, parameters, each) => pool.each(client, configOf(text, parameters), each),
  });

  async function transaction<T>(begin: string, work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T> {
    const client = await pool.begin(begin);
    let usable = false;
    let cancelling: Promise<unknown> | undefined;
    if (stoppable !== undefined) {
      stoppable.stop = () => {
        cancelling = Promise.all([cancelling, pool.cancel(client)]);
      };
    }
    try {
      if (stoppable?.isStopped) throw new StoppedError();
      const result = await work(connectionOf(client));
      await pool.query(client, 'COMMIT');
      usable = true;
      return result;
    } catch (error) {
      usable = await pool.rollBack(client);
      throw error;
    } finally {
      if (stoppable !== undefined) stoppable.stop = undefined;
      // The cancellation must finish first: otherwise it could cancel a statement of the connection's next user.
      await cancelling;
      pool.end(client, usable);
    }
  }

  return {
    dialect,
    read: (work, stoppable) => transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work, stoppable),
    write: (work, stoppable) => transaction('BEGIN', work, stoppable),
    tables: () => transaction('BEGIN READ ONLY', liveTables),
    version: () => null,
    errorKindOf: (error) => (error instanceof StoppedError ? 'time' : pool.isLoss(error) ? 'unavailable' : serverErrorOf(error)),
    close: () => pool.close(),
  };
}

/** The transaction was stopped: no caller waits for it any more. */
class StoppedError extends Error {}

async function liveTables(connection: Connection): Promise<LiveTable[]> {
  const columns = await connection.query(
    `SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c
     JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
     WHERE c.table_schema = current_schema() ORDER BY c.table_name, c.ordinal_position`,
    [],
  );
  const indexes = await connection.query('SELECT tablename, indexname FROM pg_indexes WHERE schemaname = current_schema()', []);
  const foreignKeys = await connection.query(
    `SELECT t.relname, c.conname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE c.contype = 'f' AND n.nspname = current_schema()`,
    [],
  );
  const tables = new Map<string, { columns: Map<string, string>; indexes: string[]; constraints: string[] }>();
  for (const [table, column, type] of columns) {
    const entry = tables.get(String(table)) ?? { columns: new Map(), indexes: [], constraints: [] };
    entry.columns.set(String(column), String(type));
    tables.set(String(table), entry);
  }
  for (const [table, index] of indexes) tables.get(String(table))?.indexes.push(String(index));
  for (const [table, key] of foreignKeys) tables.get(String(table))?.constraints.push(String(key));
  return [...tables].map(([name, entry]) => ({ name, ...entry }));
}
