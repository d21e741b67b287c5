/** Reads entries with everything that they own, with one statement for each table. */

import { grouped } from '../../../../collections.ts';
import { columnTypeOf } from '../../../../dialects/column-type.ts';
import type { Row } from '../../../../dialects/dialect.ts';
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
import { sql } from '../../../../sql/sql.ts';
import {
  type ComponentsAttribute,
  type Entry,
  emptyEntry,
  isComponentsAttribute,
  isContent,
  type OwnedComponent,
} from '../../../entry/entry.ts';
import { namingAttributes } from '../difference/changed-keys.ts';
import { loadLinks } from './load-links.ts';
import { numberOrNull, readTargetRows, type Tables } from './target-rows.ts';

/** The attributes to read: `own` of the entries, `inComponents` of components at any depth. */
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
export function loadEntries(
  schema: Schema,
  { ids, wanted }: { readonly ids: readonly number[]; readonly wanted: WantedAttributes },
  rows: Rows,
  model: ContentModel,
): Promise<ReadonlyMap<number, Entry>> {
  return new Loader({ rows, model }, wanted).entries(schema, ids, wanted.own);
}

class Loader {
  readonly #tables: Tables;
  readonly #wanted: WantedAttributes;
  /** The number of components that may still be read. */
  #left: number;

  constructor(tables: Tables, wanted: WantedAttributes) {
    this.#tables = tables;
    this.#wanted = wanted;
    this.#left = wanted.components ?? Number.POSITIVE_INFINITY;
  }

  async entries(schema: Schema, ids: readonly number[], wanted: (attribute: Attribute) => boolean): Promise<ReadonlyMap<number, Entry>> {
    if (ids.length === 0) return new Map();
    const attributes = [...schema.attributes.values()].filter((attribute) => isContent(attribute) && wanted(attribute));
    const entries = this.#ownRows(schema, ids, attributes);
    // Nothing waits for the entries' own rows: on PostgreSQL all of this takes one round trip.
    const [own] = await allDone([
      entries,
      loadLinks(attributes, { schema, ids, entries }, this.#tables),
      this.#components(schema, attributes.filter(isComponentsAttribute), ids, entries),
    ]);
    return own;
  }

  /** Reads values, and links that are columns of the entry's own row. */
  async #ownRows(schema: Schema, ids: readonly number[], attributes: readonly Attribute[]): Promise<ReadonlyMap<number, Entry>> {
    const { unseen = false } = this.#wanted;
    const scalars = attributes.filter((attribute): attribute is ScalarAttribute => attribute.kind === 'scalar');
    const column = (name: string) => sql.id('r', name);
    const read = (attribute: ScalarAttribute) => sql.read(column(attribute.column), columnTypeOf(attribute));
    const inRow = attributes.flatMap(columnsOfRelation);
    const names = unseen ? [] : namingAttributes(schema);
    const columns = [
      column('id'),
      ...scalars.map(read),
      ...inRow.flatMap(({ id, type }) => [column(id), type === undefined ? sql`NULL` : column(type)]),
      ...names.map(read),
    ];
    if (unseen && columns.length === 1) return new Map(ids.map((id) => [id, emptyEntry(schema, id)]));
    const found = await this.#tables.rows.select(schema.table, { key: 'id', ids, columns, order: column('id') });
    const entries = new Map<number, Entry>();
    const pointed: { readonly name: string; readonly entry: Entry; readonly id: number; readonly type: Uid }[] = [];
    for (const row of found) {
      const entry = emptyEntry(schema, Number(row[0]));
      entries.set(Number(row[0]), entry);
      for (const [index, attribute] of scalars.entries()) entry.values.set(attribute.name, fromSelected(row[index + 1], attribute));
      const firstName = 1 + scalars.length + 2 * inRow.length;
      for (const [index, attribute] of names.entries()) entry.names.set(attribute.name, fromSelected(row[firstName + index], attribute));
      for (const [index, { attribute }] of inRow.entries()) {
        entry.links.set(attribute.name, []);
        const id = numberOrNull(row[1 + scalars.length + 2 * index]);
        const type = attribute.target ?? row[2 + scalars.length + 2 * index];
        if (id !== null && typeof type === 'string') pointed.push({ name: attribute.name, entry, id, type });
      }
    }
    const readPointed = async ([uid, list]: readonly [Uid, typeof pointed]) => {
      const targetIds = list.map(({ id }) => id);
      const targets = await readTargetRows(uid, targetIds, this.#tables);
      for (const { name, entry, id } of list) {
        const row = targets.get(id);
        if (row !== undefined) entry.links.set(name, [{ row, id: undefined, order: null, inverseOrder: null }]);
      }
    };
    await allDone([...grouped(pointed, ({ type }) => type)].map(readPointed));
    return entries;
  }

  async #components(
    schema: Schema,
    attributes: readonly ComponentsAttribute[],
    ids: readonly number[],
    owners: Promise<ReadonlyMap<number, Entry>>,
  ): Promise<void> {
    if (attributes.length === 0 || schema.componentsTable === undefined) return;
    const own = componentsColumns;
    const column = (name: string) => sql.id('r', name);
    const found = await this.#tables.rows.select(schema.componentsTable.table, {
      key: own.owner,
      ids,
      columns: [column(own.owner), 'r.id', column(own.component), column(own.type), column(own.field), column(own.order)],
      order: sql`${column(own.order)}, r.id`,
      limit: this.#left + 1,
    });
    this.#left -= found.length;
    if (this.#left < 0)
      throw ApiError.of('limit.components', { what: 'The versions of the document have', limit: this.#wanted.components ?? 0 });
    const names = new Set(attributes.map(({ name }) => name));
    const joins = found.filter((row) => names.has(String(row[4])));
    const components = new Map<Uid, ReadonlyMap<number, Entry>>();
    const readComponents = async ([uid, list]: readonly [Uid, readonly Row[]]) => {
      const component = this.#tables.model.components.get(uid);
      const componentIds = [...new Set(list.map(([, , id]) => Number(id)))];
      if (component !== undefined) components.set(uid, await this.entries(component, componentIds, this.#wanted.inComponents ?? isContent));
    };
    await allDone([...grouped(joins, ([, , , type]) => String(type))].map(readComponents));
    const byPlace = grouped(joins, ([owner, , , , field]) => `${owner} ${field}`);
    for (const [ownerId, entry] of await owners) {
      for (const { name } of attributes) {
        // Strapi leaves join rows whose component does not exist. They are skipped.
        const list = (byPlace.get(`${ownerId} ${name}`) ?? []).flatMap(([, id, componentId, type, , order]): OwnedComponent[] => {
          const component = components.get(String(type))?.get(Number(componentId));
          return component === undefined ? [] : [{ entry: component, join: { id: Number(id), order: numberOrNull(order) } }];
        });
        entry.components.set(name, list);
      }
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
