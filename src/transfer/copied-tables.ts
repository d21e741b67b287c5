/** Makes of the catalogue of the source the tables that the target gets. */
import { type ColumnType, storedTypeOf } from '../dialects/column-type.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { CatalogueColumn, CatalogueTable, CopiedColumn, CopiedIndex, CopiedTable } from '../dialects/transfer/types.ts';
import { isOwnIndex } from '../indexes/live-indexes.ts';
import type { ContentModel } from '../model/content-model.ts';
import { type JsonObject, objectsAt } from '../text/json.ts';

/** Column types that not every engine distinguishes, by `table.column`: SQLite's decimals are
 *  floats, MariaDB's JSON is text. */
export type KnownTypes = ReadonlyMap<string, ColumnType>;

const indistinct: ReadonlySet<ColumnType> = new Set<ColumnType>(['decimal', 'json', 'boolean']);

export function knownTypesOf(model: ContentModel): KnownTypes {
  const types = new Map<string, ColumnType>();
  for (const schema of [...model.contentTypes.values(), ...model.components.values()]) {
    for (const attribute of schema.attributes.values()) {
      if (attribute.kind !== 'scalar') continue;
      const type = storedTypeOf(attribute.type);
      if (indistinct.has(type)) types.set(`${schema.table}.${attribute.column}`, type);
    }
  }
  return types;
}

/** The types in Strapi's record of its own tables (`strapi_database_schema`). */
export function knownTypesOfStrapi(record: JsonObject): KnownTypes {
  const types = new Map<string, ColumnType>();
  for (const table of objectsAt(record, 'tables')) {
    for (const column of objectsAt(table, 'columns')) {
      const type = (column.type === 'jsonb' ? 'json' : column.type) as ColumnType;
      if (indistinct.has(type)) types.set(`${String(table.name)}.${String(column.name)}`, type);
    }
  }
  return types;
}

export interface TablesToCopy {
  readonly tables: readonly CopiedTable[];
  /** Names of the indexes that Lectern has added: the target gets its own definitions of them. */
  readonly ownIndexes: ReadonlySet<string>;
  /** What prevents the transfer. */
  readonly problems: readonly string[];
  /** What differs afterwards. */
  readonly notes: readonly string[];
}

export function tablesToCopy(catalogue: readonly CatalogueTable[], dialect: Dialect, known: KnownTypes): TablesToCopy {
  const problems: string[] = [];
  const notes: string[] = [];
  const ownIndexes = new Set<string>();
  const tables = catalogue.map((table): CopiedTable => {
    const columns = table.columns.map((column) => {
      const type = typeOf(table, column, dialect, known);
      if (type === undefined) problems.push(`${table.name}.${column.name}: no attribute has the column type "${column.declared}"`);
      return copiedColumn(column, type ?? 'text');
    });
    return { ...table, columns, indexes: table.indexes.flatMap((index) => copiedIndex(table, index)) };
  });
  return { tables, ownIndexes, problems, notes };

  function copiedIndex(table: CatalogueTable, { name, unique, columns, isPartial }: CatalogueTable['indexes'][number]): CopiedIndex[] {
    if (isOwnIndex(name) && !isOwnIndex(table.name)) {
      ownIndexes.add(name);
      return [];
    }
    const names = columns.filter((column) => column !== null);
    if (!isPartial && names.length === columns.length) return [{ name, unique, columns: names }];
    notes.push(`The index ${name} of ${table.name} was not copied: it is partial or over an expression.`);
    return [];
  }
}

const copiedColumn = ({ name, length, notNull }: CatalogueColumn, type: ColumnType): CopiedColumn => ({
  name,
  type: type === 'string' && length === undefined ? 'text' : type,
  length,
  notNull,
  isWide: false,
});

function typeOf(table: CatalogueTable, column: CatalogueColumn, dialect: Dialect, known: KnownTypes): ColumnType | undefined {
  const expected = known.get(`${table.name}.${column.name}`);
  if (expected !== undefined && dialect.tables.holds(column.declared, expected)) return expected;
  const stored = dialect.tables.storedType(column.declared);
  if (stored !== 'integer') return stored;
  if (table.primaryKey.length === 1 && table.primaryKey[0] === column.name) return 'id';
  return table.foreignKeys.some(({ columns }) => columns.includes(column.name)) ? 'reference' : stored;
}
