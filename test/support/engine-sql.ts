/** Parts of SQL that engines write in different ways, for statements of the tests. */
import type { EngineName } from './engines.ts';

export interface EngineSql {
  /** A moment as a column of datetimes stores it. */
  moment(milliseconds: number): string;
  /** The milliseconds of such a column. */
  milliseconds(column: string): string;
  /** A relation for FROM, without its alias: the numbers from 1 on, in the column n. */
  numbers(count: number): string;
  /** So many letters `a`. */
  letters(count: number): string;
  /** A number with all its digits. */
  asText(column: string): string;
  /** A query for the names of all tables. */
  readonly tableNames: string;
}

/** Standard SQL for a moment, in UTC. */
const timestamp = (milliseconds: number) => `timestamp '${new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '')}'`;

const mariadb: EngineSql = {
  moment: timestamp,
  milliseconds: (column) => `timestampdiff(microsecond, timestamp '1970-01-01 00:00:00', ${column}) / 1000`,
  numbers: (count) => `(SELECT seq AS n FROM seq_1_to_${count})`,
  letters: (count) => `repeat('a', ${count})`,
  asText: (column) => `CAST(${column} AS char)`,
  tableNames: 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
};

export const engineSql: Readonly<Record<EngineName, EngineSql>> = {
  sqlite: {
    moment: String,
    milliseconds: (column) => column,
    numbers: (count) => `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) SELECT n FROM c)`,
    letters: (count) => `substr(replace(hex(zeroblob(${Math.ceil(count / 2)})), '0', 'a'), 1, ${count})`,
    asText: (column) => `CAST(${column} AS text)`,
    tableNames: "SELECT name FROM sqlite_master WHERE type = 'table'",
  },
  postgres: {
    moment: timestamp,
    milliseconds: (column) => `extract(epoch from ${column}) * 1000`,
    numbers: (count) => `(SELECT n FROM generate_series(1, ${count}) AS g(n))`,
    letters: (count) => `repeat('a', ${count})`,
    asText: (column) => `CAST(${column} AS text)`,
    tableNames: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  },
  mariadb,
  mysql: {
    ...mariadb,
    numbers: (count) =>
      `(SELECT n FROM JSON_TABLE(CONCAT('[0', REPEAT(',0', ${count - 1}), ']'), '$[*]' COLUMNS (n FOR ORDINALITY)) AS listed)`,
  },
};
