/** Runs fragments: each becomes the text and the parameters that the connection's dialect makes of it. */
import type { Connection, Database, Row } from '../dialects/dialect.ts';
import { type Sql, sql, statementOf } from './sql.ts';

/** The rows that a fragment selects or returns, as arrays in the order of its columns. */
export async function run(connection: Connection, fragment: Sql): Promise<readonly Row[]> {
  const { text, parameters } = statementOf(connection.dialect, fragment);
  const values = parameters.map((parameter) => {
    if (parameter.kind !== 'value') throw new Error(`this statement lacks its ${parameter.kind}`);
    return parameter.value;
  });
  return connection.query(text, values);
}

/** The same for a statement that needs no transaction with others. */
export const read = (database: Database, fragment: Sql): Promise<readonly Row[]> =>
  database.read((connection) => run(connection, fragment));

/** Resolves when the database answers. */
export async function ping(database: Database): Promise<void> {
  await read(database, sql`SELECT 1`);
}
