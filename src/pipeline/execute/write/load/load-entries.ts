/** Reads entries with all that they own: one statement a table, whatever the number of entries. */
import { columnTypeOf } from '../../../../dialects/column-type.ts';
import type { Row } from '../../../../dialects/dialect.ts';
import { ApiError } from '../../../../errors/api-error.ts';
import { fromSelected } from '../../../../model/attributes/stored.ts';
import {
  type Attribute,
  type ContentModel,
  type ContentType,
  componentsColumns,
  type InverseMorphLink,
  type LinkTable,
  type MorphLink,
  type RelationAttribute,
  type ScalarAttribute,
  type Schema,
  type Uid,
} from '../../../../model/content-model.ts';
import type { Rows } from '../../../../sql/rows.ts';
import {
  type ComponentsAttribute,
  type Entry,
  emptyEntry,
  isComponentsAttribute,
  isContent,
  type Link,
  type LinkAttribute,
  type OwnedComponent,
  type TargetRow,
} from '../../../entry/entry.ts';

/** What to read: of the entries themselves, and of their components at any depth. */
export interface Wanted {
  readonly own: (attribute: Attribute) => boolean;
  readonly inComponents?: (attribute: Attribute) => boolean;
  /** Takes rows of which nothing but the id is wanted to be there: to be deleted they need not be. */
  readonly unseen?: boolean;
  /** Throws when there are more components, at all depths together. */
  readonly components?: number;
}

/** By id. Ids that do not exist are left out. */
export async function loadEntries(
  schema: Schema,
  ids: readonly number[],
  wanted: Wanted,
  rows: Rows,
  model: ContentModel,
): Promise<Map<number, Entry>> {
  const loader = new Loader(rows, model, wanted);
  return loader.entries(schema, ids, wanted.own);
}

/** The columns that say of a row of a content type which version of which document it is. */
export const versionColumns = (alias: string): readonly string[] => [
  `${alias}.document_id`,
  `${alias}.locale`,
  `CASE WHEN ${alias}.published_at IS NULL THEN 0 ELSE 1 END`,
];

export const targetRow = (uid: Uid, id: unknown, [documentId, locale, published]: readonly unknown[]): TargetRow => ({
  uid,
  id: Number(id),
  documentId: documentId === null || documentId === undefined ? null : String(documentId),
  locale: locale === null || locale === undefined ? null : String(locale),
  published: Number(published) === 1,
});

class Loader {
  readonly #rows: Rows;
  readonly #model: ContentModel;
  readonly #inParts: (attribute: Attribute) => boolean;
  readonly #unseen: boolean;
  readonly #most: number;
  /** Components counted so far. */
  #counted = 0;

  constructor(
    rows: Rows,
    model: ContentModel,
    { inComponents = isContent, unseen = false, components = Number.POSITIVE_INFINITY }: Wanted,
  ) {
    this.#rows = rows;
    this.#model = model;
    this.#inParts = inComponents;
    this.#unseen = unseen;
    this.#most = components;
  }

  async entries(schema: Schema, ids: readonly number[], wanted: (attribute: Attribute) => boolean): Promise<Map<number, Entry>> {
    if (ids.length === 0) return new Map();
    const attributes = [...schema.attributes.values()].filter((attribute) => isContent(attribute) && wanted(attribute));
    const entries = await this.#ownRows(schema, ids, attributes);
    const present = [...entries.keys()];
    if (present.length === 0) return entries;
    await this.#links(schema, attributes, present, entries);
    await this.#components(schema, attributes.filter(isComponentsAttribute), present, entries);
    return entries;
  }

  /** Values, and links that are columns of the row itself. */
  async #ownRows(schema: Schema, ids: readonly number[], attributes: readonly Attribute[]): Promise<Map<number, Entry>> {
    const { dialect } = this.#rows;
    const scalars = attributes.filter((attribute): attribute is ScalarAttribute => attribute.kind === 'scalar');
    const column = (name: string) => `r.${dialect.quote(name)}`;
    const inRow = attributes.flatMap(columnsOfRelation);
    const selected = [
      column('id'),
      ...scalars.map((attribute) => dialect.select(column(attribute.column), columnTypeOf(attribute))),
      ...inRow.flatMap(({ id, type }) => [column(id), type === undefined ? 'NULL' : column(type)]),
    ];
    if (this.#unseen && selected.length === 1) return new Map(ids.map((id) => [id, emptyEntry(schema, id)]));
    const found = await this.#rows.select(schema.table, 'id', ids, selected, column('id'));
    const entries = new Map<number, Entry>();
    const pointed = new Map<Uid, { attribute: LinkAttribute; entry: Entry; id: number }[]>();
    for (const row of found) {
      const entry = emptyEntry(schema, Number(row[0]));
      entries.set(Number(row[0]), entry);
      for (const [index, attribute] of scalars.entries()) entry.values.set(attribute.name, fromSelected(row[index + 1], attribute));
      inRow.forEach(({ attribute }, index) => {
        entry.links.set(attribute.name, []);
        const id = row[1 + scalars.length + 2 * index];
        const type = attribute.target ?? row[2 + scalars.length + 2 * index];
        if (id === null || id === undefined || typeof type !== 'string') return;
        const found = { attribute, entry, id: Number(id) };
        const list = pointed.get(type);
        if (list === undefined) pointed.set(type, [found]);
        else list.push(found);
      });
    }
    for (const [uid, list] of pointed) {
      const targets = await this.#targets(
        uid,
        list.map(({ id }) => id),
      );
      for (const { attribute, entry, id } of list) {
        const target = targets.get(id);
        if (target !== undefined) entry.links.set(attribute.name, [{ row: target, id: undefined, order: null, inverseOrder: null }]);
      }
    }
    return entries;
  }

  async #targets(uid: Uid, ids: readonly number[]): Promise<Map<number, TargetRow>> {
    const type = this.#model.contentTypes.get(uid);
    if (type === undefined) return new Map();
    const found = await this.#rows.select(type.table, 'id', [...new Set(ids)], ['r.id', ...versionColumns('r')], 'r.id');
    return new Map(found.map(([id, ...version]) => [Number(id), targetRow(uid, id, version)]));
  }

  async #links(schema: Schema, attributes: readonly Attribute[], ids: readonly number[], entries: Map<number, Entry>): Promise<void> {
    const byFile = new Map<string, { storage: InverseMorphLink; target: ContentType; attributes: LinkAttribute[] }>();
    for (const attribute of attributes) {
      if (attribute.kind !== 'relation' && attribute.kind !== 'media') continue;
      const { storage } = attribute;
      const target = attribute.target === undefined ? undefined : this.#model.contentTypes.get(attribute.target);
      if (storage.kind === 'morphLink') await this.#morphLinks(attribute, storage, ids, entries);
      else if (target === undefined) continue;
      else if (storage.kind === 'linkTable') await this.#linkTable(attribute, storage, target, ids, entries);
      else if (storage.kind === 'inverseMorphColumns') {
        await this.#inverseColumns(attribute, storage.idColumn, storage.typeColumn, target, schema.uid, ids, entries);
      } else if (storage.kind === 'inverseMorphLink') {
        // All media of a type stand in one table, and are read at once.
        const group = byFile.get(storage.table) ?? { storage, target, attributes: [] };
        group.attributes.push(attribute);
        byFile.set(storage.table, group);
      }
    }
    for (const { storage, target, attributes: grouped } of byFile.values()) {
      await this.#inverseMorphLinks(grouped, storage, target, schema, ids, entries);
    }
  }

  async #linkTable(attribute: LinkAttribute, storage: LinkTable, target: ContentType, ids: readonly number[], entries: Map<number, Entry>) {
    const { quote } = this.#rows.dialect;
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
    const found = await this.#joined(storage.table, storage.sourceColumn, ids, selected, target.table, storage.targetColumn, order, '');
    const links = new Map<number, Link[]>(ids.map((id) => [id, []]));
    for (const [source, id, targetId, place, inverse, ...version] of found) {
      links.get(Number(source))?.push({
        row: targetRow(target.uid, targetId, version),
        id: Number(id),
        order: numberOrNull(place),
        inverseOrder: numberOrNull(inverse),
      });
    }
    for (const [id, list] of links) entries.get(id)?.links.set(attribute.name, list);
  }

  async #inverseMorphLinks(
    attributes: readonly LinkAttribute[],
    storage: InverseMorphLink,
    target: ContentType,
    schema: Schema,
    ids: readonly number[],
    entries: Map<number, Entry>,
  ): Promise<void> {
    const { dialect } = this.#rows;
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
    const found = await this.#joined(
      storage.table,
      storage.idColumn,
      ids,
      selected,
      target.table,
      storage.targetColumn,
      `${column(storage.orderColumn)}, l.id`,
      condition,
      [schema.uid],
    );
    const lists = new Lists<Link>();
    for (const { name } of attributes) for (const entry of entries.values()) entry.links.set(name, lists.begin(entry, name));
    for (const [owner, id, targetId, place, field, ...version] of found) {
      const row = targetRow(target.uid, targetId, version);
      lists.of(entries.get(Number(owner)), String(field))?.push({ row, id: Number(id), order: numberOrNull(place), inverseOrder: null });
    }
  }

  async #morphLinks(attribute: LinkAttribute, storage: MorphLink, ids: readonly number[], entries: Map<number, Entry>): Promise<void> {
    const { quote } = this.#rows.dialect;
    const column = (name: string) => `r.${quote(name)}`;
    const found = await this.#rows.select(
      storage.table,
      storage.sourceColumn,
      ids,
      [column(storage.sourceColumn), 'r.id', column(storage.idColumn), column(storage.typeColumn), column(storage.orderColumn)],
      `${column(storage.orderColumn)}, r.id`,
    );
    const idsByType = new Map<Uid, number[]>();
    for (const [, , id, type] of found) idsByType.set(String(type), [...(idsByType.get(String(type)) ?? []), Number(id)]);
    const targets = new Map<Uid, Map<number, TargetRow>>();
    for (const [type, list] of idsByType) targets.set(type, await this.#targets(type, list));
    for (const entry of entries.values()) entry.links.set(attribute.name, []);
    for (const [source, id, targetId, type, place] of found) {
      const row = targets.get(String(type))?.get(Number(targetId));
      const links = entries.get(Number(source))?.links;
      if (row === undefined || links === undefined) continue;
      links.set(attribute.name, [
        ...(links.get(attribute.name) ?? []),
        { row, id: Number(id), order: numberOrNull(place), inverseOrder: null },
      ]);
    }
  }

  async #inverseColumns(
    attribute: LinkAttribute,
    idColumn: string,
    typeColumn: string,
    target: ContentType,
    uid: Uid,
    ids: readonly number[],
    entries: Map<number, Entry>,
  ): Promise<void> {
    const { dialect } = this.#rows;
    const list = dialect.idList(dialect.placeholder(1), 'wanted');
    const found = await this.#rows.query(
      `SELECT t.${dialect.quote(idColumn)}, t.id, ${versionColumns('t').join(', ')} FROM ${dialect.quote(target.table)} AS t ` +
        `WHERE t.${dialect.quote(idColumn)} IN (SELECT wanted.value FROM ${list}) AND t.${dialect.quote(typeColumn)} = ${dialect.placeholder(2)} ORDER BY t.id`,
      [dialect.bindIds(ids), uid],
    );
    const lists = new Lists<Link>();
    for (const entry of entries.values()) entry.links.set(attribute.name, lists.begin(entry, attribute.name));
    for (const [owner, id, ...version] of found) {
      const row = targetRow(target.uid, id, version);
      lists.of(entries.get(Number(owner)), attribute.name)?.push({ row, id: undefined, order: null, inverseOrder: null });
    }
  }

  /** Rows of a link table together with the rows that they lead to. */
  #joined(
    table: string,
    key: string,
    ids: readonly number[],
    selected: readonly string[],
    target: string,
    targetColumn: string,
    order: string,
    condition: string,
    values: readonly string[] = [],
  ): Promise<readonly Row[]> {
    const { dialect } = this.#rows;
    const { quote } = dialect;
    const list = dialect.idList(dialect.placeholder(1), 'wanted');
    return this.#rows.query(
      `SELECT ${selected.join(', ')} FROM ${list} ${dialect.orderedJoin} ${quote(table)} AS l ON l.${quote(key)} = wanted.value ` +
        `${dialect.orderedJoin} ${quote(target)} AS t ON t.id = l.${quote(targetColumn)} ${condition} ORDER BY ${order}`,
      [dialect.bindIds(ids), ...values],
    );
  }

  async #components(
    schema: Schema,
    attributes: readonly ComponentsAttribute[],
    ids: readonly number[],
    entries: Map<number, Entry>,
  ): Promise<void> {
    if (attributes.length === 0 || schema.componentsTable === undefined) return;
    const { quote } = this.#rows.dialect;
    const own = componentsColumns;
    const column = (name: string) => `r.${quote(name)}`;
    const found = await this.#rows.select(
      schema.componentsTable.table,
      own.owner,
      ids,
      [column(own.owner), 'r.id', column(own.component), column(own.type), column(own.field), column(own.order)],
      `${column(own.order)}, r.id`,
      this.#most - this.#counted + 1,
    );
    this.#counted += found.length;
    if (this.#counted > this.#most) throw ApiError.of('limit.components', { what: 'The versions of the document have', limit: this.#most });
    const names = new Set(attributes.map(({ name }) => name));
    const joins = found.filter((row) => names.has(String(row[4])));
    const idsByType = new Map<Uid, Set<number>>();
    for (const [, , id, type] of joins) {
      const list = idsByType.get(String(type)) ?? new Set();
      idsByType.set(String(type), list.add(Number(id)));
    }
    const components = new Map<Uid, Map<number, Entry>>();
    for (const [uid, list] of idsByType) {
      const component = this.#model.components.get(uid);
      if (component !== undefined) components.set(uid, await this.entries(component, [...list], this.#inParts));
    }
    const lists = new Lists<OwnedComponent>();
    for (const { name } of attributes) for (const entry of entries.values()) entry.components.set(name, lists.begin(entry, name));
    for (const [owner, id, componentId, type, field, order] of joins) {
      // A join row without its component is a leftover that Strapi makes; it is no component.
      const entry = components.get(String(type))?.get(Number(componentId));
      if (entry === undefined) continue;
      lists.of(entries.get(Number(owner)), String(field))?.push({ entry, join: { id: Number(id), order: numberOrNull(order) } });
    }
  }
}

/** Lists of entries while they are filled, by attribute. A list can have as many items as somebody wrote: it is never copied to add one. */
class Lists<T> {
  readonly #lists = new Map<Entry, Map<string, T[]>>();

  begin(entry: Entry, name: string): readonly T[] {
    const list: T[] = [];
    const byName = this.#lists.get(entry);
    if (byName === undefined) this.#lists.set(entry, new Map([[name, list]]));
    else byName.set(name, list);
    return list;
  }

  of(entry: Entry | undefined, name: string): T[] | undefined {
    return entry === undefined ? undefined : this.#lists.get(entry)?.get(name);
  }
}

interface RelationColumns {
  readonly attribute: RelationAttribute;
  readonly id: string;
  readonly type: string | undefined;
}

/** Of a relation that is stored in the row itself. */
function columnsOfRelation(attribute: Attribute): RelationColumns[] {
  if (attribute.kind !== 'relation') return [];
  const { storage } = attribute;
  if (storage.kind === 'ownColumn') return [{ attribute, id: storage.column, type: undefined }];
  return storage.kind === 'morphColumns' ? [{ attribute, id: storage.idColumn, type: storage.typeColumn }] : [];
}

const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
