/** Finds the model's tables, columns and indexes that a database lacks, and adds them. */
import type { LiveTable } from '../../dialects/database.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { createIndex, ownIndexesFor } from '../../tables/index-statements.ts';
import { physicalSchema } from '../../tables/physical-schema.ts';
import { recordTable } from '../../tables/system-tables.ts';
import type { Column, Index, Table } from '../../tables/table.ts';
import { addColumn, createTable } from '../statements.ts';

export interface MigrationPlan {
  readonly missingTables: readonly Table[];
  readonly missingColumns: readonly { readonly table: Table; readonly column: Column }[];
  /** Missing indexes of existing tables; others are created with their tables and columns. */
  readonly missingIndexes: readonly { readonly table: Table; readonly index: Index }[];
  /** In the order to run them; empty when nothing is missing. */
  readonly statements: readonly string[];
}

/** `strapi`, for a database that Strapi manages: only the indexes of added tables and columns;
 *  `all`: every missing index, and Lectern's own. */
type WantedIndexes = 'strapi' | 'all';

/** Compares a model's tables with those of a database. Ignores its other tables. */
export function planMigration(
  model: ContentModel,
  liveTables: readonly LiveTable[],
  dialect: Dialect,
  wanted: WantedIndexes,
): MigrationPlan {
  const live = new Map(liveTables.map((table) => [table.name, table]));
  // A database that Strapi made has Strapi's record instead.
  const tables = physicalSchema(model).filter((table) => table.name !== recordTable || wanted === 'all');
  const missingTables = inOrderOfReference(tables.filter((table) => !live.has(table.name)));
  const sharedKeys = dialect.tables.sharesKeyNames ? liveTables.flatMap(({ constraints }) => constraints) : [];
  const missingColumns: { table: Table; column: Column }[] = [];
  const missingIndexes: { table: Table; index: Index }[] = [];
  for (const table of tables) {
    const present = live.get(table.name);
    if (present === undefined) continue;
    const added = table.columns.filter((column) => !present.columns.has(column.name));
    for (const column of added) missingColumns.push({ table, column });
    const names = new Set(present.indexes);
    for (const index of indexesOf(table, wanted, dialect)) {
      const touched = index.columns.some((column) => added.some((each) => each.name === column));
      if (!names.has(index.name) && (touched || wanted === 'all')) missingIndexes.push({ table, index });
    }
  }
  return {
    missingTables,
    missingColumns,
    missingIndexes,
    statements: [
      ...creations(
        missingTables.map((table) => withFreeKeys(table, sharedKeys)),
        live,
        dialect,
      ),
      ...missingColumns.map(({ table, column }) =>
        addColumn(withFreeKeys(table, dialect.tables.sharesKeyNames ? sharedKeys : live.get(table.name)?.constraints), column, dialect),
      ),
      ...missingTables.flatMap((table) => indexesOf(table, wanted, dialect).map((index) => createIndex(table, index, dialect))),
      ...missingIndexes.map(({ table, index }) => createIndex(table, index, dialect)),
    ],
  };
}

/** A foreign key is named only after the table. So the key of a relation's former target, whose
 *  column is still there, has the name that the new key should get. */
function withFreeKeys(table: Table, present: readonly string[] = []): Table {
  const taken = new Set(present);
  const freeName = (name: string, attempt = 2): string =>
    taken.has(`${name}_${attempt}`) ? freeName(name, attempt + 1) : `${name}_${attempt}`;
  return { ...table, foreignKeys: table.foreignKeys.map((key) => (taken.has(key.name) ? { ...key, name: freeName(key.name) } : key)) };
}

const indexesOf = (table: Table, wanted: WantedIndexes, dialect: Dialect): readonly Index[] =>
  wanted === 'all' ? [...table.indexes, ...ownIndexesFor(table, dialect)] : table.indexes;

/** Sorts tables after those that they refer to, except for circular references. */
function inOrderOfReference(tables: readonly Table[]): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<Table>();
  const visiting = new Set<Table>();
  const visit = (table: Table): void => {
    if (ordered.has(table) || visiting.has(table)) return;
    visiting.add(table);
    for (const key of table.foreignKeys) {
      const referenced = byName.get(key.references);
      if (referenced !== undefined) visit(referenced);
    }
    ordered.add(table);
  };
  tables.forEach(visit);
  return [...ordered];
}

function creations(tables: readonly Table[], live: ReadonlyMap<string, LiveTable>, dialect: Dialect): string[] {
  const known = new Set(live.keys());
  const create: string[] = [];
  const complete: string[] = [];
  for (const table of tables) {
    const { text, later } = createTable(table, known, dialect);
    create.push(text);
    for (const column of later) complete.push(addColumn(table, column, dialect));
    known.add(table.name);
  }
  return [...create, ...complete];
}
