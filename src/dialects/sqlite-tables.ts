/** How SQLite makes and changes tables and indexes. */
import type { ColumnType } from './column-type.ts';
import { quote } from './quote.ts';
import type { TableDialect } from './table-dialect.ts';

const columnTypes: Record<ColumnType, string> = {
  id: 'integer',
  reference: 'integer',
  order: 'float',
  string: 'varchar(255)',
  email: 'varchar(255)',
  password: 'varchar(255)',
  uid: 'varchar(255)',
  enumeration: 'varchar(255)',
  text: 'text',
  richtext: 'text',
  blocks: 'json',
  json: 'json',
  integer: 'integer',
  biginteger: 'bigint',
  float: 'float',
  decimal: 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
};

/** The column type for each declared type. SQLite does not limit the length of `varchar(255)`, and
 *  any number fits any numeric column. */
const storedTypes: Readonly<Record<string, ColumnType>> = {
  varchar: 'string',
  nvarchar: 'string',
  char: 'string',
  text: 'text',
  json: 'json',
  jsonb: 'json',
  int: 'integer',
  integer: 'integer',
  bigint: 'biginteger',
  float: 'float',
  real: 'float',
  double: 'float',
  decimal: 'decimal',
  numeric: 'decimal',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
};
const texts = ['string', 'text'] as const;
const integers = ['integer', 'biginteger'] as const;
const numbers = [...integers, 'float', 'decimal'] as const;
const heldBy: Record<ColumnType, readonly ColumnType[]> = {
  id: integers,
  reference: integers,
  order: numbers,
  string: texts,
  email: texts,
  password: texts,
  uid: texts,
  enumeration: texts,
  text: texts,
  richtext: texts,
  blocks: ['json'],
  json: ['json'],
  integer: integers,
  biginteger: integers,
  float: numbers,
  decimal: numbers,
  boolean: ['boolean'],
  date: ['date'],
  time: ['time'],
  datetime: ['datetime'],
  timestamp: ['datetime'],
};

export const sqliteTables: TableDialect = {
  textIndexes: undefined,

  columnDefinition: (type) => columnTypes[type],
  primaryKeyDefinition: 'integer PRIMARY KEY AUTOINCREMENT NOT NULL',
  partialIndexes: true,
  addedKey: (name, _, references) => ` CONSTRAINT ${quote(name)} ${references}`,
  tableOptions: '',
  emptyCopy: (copy, original) => `CREATE TABLE IF NOT EXISTS ${copy} AS SELECT * FROM ${original} WHERE 1 = 0`,
  undoesTables: true,
  analyse: (table) => `ANALYZE ${table}`,
  renameIndex: undefined,
  renamedKey() {
    throw new Error('SQLite has no names of foreign keys');
  },
  sharesKeyNames: false,
  indexOf: (_, name) => quote(name),
  // Readers of a database in WAL mode are not held up, and there is only one writer at a time.
  indexOnline: 'INDEX',
  rehearsalLocks: false,
  storedType: (declared) => storedTypes[/^\w*/.exec(declared.toLowerCase())?.[0] ?? ''],
  holds(declared, type) {
    const stored = sqliteTables.storedType(declared);
    return stored !== undefined && heldBy[type].includes(stored);
  },
};
