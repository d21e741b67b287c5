/** The row ids that the rows of an archive got, by type. */
import type { Uid } from '../model/content-model.ts';

export class RowIds {
  readonly #ids = new Map<Uid, Map<number, number>>();

  /** False if the row was there already. */
  add(type: Uid, archived: number, id: number): boolean {
    const ids = this.#ids.get(type) ?? new Map<number, number>();
    this.#ids.set(type, ids);
    if (ids.has(archived)) return false;
    ids.set(archived, id);
    return true;
  }

  get(type: Uid, archived: unknown): number | undefined {
    return typeof archived === 'number' ? this.#ids.get(type)?.get(archived) : undefined;
  }

  all(type: Uid): readonly number[] {
    return [...(this.#ids.get(type)?.values() ?? [])];
  }
}
