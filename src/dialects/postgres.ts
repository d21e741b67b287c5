import { type ColumnType, isText, storedTypeOf } from './column-type.ts';
import type { DateStep, Dialect, LetterCase, SingleStatementReads, SqlValue } from './dialect.ts';
import { beyond32Bits, beyondTenDigits, misfitOf, tooLong } from './misfits.ts';
import { postgresTables } from './postgres-tables.ts';
import { literal, quote } from './quote.ts';
import { postgresSearch } from './search/postgres-search.ts';

// Strapi's datetimes are `timestamp`, which its driver writes in the process's time zone.
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const isUtc = timeZone === 'UTC' || timeZone === 'Etc/UTC';
const zoneLiteral = literal(timeZone);
const earliest = Date.UTC(-4711, 0, 1);

const asIs = (text: string): string => text;

const isJson = (type: ColumnType): boolean => storedTypeOf(type) === 'json';

const singleStatementReads: SingleStatementReads = {
  asText: (expression) => `(${expression})::text`,
  readText(type) {
    switch (storedTypeOf(type)) {
      case 'id':
      case 'reference':
      case 'order':
      case 'integer':
      case 'float':
      case 'datetime':
        return Number;
      case 'boolean':
        return (text) => text === 'true';
      default:
        return asIs;
    }
  },
};

/** The type of a column that can be sorted by. */
function sortedAs(type: ColumnType): string {
  const stored = storedTypeOf(type);
  switch (stored) {
    case 'id':
    case 'reference':
    case 'integer':
    case 'biginteger':
      return 'bigint';
    case 'decimal':
      return 'numeric';
    case 'order':
    case 'float':
      return 'float8';
    case 'datetime':
      return 'timestamp';
    case 'date':
    case 'time':
    case 'boolean':
      return stored;
    default:
      return 'text';
  }
}

const stepFormats: Readonly<Record<DateStep, string>> = { year: "'YYYY'", month: "'YYYY-MM'", day: "'YYYY-MM-DD'" };

const ignoresCase = (letterCase: LetterCase): boolean => letterCase === 'folded' || letterCase === 'nativeFolded';

/** An index of trigrams needs no more characters, and LIKE takes little time for these. */
const indexedCharacters = 16;

/** Returns a pattern that matches each text with `searched` in it, by which an index of trigrams
 *  finds the rows; undefined if `searched` has no trigram, with which such an index is slow. */
function patternForIndex(searched: string): string | undefined {
  const characters = [...searched.slice(0, 2 * indexedCharacters + 1)];
  const prefix = characters.slice(0, indexedCharacters).join('');
  // A sigma has another lower case at the end of a word.
  const begin = characters.length > indexedCharacters ? prefix.replace(/[Σσς]+$/u, '') : prefix;
  return /[\p{L}\p{N}]{3}/u.test(begin) ? `%${begin.replaceAll(/[\\%_]/g, '\\$&')}%` : undefined;
}

/** Like ILIKE, this compares both texts in lower case. */
const searchedText = (text: string, letterCase: LetterCase): string => (ignoresCase(letterCase) ? `lower(${text})` : text);

export const postgres: Dialect = {
  name: 'postgres',
  systemName: 'postgresql',
  blocksThread: false,
  writesOneByOne: false,
  // Outside of a transaction, this is `default_transaction_read_only`, or on in recovery.
  isReadOnly: "current_setting('transaction_read_only', true) = 'on'",
  quote,
  placeholder: (position) => `$${position}`,

  select(column, type) {
    switch (storedTypeOf(type)) {
      case 'datetime':
        return `floor(extract(epoch from ${isUtc ? column : `${column} AT TIME ZONE ${zoneLiteral}`}) * 1000)::bigint`;
      case 'biginteger':
        return `${column}::text`;
      case 'json':
        // A JSON string is returned without its quotes, as by engines that store JSON as text.
        return `CASE jsonb_typeof(${column}::jsonb) WHEN 'string' THEN ${column}::jsonb #>> '{}' ELSE ${column}::text END`;
      case 'date':
        return `to_char(${column}, 'YYYY-MM-DD')`;
      case 'time':
        return `to_char(${column}, 'HH24:MI:SS.MS')`;
      default:
        return column;
    }
  },
  asText: (column, type) => (isText(type) ? column : `(${postgres.select(column, type)})::text`),
  bind(value, type) {
    // A text cannot contain NUL. It becomes a noncharacter, which matches no stored text either.
    if (typeof value === 'string') return value.replaceAll('\0', '\uffff');
    if (typeof value === 'bigint') return value.toString();
    if (storedTypeOf(type) === 'datetime' && typeof value === 'number') return Math.max(value, earliest);
    return value;
  },
  store: (value, type) => postgres.bind(value, type),
  comparand(placeholder, type, value) {
    switch (storedTypeOf(type)) {
      case 'id':
      case 'reference':
      case 'integer':
      case 'biginteger':
        return `${placeholder}::${isInt8(value) ? 'bigint' : 'float8'}`;
      case 'order':
      case 'float':
        return `${placeholder}::float8`;
      case 'decimal':
        return `${placeholder}::numeric`;
      case 'boolean':
        return `${placeholder}::boolean`;
      case 'date':
        return `${placeholder}::date`;
      case 'time':
        return `${placeholder}::time`;
      case 'datetime': {
        const instant = `(timestamp 'epoch' + ${placeholder}::float8 * interval '1 millisecond')`;
        return isUtc ? instant : `(${instant} AT TIME ZONE 'UTC' AT TIME ZONE ${zoneLiteral})`;
      }
      default:
        return `${placeholder}::text`;
    }
  },

  exactly: () => undefined,
  ranged: (column, type) => (isText(type) || isJson(type) ? `${column} COLLATE "C"` : column),

  idList: (placeholder, alias) => `unnest(${placeholder}::bigint[]) AS ${alias}(value)`,
  bindIds: (ids) => ids,
  isListed: (column, placeholder, alias, of) =>
    `${column} IN (SELECT ${alias}.value FROM unnest(${placeholder}::${of === 'ids' ? 'bigint' : 'text'}[]) AS ${alias}(value))`,
  // In a prepared statement, PostgreSQL compares each row with each item of a plain list.
  isAmong: (column, values) => `${column} IN (VALUES ${values.map((each) => `(${each})`).join(', ')})`,
  bindTexts: (texts) => texts.map((text) => text.replaceAll('\0', '\uffff')),
  orderedJoin: 'JOIN',
  singleStatementReads,
  same: 'IS NOT DISTINCT FROM',
  materialized: 'AS MATERIALIZED',
  // The lock that an UPDATE takes: other transactions can still add rows that refer to the locked
  // one.
  rowLock: ' FOR NO KEY UPDATE',
  stopPoint: undefined,
  // PostgreSQL has statistics and chooses indexes well.
  unindexed: (column) => column,
  limit: (value) => value,

  matchesText(text, value, position, letterCase) {
    const searched = value.replaceAll('\0', '\uffff');
    const [open, close] = ignoresCase(letterCase) ? ['lower(', '::text)'] : ['', '::text'];
    const column = searchedText(text, letterCase);
    // LIKE does not decide: its time is the product of both lengths, without any time limit.
    switch (position) {
      case 'anywhere': {
        const pattern = patternForIndex(searched);
        if (pattern === undefined) return { sql: [`strpos(${column}, ${open}`, `${close}) > 0`], values: [searched] };
        const like = `${text} ${ignoresCase(letterCase) ? 'ILIKE' : 'LIKE'} `;
        return { sql: [`(${like}`, `::text AND strpos(${column}, ${open}`, `${close}) > 0)`], values: [pattern, searched] };
      }
      case 'start':
        return { sql: [`starts_with(${column}, ${open}`, `${close})`], values: [searched] };
      case 'end':
        return { sql: [`right(${column}, length(${open}`, `${close})) = ${open}`, close], values: [searched, searched] };
      case 'whole':
        return { sql: [`${column} = ${open}`, close], values: [searched] };
    }
  },
  extremum(column, type) {
    if (type === 'boolean') return `${column}::integer`;
    return isJson(type) ? `${column}::text COLLATE "C"` : postgres.ranged(column, type);
  },
  sortValue: (expression) => `(${expression})::text`,
  sortComparand: (placeholder, type) => `${placeholder}::text::${sortedAs(type)}`,
  dateStep(column, type, step) {
    const local = storedTypeOf(type) === 'date' || isUtc;
    return `to_char(${local ? column : `${column} AT TIME ZONE ${zoneLiteral} AT TIME ZONE 'UTC'`}, ${stepFormats[step]})`;
  },
  nulls: 'smallest',
  localizationsBy: 'locale',
  ordering(direction, type) {
    // As on every engine: by code point, nulls first, whatever the server's collation is.
    const text = isJson(type) ? '::text COLLATE "C"' : isText(type) ? ' COLLATE "C"' : '';
    return direction === 'asc' ? `${text} ASC NULLS FIRST` : `${text} DESC NULLS LAST`;
  },
  storesNul: false,
  misfit: misfitOf(beyond32Bits, beyondTenDigits, tooLong),
  returningId: ' RETURNING id',
  unlessPresent: () => ' ON CONFLICT DO NOTHING',
  newId: 'DEFAULT',
  nextId: (table) => `nextval(pg_get_serial_sequence(${literal(quote(table))}, 'id'))`,

  tableExists: (placeholder) => `to_regclass(quote_ident(${placeholder}::text)) IS NOT NULL`,
  indexOrdering: (direction, type) => postgres.ordering(direction, type),
  changesWhatItReads: true,
  explain: (text) => `EXPLAIN ${text}`,
  expectedRows: ([first]) => Number(/ rows=(\d+)/.exec(String(first?.[0]))?.[1] ?? 0),
  planLines: (rows) => rows.map(([line]) => String(line)),
  planUse(line) {
    const scan = /\bSeq Scan on (\S+)/.exec(line)?.[1];
    if (scan !== undefined) return { kind: 'scan', name: scan };
    const index = /\b(?:Index (?:Only )?Scan(?: Backward)? using|Bitmap Index Scan on) (\S+)/.exec(line)?.[1];
    return index === undefined ? undefined : { kind: 'index', name: index };
  },
  search: postgresSearch,
  tables: postgresTables,
};

/** PostgreSQL with its own order: text is sorted by the database's collation, nulls as the largest
 *  values, JSON by PostgreSQL's rules. */
export const postgresInItsOrder: Dialect = {
  ...postgres,
  nulls: 'largest',
  localizationsBy: 'id',
  ranged: (column) => column,
  extremum(column, type) {
    if (type === 'boolean') return `${column}::integer`;
    // PostgreSQL has no max() of JSON values.
    return isJson(type) ? `${column}::text` : column;
  },
  ordering(direction, type) {
    // A column of Strapi's earlier versions may be json, which has no order.
    const order = isJson(type) ? '::jsonb' : '';
    return `${order} ${direction === 'asc' ? 'ASC' : 'DESC'}`;
  },
  indexOrdering: (direction, type) => postgresInItsOrder.ordering(direction, type),
};

function isInt8(value: SqlValue): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
}
