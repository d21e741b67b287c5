/** Runs a planned migration. */
import type { ColumnType, Connection, Database, Dialect, SqlValue } from '../dialects/dialect.ts';
import { StartError } from '../errors/start-error.ts';
import { convertValue } from './schema/convert-value.ts';
import { type Conversion, describeWork, type Work } from './steps.ts';

/** How many values of a column were converted to its new type. The others remain only in the column that was set aside. */
export interface Converted {
  readonly table: string;
  readonly column: string;
  readonly keptAs: string;
  readonly copied: number;
  readonly left: number;
}

/** Runs the work and `afterwards` in one transaction. */
export async function applyMigration(
  database: Database,
  work: readonly Work[],
  afterwards: (connection: Connection) => Promise<void> = async () => undefined,
): Promise<readonly Converted[]> {
  return database.write((connection) => runAll(connection, database.dialect, work, afterwards));
}

/** An arbitrary number that no other lock uses. */
const migrationLock = 8202611220005n;

async function runAll(
  connection: Connection,
  dialect: Dialect,
  work: readonly Work[],
  afterwards: (connection: Connection) => Promise<void>,
): Promise<readonly Converted[]> {
  // Two processes that start at the same time must not create the same drafts.
  connection.lock([migrationLock]);
  const converted: Converted[] = [];
  for (const each of work) {
    if (typeof each === 'string') await connection.query(each, []);
    else if ('run' in each) await each.run(connection, dialect);
    else converted.push(await copyValues(connection, dialect, each));
  }
  await afterwards(connection);
  return converted;
}

/** Applies a migration for a command: its error names the statement that failed, and says what was changed. */
export async function applyOrExplain(
  database: Database,
  work: readonly Work[],
  afterwards: (connection: Connection) => Promise<void>,
): Promise<readonly Converted[]> {
  let running: string | undefined;
  const remembering = (connection: Connection): Connection => ({
    dialect: connection.dialect,
    query(text, parameters) {
      running = text;
      return connection.query(text, parameters);
    },
    send(text, parameters) {
      running = text;
      connection.send(text, parameters);
    },
    lock: (keys) => connection.lock(keys),
    each: (text, parameters, each) => connection.each(text, parameters, each),
  });
  try {
    return await database.write((connection) => runAll(remembering(connection), database.dialect, work, afterwards));
  } catch (error) {
    if (running === undefined || !(error instanceof Error)) throw error;
    throw new StartError([
      `The database refused a step: ${error.message}\n${describeWork(running)}\n${database.dialect.undoesTables ? nothingChanged : someAdded}`,
    ]);
  }
}

const nothingChanged = 'Nothing was changed.';
const someAdded = 'What the steps before it added stays; the next run goes on from there.';

const rowsPerBatch = 5000;

async function copyValues(connection: Connection, dialect: Dialect, conversion: Conversion): Promise<Converted> {
  const { quote, placeholder } = dialect;
  const { table, from, fromType, to, toType } = conversion;
  const id = quote('id');
  const select =
    `SELECT ${id}, ${dialect.select(quote(from), fromType)} FROM ${quote(table)} ` +
    `WHERE ${quote(from)} IS NOT NULL AND ${id} > ${dialect.comparand(placeholder(1), 'id', 0)} ORDER BY ${id} LIMIT ${rowsPerBatch}`;
  let [copied, left, last] = [0, 0, 0];
  for (;;) {
    const rows = await connection.query(select, [last]);
    if (rows.length === 0) return { table, column: to, keptAs: from, copied, left };
    const idsOfValue = new Map<SqlValue, number[]>();
    for (const [rowId, value] of rows) {
      last = Number(rowId);
      const converted = convertValue(value, fromType, toType);
      if (converted === undefined) {
        left++;
        continue;
      }
      copied++;
      const ids = idsOfValue.get(converted);
      if (ids === undefined) idsOfValue.set(converted, [last]);
      else ids.push(last);
    }
    for (const [value, ids] of idsOfValue) await writeValue(connection, dialect, { table, column: to, type: toType }, { value, ids });
  }
}

/** One statement for all rows that get the same value. */
async function writeValue(
  connection: Connection,
  dialect: Dialect,
  { table, column, type }: { readonly table: string; readonly column: string; readonly type: ColumnType },
  { value, ids }: { readonly value: SqlValue; readonly ids: readonly number[] },
): Promise<void> {
  const { quote, placeholder } = dialect;
  const bound = dialect.bind(value, type);
  // Date-times are bound as milliseconds whatever the column's type is; other values get their type from the column.
  const given = type === 'datetime' || type === 'timestamp' ? dialect.comparand(placeholder(1), type, bound) : placeholder(1);
  await connection.query(
    `UPDATE ${quote(table)} SET ${quote(column)} = ${given} WHERE ${dialect.isListed(quote('id'), placeholder(2), 'listed', 'ids')}`,
    [bound, dialect.bindIds(ids)],
  );
}
