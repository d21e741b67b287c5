/** How PostgreSQL makes and changes tables and indexes. */
import { type StoredType, storedTypeOf } from './column-type.ts';
import { quote } from './quote.ts';
import { holding, type TableDialect } from './table-dialect.ts';
import { compatibleTypes } from './typed-columns.ts';

const columnTypes: Record<StoredType, string> = {
  id: 'integer',
  reference: 'integer',
  order: 'double precision',
  string: 'varchar(255)',
  text: 'text',
  json: 'jsonb',
  integer: 'integer',
  biginteger: 'bigint',
  float: 'double precision',
  decimal: 'numeric(10,2)',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'timestamp(6)',
};

/** The column type for each type name of the information schema, which omits lengths. */
const storedTypes: Readonly<Record<string, StoredType>> = {
  'character varying': 'string',
  character: 'string',
  text: 'text',
  json: 'json',
  jsonb: 'json',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'biginteger',
  real: 'float',
  'double precision': 'float',
  numeric: 'decimal',
  boolean: 'boolean',
  date: 'date',
  'time without time zone': 'time',
  'timestamp without time zone': 'datetime',
};

const storedType = (declared: string) => storedTypes[declared];

export const postgresTables: TableDialect = {
  textIndexes: {
    isAvailable: `SELECT EXISTS (SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid))
      OR (NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AND EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm')
        AND has_database_privilege(current_database(), 'CREATE'))`,
    prepare: 'CREATE EXTENSION IF NOT EXISTS pg_trgm',
    using: (column) => `USING gin (${column} gin_trgm_ops)`,
  },

  columnDefinition: (type) => columnTypes[storedTypeOf(type)],
  primaryKeyDefinition: 'serial PRIMARY KEY',
  partialIndexes: true,
  addedKey: (name, _, references) => ` CONSTRAINT ${quote(name)} ${references}`,
  tableOptions: '',
  emptyCopy: (copy, original) => `CREATE TABLE IF NOT EXISTS ${copy} AS SELECT * FROM ${original} WHERE 1 = 0`,
  undoesTables: true,
  analyse: (table) => `ANALYZE ${table}`,
  indexOf: (_, name) => quote(name),
  // Strapi's unique indexes are constraints; renaming the index renames its constraint.
  renameIndex: (_, from, to) => `ALTER INDEX ${quote(from)} RENAME TO ${quote(to)}`,
  renamedKey: (table, { name }, to) => `ALTER TABLE ${quote(table)} RENAME CONSTRAINT ${quote(name)} TO ${quote(to)}`,
  sharesKeyNames: false,
  rehearsalLocks: true,
  indexOnline: 'INDEX CONCURRENTLY',
  storedType,
  holds: holding(storedType, compatibleTypes),
};
