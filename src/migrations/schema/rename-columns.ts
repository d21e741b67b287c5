/** Renames tables and columns to the names of the model; their rows stay. */
import type { Dialect } from '../../dialects/dialect.ts';
import type { Column, Index, Table } from '../../tables/table.ts';
import type { NameForIndex, PlannedDatabase } from '../planned-database.ts';
import type { RecordedTable } from '../recorded/recorded-schema.ts';

/** If the new name exists: `fill` copies missing values into it and sets the old one aside;
 *  `replace` sets the new, empty one aside. */
export type OnExisting = 'fill' | 'replace';

type Pair = readonly [from: string, to: string];

export const moveColumns = (planned: PlannedDatabase, table: Table, pairs: readonly Pair[]): string[] =>
  pairs.flatMap(([from, to]) => fillColumn(planned, table, { from, to, onExisting: 'fill' }));

/** Renames a column together with its index and foreign key. */
export function fillColumn(
  planned: PlannedDatabase,
  table: Table,
  { from, to, onExisting }: { readonly from: string; readonly to: string; readonly onExisting: OnExisting },
): string[] {
  const work: string[] = [];
  const { quote } = planned.dialect;
  const wanted = planned.indexesOf(table);
  if (planned.has(table.name, to)) {
    if (onExisting === 'fill') {
      const [name, old, target] = [quote(table.name), quote(from), quote(to)];
      const copy = `UPDATE ${name} SET ${target} = ${old} WHERE ${target} IS NULL AND ${old} IS NOT NULL`;
      return [copy, ...planned.setColumnAside(table.name, from).work];
    }
    work.push(...planned.setColumnAside(table.name, to).work);
  }
  const rename = () => [...planned.renameColumn(table.name, from, to), ...renameKeys(planned, table)];
  work.push(...planned.withIndexes(table.name, from, rename, wantedName(table)));
  // Other columns of an index may not have their new names yet; the last one of them creates it.
  const isPossible = ({ columns }: Index) => columns.includes(to) && columns.every((column) => planned.has(table.name, column));
  const indexes = wanted.filter(isPossible);
  work.push(...indexes.flatMap((index) => planned.createIndex(table.name, index)));
  return work;
}

/** Renames a table to the name of a wanted one. The columns of a relation's table contain names of
 *  types and attributes, and are renamed too. */
export function moveTable(planned: PlannedDatabase, from: string, table: Table, onExisting: OnExisting): string[] {
  const recorded = planned.recorded(from);
  const isRelation = table.origin.attribute !== undefined;
  const pairs = isRelation && recorded !== undefined ? pairsOf(recorded, table, planned.dialect) : [];
  // A relation of another kind is not a rename.
  if (pairs === undefined) return [];
  const work: string[] = [];
  if (from !== table.name && planned.has(table.name)) {
    if (onExisting === 'fill') return [fillTable(from, table, pairs, planned.dialect), ...planned.setTableAside(from).work];
    work.push(...planned.setTableAside(table.name).work);
  }
  const indexes = planned.indexesOf({ ...table, name: from });
  const rename = () => [
    ...pairs.flatMap(([old, name]) => (old === name ? [] : planned.renameColumn(from, old, name))),
    ...(from === table.name ? [] : planned.renameTable(from, table.name)),
    ...renameKeys(planned, table),
  ];
  work.push(...planned.withIndexes(from, undefined, rename, wantedName(table)));
  const possible = indexes.filter((index) => index.columns.every((column) => planned.has(table.name, column)));
  return [...work, ...possible.flatMap((index) => planned.createIndex(table.name, index))];
}

/** An index on the same columns and rows is the same index under another name. */
const wantedName =
  (table: Table): NameForIndex =>
  (index) => {
    const shape = ({ columns, unique, where }: Index) => JSON.stringify([columns, unique, where?.column, where?.isNull]);
    return [...table.indexes, ...table.ownIndexes].find((wanted) => shape(wanted) === shape(index))?.name;
  };

/** Copies the links of rows that have none in the new table. */
function fillTable(from: string, table: Table, pairs: readonly Pair[], { quote }: Dialect): string {
  const [, [oldOwner, owner] = ['', '']] = pairs;
  // The new table assigns the row ids.
  const copied = pairs.slice(1);
  return (
    `INSERT INTO ${quote(table.name)} (${copied.map(([, name]) => quote(name)).join(', ')}) ` +
    `SELECT ${copied.map(([old]) => `o.${quote(old)}`).join(', ')} FROM ${quote(from)} o ` +
    `WHERE NOT EXISTS (SELECT 1 FROM ${quote(table.name)} n WHERE n.${quote(owner)} = o.${quote(oldOwner)})`
  );
}

function renameKeys(planned: PlannedDatabase, table: Table): string[] {
  const recorded = planned.recorded(table.name)?.foreignKeys ?? [];
  return table.foreignKeys.flatMap((key) => {
    const old = recorded.find(({ column }) => column === key.column);
    return old === undefined ? [] : planned.renameConstraint(table.name, old.name, key.name);
  });
}

/** Pairs the columns of a relation's former table with their new names, in their order. Undefined
 *  if the tables differ in more than names. */
export function pairsOf(former: RecordedTable, table: Table, dialect: Dialect): Pair[] | undefined {
  if (former.columns.length !== table.columns.length) return undefined;
  const shape = ({ foreignKeys }: Pick<Table, 'foreignKeys'>, { name, type }: Column) =>
    `${dialect.tables.columnDefinition(type)} ${foreignKeys.find(({ column }) => column === name)?.references}`;
  const pairs: Pair[] = [];
  for (const [index, column] of table.columns.entries()) {
    const old = former.columns[index];
    if (old === undefined || shape(former, old) !== shape(table, column)) return undefined;
    pairs.push([old.name, column.name]);
  }
  return pairs;
}
