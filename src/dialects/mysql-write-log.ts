/** The log of writes by table on MariaDB (`database.tableVersions`): triggers count the statements that write a table. Each connection has a row of its own for
 *  each table, so writers do not wait for each other. Rows become visible together with the writes that they count, and counts only grow: the sums that two
 *  snapshots see are the same exactly if both see the same writes. */
import { createHash } from 'node:crypto';
import type { Connection, Row } from './dialect.ts';
import { mariadb } from './mysql-servers.ts';
import { logTable, type WriteLog, type WriteLogState } from './write-log.ts';

const events = ['INSERT', 'UPDATE', 'DELETE'] as const;
type LoggedEvent = (typeof events)[number];

const triggerPrefix = 'lectern_log_';
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Names of triggers must be unique in a database, and have at most 64 characters. */
const keyOf = (table: string): string => createHash('sha256').update(table).digest('hex').slice(0, 20);
const triggerName = (table: string, event: LoggedEvent): string => `${triggerPrefix}${event.toLowerCase()}_${keyOf(table)}`;

/** A trigger fires for each row, but counting each row would be slow. No two statements of a connection have the same time, so a trigger counts only if the time
 *  differs from that of its last count. Deletes are counted separately, since rows that a foreign key deletes in other tables fire no trigger there. */
function bodyOf(table: string, event: LoggedEvent): string {
  const isDelete = event === 'DELETE';
  const counted = `@lectern_${isDelete ? 'deletes' : 'writes'}_${keyOf(table)}`;
  const more = isDelete ? ', "deletes" = "deletes" + 1' : '';
  return (
    `IF NOT (${counted} <=> UTC_TIMESTAMP(6)) THEN ` +
    `INSERT INTO "${logTable}" ("table_name", "connection", "writes", "deletes") VALUES (${literal(table)}, CONNECTION_ID(), 1, ${isDelete ? 1 : 0}) ` +
    `ON DUPLICATE KEY UPDATE "writes" = "writes" + 1${more}; SET ${counted} = UTC_TIMESTAMP(6); END IF`
  );
}

/** A number that no connection has. Its rows have the counts of connections that have ended; adding these up locks the row with the empty table name. */
const ended = 0;

export const mysqlWriteLog = (
  isWanted: boolean,
  read: (work: (connection: Connection) => Promise<WriteLogState>) => Promise<WriteLogState>,
): WriteLog => ({
  isWanted,
  state: () => read(stateOf),
  create: (state) => [
    ...(state.hasParts ? removal(state) : []),
    `CREATE TABLE "${logTable}" ("table_name" varchar(64) NOT NULL, "connection" bigint unsigned NOT NULL, "writes" bigint unsigned NOT NULL, ` +
      `"deletes" bigint unsigned NOT NULL, PRIMARY KEY ("table_name", "connection")) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${mariadb.codePointOrder}`,
    `INSERT INTO "${logTable}" VALUES ('', ${ended}, 0, 0)`,
  ],
  add: (table, replaces) =>
    events.flatMap((event) => [
      ...(replaces ? [`DROP TRIGGER IF EXISTS ${quote(triggerName(table, event))}`] : []),
      `CREATE TRIGGER ${quote(triggerName(table, event))} AFTER ${event} ON ${quote(table)} FOR EACH ROW ${bodyOf(table, event)}`,
    ]),
  remove: removal,
});

/** Removes the triggers first: while they exist without the table, every write fails. */
const removal = ({ triggers = [] }: WriteLogState): string[] => [
  ...triggers.map((name) => `DROP TRIGGER IF EXISTS ${quote(name)}`),
  `DROP TABLE IF EXISTS "${logTable}"`,
];

/** The triggers whose names have our prefix: name, table, event, time of creation, body. */
const triggersQuestion =
  'SELECT TRIGGER_NAME, EVENT_OBJECT_TABLE, EVENT_MANIPULATION, CREATED, ACTION_STATEMENT FROM information_schema.TRIGGERS ' +
  `WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME LIKE '${triggerPrefix.replaceAll('_', '!_')}%' ESCAPE '!' AND ACTION_TIMING = 'AFTER'`;

/** Returns the tables that have all of their triggers, with the expected bodies. */
function withTriggers(rows: readonly Row[]): Set<string> {
  const found = new Map<string, number>();
  for (const [name, table, event, , body] of rows) {
    const isOurs = events.some(
      (each) => each === event && name === triggerName(String(table), each) && body === bodyOf(String(table), each),
    );
    if (isOurs) found.set(String(table), (found.get(String(table)) ?? 0) + 1);
  }
  return new Set([...found].filter(([, count]) => count === events.length).map(([table]) => table));
}

async function stateOf(connection: Connection): Promise<WriteLogState> {
  const [[schema] = []] = await connection.query('SELECT DATABASE()', []);
  const exists = 'SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?';
  const hasLog = (await connection.query(exists, [logTable])).length > 0;
  const isComplete =
    hasLog && (await connection.query(`SELECT 1 FROM "${logTable}" WHERE "table_name" = '' AND "connection" = ${ended}`, [])).length > 0;
  const triggers = await connection.query(triggersQuestion, []);
  return {
    schema: String(schema),
    isComplete,
    hasParts: hasLog || triggers.length > 0,
    tables: withTriggers(triggers),
    triggers: triggers.map(([name]) => String(name)),
  };
}

/** The counts of each table: name, writes, deletes. */
export const countsQuestion = `SELECT "table_name", SUM("writes"), SUM("deletes") FROM "${logTable}" GROUP BY "table_name"`;

/** Whether the counts of tables include all of their writes. */
export interface LoggedTable {
  readonly isLogged: boolean;
  /** The tables whose writes, or deletes, may write this one by a foreign key. */
  readonly parents: readonly { readonly table: string; readonly by: 'writes' | 'deletes' }[];
}

export interface Catalogue {
  readonly tables: ReadonlyMap<string, LoggedTable>;
  /** Differs if any table or trigger was made, changed or removed. */
  readonly identity: string;
  /** By table. TRUNCATE resets it to 1. */
  readonly nextIds: ReadonlyMap<string, number>;
}

/** Statements of the driver, for a connection without a transaction. */
export async function readCatalogue(query: (text: string) => Promise<readonly Row[]>): Promise<Catalogue> {
  const described = await query(
    `SELECT TABLE_NAME, ENGINE, CREATE_TIME, AUTO_INCREMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'`,
  );
  const triggers = await query(triggersQuestion);
  const keys = await query(
    `SELECT TABLE_NAME, REFERENCED_TABLE_NAME, DELETE_RULE, UPDATE_RULE FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()`,
  );
  const logged = withTriggers(triggers);
  const parents = new Map<string, Map<string, 'writes' | 'deletes'>>();
  for (const [table, parent, onDelete, onUpdate] of keys) {
    const isWriting = writes(onUpdate);
    if (!isWriting && !writes(onDelete)) continue;
    const of = parents.get(String(table)) ?? new Map<string, 'writes' | 'deletes'>();
    if (isWriting || !of.has(String(parent))) of.set(String(parent), isWriting ? 'writes' : 'deletes');
    parents.set(String(table), of);
  }
  const tables = new Map<string, LoggedTable>();
  for (const [name, engine] of described) {
    const found = ancestors(String(name), parents);
    const all = [String(name), ...found.keys()];
    // Other storage engines have no transactions: readers would see their rows before the counts.
    const isLogged = engine === 'InnoDB' && all.every((each) => logged.has(each));
    tables.set(String(name), { isLogged, parents: [...found].map(([table, by]) => ({ table, by })) });
  }
  return {
    tables,
    identity: JSON.stringify([described.map(([name, engine, time]) => [name, engine, time]), triggers, keys]),
    nextIds: new Map(described.map(([name, , , next]) => [String(name), Number(next ?? 0)])),
  };
}

const writes = (rule: unknown): boolean => rule === 'CASCADE' || rule === 'SET NULL' || rule === 'SET DEFAULT';

/** Returns the tables from which a chain of foreign keys leads to the table. */
function ancestors(
  table: string,
  parents: ReadonlyMap<string, ReadonlyMap<string, 'writes' | 'deletes'>>,
): Map<string, 'writes' | 'deletes'> {
  const found = new Map<string, 'writes' | 'deletes'>();
  const open = [table];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [parent, by] of parents.get(next) ?? []) {
      const before = found.get(parent);
      if (before === undefined) open.push(parent);
      if (before === undefined || by === 'writes') found.set(parent, by);
    }
  }
  found.delete(table);
  return found;
}

/** The most rows of ended connections that are added up at a time. */
const endedAtOnce = 1000;

/** Adds up the counts of connections that have ended, so that the log stays short. The sums stay the same. Waits for no other transaction. */
export async function clearLog(connection: Connection): Promise<void> {
  const lock = `SELECT 1 FROM "${logTable}" WHERE "table_name" = '' AND "connection" = ${ended} FOR UPDATE SKIP LOCKED`;
  if ((await connection.query(lock, [])).length === 0) return;
  const running = 'SELECT id FROM information_schema.PROCESSLIST';
  const rows = await connection.query(
    `SELECT "table_name", "connection", "writes", "deletes" FROM "${logTable}" WHERE "connection" <> ${ended} AND "connection" NOT IN (${running}) LIMIT ${endedAtOnce} FOR UPDATE SKIP LOCKED`,
    [],
  );
  if (rows.length === 0) return;
  const sums = new Map<string, [bigint, bigint]>();
  for (const [table, , writes, deletes] of rows) {
    const [w, d] = sums.get(String(table)) ?? [0n, 0n];
    sums.set(String(table), [w + BigInt(String(writes)), d + BigInt(String(deletes))]);
  }
  const values = [...sums].map(([table, [w, d]]) => `(${literal(table)}, ${ended}, ${w}, ${d})`);
  await connection.query(
    `INSERT INTO "${logTable}" VALUES ${values.join(', ')} ON DUPLICATE KEY UPDATE "writes" = "writes" + VALUES("writes"), "deletes" = "deletes" + VALUES("deletes")`,
    [],
  );
  const removed = rows.map(([table, number]) => `(${literal(String(table))}, ${String(number)})`);
  await connection.query(`DELETE FROM "${logTable}" WHERE ("table_name", "connection") IN (${removed.join(', ')})`, []);
}
