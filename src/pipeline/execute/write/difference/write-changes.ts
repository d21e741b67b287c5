/** Writes a list of changes, with one statement for the rows of a table where possible. */

import { grouped } from '../../../../collections.ts';
import type { SqlValue } from '../../../../dialects/dialect.ts';
import type { Schema } from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import type { TypedColumn } from '../../../../sql/inserts.ts';
import type { Cell, Rows } from '../../../../sql/rows.ts';
import { sql } from '../../../../sql/sql.ts';
import { componentsTableColumns } from '../../../../tables/components-table.ts';
import { insertedId } from '../../../entry/entry.ts';
import type { WriteContext } from '../write-context.ts';
import { forgetAwaited, insertAwaited } from './awaited-links.ts';
import { changedKeys } from './changed-keys.ts';
import { LinkInserts } from './insert-links.ts';
import type { ReferenceColumns } from './morph-references.ts';
import type { Change, ComponentInsert, InverseColumnsChange, MorphLinkInsert, PositionChange, RowDelete, RowInsert } from './types.ts';

/** Sets the ids of inserted entries. The order of changes in the list matters only
 *  within one table. Waits only for what later statements need: the ids of new rows,
 *  and positions among links. */
export async function writeChanges(
  changes: readonly Change[],
  { rows, model, turns }: Pick<WriteContext, 'rows' | 'model' | 'turns'>,
): Promise<void> {
  const by = byKind(changes);
  deleteRows(by['delete row'], rows);
  for (const [columns, list] of grouped(by['remove references'], (each) => each.columns))
    removeReferences(
      columns,
      list.map(({ id }) => id),
      rows,
    );
  for (const { table, ids } of by['forget awaited links']) forgetAwaited(table, ids, rows);
  // Rows come before the rows that join them, which need their ids.
  const inserting = insertRows(by['insert row'], rows);
  const links = new LinkInserts(by['insert link'], { rows, model });
  await allDone([inserting, links.findPositions()]);
  insertComponents(by['insert component'], rows);
  await links.insert();
  for (const each of by['insert morph link']) insertMorphLink(each, rows);
  for (const each of by['await link']) insertAwaited(each, rows);
  for (const statement of rows.inserts.take()) {
    rows.send(statement);
    await turns.next();
  }
  movePositions(by.move, rows);
  for (const { table, id, cells } of by['update row']) rows.update(table, id, cells);
  for (const each of by['set inverse columns']) setInverseColumns(each, rows);
  const { keys, tables } = changedKeys(changes, model);
  rows.connection.changes(keys, tables);
}

type ByKind = { readonly [Kind in Change['kind']]: Extract<Change, { kind: Kind }>[] };

function byKind(changes: readonly Change[]): ByKind {
  const lists: ByKind = {
    'delete row': [],
    'remove references': [],
    'insert row': [],
    'insert component': [],
    'insert link': [],
    'insert morph link': [],
    move: [],
    'update row': [],
    'set inverse columns': [],
    'await link': [],
    'forget awaited links': [],
  };
  for (const change of changes) (lists[change.kind] as Change[]).push(change);
  return lists;
}

function deleteRows(deletes: readonly RowDelete[], rows: Rows): void {
  for (const [table, list] of grouped(deletes, (each) => each.table))
    rows.delete(
      table,
      'id',
      list.map(({ id }) => id),
    );
}

function removeReferences({ table, idColumn, typeColumn, uid, ofRow }: ReferenceColumns, ids: readonly number[], rows: Rows): void {
  const [id, type] = [sql.id(idColumn), sql.id(typeColumn)];
  const change = ofRow ? sql`UPDATE ${sql.id(table)} SET ${id} = NULL, ${type} = NULL` : sql`DELETE FROM ${sql.id(table)}`;
  rows.send(sql`${change} WHERE ${sql.isOneOf(id, ids, 'gone')} AND ${type} = ${uid}`);
}

async function insertRows(inserts: readonly RowInsert[], rows: Rows): Promise<void> {
  await allDone([...grouped(inserts, ({ entry }) => entry.schema)].map(([schema, list]) => insertRowsOf(schema, list, rows)));
  for (const { entry, asTarget } of inserts) if (asTarget !== undefined) asTarget.id = insertedId(entry);
}

async function insertRowsOf({ table }: Schema, list: readonly RowInsert[], rows: Rows): Promise<void> {
  const columns = new Map<string, TypedColumn>();
  for (const { cells } of list) for (const { name, type } of cells) columns.set(name, { name, type });
  const values = list.map(({ cells }) => {
    const byName = new Map(cells.map(({ name, value }) => [name, value]));
    return [...columns.keys()].map((name) => byName.get(name) ?? null);
  });
  const ids = await rows.inserts.returningIds(table, [...columns.values()], values);
  for (const [index, { entry }] of list.entries()) entry.id = ids[index];
}

function insertComponents(inserts: readonly ComponentInsert[], rows: Rows): void {
  for (const { owner, component, field, position } of inserts) {
    const table = owner.schema.componentsTable?.table ?? '';
    rows.inserts.later(table, componentsTableColumns, [insertedId(owner), insertedId(component), component.schema.uid, field, position]);
  }
}

function insertMorphLink({ owner, attribute, storage, link }: MorphLinkInsert, rows: Rows): void {
  const cells: Cell[] =
    storage.kind === 'inverseMorphLink'
      ? [
          { name: storage.targetColumn, type: 'reference', value: link.row.id },
          { name: storage.idColumn, type: 'reference', value: insertedId(owner) },
          { name: storage.typeColumn, type: 'string', value: storage.typeValue },
          { name: storage.fieldColumn, type: 'string', value: storage.fieldValue },
          { name: storage.orderColumn, type: 'order', value: link.order },
        ]
      : [
          { name: storage.sourceColumn, type: 'reference', value: insertedId(owner) },
          { name: storage.idColumn, type: 'reference', value: link.row.id },
          { name: storage.typeColumn, type: 'string', value: link.row.uid },
          { name: storage.fieldColumn, type: 'string', value: attribute.name },
          { name: storage.orderColumn, type: 'order', value: link.order },
        ];
  rows.inserts.later(
    storage.table,
    cells.map(({ name, type }) => ({ name, type })),
    cells.map(({ value }) => value),
  );
}

function movePositions(moves: readonly PositionChange[], rows: Rows): void {
  for (const list of grouped(moves, ({ table, column }) => `${table} ${column}`).values()) {
    const [first] = list;
    if (first === undefined) continue;
    rows.setPositions(
      first.table,
      first.column,
      list.map(({ id, position }) => [id, position]),
    );
  }
}

function setInverseColumns({ owner, storage, table, added, removed }: InverseColumnsChange, rows: Rows): void {
  const cells = (id: SqlValue, type: SqlValue): Cell[] => [
    { name: storage.idColumn, type: 'reference', value: id },
    { name: storage.typeColumn, type: 'string', value: type },
  ];
  rows.updateAll(table, removed, cells(null, null));
  rows.updateAll(
    table,
    added.map(({ id }) => id),
    cells(insertedId(owner), storage.typeValue),
  );
}
