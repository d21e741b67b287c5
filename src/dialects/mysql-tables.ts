/** How MariaDB and MySQL make and change tables and indexes. */
import { type StoredType, storedTypeOf } from './column-type.ts';
import { quote } from './quote.ts';
import { holding, type TableDialect } from './table-dialect.ts';
import { compatibleTypes } from './typed-columns.ts';

const columnTypes: Record<StoredType, string> = {
  id: 'int unsigned',
  reference: 'int unsigned',
  order: 'double unsigned',
  string: 'varchar(255)',
  text: 'longtext',
  json: 'json',
  integer: 'int',
  biginteger: 'bigint',
  float: 'double',
  decimal: 'decimal(10,2)',
  boolean: 'boolean',
  date: 'date',
  time: 'time(3)',
  // Also for timestamps: MySQL's `timestamp` ends in 2038, and depends on the session's time zone.
  datetime: 'datetime(6)',
};

/** The column type for each type of the information schema. `json` is what `mysql-live.ts` calls
 *  MariaDB's texts that must be valid JSON. */
const storedTypes: Readonly<Record<string, StoredType>> = {
  varchar: 'string',
  char: 'string',
  tinytext: 'string',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  json: 'json',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  bigint: 'biginteger',
  float: 'float',
  double: 'float',
  decimal: 'decimal',
  tinyint: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
};

const storedType = (declared: string) => storedTypes[declared];

/** `collation`: of the texts in new tables. */
export const mysqlTables = (collation: string): TableDialect => ({
  textIndexes: undefined,

  columnDefinition: (type) => columnTypes[storedTypeOf(type)],
  primaryKeyDefinition: 'int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY',
  partialIndexes: false,
  // As part of the column, MySQL reads it and does nothing.
  addedKey: (name, column, references) => `, ADD CONSTRAINT ${quote(name)} FOREIGN KEY (${quote(column)}) ${references}`,
  tableOptions: ` DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`,
  // InnoDB finds the rows of `IN (SELECT id FROM …)` only in an index.
  emptyCopy: (copy, original) => `CREATE TABLE IF NOT EXISTS ${copy} (PRIMARY KEY (id)) AS SELECT * FROM ${original} WHERE 1 = 0`,
  undoesTables: false,
  // InnoDB does it, and ANALYZE TABLE would commit the transaction.
  analyse: undefined,
  renameIndex: (table, from, to) => `ALTER TABLE ${quote(table)} RENAME INDEX ${quote(from)} TO ${quote(to)}`,
  renamedKey: (table, { name, column, references, onDelete }, to) =>
    `ALTER TABLE ${quote(table)} DROP FOREIGN KEY ${quote(name)}, ADD CONSTRAINT ${quote(to)} ` +
    `FOREIGN KEY (${quote(column)}) REFERENCES ${quote(references)} (${quote('id')}) ON DELETE ${onDelete}`,
  sharesKeyNames: true,
  indexOf: (table, name) => `${quote(name)} ON ${quote(table)}`,
  // InnoDB builds indexes while others write.
  indexOnline: 'INDEX',
  rehearsalLocks: true,
  storedType,
  holds: holding(storedType, compatibleTypes),
});
