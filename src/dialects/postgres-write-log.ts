/** The log of writes by table (`database.tableVersions`): each transaction that writes a table leaves one row for it, written by a trigger. Rows become
 *  visible together with what they stand for, so the rows that one snapshot sees and an earlier one does not name the tables that differ between the two. */
import type { Connection } from './dialect.ts';
import { logTable, type WriteLog, type WriteLogState } from './write-log.ts';

const logWrite = 'lectern_log_write';

/** No transaction and no table has the number zero. The row of this key says up to which transaction the log was cleared. */
const isClearedRow = "xid = '0' AND table_id = 0";

/** What servers need to read the log and to clear it. */
const logRights = ['SELECT', 'UPDATE', 'DELETE'];

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Tables with our trigger switched on. `c` is the table, `t` the trigger, `f` the function, `l` the log. */
const withTrigger = (schema: string): string =>
  `FROM pg_catalog.pg_class l ` +
  `JOIN pg_catalog.pg_proc f ON f.pronamespace = l.relnamespace AND f.proname = '${logWrite}' AND f.pronargs = 0 ` +
  // All four kinds of writes, after each statement.
  `JOIN pg_catalog.pg_trigger t ON t.tgfoid = f.oid AND t.tgname = '${logWrite}' AND t.tgtype = 60 AND t.tgenabled = 'A' AND t.tgqual IS NULL AND t.tgattr = '' ` +
  `JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid AND c.relnamespace = l.relnamespace ` +
  `WHERE l.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = ${literal(schema)}) AND l.relname = '${logTable}' AND l.relkind = 'r'`;

/** Tables whose trigger fires at each write. It does not fire where a statement for another table writes the rows (partitions and other children), nor for
 *  logical replication. What a policy hides may change without a write. */
const loggedTables = (schema: string): string =>
  `${withTrigger(schema)} AND c.relkind = 'r' AND NOT c.relhassubclass AND NOT c.relrowsecurity ` +
  `AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid) ` +
  `AND NOT EXISTS (SELECT FROM pg_catalog.pg_subscription_rel r WHERE r.srrelid = c.oid)`;

/** Differs between two tables, and for one table before and after something that its trigger does not see: a trigger that was switched off and on again is
 *  another row of the catalog, and so is a table that ALTER TABLE has written anew. */
const identity = "concat_ws(' ', c.oid, c.xmin, t.oid, t.xmin, f.xmin, l.oid)";

const removal = [`DROP FUNCTION IF EXISTS "${logWrite}"() CASCADE`, `DROP TABLE IF EXISTS "${logTable}"`];

/** Statements on tables are written without a schema: they run on connections whose first schema is that of the tables. */
export const postgresWriteLog = (
  isWanted: boolean,
  read: (work: (connection: Connection) => Promise<WriteLogState>) => Promise<WriteLogState>,
): WriteLog => ({
  isWanted,
  state: () => read(stateOf),
  create: ({ schema, hasParts }) => {
    const name = `${quote(schema)}."${logTable}"`;
    return [
      ...(hasParts ? removal : []),
      `CREATE TABLE ${name} ("xid" xid8 NOT NULL, "table_id" oid NOT NULL, "cleared_before" xid8, PRIMARY KEY ("xid", "table_id"))`,
      `INSERT INTO ${name} ("xid", "table_id", "cleared_before") VALUES ('0', 0, '0')`,
      // Writers need no right to the log. A second row for the same transaction would tell nothing more.
      `CREATE FUNCTION ${quote(schema)}."${logWrite}"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS ` +
        `$$BEGIN INSERT INTO ${name} (xid, table_id) VALUES (pg_current_xact_id(), TG_RELID) ON CONFLICT DO NOTHING; RETURN NULL; END$$`,
    ];
  },
  add: (table, replaces) => [
    ...(replaces ? [`DROP TRIGGER IF EXISTS "${logWrite}" ON ${quote(table)}`] : []),
    `CREATE TRIGGER "${logWrite}" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${quote(table)} FOR EACH STATEMENT EXECUTE FUNCTION "${logWrite}"()`,
    // Also in sessions that switch triggers off, as tools for replication do.
    `ALTER TABLE ${quote(table)} ENABLE ALWAYS TRIGGER "${logWrite}"`,
  ],
  remove: () => removal,
});

async function stateOf(connection: Connection): Promise<WriteLogState> {
  const [[name, hasLog, hasFunction, role, ...held] = []] = await connection.query(
    `SELECT n.nspname, l.oid IS NOT NULL, EXISTS (SELECT FROM pg_proc WHERE pronamespace = n.oid AND proname = '${logWrite}' AND pronargs = 0),
       current_user, ${logRights.map((right) => `has_table_privilege(l.oid, '${right}')`).join(', ')}
     FROM pg_namespace n LEFT JOIN pg_class l ON l.relnamespace = n.oid AND l.relname = '${logTable}' WHERE n.nspname = current_schema()`,
    [],
  );
  const schema = String(name);
  const missing = hasLog === true ? logRights.filter((_, position) => held[position] !== true) : [];
  // A role without the right to read the log cannot tell that it is broken either.
  const isCleared =
    hasLog === true &&
    (missing.includes('SELECT') ||
      (await connection.query(`SELECT FROM ${quote(schema)}."${logTable}" WHERE ${isClearedRow}`, [])).length === 1);
  const tables = await connection.query(`SELECT c.relname ${withTrigger(schema)}`, []);
  return {
    schema,
    isComplete: isCleared && hasFunction === true,
    hasParts: hasLog === true || hasFunction === true,
    tables: new Set(tables.map(([table]) => String(table))),
    ...(missing.length === 0 ? {} : { grant: `GRANT ${missing.join(', ')} ON ${quote(schema)}."${logTable}" TO ${quote(String(role))}` }),
  };
}

/** When the server was started: it tells two servers apart, which may count their transactions alike. */
const serverStart = 'extract(epoch from pg_postmaster_start_time())::text';
/** The text of `WholeReads.version`. */
export const snapshotText = (snapshot: string, start: string): string => `${snapshot} ${start}`;

const state = `CASE WHEN pg_is_in_recovery() THEN NULL ELSE ${serverStart} END, pg_current_snapshot()::text`;

/** Asks for the version of the data. Returns the start of the server (null in recovery) and the snapshot. */
export const wholeQuestion = `SELECT ${state}`;

/** The same, with the schema and whether it has a log. */
export const logQuestion = `SELECT ${state}, n.nspname, EXISTS (SELECT FROM pg_class l WHERE l.relnamespace = n.oid AND l.relname = '${logTable}' AND l.relkind = 'r'
    AND has_table_privilege(l.oid, 'SELECT'))
  FROM (SELECT) AS one LEFT JOIN pg_namespace n ON n.nspname = current_schema()`;

/** The same with the log. If the snapshot differs from `$1`, the one that was returned last (null at first), it also returns the logged tables as JSON (null if
 *  `$2` is its SHA-256), whether the log is complete since that snapshot, and the tables that were written since.
 *
 *  A transaction counts as new if `$1` does not see it: it is not below that snapshot's upper bound, or was running. So rows of earlier transactions are not
 *  read, however long another transaction is running. */
export const tableQuestion = (schema: string): string => {
  const name = `${quote(schema)}."${logTable}"`;
  const differs = 'state.now::text IS DISTINCT FROM $1::text';
  return `WITH state AS MATERIALIZED (SELECT pg_current_snapshot() AS now)
    SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE ${serverStart} END, state.now::text,
      CASE WHEN ${differs} THEN (SELECT CASE WHEN encode(sha256(convert_to(logged.list, 'UTF8')), 'hex') IS DISTINCT FROM $2::text THEN logged.list END
        FROM (SELECT coalesce(json_agg(json_build_array(c.oid::int8, c.relname, ${identity}) ORDER BY c.oid)::text, '[]') AS list ${loggedTables(schema)}) AS logged) END,
      CASE WHEN ${differs} THEN (SELECT cleared_before <= pg_snapshot_xmin($1::pg_snapshot) FROM ${name} WHERE ${isClearedRow}) END,
      CASE WHEN ${differs} THEN ARRAY(SELECT table_id::int8 FROM ${name} WHERE xid >= pg_snapshot_xmax($1::pg_snapshot)
        UNION SELECT w.table_id::int8 FROM pg_snapshot_xip($1::pg_snapshot) AS running(xid) JOIN ${name} w ON w.xid = running.xid) END
    FROM state`;
};

/** Removes the rows of transactions before `$1`, which must all have ended, and notes it: a server whose last query was before that treats all tables as changed.
 *  Rows and notes about transactions that have not begun yet are those of another server, from which the database was copied. */
export const clearLog = (schema: string): string => {
  const name = `${quote(schema)}."${logTable}"`;
  const isOfNow = (xid: string) => `${xid} < pg_snapshot_xmax(pg_current_snapshot())`;
  return `WITH cleared AS (UPDATE ${name} SET cleared_before = CASE WHEN ${isOfNow('cleared_before')} AND cleared_before > $1::xid8 THEN cleared_before ELSE $1::xid8 END
      WHERE ${isClearedRow} RETURNING cleared_before)
    DELETE FROM ${name} w USING cleared WHERE w.xid <> '0' AND (w.xid < cleared.cleared_before OR NOT ${isOfNow('w.xid')})`;
};
