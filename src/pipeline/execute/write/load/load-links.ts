/** Reads the links of loaded entries that are stored in other tables. */
import type { Row } from '../../../../dialects/dialect.ts';
import type {
  Attribute,
  ContentType,
  InverseMorphColumns,
  InverseMorphLink,
  LinkTable,
  MorphLink,
  Schema,
  Uid,
} from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import type { Rows } from '../../../../sql/rows.ts';
import type { Entry, Link, LinkAttribute, TargetRow } from '../../../entry/entry.ts';
import { EntryLists, numberOrNull } from './entry-lists.ts';
import { readTargetRows, type Tables, targetRow, versionColumns } from './target-rows.ts';

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

/** Reads links of loaded entries, with one statement for each attribute and one for all media of a type. */
export async function loadLinks(attributes: readonly Attribute[], owners: Owners, tables: Tables): Promise<void> {
  const byFile = new Map<string, { storage: InverseMorphLink; target: ContentType; attributes: LinkAttribute[] }>();
  const reads: Promise<void>[] = [];
  for (const attribute of attributes) {
    if (attribute.kind !== 'relation' && attribute.kind !== 'media') continue;
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
  for (const { storage, target, attributes: grouped } of byFile.values()) {
    reads.push(loadInverseMorphLinks(grouped, { storage, target }, owners, tables));
  }
  await allDone(reads);
}

async function loadLinkTable(
  attribute: LinkAttribute,
  { storage, target }: Stored<LinkTable>,
  { ids, entries: owners }: Owners,
  { rows }: Tables,
): Promise<void> {
  const { quote } = rows.dialect;
  const column = (name: string | undefined) => (name === undefined ? 'NULL' : `l.${quote(name)}`);
  const order = storage.orderColumn === undefined ? 'l.id' : `${column(storage.orderColumn)}, l.id`;
  const selected = [
    column(storage.sourceColumn),
    'l.id',
    column(storage.targetColumn),
    column(storage.orderColumn),
    column(storage.inverseOrderColumn),
    ...versionColumns('t'),
  ];
  const found = await joined({ storage, key: storage.sourceColumn, target, selected, order }, ids, rows);
  const links = new Map<number, Link[]>(ids.map((id) => [id, []]));
  for (const [source, id, targetId, order, inverse, ...version] of found) {
    links.get(Number(source))?.push({
      row: targetRow(target.uid, targetId, version),
      id: Number(id),
      order: numberOrNull(order),
      inverseOrder: numberOrNull(inverse),
    });
  }
  const entries = await owners;
  for (const [id, list] of links) entries.get(id)?.links.set(attribute.name, list);
}

async function loadInverseMorphLinks(
  attributes: readonly LinkAttribute[],
  { storage, target }: Stored<InverseMorphLink>,
  { schema, ids, entries: owners }: Owners,
  { rows }: Tables,
): Promise<void> {
  const { dialect } = rows;
  const column = (name: string) => `l.${dialect.quote(name)}`;
  const selected = [
    column(storage.idColumn),
    'l.id',
    column(storage.targetColumn),
    column(storage.orderColumn),
    column(storage.fieldColumn),
    ...versionColumns('t'),
  ];
  const condition = `WHERE ${dialect.unindexed(column(storage.typeColumn))} = ${dialect.placeholder(2)}`;
  const order = `${column(storage.orderColumn)}, l.id`;
  const found = await joined({ storage, key: storage.idColumn, target, selected, order, condition, values: [schema.uid] }, ids, rows);
  const entries = await owners;
  const lists = new EntryLists<Link>();
  for (const { name } of attributes) for (const entry of entries.values()) entry.links.set(name, lists.begin(entry, name));
  for (const [owner, id, targetId, order, field, ...version] of found) {
    const row = targetRow(target.uid, targetId, version);
    lists.of(entries.get(Number(owner)), String(field))?.push({ row, id: Number(id), order: numberOrNull(order), inverseOrder: null });
  }
}

async function loadMorphLinks(
  attribute: LinkAttribute,
  storage: MorphLink,
  { ids, entries: owners }: Owners,
  tables: Tables,
): Promise<void> {
  const { rows } = tables;
  const { quote } = rows.dialect;
  const column = (name: string) => `r.${quote(name)}`;
  const found = await rows.select(storage.table, {
    key: storage.sourceColumn,
    ids,
    columns: [column(storage.sourceColumn), 'r.id', column(storage.idColumn), column(storage.typeColumn), column(storage.orderColumn)],
    order: `${column(storage.orderColumn)}, r.id`,
  });
  const idsByType = new Map<Uid, number[]>();
  for (const [, , id, type] of found) idsByType.set(String(type), [...(idsByType.get(String(type)) ?? []), Number(id)]);
  const targets = new Map<Uid, Map<number, TargetRow>>();
  const readTargets = async (type: Uid, list: readonly number[]) => void targets.set(type, await readTargetRows(type, list, tables));
  await allDone([...idsByType].map(([type, list]) => readTargets(type, list)));
  const entries = await owners;
  for (const entry of entries.values()) entry.links.set(attribute.name, []);
  for (const [source, id, targetId, type, order] of found) {
    const row = targets.get(String(type))?.get(Number(targetId));
    const links = entries.get(Number(source))?.links;
    if (row === undefined || links === undefined) continue;
    links.set(attribute.name, [
      ...(links.get(attribute.name) ?? []),
      { row, id: Number(id), order: numberOrNull(order), inverseOrder: null },
    ]);
  }
}

async function loadInverseColumns(
  attribute: LinkAttribute,
  { storage, target }: Stored<InverseMorphColumns>,
  { schema, ids, entries: owners }: Owners,
  { rows }: Tables,
): Promise<void> {
  const { idColumn, typeColumn } = storage;
  const { dialect } = rows;
  const isWanted = dialect.isListed(`t.${dialect.quote(idColumn)}`, dialect.placeholder(1), 'wanted', 'ids');
  const found = await rows.query(
    `SELECT t.${dialect.quote(idColumn)}, t.id, ${versionColumns('t').join(', ')} FROM ${dialect.quote(target.table)} AS t ` +
      `WHERE ${isWanted} AND t.${dialect.quote(typeColumn)} = ${dialect.placeholder(2)} ORDER BY t.id`,
    [dialect.bindIds(ids), schema.uid],
  );
  const entries = await owners;
  const lists = new EntryLists<Link>();
  for (const entry of entries.values()) entry.links.set(attribute.name, lists.begin(entry, attribute.name));
  for (const [owner, id, ...version] of found) {
    const row = targetRow(target.uid, id, version);
    lists.of(entries.get(Number(owner)), attribute.name)?.push({ row, id: undefined, order: null, inverseOrder: null });
  }
}

interface Join {
  readonly storage: { readonly table: string; readonly targetColumn: string };
  /** The column with the owner's id. */
  readonly key: string;
  readonly target: ContentType;
  /** Trusted SQL expressions; `l` is the link table and `t` the table of the targets. */
  readonly selected: readonly string[];
  readonly order: string;
  readonly condition?: string;
  readonly values?: readonly string[];
}

/** Reads rows of a link table together with the rows that they lead to. */
function joined(join: Join, ids: readonly number[], rows: Rows): Promise<readonly Row[]> {
  const { storage, key, target, selected, order, condition = '', values = [] } = join;
  const { dialect } = rows;
  const { quote } = dialect;
  const list = dialect.idList(dialect.placeholder(1), 'wanted');
  return rows.query(
    `SELECT ${selected.join(', ')} FROM ${list} ${dialect.orderedJoin} ${quote(storage.table)} AS l ON l.${quote(key)} = wanted.value ` +
      `${dialect.orderedJoin} ${quote(target.table)} AS t ON t.id = l.${quote(storage.targetColumn)} ${condition} ORDER BY ${order}`,
    [dialect.bindIds(ids), ...values],
  );
}
