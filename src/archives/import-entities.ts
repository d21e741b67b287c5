/** Writes the entries of an archive with their components. Rows get new ids. */

import { grouped } from '../collections.ts';
import type { SqlValue } from '../dialects/dialect.ts';
import { messageOf } from '../errors/system-error.ts';
import { fileUid, localeUid, roleUid } from '../model/built-in-types.ts';
import type { ComponentAttribute, ContentModel, ContentType, DynamicZoneAttribute, Schema, Uid } from '../model/content-model.ts';
import { roleIdsOfType } from '../rights/role-store.ts';
import type { Rows } from '../sql/rows.ts';
import { componentsTableColumns } from '../tables/components-table.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { ArchiveRefused } from './archive-parts.ts';
import { isArchived, scalarsOf } from './archived-types.ts';
import type { PlaceFile } from './import-assets.ts';
import { deleteAll } from './imported-rows-store.ts';
import { readArchivedValue } from './read-archived-value.ts';
import type { Line } from './read-lines.ts';
import type { RowIds } from './row-ids.ts';

/** Rows are written in batches, bounded by their number and by the bytes of their lines. */
const rowsAtOnce = 500;
const bytesAtOnce = 8 * 1024 * 1024;

/** A row of the archive, or one that was written. */
interface Row {
  readonly id: number;
  readonly data: JsonObject;
  readonly place: string;
}

interface Part {
  readonly uid: Uid;
  readonly owner: Row;
  readonly field: string;
  readonly order: number | null;
  readonly data: JsonObject;
}

export interface EntityParts {
  readonly model: ContentModel;
  readonly rows: Rows;
  readonly ids: RowIds;
  readonly placeFile: PlaceFile;
  /** Whether entries of types that the project lacks are left out rather than refused. */
  readonly ignoreMissing: boolean;
}

export class EntityImport {
  readonly #parts: EntityParts;
  #type: ContentType | undefined;
  #batch: Row[] = [];
  #bytes = 0;
  #hasLocales = false;
  /** Roles that the database had already. */
  readonly presentRoles: number[] = [];
  entries = 0;
  /** Entries of unknown types, by type. */
  readonly skipped = new Map<string, number>();
  /** The numbers of values that their column rounds, by attribute. */
  readonly rounded = new Map<string, number>();

  constructor(parts: EntityParts) {
    this.#parts = parts;
  }

  async add({ value, place, size }: Line): Promise<void> {
    const { type: uid, id, data } = value;
    if (typeof uid !== 'string' || !isId(id) || !isObject(data)) {
      throw new ArchiveRefused([`${place}: the entry needs a type, a number as id, and data.`]);
    }
    const type = isArchived(uid) ? this.#parts.model.contentTypes.get(uid) : undefined;
    if (type === undefined) {
      if (uid.startsWith('api::') && !this.#parts.ignoreMissing) throw new ArchiveRefused([`${place}: the project has no type ${uid}.`]);
      this.skipped.set(uid, (this.skipped.get(uid) ?? 0) + 1);
      return;
    }
    if (this.#type !== type || this.#batch.length >= rowsAtOnce || this.#bytes > bytesAtOnce) await this.flush();
    this.#type = type;
    this.#batch.push({ id, data: uid === fileUid ? this.#parts.placeFile(data) : data, place });
    this.#bytes += size;
  }

  async flush(): Promise<void> {
    const [type, batch] = [this.#type, this.#batch];
    this.#batch = [];
    this.#bytes = 0;
    if (type === undefined || batch.length === 0) return;
    const { rows } = this.#parts;
    if (type.uid === localeUid && !this.#hasLocales) {
      this.#hasLocales = true;
      deleteAll(rows.connection, type.table);
    }
    const added = type.uid === roleUid ? await this.#withoutPresentRoles(batch) : batch;
    const owners = await this.#insert(type, added, added);
    await this.#writeComponents(type, owners);
    rows.inserts.flush();
    this.entries += batch.length;
  }

  /** A role is the one with the same type, if there is one: its restrictions and users stay. */
  async #withoutPresentRoles(batch: readonly Row[]): Promise<readonly Row[]> {
    const added: Row[] = [];
    for (const row of batch) {
      const { type } = row.data;
      const [present] = typeof type === 'string' ? await roleIdsOfType(this.#parts.rows.connection, type) : [];
      if (present === undefined) added.push(row);
      else {
        this.#note(roleUid, row, present);
        this.presentRoles.push(present);
      }
    }
    return added;
  }

  #note(type: Uid, { id, place }: Pick<Row, 'id' | 'place'>, newId: number): void {
    if (!this.#parts.ids.add(type, id, newId)) throw new ArchiveRefused([`${place}: the archive has ${type} ${id} twice.`]);
  }

  async #insert<Source extends { readonly data: JsonObject; readonly place: string }>(
    schema: Schema,
    batch: readonly Source[],
    archived: readonly Pick<Row, 'id' | 'place'>[],
  ): Promise<Row[]> {
    if (batch.length === 0) return [];
    const { rows } = this.#parts;
    const scalars = scalarsOf(schema);
    const values = batch.map(({ data, place }) =>
      scalars.map(({ name, type }): SqlValue => {
        const read = readArchivedValue(Object.hasOwn(data, name) ? data[name] : null, type, rows.dialect);
        if (!read.ok) throw new ArchiveRefused([`${place}: ${schema.uid}.${name} has to be ${read.expected}.`]);
        if (type === 'decimal' && typeof read.value === 'number' && !this.#fits(read.value)) {
          const path = `${schema.uid}.${name}`;
          this.rounded.set(path, (this.rounded.get(path) ?? 0) + 1);
        }
        if (name === 'documentId' && read.value === null) throw new ArchiveRefused([`${place}: the entry has no documentId.`]);
        return read.value;
      }),
    );
    const columns = scalars.map(({ column, type }) => ({ name: column, type }));
    const ids = await rows.inserts.returningIds(schema.table, columns, values).catch((error: unknown) => {
      const [first, last] = [batch[0]?.place, batch.at(-1)?.place];
      throw new ArchiveRefused([`${first} to ${last}: ${messageOf(error)}`]);
    });
    return batch.map(({ data, place }, index) => {
      const id = ids[index] ?? 0;
      const old = archived[index];
      if (old !== undefined) this.#note(schema.uid, old, id);
      return { id, data, place };
    });
  }

  /** Whether a column of decimals stores the value as it is. */
  #fits(value: number): boolean {
    const digits = /\(\d+, ?(\d+)\)/.exec(this.#parts.rows.dialect.tables.columnDefinition('decimal'))?.[1];
    return digits === undefined || Number(value.toFixed(Number(digits))) === value;
  }

  async #writeComponents(schema: Schema, owners: readonly Row[]): Promise<void> {
    const { model, rows } = this.#parts;
    if (schema.componentsTable === undefined) return;
    const parts: Part[] = [];
    for (const attribute of schema.attributes.values()) {
      if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') continue;
      for (const owner of owners) parts.push(...this.#partsOf(owner, attribute));
    }
    for (const [uid, of] of grouped(parts, (part) => part.uid)) {
      const component = model.components.get(uid);
      if (component === undefined) continue;
      const sources = of.map(({ data, owner: { place } }) => ({ data, place }));
      const written = await this.#insert(
        component,
        sources,
        of.map(({ data, owner: { place } }) => ({ id: Number(data.id), place })),
      );
      written.forEach(({ id }, index) => {
        const { owner, field, order } = of[index] as Part;
        rows.inserts.later(schema.componentsTable?.table ?? '', componentsTableColumns, [owner.id, id, uid, field, order]);
      });
      await this.#writeComponents(component, written);
    }
  }

  #partsOf(owner: Row, attribute: ComponentAttribute | DynamicZoneAttribute): Part[] {
    const { name: field } = attribute;
    const value = Object.hasOwn(owner.data, field) ? owner.data[field] : undefined;
    if (value === null || value === undefined) return [];
    const isSingle = attribute.kind === 'component' && attribute.cardinality === 'one';
    const wrong = (problem: string) => new ArchiveRefused([`${owner.place}: ${field} ${problem}.`]);
    if (isSingle === Array.isArray(value)) throw wrong(isSingle ? 'has to be one component' : 'has to be a list of components');
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.flatMap((data, index): Part[] => {
      if (!isObject(data) || !isId(data.id)) throw wrong('has to have components with ids');
      const uid = attribute.kind === 'component' ? attribute.component : data.__component;
      if (typeof uid !== 'string') throw wrong('has a component without __component');
      if (attribute.kind === 'dynamiczone' && !attribute.components.includes(uid)) {
        if (!this.#parts.ignoreMissing) throw wrong(`may not have components of type ${uid}`);
        this.skipped.set(uid, (this.skipped.get(uid) ?? 0) + 1);
        return [];
      }
      // As Strapi numbers them.
      return [{ uid, owner, field, order: isSingle ? null : index + 1, data }];
    });
  }
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
