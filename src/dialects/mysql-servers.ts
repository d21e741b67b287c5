/** The differences between MariaDB and MySQL. The rest of `mysql*.ts` applies to both. */
import { StartError } from '../errors/start-error.ts';

export interface MysqlServer {
  readonly label: 'MariaDB' | 'MySQL';
  /** The name of the engine in the semantic conventions of OpenTelemetry. */
  readonly systemName: 'mariadb' | 'mysql';
  /** Major version, minor version and patch. Older servers are refused. */
  readonly oldest: readonly [number, number, number];
  /** The collation that compares texts by their code points, trailing spaces included. */
  readonly codePointOrder: string;
  /** The assignments in SET that give a session READ COMMITTED, no join buffers, and a limit for
   *  statements in milliseconds. Statements rely on the order of the left side of a join that is
   *  not to be reordered, which join buffers would change. */
  session(statementTime: number): readonly string[];
  /** True if the server ends every statement at the time limit. Otherwise it ends only SELECT, and
   *  the pool ends other statements. */
  readonly limitsEveryStatement: boolean;
  /** True if JSON is a type of its own. Otherwise it is a text with a constraint. */
  readonly hasJson: boolean;
  /** A query for `table_name` and `clause`: the constraints that can make a text JSON. */
  readonly jsonConstraints: string;
  /** The positions of columns in the rows of EXPLAIN. */
  readonly planColumns: Readonly<Record<'table' | 'type' | 'key' | 'rows' | 'extra', number>>;
  /** The maximum number of nested levels of a JSON value. */
  readonly jsonLevels: number;
  /** The program that loads the time zones of the machine. */
  readonly timeZoneLoader: string;
  /** The end of an INSERT that returns its ids. If empty, the server reports the first id, and the
   *  others follow with the step of the session. */
  readonly returningId: string;
}

export const mariadb: MysqlServer = {
  label: 'MariaDB',
  systemName: 'mariadb',
  oldest: [10, 11, 0],
  codePointOrder: 'utf8mb4_nopad_bin',
  session: (statementTime) => [
    "SESSION tx_isolation = 'READ-COMMITTED'",
    'SESSION join_cache_level = 0',
    `SESSION max_statement_time = ${statementTime / 1000}`,
    // Seconds. Otherwise a connection whose other side has disappeared with its host or network
    // would hold the locks of its transaction for hours. Others wait five seconds for a lock.
    ...(statementTime > 0 ? ['SESSION idle_transaction_timeout = 15', 'SESSION net_write_timeout = 10'] : []),
  ],
  limitsEveryStatement: true,
  hasJson: false,
  jsonConstraints:
    'SELECT TABLE_NAME AS table_name, CHECK_CLAUSE AS clause FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()',
  planColumns: { table: 2, type: 3, key: 5, rows: 8, extra: 9 },
  jsonLevels: 31,
  timeZoneLoader: 'mariadb-tzinfo-to-sql',
  // A Galera cluster changes the step of open sessions when a node joins or leaves.
  returningId: ' RETURNING id',
};

export const mysql: MysqlServer = {
  label: 'MySQL',
  systemName: 'mysql',
  // The setting below also switches off hash joins, which change the order of their left side.
  oldest: [8, 0, 20],
  codePointOrder: 'utf8mb4_0900_bin',
  session: (statementTime) => [
    "SESSION transaction_isolation = 'READ-COMMITTED'",
    "SESSION optimizer_switch = 'block_nested_loop=off,batched_key_access=off,mrr=off'",
    `SESSION max_execution_time = ${Math.ceil(statementTime)}`,
    // Otherwise, the next id of a table is from a cache that is up to a day old.
    'SESSION information_schema_stats_expiry = 0',
  ],
  limitsEveryStatement: false,
  hasJson: true,
  jsonConstraints: "SELECT '' AS table_name, '' AS clause",
  planColumns: { table: 2, type: 4, key: 6, rows: 9, extra: 11 },
  jsonLevels: 100,
  timeZoneLoader: 'mysql_tzinfo_to_sql',
  returningId: '',
};

/** Reads the version, such as `8.4.5`. Throws a `StartError` for a server that is too old. */
export function serverOf(version: string): MysqlServer {
  const server = /mariadb/i.test(version) ? mariadb : mysql;
  const numbers = version.split(/[.-]/, 3).map(Number);
  const differs = server.oldest.findIndex((number, index) => numbers[index] !== number);
  if (differs >= 0 && !((numbers[differs] ?? 0) > (server.oldest[differs] ?? 0)))
    throw new StartError([`The database server is ${server.label} ${version}: ${server.oldest.join('.')} or later is needed.`]);
  return server;
}
