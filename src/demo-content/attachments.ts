/** Writes the links, media and components of rows, including those of components. */
import type { SqlValue } from '../dialects/dialect.ts';
import type {
  Component,
  ContentModel,
  InverseMorphLink,
  LinkTable,
  MorphColumns,
  MorphLink,
  RelationAttribute,
  Schema,
  Uid,
} from '../model/content-model.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import type { Rows } from '../sql/rows.ts';
import { componentsTableColumns } from '../tables/components-table.ts';
import type { SeedData } from './content.ts';
import { ContentError } from './content-error.ts';
import type { Owner, RowIndex } from './row-index.ts';
import { type ScalarColumns, scalarColumns } from './scalar-columns.ts';

/** The target of a polymorphic relation. */
interface Target {
  readonly type: Uid;
  readonly key: string;
}

/** A component to write, and its position. */
interface Part {
  readonly owner: Owner;
  readonly field: string;
  readonly order: number | null;
  readonly data: SeedData;
}

interface LinkTargets {
  readonly type: Uid;
  readonly keys: readonly string[];
  readonly path: string;
}

export class Attachments {
  readonly #model: ContentModel;
  readonly #rows: Rows;
  readonly #index: RowIndex;
  readonly #scalars = new Map<Uid, ScalarColumns>();
  /** The number of sources by table and target. */
  readonly #sources = new Map<string, number>();
  /** The position of a source by table, source and target; a published row gets that of its draft. */
  readonly #positions = new Map<string, number>();

  /** Links are collected in `rows.inserts` until it is flushed. */
  constructor(model: ContentModel, rows: Rows, index: RowIndex) {
    this.#model = model;
    this.#rows = rows;
    this.#index = index;
  }

  async write(owners: readonly Owner[]): Promise<void> {
    const parts = new Map<Uid, Part[]>();
    const add = (component: Uid, part: Part) => {
      const list = parts.get(component);
      if (list === undefined) parts.set(component, [part]);
      else list.push(part);
    };
    for (const owner of owners) {
      for (const attribute of owner.schema.attributes.values()) {
        const value = owner.data[attribute.name];
        if (value === undefined || value === null || attribute.kind === 'scalar') continue;
        const path = `${owner.path}.${attribute.name}`;
        if (attribute.kind === 'relation') await this.#relation(owner, attribute, value, path);
        else if (attribute.kind === 'media')
          this.#inverseMorphLink(owner, attribute.storage, { type: attribute.target, keys: keysOf(value, path), path });
        else if (attribute.kind === 'component') {
          for (const part of partsOf(owner, attribute.name, value, { cardinality: attribute.cardinality, path }))
            add(attribute.component, part);
        } else {
          for (const part of partsOf(owner, attribute.name, value, { cardinality: 'many', path })) {
            const { __component: component, ...data } = part.data;
            if (typeof component !== 'string') throw new ContentError(path, 'an entry of a dynamic zone needs __component');
            add(component, { ...part, data });
          }
        }
      }
    }
    const written: Owner[] = [];
    for (const [uid, list] of parts) written.push(...(await this.#components(uid, list)));
    if (written.length > 0) await this.write(written);
  }

  async #components(uid: Uid, parts: readonly Part[]): Promise<Owner[]> {
    const component = this.#model.components.get(uid);
    if (component === undefined) throw new ContentError(parts[0]?.owner.path ?? uid, `there is no component ${uid}`);
    const { columns, values } = this.#scalarsOf(component);
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

  #scalarsOf(component: Component): ScalarColumns {
    const known = this.#scalars.get(component.uid);
    if (known !== undefined) return known;
    const scalars = scalarColumns(component);
    this.#scalars.set(component.uid, scalars);
    return scalars;
  }

  async #relation(owner: Owner, attribute: RelationAttribute, value: unknown, path: string): Promise<void> {
    const { storage, target } = attribute;
    switch (storage.kind) {
      case 'linkTable':
        return this.#link(owner, storage, { type: targetOf(target, path), keys: keysOf(value, path), path });
      case 'inverseMorphLink':
        return this.#inverseMorphLink(owner, storage, { type: targetOf(target, path), keys: keysOf(value, path), path });
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

  #link(owner: Owner, storage: LinkTable, { type: target, keys, path }: LinkTargets): void {
    const columns: TypedColumn[] = [
      { name: storage.sourceColumn, type: 'reference' },
      { name: storage.targetColumn, type: 'reference' },
    ];
    if (storage.orderColumn !== undefined) columns.push({ name: storage.orderColumn, type: 'order' });
    if (storage.inverseOrderColumn !== undefined) columns.push({ name: storage.inverseOrderColumn, type: 'order' });
    keys.forEach((key, position) => {
      for (const id of this.#index.targets(target, key, { ...owner, path })) {
        const row: SqlValue[] = [owner.id, id];
        if (storage.orderColumn !== undefined) row.push(position + 1);
        if (storage.inverseOrderColumn !== undefined) row.push(this.#positionOf(owner, storage, key));
        this.#rows.inserts.later(storage.table, columns, row);
      }
    });
  }

  /** The position of a source among the sources of one target, equal for its draft and its published row. */
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

  #inverseMorphLink(owner: Owner, storage: InverseMorphLink, { type: target, keys, path }: LinkTargets): void {
    const columns: TypedColumn[] = [
      { name: storage.targetColumn, type: 'reference' },
      { name: storage.idColumn, type: 'reference' },
      { name: storage.typeColumn, type: 'string' },
      { name: storage.fieldColumn, type: 'string' },
      { name: storage.orderColumn, type: 'order' },
    ];
    keys.forEach((key, position) => {
      for (const id of this.#index.targets(target, key, { ...owner, path })) {
        this.#rows.inserts.later(storage.table, columns, [id, owner.id, storage.typeValue, storage.fieldValue, position + 1]);
      }
    });
  }

  #morphLink(owner: Owner, storage: MorphLink, targets: readonly Target[], path: string): void {
    // `field` stays empty, as in Strapi: only the inverse side writes it.
    const columns: TypedColumn[] = [
      { name: storage.sourceColumn, type: 'reference' },
      { name: storage.idColumn, type: 'reference' },
      { name: storage.typeColumn, type: 'string' },
      { name: storage.orderColumn, type: 'order' },
    ];
    targets.forEach(({ type, key }, position) => {
      for (const id of this.#index.targets(type, key, { ...owner, path })) {
        this.#rows.inserts.later(storage.table, columns, [owner.id, id, type, position + 1]);
      }
    });
  }

  async #morphColumns(owner: Owner, storage: MorphColumns, [target]: readonly Target[], path: string): Promise<void> {
    if (target === undefined) return;
    // A row of a type without drafts refers to one row: if the target has drafts, to the published one if it exists.
    const id = this.#index.targets(target.type, target.key, { ...owner, path }).at(-1);
    if (id === undefined) return;
    this.#rows.update(owner.schema.table, owner.id, [
      { name: storage.idColumn, type: 'reference', value: id },
      { name: storage.typeColumn, type: 'string', value: target.type },
    ]);
  }
}

function partsOf(
  owner: Owner,
  field: string,
  value: unknown,
  { cardinality, path }: { readonly cardinality: 'one' | 'many'; readonly path: string },
): Part[] {
  if (cardinality === 'one') return [{ owner, field, order: null, data: recordOf(value, path) }];
  if (!Array.isArray(value)) throw new ContentError(path, 'expected a list of components');
  return value.map((item, position) => ({ owner, field, order: position + 1, data: recordOf(item, path) }));
}

function recordOf(value: unknown, path: string): SeedData {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ContentError(path, 'expected an object');
  return { ...value };
}

function keysOf(value: unknown, path: string): string[] {
  const keys: readonly unknown[] = Array.isArray(value) ? value : [value];
  return keys.map((key) => {
    if (typeof key !== 'string') throw new ContentError(path, 'expected the key of a document');
    return key;
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

function targetOf(target: Uid | undefined, path: string): Uid {
  if (target === undefined) throw new ContentError(path, 'this relation has no target');
  return target;
}

function componentsTableOf(schema: Schema): string {
  if (schema.componentsTable === undefined) throw new Error(`${schema.uid} has no table for components`);
  return schema.componentsTable.table;
}
