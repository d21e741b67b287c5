/** Which rows a write may reach, asked inside its transaction. */
import type { Uid } from '../../../../model/content-model.ts';
import type { Rows } from '../../../../sql/rows.ts';
import type { RowRestriction, WriteRestrictions } from '../../../compile/types.ts';

/** A row by its id; `published` is false for drafts alone. */
export interface CheckedRow {
  readonly id: number;
  readonly published: boolean;
}

export class RestrictionChecks {
  readonly #restrictions: WriteRestrictions;
  readonly #rows: Rows;

  constructor(restrictions: WriteRestrictions, rows: Rows) {
    this.#restrictions = restrictions;
    this.#rows = rows;
  }

  restrictsTargets(uid: Uid): boolean {
    return this.#restrictions.targets.has(uid);
  }

  /** Whether the write may change, or may have left, all of these rows of its own type. */
  allows(rows: readonly CheckedRow[]): Promise<boolean> {
    return this.#allWithin(this.#restrictions.own, rows);
  }

  /** Whether the write may have left these rows published. */
  allowsPublished(rows: readonly CheckedRow[]): Promise<boolean> {
    return this.#allWithin(
      this.#restrictions.publishing,
      rows.filter(({ published }) => published),
    );
  }

  restrictsOthers(uid: Uid): boolean {
    return this.#restrictions.others.has(uid);
  }

  /** Whether links may change, or may have left, all of these rows of other documents. */
  allowsOthers(uid: Uid, rows: readonly CheckedRow[]): Promise<boolean> {
    return this.#allWithin(this.#restrictions.others.get(uid), rows);
  }

  /** The ids of those rows that a body may link to. */
  async linkable(uid: Uid, rows: readonly CheckedRow[]): Promise<ReadonlySet<number>> {
    const restriction = this.#restrictions.targets.get(uid);
    return restriction === undefined ? new Set(rows.map(({ id }) => id)) : this.#within(restriction, rows);
  }

  async #allWithin(restriction: RowRestriction | undefined, rows: readonly CheckedRow[]): Promise<boolean> {
    if (restriction === undefined || rows.length === 0) return true;
    const within = await this.#within(restriction, rows);
    return rows.every(({ id }) => within.has(id));
  }

  async #within(restriction: RowRestriction, rows: readonly CheckedRow[]): Promise<Set<number>> {
    const { dialect } = this.#rows;
    const within = new Set<number>();
    for (const published of [true, false]) {
      const ids = rows.filter((row) => row.published === published).map(({ id }) => id);
      if (ids.length === 0) continue;
      const statement = published ? restriction.published : restriction.draft;
      if (statement === undefined) {
        for (const id of ids) within.add(id);
        continue;
      }
      const { text, parameters } = statement;
      const values = parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : dialect.bindIds(ids)));
      for (const [id] of await this.#rows.query(text, values)) within.add(Number(id));
    }
    return within;
  }
}
