/** The difference between what is there and what is wanted, collected and then written table by table. */
import { columnTypeOf } from '../../../../dialects/column-type.ts';
import type { SqlValue } from '../../../../dialects/dialect.ts';
import { ApiError } from '../../../../errors/api-error.ts';
import { sameStored } from '../../../../model/attributes/stored.ts';
import {
  type ContentModel,
  componentsColumns,
  type InverseMorphLink,
  type LinkTable,
  type MorphLink,
  type RelationAttribute,
  type ScalarAttribute,
  type Schema,
} from '../../../../model/content-model.ts';
import { takesOver } from '../../../../model/relation-sides.ts';
import type { Column } from '../../../../sql/inserts.ts';
import type { Cell, Rows } from '../../../../sql/rows.ts';
import {
  byJoin,
  type Entry,
  isLinkAttribute,
  isPartAttribute,
  type Link,
  type LinkAttribute,
  type Part,
  type PartAttribute,
} from '../entry/entry.ts';
import { type PointerPlace, pointersTo } from '../entry/morph-references.ts';
import { type LinkList, placesOfCopies } from './link-positions.ts';

/** A row to be inserted, with what the server itself puts into it. */
interface NewRow {
  readonly entry: Entry;
  readonly system: readonly Cell[];
}

interface NewJoin {
  readonly owner: Entry;
  readonly part: Entry;
  readonly field: string;
  readonly order: number | null;
}

/** A link to be inserted; the ids are known when the rows are. */
interface NewLink {
  readonly storage: LinkTable;
  readonly attribute: LinkAttribute;
  readonly owner: Entry;
  readonly link: Link;
}

interface NewMorph {
  readonly owner: Entry;
  readonly attribute: LinkAttribute;
  readonly storage: InverseMorphLink | MorphLink;
  readonly link: Link;
}

/** A relation that is stored in the rows that it leads to. */
interface Pointed {
  readonly owner: Entry;
  readonly attribute: RelationAttribute;
  readonly links: readonly Link[];
  readonly before: readonly Link[];
}

interface Ids {
  readonly column: string;
  readonly ids: number[];
}

const joinColumns: readonly Column[] = [
  { name: componentsColumns.owner, type: 'reference' },
  { name: componentsColumns.component, type: 'reference' },
  { name: componentsColumns.type, type: 'string' },
  { name: componentsColumns.field, type: 'string' },
  { name: componentsColumns.order, type: 'order' },
];

export class Changes {
  readonly #rows: Rows;
  readonly #model: ContentModel;
  readonly #deletes = new Map<string, Ids>();
  readonly #pointers = new Map<PointerPlace, number[]>();
  #newRows: NewRow[] = [];
  readonly #newJoins: NewJoin[] = [];
  readonly #newLinks: NewLink[] = [];
  readonly #newMorphs: NewMorph[] = [];
  readonly #updates: { readonly table: string; readonly id: number; readonly cells: readonly Cell[] }[] = [];
  readonly #places = new Map<string, { readonly table: string; readonly column: string; readonly places: [number, number | null][] }>();
  readonly #pointed: Pointed[] = [];
  readonly #awaited: { readonly entry: Entry; readonly tell: (id: number) => void }[] = [];

  constructor(rows: Rows, model: ContentModel) {
    this.#rows = rows;
    this.#model = model;
  }

  /** `system` are columns that the server writes; `wanted.id` says whether the row is there. Only what `wanted` has is compared. */
  save(wanted: Entry, current: Entry | undefined, system: readonly Cell[]): void {
    if (wanted.id === undefined) this.#newRows.push({ entry: wanted, system });
    else {
      const cells = [...this.#changedCells(wanted, current), ...system];
      if (cells.length > 0) this.#updates.push({ table: wanted.schema.table, id: wanted.id, cells });
    }
    for (const attribute of wanted.schema.attributes.values()) {
      if (isLinkAttribute(attribute)) {
        const links = wanted.links.get(attribute.name);
        if (links !== undefined) this.#saveLinks(wanted, attribute, links, current?.links.get(attribute.name) ?? []);
      } else if (isPartAttribute(attribute)) {
        const parts = wanted.parts.get(attribute.name);
        if (parts !== undefined) this.#saveParts(wanted, attribute, parts, current?.parts.get(attribute.name) ?? []);
      }
    }
  }

  /** Tells the id that a new row gets; links that are written after it may lead there. */
  whenInserted(entry: Entry, tell: (id: number) => void): void {
    this.#awaited.push({ entry, tell });
  }

  /** Rows with all that they own. Link tables follow by their foreign keys; what points at rows by type and id does not. */
  delete(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.id === undefined) continue;
      this.#deleteIds(entry.schema.table, 'id', entry.id);
      this.#deletePointersTo(entry.schema, entry.id);
      for (const parts of entry.parts.values()) this.delete(parts.map((part) => part.entry));
    }
  }

  #deleteIds(table: string, column: string, id: number): void {
    const known = this.#deletes.get(table);
    if (known === undefined) this.#deletes.set(table, { column, ids: [id] });
    else known.ids.push(id);
  }

  #deletePointersTo(schema: Schema, id: number): void {
    for (const place of pointersTo(schema, this.#model)) {
      const ids = this.#pointers.get(place);
      if (ids === undefined) this.#pointers.set(place, [id]);
      else ids.push(id);
    }
  }

  #changedCells(wanted: Entry, current: Entry | undefined): Cell[] {
    const cells: Cell[] = [];
    for (const attribute of wanted.schema.attributes.values()) {
      if (attribute.kind === 'scalar') {
        const value = wanted.values.get(attribute.name);
        if (value !== undefined && !sameStored(value, current?.values.get(attribute.name) ?? null))
          cells.push(this.#cell(attribute, value));
      } else if (attribute.kind === 'relation') {
        const links = wanted.links.get(attribute.name);
        if (links !== undefined && !sameTargets(links, current?.links.get(attribute.name) ?? []))
          cells.push(...ownLinkCells(attribute, links));
      }
    }
    return cells;
  }

  #cell(attribute: ScalarAttribute, value: SqlValue): Cell {
    if (typeof value === 'string' && !this.#rows.dialect.storesNul && hasNul(value, attribute)) {
      throw ApiError.of('body.unstorable', { path: attribute.name });
    }
    return { name: attribute.column, type: columnTypeOf(attribute), value };
  }

  #saveLinks(owner: Entry, attribute: LinkAttribute, links: readonly Link[], before: readonly Link[]): void {
    const { storage } = attribute;
    switch (storage.kind) {
      case 'linkTable':
        this.#saveLinkTable(owner, attribute, storage, links, before);
        return;
      case 'inverseMorphLink':
      case 'morphLink':
        this.#deleteLinks(storage.table, links, before);
        if (!sameTargets(links, before)) this.#placeLinks(storage.table, storage.orderColumn, links, before);
        for (const link of links) if (link.id === undefined) this.#newMorphs.push({ owner, attribute, storage, link });
        return;
      case 'inverseMorphColumns':
        if (!sameTargets(links, before) && attribute.kind === 'relation') this.#pointed.push({ owner, attribute, links, before });
        return;
      case 'ownColumn':
      case 'morphColumns':
      case 'sameDocument':
      case 'nowhere':
        // Columns of the row itself, or nothing that is stored.
        return;
    }
  }

  #saveLinkTable(owner: Entry, attribute: LinkAttribute, storage: LinkTable, links: readonly Link[], before: readonly Link[]): void {
    this.#deleteLinks(storage.table, links, before);
    if (storage.orderColumn !== undefined && !sameTargets(links, before))
      this.#placeLinks(storage.table, storage.orderColumn, links, before);
    for (const link of links) if (link.id === undefined) this.#newLinks.push({ storage, attribute, owner, link });
  }

  /** The other sources of a target keep their places: gaps change no order, and counting anew would touch every row that leads to the target,
   *  those that other transactions are writing as well. */
  #deleteLinks(table: string, links: readonly Link[], before: readonly Link[]): void {
    const kept = new Set(links.flatMap(({ id }) => id ?? []));
    for (const { id } of before) if (id !== undefined && !kept.has(id)) this.#deleteIds(table, 'id', id);
  }

  #placeLinks(table: string, column: string, links: readonly Link[], before: readonly Link[]): void {
    const places = new Map(before.map(({ id, order }) => [id, order]));
    for (const { id, order } of links) if (id !== undefined && places.get(id) !== order) this.#place(table, column, id, order);
  }

  #place(table: string, column: string, id: number, value: number | null): void {
    const key = `${table} ${column}`;
    const known = this.#places.get(key);
    if (known === undefined) this.#places.set(key, { table, column, places: [[id, value]] });
    else known.places.push([id, value]);
  }

  #saveParts(owner: Entry, attribute: PartAttribute, parts: readonly Part[], before: readonly Part[]): void {
    const table = owner.schema.componentsTable?.table ?? '';
    const isOne = attribute.kind === 'component' && attribute.cardinality === 'one';
    const kept = new Set(parts.flatMap(({ join }) => join?.id ?? []));
    const there = byJoin(before);
    const gone = before.filter(({ join }) => join !== undefined && !kept.has(join.id));
    for (const { join } of gone) if (join !== undefined) this.#deleteIds(table, 'id', join.id);
    this.delete(gone.map(({ entry }) => entry));
    const moved = parts.length !== before.length || parts.some(({ join }, index) => join?.id !== before[index]?.join?.id);
    parts.forEach(({ entry, join }, index) => {
      const place = isOne ? null : index + 1;
      if (join === undefined) this.#newJoins.push({ owner, part: entry, field: attribute.name, order: place });
      else if (moved && !isOne && join.order !== place) this.#place(table, componentsColumns.order, join.id, place);
      this.save(entry, join === undefined ? undefined : there.get(join.id)?.entry, []);
    });
  }

  async write(): Promise<void> {
    for (const [table, { column, ids }] of this.#deletes) await this.#rows.delete(table, column, ids);
    for (const [place, ids] of this.#pointers) await this.#deletePointers(place, ids);
    await this.#insertRows();
    for (const { owner, part, field, order } of this.#newJoins) {
      const table = owner.schema.componentsTable?.table ?? '';
      this.#rows.inserts.later(table, joinColumns, [known(owner.id), known(part.id), part.schema.uid, field, order]);
    }
    await this.#insertLinks();
    this.#insertMorphs();
    await this.#rows.inserts.flush();
    for (const { table, column, places } of this.#places.values()) await this.#rows.place(table, column, places);
    for (const { table, id, cells } of this.#updates) await this.#rows.update(table, id, cells);
    for (const each of this.#pointed) await this.#point(each);
  }

  /** No foreign key does it: the table that is pointed at stands in the row. */
  async #deletePointers(place: PointerPlace, ids: readonly number[]): Promise<void> {
    const { dialect } = this.#rows;
    const { quote } = dialect;
    const { table, idColumn, typeColumn, uid, ofRow } = place;
    const list = dialect.idList(dialect.placeholder(1), 'gone');
    const change = ofRow
      ? `UPDATE ${quote(table)} SET ${quote(idColumn)} = NULL, ${quote(typeColumn)} = NULL`
      : `DELETE FROM ${quote(table)}`;
    await this.#rows.query(
      `${change} WHERE ${quote(idColumn)} IN (SELECT gone.value FROM ${list}) AND ${quote(typeColumn)} = ${dialect.placeholder(2)}`,
      [dialect.bindIds(ids), uid],
    );
  }

  /** All rows of one table at once. No row needs the id of another; what joins them comes after. */
  async #insertRows(): Promise<void> {
    const byTable = new Map<Schema, NewRow[]>();
    for (const row of this.#newRows) {
      const list = byTable.get(row.entry.schema);
      if (list === undefined) byTable.set(row.entry.schema, [row]);
      else list.push(row);
    }
    this.#newRows = [];
    for (const [schema, list] of byTable) {
      const rows = list.map(({ entry, system }) => [...this.#changedCells(entry, undefined), ...system]);
      const columns = new Map(rows.flat().map(({ name, type }) => [name, { name, type }]));
      const values = rows.map((cells) => {
        const byName = new Map(cells.map(({ name, value }) => [name, value]));
        return [...columns.keys()].map((name) => byName.get(name) ?? null);
      });
      const ids = await this.#rows.inserts.returningIds(schema.table, [...columns.values()], values);
      list.forEach(({ entry }, index) => {
        entry.id = ids[index];
      });
    }
    for (const { entry, tell } of this.#awaited) if (entry.id !== undefined) tell(entry.id);
  }

  async #insertLinks(): Promise<void> {
    const byTable = new Map<string, NewLink[]>();
    for (const link of this.#newLinks) {
      const list = byTable.get(link.storage.table);
      if (list === undefined) byTable.set(link.storage.table, [link]);
      else list.push(link);
    }
    for (const [table, list] of byTable) {
      await this.#takeOver(list);
      await this.#setInverseOrder(list);
      for (const cells of linkRows(list)) {
        this.#rows.inserts.later(
          table,
          cells.map(({ name, type }) => ({ name, type })),
          cells.map(({ value }) => value),
        );
      }
    }
  }

  /** A target of a two-way relation that may have one source only leaves the one it had. Other rows of the same document are not that. */
  async #takeOver(list: readonly NewLink[]): Promise<void> {
    const { dialect } = this.#rows;
    const { quote } = dialect;
    const groups = new Map<number, { readonly first: NewLink; readonly targets: number[] }>();
    for (const each of list) {
      if (each.attribute.kind !== 'relation' || !takesOver(each.attribute)) continue;
      const owner = known(each.owner.id);
      const group = groups.get(owner);
      if (group === undefined) groups.set(owner, { first: each, targets: [each.link.row.id] });
      else group.targets.push(each.link.row.id);
    }
    await this.#rows.lock(
      [...groups.values()].flatMap(({ first, targets }) =>
        targets.map((id) => `${first.storage.table} ${first.storage.targetColumn} ${id}`),
      ),
    );
    for (const [owner, { first, targets }] of groups) {
      const { storage } = first;
      const { schema } = first.owner;
      const ids = dialect.idList(dialect.placeholder(1), 'taken');
      const own =
        schema.kind === 'component'
          ? dialect.comparand(dialect.placeholder(2), 'id', owner)
          : `SELECT s.id FROM ${quote(schema.table)} AS s JOIN ${quote(schema.table)} AS o ON o.document_id = s.document_id WHERE o.id = ${dialect.comparand(dialect.placeholder(2), 'id', owner)}`;
      await this.#rows.query(
        `DELETE FROM ${quote(storage.table)} WHERE ${quote(storage.targetColumn)} IN (SELECT taken.value FROM ${ids}) AND ${quote(storage.sourceColumn)} NOT IN (${own})`,
        [dialect.bindIds(targets), owner],
      );
    }
  }

  /** At the end among the sources of the target, but for copies of links: those stand as the copied ones do. */
  async #setInverseOrder(list: readonly NewLink[]): Promise<void> {
    const bySide = new Map<string, NewLink[]>();
    for (const each of list) {
      const { link, storage } = each;
      if (storage.inverseOrderColumn === undefined || link.inverseOrder !== undefined || this.#isBesideOriginal(each)) continue;
      const side = bySide.get(storage.targetColumn);
      if (side === undefined) bySide.set(storage.targetColumn, [each]);
      else side.push(each);
    }
    for (const links of bySide.values()) {
      await this.#placeCopies(links);
      await this.#appendInverse(links.filter(({ link }) => link.inverseOrder === undefined));
    }
    for (const each of list) {
      if (this.#isBesideOriginal(each)) each.link.inverseOrder = each.link.like?.inverseOrder ?? null;
    }
  }

  /** Of a target without drafts: its list has both links, and equal numbers stand in the order of the rows. */
  #isBesideOriginal = ({ link, owner }: NewLink): boolean =>
    link.like !== undefined && (link.like.row.id === link.row.id || owner.schema.kind === 'component');

  async #placeCopies(links: readonly NewLink[]): Promise<void> {
    // The copy of a new link is at the end, as that is.
    const copies = links.flatMap(({ link }) => {
      const { id, inverseOrder } = link.like ?? {};
      return id === undefined ? [] : [{ link, original: id, order: inverseOrder ?? 0 }];
    });
    const [first] = links;
    const target = first?.attribute.target === undefined ? undefined : this.#model.contentTypes.get(first.attribute.target);
    if (first?.storage.inverseOrderColumn === undefined || target === undefined || copies.length === 0) return;
    const { table, sourceColumn, targetColumn, inverseOrderColumn } = first.storage;
    const sources: LinkList = {
      table,
      ofColumn: targetColumn,
      orderColumn: inverseOrderColumn,
      toColumn: sourceColumn,
      of: target,
      to: first.owner.schema,
    };
    const places = await placesOfCopies(copies, sources, this.#rows);
    for (const { link, original } of copies) link.inverseOrder = places.get(original);
  }

  async #appendInverse(links: readonly NewLink[]): Promise<void> {
    const [first] = links;
    if (first?.storage.inverseOrderColumn === undefined) return;
    const { storage } = first;
    const { dialect } = this.#rows;
    const { quote } = dialect;
    const target = `r.${quote(storage.targetColumn)}`;
    const list = dialect.idList(dialect.placeholder(1), 'wanted');
    const found = await this.#rows.query(
      `SELECT ${target}, MAX(r.${quote(first.storage.inverseOrderColumn)}) FROM ${list} ${dialect.orderedJoin} ${quote(storage.table)} AS r ON ${target} = wanted.value GROUP BY ${target}`,
      [dialect.bindIds([...new Set(links.map(({ link }) => link.row.id))])],
    );
    const last = new Map(found.map(([id, place]) => [Number(id), Math.floor(Number(place ?? 0))]));
    const inOrder = [...links].sort((a, b) => originalOrder(a) - originalOrder(b));
    for (const { link } of inOrder) {
      const place = (last.get(link.row.id) ?? 0) + 1;
      last.set(link.row.id, place);
      link.inverseOrder = place;
    }
  }

  #insertMorphs(): void {
    for (const { owner, attribute, storage, link } of this.#newMorphs) {
      const cells: [Column, SqlValue][] =
        storage.kind === 'inverseMorphLink'
          ? [
              [{ name: storage.targetColumn, type: 'reference' }, link.row.id],
              [{ name: storage.idColumn, type: 'reference' }, known(owner.id)],
              [{ name: storage.typeColumn, type: 'string' }, storage.typeValue],
              [{ name: storage.fieldColumn, type: 'string' }, storage.fieldValue],
              [{ name: storage.orderColumn, type: 'order' }, link.order],
            ]
          : [
              [{ name: storage.sourceColumn, type: 'reference' }, known(owner.id)],
              [{ name: storage.idColumn, type: 'reference' }, link.row.id],
              [{ name: storage.typeColumn, type: 'string' }, link.row.uid],
              [{ name: storage.fieldColumn, type: 'string' }, attribute.name],
              [{ name: storage.orderColumn, type: 'order' }, link.order],
            ];
      this.#rows.inserts.later(
        storage.table,
        cells.map(([column]) => column),
        cells.map(([, value]) => value),
      );
    }
  }

  /** The other side of a morphToOne: the targets' own columns point here. */
  async #point({ owner, attribute, links, before }: Pointed): Promise<void> {
    const { storage, target } = attribute;
    const table = target === undefined ? undefined : this.#model.contentTypes.get(target)?.table;
    if (storage.kind !== 'inverseMorphColumns' || table === undefined) return;
    const cells = (id: SqlValue, type: SqlValue): Cell[] => [
      { name: storage.idColumn, type: 'reference', value: id },
      { name: storage.typeColumn, type: 'string', value: type },
    ];
    const wanted = new Set(links.map(({ row }) => row.id));
    const had = new Set(before.map(({ row }) => row.id));
    for (const id of had) if (!wanted.has(id)) await this.#rows.update(table, id, cells(null, null));
    for (const id of wanted) if (!had.has(id)) await this.#rows.update(table, id, cells(known(owner.id), storage.typeValue));
  }
}

/** The rows of new links of one table. A row that links to itself has the same link on both sides of the relation, each with its own place. */
function linkRows(list: readonly NewLink[]): Iterable<readonly Cell[]> {
  const rows = new Map<string, readonly Cell[]>();
  for (const { storage, owner, link } of list) {
    // The columns of a table stand in one order, whichever side of the relation writes.
    const ends: Cell[] = [
      { name: storage.sourceColumn, type: 'reference', value: known(owner.id) },
      { name: storage.targetColumn, type: 'reference', value: link.row.id },
    ];
    const key = JSON.stringify(ends.sort(byName).map(({ value }) => value));
    const twin = rows.get(key);
    const places: Cell[] = [];
    if (storage.orderColumn !== undefined) places.push({ name: storage.orderColumn, type: 'order', value: link.order });
    if (twin !== undefined) {
      rows.set(
        key,
        twin.map((cell) => places.find(({ name }) => name === cell.name) ?? cell),
      );
      continue;
    }
    if (storage.inverseOrderColumn !== undefined) {
      places.push({ name: storage.inverseOrderColumn, type: 'order', value: link.inverseOrder ?? null });
    }
    rows.set(key, [...ends, ...places].sort(byName));
  }
  return rows.values();
}

const byName = (a: Cell, b: Cell) => (a.name < b.name ? -1 : 1);

/** Among copies, the number of what they copy; new links stand in the order in which they were given. */
const originalOrder = ({ link }: NewLink) => link.like?.inverseOrder ?? Number.MAX_SAFE_INTEGER;

const sameTargets = (a: readonly Link[], b: readonly Link[]) =>
  a.length === b.length && a.every(({ row }, index) => row.id === b[index]?.row.id && row.uid === b[index]?.row.uid);

/** Columns of the row itself that say where a relation leads. */
function ownLinkCells({ storage }: RelationAttribute, links: readonly Link[]): Cell[] {
  // One id fits: the last one, which for a type without drafts is the published row.
  const row = links.at(-1)?.row;
  if (storage.kind === 'ownColumn') return [{ name: storage.column, type: 'reference', value: row?.id ?? null }];
  if (storage.kind !== 'morphColumns') return [];
  return [
    { name: storage.idColumn, type: 'reference', value: row?.id ?? null },
    { name: storage.typeColumn, type: 'string', value: row?.uid ?? null },
  ];
}

/** Not a backslash, itself escaped, before the text `u0000`. */
const nulInJson = /(?<!\\)(?:\\\\)*\\u0000/;

const hasNul = (value: string, { type }: ScalarAttribute) =>
  type === 'json' || type === 'blocks' ? nulInJson.test(value) : value.includes('\0');

function known(id: number | undefined): number {
  if (id === undefined) throw new Error('a row is linked before it is there');
  return id;
}
