/** Writes the links, media and components of rows, including those of components. */

import { grouped } from '../collections.ts';
import type { ColumnType } from '../dialects/column-type.ts';
import type { SqlValue } from '../dialects/dialect.ts';
import type {
  ComponentAttribute,
  ContentModel,
  DynamicZoneAttribute,
  InverseMorphLink,
  LinkTable,
  MorphColumns,
  MorphLink,
  RelationAttribute,
  Schema,
  Uid,
} from '../model/content-model.ts';
import type { Rows } from '../sql/rows.ts';
import { componentsTableColumns } from '../tables/components-table.ts';
import { ContentError, type SeedData } from './content.ts';
import type { Owner, RowIndex } from './row-index.ts';
import { scalarColumns } from './scalar-columns.ts';

/** The target of a polymorphic relation. */
interface Target {
  readonly type: Uid;
  readonly key: string;
}

/** A component to write, and its position. */
interface Part {
  readonly uid: Uid;
  readonly owner: Owner;
  readonly field: string;
  readonly order: number | null;
  readonly data: SeedData;
}

/** A column of a row to write. Columns without a name are left out. */
type Cell = readonly [name: string | undefined, type: ColumnType, value: SqlValue];

export class Attachments {
  readonly #model: ContentModel;
  readonly #rows: Rows;
  readonly #index: RowIndex;
  /** The number of sources by table and target. */
  readonly #sources = new Map<string, number>();
  /** Positions of sources by table, source and target; a published row gets its draft's. */
  readonly #positions = new Map<string, number>();

  /** Links are collected in `rows.inserts` until it is flushed. */
  constructor(model: ContentModel, rows: Rows, index: RowIndex) {
    this.#model = model;
    this.#rows = rows;
    this.#index = index;
  }

  async write(owners: readonly Owner[]): Promise<void> {
    const parts: Part[] = [];
    for (const owner of owners) {
      for (const attribute of owner.schema.attributes.values()) {
        const value = owner.data[attribute.name];
        if (value === undefined || value === null || attribute.kind === 'scalar') continue;
        const path = `${owner.path}.${attribute.name}`;
        if (attribute.kind === 'relation') await this.#relation(owner, attribute, value, path);
        else if (attribute.kind === 'media')
          this.#inverseMorphLink(owner, attribute.storage, keyedTargets(attribute.target, value, path), path);
        else parts.push(...partsOf(owner, attribute, value, path));
      }
    }
    const written: Owner[] = [];
    for (const [uid, list] of grouped(parts, (part) => part.uid)) written.push(...(await this.#components(uid, list)));
    if (written.length > 0) await this.write(written);
  }

  async #components(uid: Uid, parts: readonly Part[]): Promise<Owner[]> {
    const component = this.#model.components.get(uid);
    if (component === undefined) throw new ContentError(parts[0]?.owner.path ?? uid, `there is no component ${uid}`);
    const { columns, values } = scalarColumns(component);
    const pathOf = ({ owner, field }: Part) => `${owner.path}.${field}`;
    const ids = await this.#rows.inserts.returningIds(
      component.table,
      columns,
      parts.map((part) => values(part.data, {}, pathOf(part))),
    );
    return parts.map((part, position) => {
      const id = ids[position] ?? 0;
      const { owner, field, order, data } = part;
      this.#rows.inserts.later(componentsTableOf(owner.schema), componentsTableColumns, [owner.id, id, uid, field, order]);
      return { schema: component, id, status: owner.status, locale: owner.locale, data, path: pathOf(part) };
    });
  }

  async #relation(owner: Owner, attribute: RelationAttribute, value: unknown, path: string): Promise<void> {
    const { storage, target } = attribute;
    switch (storage.kind) {
      case 'linkTable':
        return this.#link(owner, storage, keyedTargets(target, value, path), path);
      case 'inverseMorphLink':
        return this.#inverseMorphLink(owner, storage, keyedTargets(target, value, path), path);
      case 'morphLink':
        return this.#morphLink(owner, storage, targetsOf(value, path), path);
      case 'morphColumns':
        return this.#morphColumns(owner, storage, targetsOf(value, path), path);
      case 'inverseMorphColumns':
        throw new ContentError(path, 'give this relation on its other side');
      case 'ownColumn':
      case 'sameDocument':
      case 'nowhere':
        throw new ContentError(path, 'content cannot set this relation');
    }
  }

  #link(owner: Owner, storage: LinkTable, targets: readonly Target[], path: string): void {
    this.#writeEach(storage.table, { owner, targets, path }, (id, { key }, position) => [
      [storage.sourceColumn, 'reference', owner.id],
      [storage.targetColumn, 'reference', id],
      [storage.orderColumn, 'order', position],
      [storage.inverseOrderColumn, 'order', this.#positionOf(owner, storage, key)],
    ]);
  }

  /** A source's position among the sources of a target, equal for its draft and published row. */
  #positionOf(owner: Owner, { table }: LinkTable, target: string): number {
    const link = `${table} ${owner.path} > ${target}`;
    let position = this.#positions.get(link);
    if (position === undefined) {
      const counter = `${table} ${owner.locale ?? ''} ${target}`;
      position = (this.#sources.get(counter) ?? 0) + 1;
      this.#sources.set(counter, position);
      this.#positions.set(link, position);
    }
    return position;
  }

  #inverseMorphLink(owner: Owner, storage: InverseMorphLink, targets: readonly Target[], path: string): void {
    this.#writeEach(storage.table, { owner, targets, path }, (id, _, position) => [
      [storage.targetColumn, 'reference', id],
      [storage.idColumn, 'reference', owner.id],
      [storage.typeColumn, 'string', storage.typeValue],
      [storage.fieldColumn, 'string', storage.fieldValue],
      [storage.orderColumn, 'order', position],
    ]);
  }

  #morphLink(owner: Owner, storage: MorphLink, targets: readonly Target[], path: string): void {
    // `field` stays empty, as in Strapi: only the inverse side writes it.
    this.#writeEach(storage.table, { owner, targets, path }, (id, { type }, position) => [
      [storage.sourceColumn, 'reference', owner.id],
      [storage.idColumn, 'reference', id],
      [storage.typeColumn, 'string', type],
      [storage.orderColumn, 'order', position],
    ]);
  }

  /** Writes a row for each row that the targets have; positions begin with 1. */
  #writeEach(
    table: string,
    { owner, targets, path }: { readonly owner: Owner; readonly targets: readonly Target[]; readonly path: string },
    cellsOf: (id: number, target: Target, position: number) => readonly Cell[],
  ): void {
    for (const [index, target] of targets.entries()) {
      for (const id of this.#index.targets(target.type, target.key, { ...owner, path })) {
        const cells = cellsOf(id, target, index + 1).flatMap(([name, type, value]) => (name === undefined ? [] : [{ name, type, value }]));
        const values = cells.map(({ value }) => value);
        this.#rows.inserts.later(table, cells, values);
      }
    }
  }

  async #morphColumns(owner: Owner, storage: MorphColumns, [target]: readonly Target[], path: string): Promise<void> {
    if (target === undefined) return;
    // A row of a type without drafts refers to one row: the target's published one if it exists.
    const id = this.#index.targets(target.type, target.key, { ...owner, path }).at(-1);
    if (id === undefined) return;
    this.#rows.update(owner.schema.table, owner.id, [
      { name: storage.idColumn, type: 'reference', value: id },
      { name: storage.typeColumn, type: 'string', value: target.type },
    ]);
  }
}

function partsOf(owner: Owner, attribute: ComponentAttribute | DynamicZoneAttribute, value: unknown, path: string): Part[] {
  const { name: field } = attribute;
  if (attribute.kind === 'component' && attribute.cardinality === 'one')
    return [{ uid: attribute.component, owner, field, order: null, data: recordOf(value, path) }];
  if (!Array.isArray(value)) throw new ContentError(path, 'expected a list of components');
  return value.map((item, index) => {
    const record = recordOf(item, path);
    if (attribute.kind === 'component') return { uid: attribute.component, owner, field, order: index + 1, data: record };
    const { __component: uid, ...data } = record;
    if (typeof uid !== 'string') throw new ContentError(path, 'an entry of a dynamic zone needs __component');
    return { uid, owner, field, order: index + 1, data };
  });
}

function recordOf(value: unknown, path: string): SeedData {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ContentError(path, 'expected an object');
  return { ...value };
}

/** The targets of a relation to one type, whose value has only their keys. */
function keyedTargets(type: Uid | undefined, value: unknown, path: string): Target[] {
  if (type === undefined) throw new ContentError(path, 'this relation has no target');
  const keys: readonly unknown[] = Array.isArray(value) ? value : [value];
  return keys.map((key) => {
    if (typeof key !== 'string') throw new ContentError(path, 'expected the key of a document');
    return { type, key };
  });
}

function targetsOf(value: unknown, path: string): Target[] {
  const targets: readonly unknown[] = Array.isArray(value) ? value : [value];
  return targets.map((target) => {
    const { type, key } = recordOf(target, path);
    if (typeof type !== 'string' || typeof key !== 'string') throw new ContentError(path, 'expected {"type", "key"}');
    return { type, key };
  });
}

function componentsTableOf(schema: Schema): string {
  if (schema.componentsTable === undefined) throw new Error(`${schema.uid} has no table for components`);
  return schema.componentsTable.table;
}
