/** PostgreSQL as the source or the target of a transfer. */
import pg from 'pg';
import { grouped } from '../../collections.ts';
import type { Connection } from '../database.ts';
import type { Row } from '../dialect.ts';
import { logTable } from '../former-write-log.ts';
import { beyond32Bits, beyond64Bits, misfitOf, tooLong, withNul } from '../misfits.ts';
import { literal, quote } from '../quote.ts';
import { addForeignKey, columnList, createIndex, createTable } from './statements.ts';
import type { CatalogueColumn, CatalogueForeignKey, CatalogueIndex, CatalogueTable, TransferEngine } from './types.ts';

/** A number that no other lock of two keys uses. The second key is the schema of the target. */
const lockClass = 820261122;
const lockSchema = "hashtext(COALESCE(current_schema(), ''))";
const lockKeys = `${lockClass}, ${lockSchema}`;

const actions: Readonly<Record<string, string>> = {
  a: 'NO ACTION',
  r: 'RESTRICT',
  c: 'CASCADE',
  n: 'SET NULL',
  d: 'SET DEFAULT',
};

/** Names of columns by their numbers: `k` is the list, `relation` its table. */
const columnNames = (numbers: string, relation: string) =>
  `(SELECT array_agg(a.attname::text ORDER BY k.position) FROM unnest(${numbers}::int2[]) WITH ORDINALITY AS k(number, position)
    LEFT JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.number AND k.number > 0)`;

async function catalogue(from: Connection): Promise<CatalogueTable[]> {
  const described = await from.query(
    `SELECT c.table_name, c.column_name, c.data_type, c.character_maximum_length::int, c.is_nullable
     FROM information_schema.columns c
     JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
     WHERE c.table_schema = current_schema() AND c.table_name <> $1 ORDER BY c.table_name COLLATE "C", c.ordinal_position`,
    [logTable],
  );
  const indexes = await indexesOf(from);
  const foreignKeys = await foreignKeysOf(from);
  const highest = await highestIds(from);
  return [...byTable(described)].map(([name, columns]) => {
    const its = indexes.get(name) ?? [];
    return {
      name,
      columns: columns.map(columnOf),
      primaryKey: its.filter(isPrimary).flatMap((row) => texts(row[5])),
      indexes: its.filter((row) => !isPrimary(row)).map(indexOf),
      foreignKeys: foreignKeys.get(name)?.map(foreignKeyOf) ?? [],
      highestId: highest.get(name) ?? 0,
    };
  });
}

const byTable = (rows: readonly Row[]) => grouped(rows, ([table]) => String(table));

const columnOf = ([, name, declared, length, nullable]: Row): CatalogueColumn => ({
  name: String(name),
  declared: String(declared),
  length: length === null ? undefined : Number(length),
  notNull: nullable === 'NO',
});

const indexesOf = async (from: Connection) =>
  byTable(
    await from.query(
      `SELECT t.relname, i.relname, x.indisunique, x.indisprimary, x.indpred IS NOT NULL, ${columnNames('x.indkey', 'x.indrelid')}
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
       WHERE n.nspname = current_schema() AND t.relkind IN ('r', 'p') AND x.indisvalid ORDER BY t.relname, i.relname`,
      [],
    ),
  );

const isPrimary = (row: Row): boolean => row[3] === true;

const indexOf = ([, name, unique, , isPartial, list]: Row): CatalogueIndex => ({
  name: String(name),
  unique: unique === true,
  columns: Array.isArray(list) ? list.map((column) => (column === null ? null : String(column))) : [],
  isPartial: isPartial === true,
});

const foreignKeysOf = async (from: Connection) =>
  byTable(
    await from.query(
      `SELECT t.relname, c.conname, ${columnNames('c.conkey', 'c.conrelid')}, r.relname, ${columnNames('c.confkey', 'c.confrelid')},
         c.confdeltype::text, c.confupdtype::text
       FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_class r ON r.oid = c.confrelid
       WHERE c.contype = 'f' AND n.nspname = current_schema() ORDER BY t.relname, c.conname`,
      [],
    ),
  );

const foreignKeyOf = ([, name, columns, target, targetColumns, onDelete, onUpdate]: Row): CatalogueForeignKey => ({
  name: String(name),
  columns: texts(columns),
  target: String(target),
  targetColumns: texts(targetColumns),
  onDelete: actions[String(onDelete)] ?? 'NO ACTION',
  onUpdate: actions[String(onUpdate)] ?? 'NO ACTION',
});

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

async function highestIds(from: Connection): Promise<ReadonlyMap<string, number>> {
  const rows = await from.query(
    `SELECT t.relname, coalesce(s.last_value, 0)::float8 FROM pg_depend d JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S'
     JOIN pg_class t ON t.oid = d.refobjid JOIN pg_namespace n ON n.oid = q.relnamespace
     JOIN pg_sequences s ON s.schemaname = n.nspname AND s.sequencename = q.relname
     WHERE d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND n.nspname = current_schema()`,
    [],
  );
  return new Map(rows.map(([table, last]) => [String(table), Number(last)]));
}

export const postgresTransfer: TransferEngine = {
  label: 'PostgreSQL',
  catalogue,
  jsonText: (column) => `${column}::text`,
  jsonOf: (text) => text,
  misfit: misfitOf(beyond32Bits, beyond64Bits, tooLong, withNul),
  prepare: [],
  createTable: (table, { tables }) => createTable(table, { tables, wideDecimal: 'numeric' }),
  // A unique index is created as a constraint, because Strapi drops it as one.
  createIndex: (table, index) =>
    index.unique
      ? `ALTER TABLE ${quote(table)} ADD CONSTRAINT ${quote(index.name)} UNIQUE (${columnList(index.columns)})`
      : createIndex(table, index),
  addForeignKey,
  continueIds: (table, column, last) => [`SELECT setval(pg_get_serial_sequence(${literal(quote(table))}, ${literal(column)}), ${last})`],
  analyse: (table) => `ANALYZE ${quote(table)}`,
  dropTables: (tables) => [`DROP TABLE ${columnList(tables)} CASCADE`],
  isDuplicate: (error) => error instanceof pg.DatabaseError && error.code === '23505',
  lock: {
    take: `SELECT pg_try_advisory_lock(${lockKeys})`,
    isHeld: `SELECT EXISTS (
      SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND objsubid = 2
        AND classid::bigint = ${lockClass} AND objid::bigint = ${lockSchema}::bigint & 4294967295)`,
    release: `SELECT pg_advisory_unlock(${lockKeys})`,
  },
};
