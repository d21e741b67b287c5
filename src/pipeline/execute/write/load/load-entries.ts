/** Reads entries with everything that they own, with one statement for each table,
 *  whatever the number of entries. */
import { columnTypeOf } from '../../../../dialects/column-type.ts';
import { ApiError } from '../../../../errors/api-error.ts';
import { fromSelected } from '../../../../model/attributes/stored.ts';
import {
  type Attribute,
  type ContentModel,
  componentsColumns,
  type RelationAttribute,
  type ScalarAttribute,
  type Schema,
  type Uid,
} from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import type { Rows } from '../../../../sql/rows.ts';
import {
  type ComponentsAttribute,
  type Entry,
  emptyEntry,
  isComponentsAttribute,
  isContent,
  type LinkAttribute,
  type OwnedComponent,
} from '../../../entry/entry.ts';
import { namingAttributes } from '../difference/changed-keys.ts';
import { EntryLists, numberOrNull } from './entry-lists.ts';
import { loadLinks } from './load-links.ts';
import { readTargetRows } from './target-rows.ts';

/** The attributes to read: `own` of the entries themselves, `inComponents` of
 *  their components at any depth. */
export interface WantedAttributes {
  readonly own: (attribute: Attribute) => boolean;
  readonly inComponents?: (attribute: Attribute) => boolean;
  /** Does not read rows of which only the id is needed, and assumes that they exist: a
   *  missing row can be deleted, too. */
  readonly unseen?: boolean;
  /** Throws when there are more components than this, counted at all depths together. */
  readonly components?: number;
}

/** Returns the entries by id. Ids that do not exist are left out. */
export async function loadEntries(
  schema: Schema,
  { ids, wanted }: { readonly ids: readonly number[]; readonly wanted: WantedAttributes },
  rows: Rows,
  model: ContentModel,
): Promise<Map<number, Entry>> {
  const loader = new Loader(rows, model, wanted);
  return loader.entries(schema, ids, wanted.own);
}

class Loader {
  readonly #rows: Rows;
  readonly #model: ContentModel;
  readonly #inParts: (attribute: Attribute) => boolean;
  readonly #unseen: boolean;
  readonly #max: number;
  /** Components counted so far. */
  #counted = 0;

  constructor(
    rows: Rows,
    model: ContentModel,
    { inComponents = isContent, unseen = false, components = Number.POSITIVE_INFINITY }: WantedAttributes,
  ) {
    this.#rows = rows;
    this.#model = model;
    this.#inParts = inComponents;
    this.#unseen = unseen;
    this.#max = components;
  }

  async entries(schema: Schema, ids: readonly number[], wanted: (attribute: Attribute) => boolean): Promise<Map<number, Entry>> {
    if (ids.length === 0) return new Map();
    const attributes = [...schema.attributes.values()].filter((attribute) => isContent(attribute) && wanted(attribute));
    const entries = this.#ownRows(schema, ids, attributes);
    // Without waiting for the rows of the entries themselves: on PostgreSQL all of this takes one
    // round trip.
    const [own] = await allDone([
      entries,
      loadLinks(attributes, { schema, ids, entries }, { rows: this.#rows, model: this.#model }),
      this.#components(schema, attributes.filter(isComponentsAttribute), ids, entries),
    ]);
    return own;
  }

  /** Reads values, and links that are columns of the entry's own row. */
  async #ownRows(schema: Schema, ids: readonly number[], attributes: readonly Attribute[]): Promise<Map<number, Entry>> {
    const { dialect } = this.#rows;
    const scalars = attributes.filter((attribute): attribute is ScalarAttribute => attribute.kind === 'scalar');
    const column = (name: string) => `r.${dialect.quote(name)}`;
    const inRow = attributes.flatMap(columnsOfRelation);
    const names = this.#unseen ? [] : namingAttributes(schema);
    const selected = [
      column('id'),
      ...scalars.map((attribute) => dialect.select(column(attribute.column), columnTypeOf(attribute))),
      ...inRow.flatMap(({ id, type }) => [column(id), type === undefined ? 'NULL' : column(type)]),
      ...names.map((attribute) => dialect.select(column(attribute.column), columnTypeOf(attribute))),
    ];
    if (this.#unseen && selected.length === 1) return new Map(ids.map((id) => [id, emptyEntry(schema, id)]));
    const found = await this.#rows.select(schema.table, { key: 'id', ids, columns: selected, order: column('id') });
    const entries = new Map<number, Entry>();
    const pointed = new Map<Uid, { attribute: LinkAttribute; entry: Entry; id: number }[]>();
    for (const row of found) {
      const entry = emptyEntry(schema, Number(row[0]));
      entries.set(Number(row[0]), entry);
      for (const [index, attribute] of scalars.entries()) entry.values.set(attribute.name, fromSelected(row[index + 1], attribute));
      const firstName = 1 + scalars.length + 2 * inRow.length;
      for (const [index, attribute] of names.entries()) entry.names.set(attribute.name, fromSelected(row[firstName + index], attribute));
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
    const readPointed = async (uid: Uid, list: readonly { attribute: LinkAttribute; entry: Entry; id: number }[]) => {
      const targets = await readTargetRows(
        uid,
        list.map(({ id }) => id),
        { rows: this.#rows, model: this.#model },
      );
      for (const { attribute, entry, id } of list) {
        const target = targets.get(id);
        if (target !== undefined) entry.links.set(attribute.name, [{ row: target, id: undefined, order: null, inverseOrder: null }]);
      }
    };
    await allDone([...pointed].map(([uid, list]) => readPointed(uid, list)));
    return entries;
  }

  async #components(
    schema: Schema,
    attributes: readonly ComponentsAttribute[],
    ids: readonly number[],
    owners: Promise<ReadonlyMap<number, Entry>>,
  ): Promise<void> {
    if (attributes.length === 0 || schema.componentsTable === undefined) return;
    const { quote } = this.#rows.dialect;
    const own = componentsColumns;
    const column = (name: string) => `r.${quote(name)}`;
    const found = await this.#rows.select(schema.componentsTable.table, {
      key: own.owner,
      ids,
      columns: [column(own.owner), 'r.id', column(own.component), column(own.type), column(own.field), column(own.order)],
      order: `${column(own.order)}, r.id`,
      limit: this.#max - this.#counted + 1,
    });
    this.#counted += found.length;
    if (this.#counted > this.#max) throw ApiError.of('limit.components', { what: 'The versions of the document have', limit: this.#max });
    const names = new Set(attributes.map(({ name }) => name));
    const joins = found.filter((row) => names.has(String(row[4])));
    const idsByType = new Map<Uid, Set<number>>();
    for (const [, , id, type] of joins) {
      const list = idsByType.get(String(type)) ?? new Set();
      idsByType.set(String(type), list.add(Number(id)));
    }
    const components = new Map<Uid, Map<number, Entry>>();
    const readComponents = async (uid: Uid, list: ReadonlySet<number>) => {
      const component = this.#model.components.get(uid);
      if (component !== undefined) components.set(uid, await this.entries(component, [...list], this.#inParts));
    };
    await allDone([...idsByType].map(([uid, list]) => readComponents(uid, list)));
    const entries = await owners;
    const lists = new EntryLists<OwnedComponent>();
    for (const { name } of attributes) for (const entry of entries.values()) entry.components.set(name, lists.begin(entry, name));
    for (const [owner, id, componentId, type, field, order] of joins) {
      // Strapi leaves join rows whose component does not exist. They are skipped.
      const entry = components.get(String(type))?.get(Number(componentId));
      if (entry === undefined) continue;
      lists.of(entries.get(Number(owner)), String(field))?.push({ entry, join: { id: Number(id), order: numberOrNull(order) } });
    }
  }
}

interface RelationColumns {
  readonly attribute: RelationAttribute;
  readonly id: string;
  readonly type: string | undefined;
}

/** Returns the columns of a relation that is stored in the entry's own row. */
function columnsOfRelation(attribute: Attribute): RelationColumns[] {
  if (attribute.kind !== 'relation') return [];
  const { storage } = attribute;
  if (storage.kind === 'ownColumn') return [{ attribute, id: storage.column, type: undefined }];
  return storage.kind === 'morphColumns' ? [{ attribute, id: storage.idColumn, type: storage.typeColumn }] : [];
}
