/** Reads the links of loaded entries that are stored in other tables. */

import { grouped } from '../../../../collections.ts';
import type { Row } from '../../../../dialects/dialect.ts';
import type {
  Attribute,
  ContentType,
  InverseMorphColumns,
  InverseMorphLink,
  LinkTable,
  MorphLink,
  Schema,
} from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import { orderedJoin, type Rows } from '../../../../sql/rows.ts';
import { type Sql, sql } from '../../../../sql/sql.ts';
import { type Entry, isLinkAttribute, type LinkAttribute, type TargetRow } from '../../../entry/entry.ts';
import { numberOrNull, readTargetRows, type Tables, targetRow, versionColumns } from './target-rows.ts';

/** Entries of one schema, by id. */
export interface Owners {
  readonly schema: Schema;
  readonly ids: readonly number[];
  /** They may still be read. */
  readonly entries: Promise<ReadonlyMap<number, Entry>>;
}

/** The storage of a relation, and the type that it leads to. */
interface Stored<Storage> {
  readonly storage: Storage;
  readonly target: ContentType;
}

/** Reads links of loaded entries, with one statement for each attribute and one for all media. */
export async function loadLinks(attributes: readonly Attribute[], owners: Owners, tables: Tables): Promise<void> {
  const byFile = new Map<string, { storage: InverseMorphLink; target: ContentType; attributes: LinkAttribute[] }>();
  const reads: Promise<void>[] = [];
  for (const attribute of attributes) {
    if (!isLinkAttribute(attribute)) continue;
    const { storage } = attribute;
    const target = attribute.target === undefined ? undefined : tables.model.contentTypes.get(attribute.target);
    if (storage.kind === 'morphLink') reads.push(loadMorphLinks(attribute, storage, owners, tables));
    else if (target === undefined) continue;
    else if (storage.kind === 'linkTable') reads.push(loadLinkTable(attribute, { storage, target }, owners, tables));
    else if (storage.kind === 'inverseMorphColumns') {
      reads.push(loadInverseColumns(attribute, { storage, target }, owners, tables));
    } else if (storage.kind === 'inverseMorphLink') {
      // All media links of a type are in one table and are read together.
      const group = byFile.get(storage.table) ?? { storage, target, attributes: [] };
      group.attributes.push(attribute);
      byFile.set(storage.table, group);
    }
  }
  for (const { storage, target, attributes: ofFile } of byFile.values()) {
    reads.push(loadInverseMorphLinks(ofFile, { storage, target }, owners, tables));
  }
  await allDone(reads);
}

interface LoadedLink {
  /** Undefined if the row does not exist; then there is no link. */
  readonly row: TargetRow | undefined;
  readonly id: number | undefined;
  readonly order: number | null;
  readonly inverseOrder?: number | null;
}

/** Sets the links of an attribute. Each row begins with the id of the entry that owns the link. */
function setLinks(name: string, rows: readonly Row[], entries: ReadonlyMap<number, Entry>, linkOf: (row: Row) => LoadedLink): void {
  const byOwner = grouped(rows, ([owner]) => Number(owner));
  for (const [id, { links }] of entries) {
    const own = (byOwner.get(id) ?? []).map(linkOf);
    links.set(
      name,
      own.flatMap(({ row, ...place }) => (row === undefined ? [] : [{ inverseOrder: null, ...place, row }])),
    );
  }
}

async function loadLinkTable(
  attribute: LinkAttribute,
  { storage, target }: Stored<LinkTable>,
  { ids, entries }: Owners,
  { rows }: Tables,
): Promise<void> {
  const column = (name: string | undefined) => (name === undefined ? sql`NULL` : sql.id('l', name));
  const { sourceColumn, orderColumn, inverseOrderColumn } = storage;
  const order = orderColumn === undefined ? sql`l.id` : sql`${column(orderColumn)}, l.id`;
  const positions = sql`${column(orderColumn)}, ${column(inverseOrderColumn)}`;
  const found = await joined({ storage, key: sourceColumn, target, positions, order, where: sql.empty }, ids, rows);
  setLinks(attribute.name, found, await entries, ([, id, targetId, position, inverseOrder, ...version]) => ({
    row: targetRow(target.uid, targetId, version),
    id: Number(id),
    order: numberOrNull(position),
    inverseOrder: numberOrNull(inverseOrder),
  }));
}

async function loadInverseMorphLinks(
  attributes: readonly LinkAttribute[],
  { storage, target }: Stored<InverseMorphLink>,
  { schema, ids, entries }: Owners,
  { rows }: Tables,
): Promise<void> {
  const { idColumn, orderColumn, typeColumn, fieldColumn } = storage;
  const positions = sql`${sql.id('l', orderColumn)}, ${sql.id('l', fieldColumn)}`;
  const type = sql.ask((dialect, column) => dialect.unindexed(column), sql.id('l', typeColumn));
  const where = sql`WHERE ${type} = ${schema.uid}`;
  const found = await joined(
    { storage, key: idColumn, target, positions, order: sql`${sql.id('l', orderColumn)}, l.id`, where },
    ids,
    rows,
  );
  const byField = grouped(found, ([, , , , field]) => String(field));
  const owners = await entries;
  for (const attribute of attributes) {
    setLinks(attribute.name, byField.get(attribute.name) ?? [], owners, ([, id, targetId, position, , ...version]) => ({
      row: targetRow(target.uid, targetId, version),
      id: Number(id),
      order: numberOrNull(position),
    }));
  }
}

async function loadMorphLinks(attribute: LinkAttribute, storage: MorphLink, { ids, entries }: Owners, tables: Tables): Promise<void> {
  const column = (name: string) => sql.id('r', name);
  const { sourceColumn, idColumn, typeColumn, orderColumn } = storage;
  const found = await tables.rows.select(storage.table, {
    key: sourceColumn,
    ids,
    columns: [column(sourceColumn), 'r.id', column(idColumn), column(typeColumn), column(orderColumn)],
    order: sql`${column(orderColumn)}, r.id`,
  });
  const readTargets = async ([type, list]: readonly [string, readonly Row[]]) => {
    const targetIds = list.map(([, , id]) => Number(id));
    return [type, await readTargetRows(type, targetIds, tables)] as const;
  };
  const targets = new Map(await allDone([...grouped(found, ([, , , type]) => String(type))].map(readTargets)));
  setLinks(attribute.name, found, await entries, ([, id, targetId, type, order]) => ({
    row: targets.get(String(type))?.get(Number(targetId)),
    id: Number(id),
    order: numberOrNull(order),
  }));
}

async function loadInverseColumns(
  { name }: LinkAttribute,
  { storage, target }: Stored<InverseMorphColumns>,
  { schema, ids, entries }: Owners,
  { rows }: Tables,
): Promise<void> {
  const owner = sql.id('t', storage.idColumn);
  const found = await rows.run(
    sql`SELECT ${owner}, t.id, ${versionColumns('t')} FROM ${sql.id(target.table)} AS t WHERE ${sql.isOneOf(owner, ids, 'wanted')} AND ${sql.id('t', storage.typeColumn)} = ${schema.uid} ORDER BY t.id`,
  );
  setLinks(name, found, await entries, ([, id, ...version]) => ({ row: targetRow(target.uid, id, version), id: undefined, order: null }));
}

interface Join {
  readonly storage: { readonly table: string; readonly targetColumn: string };
  /** The column with the owner's id. */
  readonly key: string;
  readonly target: ContentType;
  /** Two columns of the link table. */
  readonly positions: Sql;
  readonly where: Sql;
  readonly order: Sql;
}

/** Reads rows of the link table `l` together with the rows `t` that they lead to. */
function joined({ storage, key, target, positions, where, order }: Join, ids: readonly number[], rows: Rows): Promise<readonly Row[]> {
  const owner = sql.id('l', key);
  const targetId = sql.id('l', storage.targetColumn);
  const links = sql`${sql.ids(ids, 'wanted')} ${orderedJoin} ${sql.id(storage.table)} AS l ON ${owner} = wanted.value`;
  const targets = sql`${orderedJoin} ${sql.id(target.table)} AS t ON t.id = ${targetId}`;
  return rows.run(
    sql`SELECT ${owner}, l.id, ${targetId}, ${positions}, ${versionColumns('t')} FROM ${links} ${targets} ${where} ORDER BY ${order}`,
  );
}
