/** Connections to PostgreSQL: a pool. The only user of the driver. */
import pg from 'pg';
import type { Connection, Database, DatabaseFault, LiveTable, Row } from './dialect.ts';
import { postgres } from './postgres.ts';

export interface PostgresOptions {
  readonly connection: pg.PoolConfig;
  readonly schema: string | undefined;
  readonly statementTime: number;
}

const int8 = 20;
const types: pg.CustomTypesConfig = {
  // Counts and ids are below 2^53; big integers of the content are selected as text.
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

/** Statement texts that get a name, so that PostgreSQL parses and plans them once a connection. The rest runs unnamed. */
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

const connectionOf = (client: pg.PoolClient): Connection => ({
  async query(text, parameters): Promise<Row[]> {
    const name = parameters.length > 0 ? nameOf(text) : undefined;
    const result = await client.query({ text, values: [...parameters], rowMode: 'array', types, ...(name === undefined ? {} : { name }) });
    return result.rows;
  },
});

export function openPostgresDatabase(options: PostgresOptions): Database {
  const pool = new pg.Pool({
    ...options.connection,
    statement_timeout: options.statementTime,
    // A request that waits this long for a connection gives up, so that a flood of slow queries ends.
    connectionTimeoutMillis: options.statementTime,
    // Compiling a statement of many joins to machine code takes seconds where running it takes milliseconds.
    options: ['-c jit=off', ...(options.schema === undefined ? [] : [`-c search_path=${options.schema.replaceAll(/[^\w$]/g, '')}`])].join(
      ' ',
    ),
  });
  // An idle connection that breaks (server restart) is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);

  async function transaction<T>(begin: string, work: (connection: Connection) => T | Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query(begin);
      const result = await work(connectionOf(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    dialect: postgres,
    read: (work) => transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
    write: (work) => transaction('BEGIN', work),
    tables: () => transaction('BEGIN READ ONLY', liveTables),
    version: () => null,
    faultOf,
    close: () => pool.end(),
  };
}

/** Serialisation failure, deadlock, unique and foreign key violations: rows that another transaction wrote or removed in the meantime. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01', '23505', '23503']);

/** Source: PostgreSQL manual, appendix A: class 22 is a value out of range or of the wrong form, 57014 a statement cancelled by its time limit,
 *  55P03 a lock not available, class 53 a server without resources. */
function faultOf(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return undefined;
  if (error.code.startsWith('22')) return 'value';
  if (error.code === '57014') return 'time';
  if (error.code === '53100') return 'full';
  if (conflicts.has(error.code)) return 'conflict';
  return error.code === '55P03' || error.code.startsWith('53') ? 'busy' : undefined;
}

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
