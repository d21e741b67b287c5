/** Runs fragments, written as text and parameters by the connection's dialect. */
import type { Connection, Database } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import { type Sql, sql, statementOf } from './sql.ts';

/** Runs a fragment. Returns its rows as arrays in the order of its columns. */
export async function run(connection: Connection, fragment: Sql): Promise<readonly Row[]> {
  return connection.query(...written(connection, fragment));
}

/** Runs a fragment whose rows nobody needs, like `Connection.send`. */
export const send = (connection: Connection, fragment: Sql): void => connection.send(...written(connection, fragment));

function written({ dialect }: Connection, fragment: Sql): [text: string, values: unknown[]] {
  const { text, parameters } = statementOf(dialect, fragment);
  const values = parameters.map((parameter) => {
    if (parameter.kind !== 'value') throw new Error(`this statement lacks its ${parameter.kind}`);
    return parameter.value;
  });
  return [text, values];
}

/** Runs a fragment that reads, on its own. */
export const read = (database: Database, fragment: Sql): Promise<readonly Row[]> =>
  database.readAtOnce((connection) => run(connection, fragment));

/** Resolves when the database responds, with what is wrong if it can only be read. */
export async function writingProblem(database: Database): Promise<string | undefined> {
  const { isReadOnly = '0' } = database.dialect;
  const [[answer] = []] = await read(database, sql`SELECT ${sql.raw(isReadOnly)}`);
  return Number(answer) === 1 ? 'the database is a standby or read-only: writes get 503' : undefined;
}
