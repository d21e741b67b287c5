/** Checks inside a write's transaction which rows the write may reach. */
import type { Uid } from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import type { Rows } from '../../../../sql/rows.ts';
import type { RowRestriction, WriteRestrictions } from '../../../compile/types.ts';
import type { Status } from '../../../parse/types.ts';

/** A row and its status. `published` is false only for drafts: without drafts, all rows count. */
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

  /** Whether the restriction on the written type includes all rows, before or after the write. */
  allows(rows: readonly CheckedRow[]): Promise<boolean> {
    return this.#allWithin(this.#restrictions.own, rows);
  }

  /** Whether the restriction on publishing includes all of these rows that are published. */
  allowsPublished(rows: readonly CheckedRow[]): Promise<boolean> {
    return this.#allWithin(
      this.#restrictions.publishing,
      rows.filter(({ published }) => published),
    );
  }

  restrictsOthers(uid: Uid): boolean {
    return this.#restrictions.others.has(uid);
  }

  /** Whether the restriction on other documents includes these rows, before or after the change. */
  allowsOthers(uid: Uid, rows: readonly CheckedRow[]): Promise<boolean> {
    return this.#allWithin(this.#restrictions.others.get(uid), rows);
  }

  /** Returns the ids of those rows that a body may link to. */
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
    const check = async (status: Status) => {
      const ids = rows.filter(({ published }) => published === (status === 'published')).map(({ id }) => id);
      const statement = restriction[status];
      if (statement === undefined) for (const id of ids) within.add(id);
      if (statement === undefined || ids.length === 0) return;
      const values = statement.parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : dialect.bindIds(ids)));
      for (const [id] of await this.#rows.query(statement.text, values)) within.add(Number(id));
    };
    await allDone([check('published'), check('draft')]);
    return within;
  }
}
