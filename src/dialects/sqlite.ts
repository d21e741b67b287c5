import { type ColumnType, storedTypeOf } from './column-type.ts';
import type { DateStep, Dialect, LetterCase, PlanUse, Row } from './dialect.ts';
import { literal, quote } from './quote.ts';
import { sqliteSearch } from './search/sqlite-search.ts';
import { sqliteTables } from './sqlite-tables.ts';
import type { TextMatch } from './text-match.ts';

/** The SQL function that lower-cases by Unicode; SQLite's own `lower` knows only ASCII. */
export const foldFunction = 'lectern_fold';

/** The name of the SQL function that ends a statement whose reader was stopped. */
export const stopFunction = 'lectern_stop';

export const sqlite: Dialect = {
  name: 'sqlite',
  systemName: 'sqlite',
  blocksThread: true,
  writesOneByOne: true,
  isReadOnly: undefined,
  quote,
  placeholder: () => '?',

  // Integers beyond 2^53 would lose digits on their way through a JavaScript number.
  select: (column, type) => (type === 'biginteger' ? `CAST(${column} AS TEXT)` : column),
  // A function defined in JavaScript would get a big integer as an imprecise number.
  asText: (column, type) => (type === 'biginteger' ? `CAST(${column} AS TEXT)` : column),
  bind(value) {
    if (typeof value === 'boolean') return Number(value);
    // The driver accepts no integer beyond 64 bits. Real numbers compare correctly with all.
    return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value ? Number(value) : value;
  },
  store(value, type) {
    // Strapi stores and reads a JSON string without its quotes.
    if ((type === 'json' || type === 'blocks') && typeof value === 'string' && value.startsWith('"')) return String(JSON.parse(value));
    return sqlite.bind(value, type);
  },
  comparand: (placeholder) => placeholder,
  exactly: () => undefined,
  ranged: (column) => column,

  // The list is one JSON text, so that one prepared statement works for any number of ids.
  idList: (placeholder, alias) => `json_each(${placeholder}) AS ${alias}`,
  bindIds: (ids) => `[${ids.join(',')}]`,
  isListed: (column, placeholder, alias) => `${column} IN (SELECT ${alias}.value FROM json_each(${placeholder}) AS ${alias})`,
  isAmong: (column, values) => `${column} IN (VALUES ${values.map((each) => `(${each})`).join(', ')})`,
  bindTexts: (texts) => JSON.stringify(texts),
  // SQLite never reorders a CROSS JOIN, so the ids on its left side are read first.
  orderedJoin: 'CROSS JOIN',
  singleStatementReads: undefined,
  same: 'IS NOT DISTINCT FROM',
  materialized: 'AS MATERIALIZED',
  // SQLite allows only one writing transaction at a time.
  rowLock: '',
  // The function is called for about one row in 64. The product is there because a table may have
  // only even ids. `>>` binds more tightly than `&`, and both more tightly than `<>`. Measured: 1
  // to 5 % of a scan.
  stopPoint: (id) => `(${id} * 2654435761 >> 16 & 63 <> 0 OR ${stopFunction}())`,
  // Without statistics, SQLite assumes that the index on `field` or `component_type` is as good as
  // the one on `entity_id`. A unary plus prevents the use of a column's index. Source: SQLite
  // manual, "Disqualifying WHERE clause terms".
  unindexed: (column) => `+${column}`,
  // SQLite plans a statement for the value of a LIMIT that is a parameter alone, and plans it again
  // whenever a value is bound to it. Source: `sqlite3ExprIsInteger` in SQLite 3.53. Measured: two
  // thirds of the time of a list with one row.
  limit: (value) => `${value} + 0`,

  matchesText(text, value, position, letterCase) {
    // LIKE and GLOB read a pattern only up to its first NUL. It is replaced by a noncharacter,
    // which matches no stored text either.
    const searched = folded(value.replaceAll('\0', '\uffff'), letterCase);
    const column = foldedColumn(text, letterCase);
    switch (position) {
      case 'anywhere':
        return stoppable(text, { sql: [`instr(${column}, `, ') > 0'], values: [searched] });
      case 'end':
        // `substr` returns the whole text for the last 0 characters.
        if (searched === '') return sqlite.matchesText(text, value, 'anywhere', letterCase);
        return stoppable(text, { sql: [`substr(${column}, -length(`, ')) = ', ''], values: [searched, searched] });
      case 'start':
      case 'whole': {
        const pattern = position === 'start' ? `${literalGlob(searched)}*` : literalGlob(searched);
        const match = { sql: [`${column} GLOB `, ''], values: [pattern] };
        // Without folding, GLOB reads only as much of the text as the pattern, and may use an
        // index.
        return letterCase === 'sensitive' ? match : stoppable(text, match);
      }
    }
  },
  extremum: (column) => column,
  sortValue: (expression, type) => (isInteger(type) ? `CAST(${expression} AS TEXT)` : expression),
  sortComparand: (placeholder, type) => (isInteger(type) ? `CAST(${placeholder} AS NUMERIC)` : placeholder),
  // The remainder of a negative number is negative.
  dateStep: (column, type, step) =>
    storedTypeOf(type) === 'date'
      ? `substr(${column}, 1, ${stepLengths[step]})`
      : `substr(strftime('%Y-%m-%d', (${column} - ((${column} % 1000 + 1000) % 1000)) / 1000, 'unixepoch'), 1, ${stepLengths[step]})`,
  nulls: 'smallest',
  localizationsBy: 'locale',
  ordering: (direction) => (direction === 'asc' ? ' ASC' : ' DESC'),
  storesNul: true,
  misfit: () => undefined,
  returningId: ' RETURNING id',
  unlessPresent: () => ' ON CONFLICT DO NOTHING',
  newId: 'NULL',
  // Deleted rows may have had higher ids than the existing ones.
  nextId: (table, order) => {
    const counter = `SELECT seq FROM sqlite_sequence WHERE name = ${literal(table)}`;
    return `(SELECT max(coalesce(max(id), 0), coalesce((${counter}), 0)) FROM ${quote(table)}) + row_number() OVER (ORDER BY ${order})`;
  },

  tableExists: (placeholder) => `EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${placeholder})`,
  indexOrdering: (direction) => (direction === 'asc' ? ' ASC' : ' DESC'),
  changesWhatItReads: true,
  explain: (text) => `EXPLAIN QUERY PLAN ${text}`,
  expectedRows: undefined,
  planLines: indentedPlan,
  planUse,
  search: sqliteSearch,
  tables: sqliteTables,
};

const isInteger = (type: ColumnType): boolean => type === 'integer' || type === 'biginteger';

/** Characters of `2024-05-03`. */
const stepLengths: Readonly<Record<DateStep, number>> = { year: 4, month: 7, day: 10 };

/** Texts of more bytes are searched only after a check that the statement was not stopped. */
const longText = 2048;

/** Lets a statement be stopped before each long text: 64 rows with many conditions on texts of a
 *  megabyte would take minutes. The first part is never false, so the result is that of the match.
 *  `octet_length` does not read the text. */
function stoppable(text: string, { sql: [first = '', ...others], values }: TextMatch): TextMatch {
  const last = others.pop() ?? '';
  return { sql: [`((octet_length(${text}) <= ${longText} OR ${stopFunction}()) AND ${first}`, ...others, `${last})`], values };
}

/** Returns the column in this letter case. `native` and `nativeFolded` use `lower`, which
 *  folds ASCII letters, as LIKE does in Strapi. */
function foldedColumn(text: string, letterCase: LetterCase): string {
  switch (letterCase) {
    case 'sensitive':
      return text;
    case 'folded':
      return `${foldFunction}(${text})`;
    case 'native':
    case 'nativeFolded':
      return `lower(${text})`;
  }
}

function folded(value: string, letterCase: LetterCase): string {
  if (letterCase === 'sensitive') return value;
  return letterCase === 'folded' ? value.toLowerCase() : value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns a GLOB pattern that matches exactly this text. GLOB has no escape character, so special
 *  characters become sets of one. */
const literalGlob = (value: string): string => value.replace(/[*?[]/g, '[$&]');

/** Rows are [id, parent's id, –, text], parents first. */
/** `SEARCH t1 USING INDEX notes_title (title=?)`, `SCAN t1 USING COVERING INDEX …`,
 *  `SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)`, `SCAN t1`. */
function planUse(line: string): PlanUse | undefined {
  const index = /\bUSING (?:AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?INDEX (?!\()(\S+)/.exec(line)?.[1];
  if (index !== undefined) return line.includes('VIRTUAL TABLE') ? undefined : { kind: 'index', name: index };
  const [, table] = /^\s*SCAN (\S+)$/.exec(line) ?? [];
  return table === undefined ? undefined : { kind: 'scan', name: table };
}

function indentedPlan(rows: readonly Row[]): string[] {
  const depths = new Map<unknown, number>();
  return rows.map(([id, parent, , text]) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return `${'  '.repeat(depth)}${text}`;
  });
}
