/** Writes the relations of an archive. */

import type { SqlValue } from '../dialects/dialect.ts';
import { messageOf } from '../errors/system-error.ts';
import { type ContentModel, type RelationAttribute, schemaOf } from '../model/content-model.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import type { Rows } from '../sql/rows.ts';
import { isObject, type JsonObject, stringAt } from '../text/json.ts';
import { ArchiveRefused } from './archive-parts.ts';
import { isArchived } from './archived-types.ts';
import { settled } from './imported-rows-store.ts';
import type { Line } from './read-lines.ts';
import type { RowIds } from './row-ids.ts';

const linksAtOnce = 2000;

export class LinkImport {
  readonly #model: ContentModel;
  readonly #rows: Rows;
  readonly #ids: RowIds;
  #pending: string[] = [];
  links = 0;
  /** Links to or from rows that are not in the archive, or of attributes that the project lacks. */
  skipped = 0;

  constructor(model: ContentModel, rows: Rows, ids: RowIds) {
    this.#model = model;
    this.#rows = rows;
    this.#ids = ids;
  }

  async add({ value, place }: Line): Promise<void> {
    const { left, right } = value;
    if (!isObject(left) || !isObject(right)) throw new ArchiveRefused([`${place}: the relation needs a left and a right side.`]);
    const [leftType, field, rightType] = [stringAt(left, 'type'), stringAt(left, 'field'), stringAt(right, 'type')];
    if (leftType === undefined || field === undefined || rightType === undefined) {
      throw new ArchiveRefused([`${place}: the relation needs a type on each side, and a field on the left one.`]);
    }
    // `localizations` repeats the documentId.
    if (field === 'localizations') return;
    const attribute = schemaOf(this.#model, leftType)?.attributes.get(field);
    const [from, to] = [this.#ids.get(leftType, left.ref), this.#ids.get(rightType, right.ref)];
    if (attribute?.kind !== 'relation' || from === undefined || to === undefined || !isArchived(rightType)) {
      this.skipped++;
      return;
    }
    if (this.#write(attribute, { leftType, from, to, rightType, left, right, place })) this.links++;
    else this.skipped++;
    this.#pending.push(place);
    if (this.#pending.length >= linksAtOnce) await this.flush();
  }

  async flush(): Promise<void> {
    const [first, last] = [this.#pending[0], this.#pending.at(-1)];
    this.#pending = [];
    try {
      this.#rows.inserts.flush();
      await settled(this.#rows.connection);
    } catch (error) {
      throw new ArchiveRefused([`${first} to ${last}: ${messageOf(error)}`]);
    }
  }

  #write(
    { storage, target }: RelationAttribute,
    link: {
      readonly leftType: string;
      readonly rightType: string;
      readonly from: number;
      readonly to: number;
      readonly left: JsonObject;
      readonly right: JsonObject;
      readonly place: string;
    },
  ): boolean {
    const { from, to, rightType, left, right, place } = link;
    const columns: TypedColumn[] = [];
    const values: SqlValue[] = [];
    const add = (name: string | undefined, type: TypedColumn['type'], value: SqlValue) => {
      if (name === undefined) return;
      columns.push({ name, type });
      values.push(value);
    };
    switch (storage.kind) {
      case 'linkTable':
        if (!storage.owner || rightType !== target) return false;
        add(storage.sourceColumn, 'reference', from);
        add(storage.targetColumn, 'reference', to);
        add(storage.orderColumn, 'order', positionOf(left, place));
        add(storage.inverseOrderColumn, 'order', positionOf(right, place));
        break;
      case 'morphLink':
        add(storage.sourceColumn, 'reference', from);
        add(storage.idColumn, 'reference', to);
        add(storage.typeColumn, 'string', rightType);
        add(storage.fieldColumn, 'string', stringAt(right, 'field') ?? null);
        add(storage.orderColumn, 'order', positionOf(right, place));
        break;
      case 'morphColumns': {
        const table = schemaOf(this.#model, link.leftType)?.table ?? '';
        this.#rows.update(table, from, [
          { name: storage.idColumn, type: 'reference', value: to },
          { name: storage.typeColumn, type: 'string', value: rightType },
        ]);
        return true;
      }
      default:
        return false;
    }
    this.#rows.inserts.later(storage.table, columns, values);
    return true;
  }
}

function positionOf({ pos }: JsonObject, place: string): number | null {
  if (pos === null || pos === undefined) return null;
  if (typeof pos === 'number' && Number.isFinite(pos)) return pos;
  throw new ArchiveRefused([`${place}: pos has to be a number.`]);
}
