/** The progress of a transfer, in a table of the target: an interrupted one continues. */
import type { Connection } from '../dialects/database.ts';
import type { CopiedTable, TransferEngine } from '../dialects/transfer/types.ts';
import { Inserts, type TypedColumn } from '../sql/inserts.ts';
import { run, send } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { transferTable } from '../tables/system-tables.ts';

const columns: readonly TypedColumn[] = [
  { name: 'name', type: 'string' },
  { name: 'last_id', type: 'biginteger' },
  { name: 'is_done', type: 'boolean' },
];
const plain = { length: undefined, notNull: false, isWide: false };
const definition: CopiedTable = {
  name: transferTable,
  columns: [{ name: 'id', type: 'id', ...plain }, ...columns.map((column) => ({ ...column, ...plain }))],
  primaryKey: ['id'],
  indexes: [],
  foreignKeys: [],
  highestId: 0,
};

/** The row with the digest of what is copied begins with this. No table has such a name. */
const digestMark = '#';

export interface TableState {
  /** The id of the last row that was copied; undefined before the first. */
  readonly last: number | undefined;
  readonly isDone: boolean;
}

export async function createState(to: Connection, target: TransferEngine): Promise<void> {
  await to.query(target.createTable(definition, to.dialect), []);
}

/** Notes that nothing is copied yet. Not in `createState`: MariaDB keeps a table without a
 *  commit. */
export function beginState(to: Connection, digest: string, tables: readonly CopiedTable[]): void {
  const inserts = new Inserts(to);
  for (const name of [`${digestMark}${digest}`, ...tables.map((table) => table.name)])
    inserts.later(transferTable, columns, [name, null, false]);
  inserts.flush();
}

/** `digest` is undefined if nothing was recorded yet. */
export async function readState(
  to: Connection,
): Promise<{ readonly digest: string | undefined; readonly tables: ReadonlyMap<string, TableState> }> {
  const parts = columns.map(({ name, type }) => sql.read(sql.id(name), type));
  const rows = await run(to, sql`SELECT ${sql.join(parts)} FROM ${sql.id(transferTable)}`);
  const tables = new Map<string, TableState>();
  let digest: string | undefined;
  for (const [name, last, isDone] of rows) {
    if (String(name).startsWith(digestMark)) digest = String(name).slice(digestMark.length);
    else tables.set(String(name), { last: last === null ? undefined : Number(last), isDone: isDone === true || isDone === 1 });
  }
  return { digest, tables };
}

/** Notes how far a table is copied, in the transaction that writes its rows. */
export function noteProgress(to: Connection, table: string, { last, isDone }: TableState): void {
  const [id, done] = [sql.stored(last === undefined ? null : String(last), 'biginteger'), sql.stored(isDone, 'boolean')];
  send(to, sql`UPDATE ${sql.id(transferTable)} SET last_id = ${id}, is_done = ${done} WHERE name = ${table}`);
}
