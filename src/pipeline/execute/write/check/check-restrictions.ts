/** Which rows a write may reach, asked inside its transaction. */
import type { Uid } from '../../../../model/content-model.ts';
import type { Rows } from '../../../../sql/rows.ts';
import type { RowGuard, WriteGuards } from '../../../compile/types.ts';

/** A row by its id; `published` is false for drafts alone. */
export interface GuardedRow {
  readonly id: number;
  readonly published: boolean;
}

export class Guards {
  readonly #guards: WriteGuards;
  readonly #rows: Rows;

  constructor(guards: WriteGuards, rows: Rows) {
    this.#guards = guards;
    this.#rows = rows;
  }

  limitsTargets(uid: Uid): boolean {
    return this.#guards.targets.has(uid);
  }

  /** Whether the write may change, or may have left, all of these rows of its own type. */
  allows(rows: readonly GuardedRow[]): Promise<boolean> {
    return this.#allWithin(this.#guards.own, rows);
  }

  /** Whether the write may have left these rows published. */
  allowsPublished(rows: readonly GuardedRow[]): Promise<boolean> {
    return this.#allWithin(
      this.#guards.publishing,
      rows.filter(({ published }) => published),
    );
  }

  limitsOthers(uid: Uid): boolean {
    return this.#guards.others.has(uid);
  }

  /** Whether links may change, or may have left, all of these rows of other documents. */
  allowsOthers(uid: Uid, rows: readonly GuardedRow[]): Promise<boolean> {
    return this.#allWithin(this.#guards.others.get(uid), rows);
  }

  /** The ids of those rows that a body may link to. */
  async linkable(uid: Uid, rows: readonly GuardedRow[]): Promise<ReadonlySet<number>> {
    const guard = this.#guards.targets.get(uid);
    return guard === undefined ? new Set(rows.map(({ id }) => id)) : this.#within(guard, rows);
  }

  async #allWithin(guard: RowGuard | undefined, rows: readonly GuardedRow[]): Promise<boolean> {
    if (guard === undefined || rows.length === 0) return true;
    const within = await this.#within(guard, rows);
    return rows.every(({ id }) => within.has(id));
  }

  async #within(guard: RowGuard, rows: readonly GuardedRow[]): Promise<Set<number>> {
    const { dialect } = this.#rows;
    const within = new Set<number>();
    for (const published of [true, false]) {
      const ids = rows.filter((row) => row.published === published).map(({ id }) => id);
      if (ids.length === 0) continue;
      const statement = published ? guard.published : guard.draft;
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
