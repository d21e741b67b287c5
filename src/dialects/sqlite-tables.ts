/** How SQLite makes and changes tables and indexes. */
import { type StoredType, storedTypeOf } from './column-type.ts';
import { quote } from './quote.ts';
import { holding, type TableDialect } from './table-dialect.ts';

const columnTypes: Record<StoredType, string> = {
  id: 'integer',
  reference: 'integer',
  order: 'float',
  string: 'varchar(255)',
  text: 'text',
  json: 'json',
  integer: 'integer',
  biginteger: 'bigint',
  float: 'float',
  decimal: 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
};

/** The column type for each declared type. SQLite does not limit the length of `varchar(255)`, and
 *  any number fits any numeric column. */
const storedTypes: Readonly<Record<string, StoredType>> = {
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
const compatibleTypes: Record<StoredType, readonly StoredType[]> = {
  id: integers,
  reference: integers,
  order: numbers,
  string: texts,
  text: texts,
  json: ['json'],
  integer: integers,
  biginteger: integers,
  float: numbers,
  decimal: numbers,
  boolean: ['boolean'],
  date: ['date'],
  time: ['time'],
  datetime: ['datetime'],
};

const storedType = (declared: string) => storedTypes[/^\w*/.exec(declared.toLowerCase())?.[0] ?? ''];

export const sqliteTables: TableDialect = {
  textIndexes: undefined,

  columnDefinition: (type) => columnTypes[storedTypeOf(type)],
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
  // Readers of a database in WAL mode are not blocked, and there is only one writer at a time.
  indexOnline: 'INDEX',
  rehearsalLocks: false,
  storedType,
  holds: holding(storedType, compatibleTypes),
};
