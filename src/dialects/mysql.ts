/** MariaDB and MySQL. Texts are compared by the collation of their column by default. */
import { type ColumnType, isText, storedTypeOf } from './column-type.ts';
import type { DateStep, Dialect, LetterCase, Row } from './dialect.ts';
import { beyond32Bits, beyondTenDigits, misfitOf, tooLong } from './misfits.ts';
import type { MysqlServer } from './mysql-servers.ts';
import { mysqlTables } from './mysql-tables.ts';
import { literal, quote } from './quote.ts';
import { mysqlSearch } from './search/mysql-search.ts';

/** Strapi's datetimes are `datetime(6)`, which its driver writes in the process's time zone. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
export const isUtc = timeZone === 'UTC' || timeZone === 'Etc/UTC';
const inUtc = (column: string) => (isUtc ? column : `CONVERT_TZ(${column}, ${literal(timeZone)}, '+00:00')`);

const earliest = Date.UTC(1000, 0, 1);
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Returns a moment in the form that columns store: `2024-01-31 09:30:00.123`. */
function datetimeText(milliseconds: number): string {
  const date = new Date(Math.min(Math.max(milliseconds, earliest), latest));
  if (isUtc) return date.toISOString().slice(0, -1).replace('T', ' ');
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** The type of a value that is sorted by as a text; undefined for one that JSON can hold. */
function sortedAs(type: ColumnType): string | undefined {
  switch (storedTypeOf(type)) {
    case 'biginteger':
      return 'SIGNED';
    case 'decimal':
      return 'DECIMAL(65,30)';
    case 'datetime':
      return 'DATETIME(6)';
    case 'date':
      return 'DATE';
    case 'time':
      return 'TIME(6)';
    default:
      return undefined;
  }
}

const stepFormats: Readonly<Record<DateStep, string>> = { year: "'%Y'", month: "'%Y-%m'", day: "'%Y-%m-%d'" };

/** LIKE searches while the product of both lengths is smaller: some tenths of a second. */
const maxSearchCost = 20_000_000;

/** Escapes a text for LIKE … ESCAPE '!'. */
const literalPattern = (value: string) => value.replace(/[!%_]/g, '!$&');

const ofTexts = (column: string) => `(${column} COLLATE utf8mb4_bin)`;

/** Returns a text, and what surrounds a value, to compare both in the letter case. */
function cased(text: string, letterCase: LetterCase): { readonly text: string; readonly open: string; readonly close: string } {
  switch (letterCase) {
    case 'sensitive':
      return { text: ofTexts(text), open: '', close: '' };
    case 'folded':
      return { text: ofTexts(`LOWER(${text})`), open: 'LOWER(', close: ')' };
    case 'native':
      return { text, open: '', close: '' };
    case 'nativeFolded':
      return { text: `LOWER(${text})`, open: 'LOWER(', close: ')' };
  }
}

/** `areExact`: all texts of the database have that collation, so that statements need not name it.
 *  With another one than the column's, no index is used. */
export const mysqlDialect = (server: MysqlServer, areExact: boolean): Dialect => {
  const { codePointOrder, systemName } = server;
  const isCompared = (type: ColumnType) => (storedTypeOf(type) === 'json' ? server.hasJson || !areExact : isText(type) && !areExact);
  // JSON becomes its text.
  const compared = (column: string, type: ColumnType) => (isCompared(type) ? `${column} COLLATE ${codePointOrder}` : column);
  const dialect: Dialect = {
    name: 'mysql',
    systemName,
    blocksThread: false,
    writesOneByOne: false,
    isReadOnly: '@@read_only = 1',
    // Sessions have ANSI_QUOTES.
    quote,
    placeholder: () => '?',

    select(column, type) {
      switch (storedTypeOf(type)) {
        case 'datetime':
          return `CAST(FLOOR(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${inUtc(column)}) / 1000) AS SIGNED)`;
        case 'biginteger':
          return `CAST(${column} AS CHAR)`;
        case 'json':
          // A JSON string is returned without its quotes, as by engines that store JSON as text.
          return `IF(LEFT(${column}, 1) = '"', JSON_UNQUOTE(${column}), ${column})`;
        case 'date':
          return `DATE_FORMAT(${column}, '%Y-%m-%d')`;
        case 'time':
          return `LEFT(TIME_FORMAT(${column}, '%H:%i:%s.%f'), 12)`;
        default:
          return column;
      }
    },
    asText: (column, type) =>
      isText(type) || storedTypeOf(type) === 'json' ? dialect.select(column, type) : `CAST(${dialect.select(column, type)} AS CHAR)`,
    bind(value, type) {
      if (typeof value === 'boolean') return Number(value);
      // Integers beyond 64 bits cannot be bound. Real numbers compare correctly with all integers.
      if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return Number(value);
      if (storedTypeOf(type) === 'datetime' && typeof value === 'number') return datetimeText(value);
      return value;
    },
    store: (value, type) => dialect.bind(value, type),
    comparand(placeholder, type) {
      switch (storedTypeOf(type)) {
        case 'decimal':
          return `CAST(${placeholder} AS DECIMAL(65,30))`;
        case 'datetime':
          return `CAST(${placeholder} AS DATETIME(6))`;
        default:
          return placeholder;
      }
    },
    exactly: (column, type) => (areExact || !isText(type) ? undefined : compared(column, type)),
    ranged: compared,

    idList: (placeholder, alias) => `JSON_TABLE(${placeholder}, '$[*]' COLUMNS (value bigint PATH '$')) AS ${alias}`,
    bindIds: (ids) => ids,
    isListed: (column, placeholder) => `${column} IN (${placeholder})`,
    isAmong: (column, values) => `${column} IN (${values.join(', ')})`,
    bindTexts: (texts) => texts,
    orderedJoin: 'STRAIGHT_JOIN',
    singleStatementReads: undefined,
    same: '<=>',
    materialized: undefined,
    // InnoDB has statistics and chooses indexes well.
    unindexed: (column) => column,
    limit: (value) => value,
    rowLock: ' FOR UPDATE',

    matchesText(column, value, position, letterCase) {
      const { text, open, close } = cased(column, letterCase);
      const pattern = literalPattern(value);
      switch (position) {
        case 'anywhere':
          // LOCATE compares as many bytes as the value has, and so does not find `é` where a
          // collation means the same by `e`. LIKE does, but its time is the product of both
          // lengths.
          if (letterCase === 'native' || letterCase === 'nativeFolded') {
            return {
              sql: [
                `IF(CHAR_LENGTH(${text}) * CHAR_LENGTH(`,
                `) < ${maxSearchCost}, ${text} LIKE ${open}`,
                `${close} ESCAPE '!', LOCATE(${open}`,
                `${close}, ${text}) > 0)`,
              ],
              values: [value, `%${pattern}%`, value],
            };
          }
          return { sql: [`LOCATE(${open}`, `${close}, ${text}) > 0`], values: [value] };
        case 'start':
          return { sql: [`${text} LIKE ${open}`, `${close} ESCAPE '!'`], values: [`${pattern}%`] };
        case 'end':
          return {
            sql: [`RIGHT(${text}, CHAR_LENGTH(${open}`, `${close})) LIKE ${open}`, `${close} ESCAPE '!'`],
            values: [value, pattern],
          };
        case 'whole':
          return { sql: [`${text} LIKE ${open}`, `${close} ESCAPE '!'`], values: [pattern] };
      }
    },
    stopPoint: undefined,
    extremum: compared,
    sortValue: (expression, type) => (sortedAs(type) === undefined ? expression : `CAST(${expression} AS CHAR)`),
    sortComparand(placeholder, type) {
      const cast = sortedAs(type);
      return cast === undefined ? placeholder : `CAST(${placeholder} AS ${cast})`;
    },
    dateStep: (column, type, step) => `DATE_FORMAT(${storedTypeOf(type) === 'date' ? column : inUtc(column)}, ${stepFormats[step]})`,
    nulls: 'smallest',
    localizationsBy: 'locale',
    ordering: (direction, type) => `${compared('', type)}${direction === 'asc' ? ' ASC' : ' DESC'}`,
    storesNul: true,
    misfit: misfitOf(beyond32Bits, beyondTenDigits, tooLong),
    returningId: server.returningId,
    unlessPresent: (column) => ` ON DUPLICATE KEY UPDATE ${quote(column)} = ${quote(column)}`,
    newId: 'DEFAULT',
    nextId: (table, order) => {
      const counter = `SELECT AUTO_INCREMENT - 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${literal(table)}`;
      return `GREATEST(COALESCE((SELECT MAX(id) FROM ${quote(table)}), 0), COALESCE((${counter}), 0)) + ROW_NUMBER() OVER (ORDER BY ${order})`;
    },

    tableExists: (placeholder) =>
      `EXISTS (SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${placeholder})`,
    indexOrdering: (direction) => (direction === 'asc' ? ' ASC' : ' DESC'),
    changesWhatItReads: !server.hasJson,
    explain: (text) => `EXPLAIN FORMAT=TRADITIONAL ${text}`,
    // Without histograms, which few tables have, it expects every row to match.
    expectedRows: undefined,
    planLines: (rows) => rows.map((row) => planLine(row, server.planColumns)),
    planUse(line) {
      const index = / using (\S+)/.exec(line)?.[1];
      if (index !== undefined) return { kind: 'index', name: index };
      const scan = /^[A-Z ]+ (\S+) ALL\b/.exec(line)?.[1];
      return scan === undefined ? undefined : { kind: 'scan', name: scan };
    },
    search: mysqlSearch,
    tables: mysqlTables(codePointOrder),
  };
  return dialect;
};

/** The same with the server's own order: texts are sorted by the collation of their column. */
export const inItsOrder = (dialect: Dialect): Dialect => ({
  ...dialect,
  exactly: (column, type, of) => (of === 'names' ? dialect.exactly(column, type, of) : undefined),
  ranged: (column) => column,
  extremum: (column) => column,
  ordering: (direction) => (direction === 'asc' ? ' ASC' : ' DESC'),
});

/** `SIMPLE t1 ref using t_fk rows 3 Using where`. */
function planLine(row: Row, { table, type, key, rows, extra }: MysqlServer['planColumns']): string {
  const named = (name: string, position: number) => (row[position] === null ? undefined : `${name} ${String(row[position])}`);
  return [row[1], row[table], row[type], named('using', key), named('rows', rows), row[extra]]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .join(' ');
}
